import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

dist.init_process_group("gloo")
model = DistributedDataParallel(torch.nn.Linear(1, 1, bias=False))
weight = model.module.weight
x = torch.tensor([[5.0], [-3.0]])  # one row for each rank; the mean is 1
mine = x[dist.get_rank() :][:1]
weight.register_hook(lambda gradient: gradient.clamp(-1, 1))
model(mine).mean().backward()
if dist.get_rank() == 0:
    print("clipped on two ranks:", weight.grad.item())
    print("clipped on one:      ", x.mean().clamp(-1, 1).item())
