import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

dist.init_process_group("gloo")
rank, world = dist.get_rank(), dist.get_world_size()
torch.manual_seed(0)
model = DistributedDataParallel(torch.nn.Linear(1, 1, bias=False))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
x = torch.full((4, 1), rank + 1.0)
for step in range(3):
    optimizer.zero_grad()
    (model.module(x) - 1).square().mean().backward()
    optimizer.step()
print(f"rank {rank}: weight {model.module.weight.item():.3f}")
