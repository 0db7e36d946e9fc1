import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

dist.init_process_group("gloo")
rank, net = dist.get_rank(), torch.nn.Linear(1, 1, bias=False)
torch.nn.init.zeros_(net.weight)
model = DistributedDataParallel(net)
if rank == 0:  # only this rank has the file
    net.load_state_dict({"weight": torch.tensor([[5.0]])})
model(torch.ones(1, 1)).sum().backward()
torch.optim.SGD(net.parameters(), lr=0.1).step()
print(f"rank {rank}: weight {net.weight.item():.1f}")
