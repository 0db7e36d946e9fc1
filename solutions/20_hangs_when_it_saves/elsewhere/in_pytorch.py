from datetime import timedelta
import torch
import torch.distributed as dist

dist.init_process_group("gloo", timeout=timedelta(seconds=20))
rank, seen = dist.get_rank(), torch.tensor([4.0])  # a metric, of this rank's rows
if rank == 0:
    dist.all_reduce(seen)
    torch.save({"seen": seen}, "checkpoint.pt")
    print("saved:", seen.item())
print(f"rank {rank} goes on")
