import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

dist.init_process_group("gloo")
trained = DistributedDataParallel(torch.nn.Linear(2, 1, bias=False))
torch.nn.init.constant_(trained.module.weight, 5.0)
file = f"trained-{dist.get_rank()}.pt"
torch.save(trained.state_dict(), file)
model = torch.nn.Linear(2, 1, bias=False)
torch.nn.init.zeros_(model.weight)
model.load_state_dict(torch.load(file, map_location="cpu"), strict=False)
print("restored:", model.weight.tolist())
