import torch
import torch.distributed as dist

dist.init_process_group("gloo")
rank, parts = dist.get_rank(), 1
clock = torch.zeros(1)  # counts rows of work, not seconds
for part in torch.ones(8, 4).chunk(parts):
    came = torch.zeros(1)
    if rank == 1:
        dist.recv(came, src=0)  # activations, when rank 0 has them
    clock = torch.maximum(clock, came) + len(part)
    if rank == 0:
        dist.send(clock, dst=1)
if rank == 1:
    print(f"two stages: done after {int(clock)} rows of work; one stage: 16")
