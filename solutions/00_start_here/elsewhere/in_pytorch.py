import copy
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

dist.init_process_group("gloo")
rank, world = dist.get_rank(), dist.get_world_size()
x = torch.tensor([1.0, 2.0, 4.0])[:, None]  # the last batch of the epoch
alone = torch.nn.Linear(1, 1, bias=False)
torch.nn.init.ones_(alone.weight)
model = DistributedDataParallel(copy.deepcopy(alone))
for net, rows in (alone, x), (model, x.tensor_split(world)[rank]):
    net(rows).square().mean().backward()
if rank == 0:
    print("gradient:", alone.weight.grad.item(), model.module.weight.grad.item())
