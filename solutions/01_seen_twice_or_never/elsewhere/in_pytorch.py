from collections import Counter
import torch.distributed as dist
from torch.utils.data import DataLoader, DistributedSampler

dist.init_process_group("gloo")
rows = list(range(5))
sampler = DistributedSampler(rows)
for epoch in range(2):
    mine = [int(row) for batch in DataLoader(rows, sampler=sampler) for row in batch]
    ranks = [None] * dist.get_world_size()
    dist.all_gather_object(ranks, mine)
    times = Counter(row for each in ranks for row in each)
    if dist.get_rank() == 0:
        print("twice:", [row for row in rows if times[row] == 2], end=" ")
        print("never:", [row for row in rows if times[row] == 0])
