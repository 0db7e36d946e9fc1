import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

dist.init_process_group("gloo")
model, total = DistributedDataParallel(torch.nn.Linear(2, 1)), 0.0
read, item = [], torch.Tensor.item
torch.Tensor.item = lambda tensor: read.append(1) or item(tensor)  # counts the calls
for step in range(10):
    loss = model(torch.ones(4, 2)).square().mean()
    loss.backward()
    total += loss.item()
if dist.get_rank() == 0:
    print("ten steps, in which Python waits for a value", len(read), "times")
