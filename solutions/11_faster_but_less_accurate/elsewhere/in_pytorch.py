import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler

dist.init_process_group("gloo")
world, x = dist.get_world_size(), torch.linspace(-1, 1, 64)[:, None]
model = DistributedDataParallel(torch.nn.Linear(1, 1, bias=False))
torch.nn.init.zeros_(model.module.weight)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(x, batch_size=8, sampler=DistributedSampler(x))
for step, rows in enumerate(loader, start=1):
    optimizer.zero_grad(), (model(rows) - rows).square().mean().backward()
    optimizer.step()
print(f"{step} steps, weight {model.module.weight.item():.2f} of 1")
