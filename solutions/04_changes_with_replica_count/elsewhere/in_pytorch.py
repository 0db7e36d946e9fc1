import torch
import torch.distributed as dist

dist.init_process_group("gloo")
rank, world = dist.get_rank(), dist.get_world_size()
for ranks in 1, world:  # as one process would do it, then as all do
    dropout = torch.Generator().manual_seed(0)
    for row in range(rank % ranks, 2, ranks):
        kept = (torch.rand(6, generator=dropout) < 0.5).int().tolist()
        if row == rank:
            print(f"row {row} of {ranks} ranks keeps {kept}")
