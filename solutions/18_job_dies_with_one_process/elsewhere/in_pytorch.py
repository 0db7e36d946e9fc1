import os
import torch
import torch.distributed as dist

dist.init_process_group("gloo")
rank, begin, weight = dist.get_rank(), 0, torch.zeros(1)
if os.path.exists("job.pt"):
    weight = torch.load("job.pt")
for step in range(begin, 5):
    if step == 2 and rank == 1 and os.environ["TORCHELASTIC_RESTART_COUNT"] == "0":
        os._exit(1)  # this machine is lost
    dist.all_reduce(torch.ones(1))  # the gradient's
    weight += 1
    torch.save(weight, "job.pt") if rank == 0 else None
print(f"rank {rank} began with step {begin}: weight {weight.item()} after 5 steps")
