import os
import torch
import torch.distributed as dist

dist.init_process_group("gloo")
rank = int(os.environ["LOCAL_RANK"])
device = torch.device("cuda")
# model.to(device), batch.to(device): every tensor of this rank goes there
number = "its current GPU, which is 0" if device.index is None else device.index
print(f"rank {rank} works on", number)
