import contextlib
import torch
import torch.distributed as dist
from torch.distributed.algorithms.ddp_comm_hooks.default_hooks import allreduce_hook
from torch.nn.parallel import DistributedDataParallel

dist.init_process_group("gloo")
model, sent = DistributedDataParallel(torch.nn.Linear(2, 1)), []
hook = lambda group, bucket: sent.append(bucket) or allreduce_hook(group, bucket)
model.register_comm_hook(None, hook)  # DDP calls it for every message
for part in range(4):  # four micro-batches make one step
    with contextlib.nullcontext():
        model(torch.ones(4, 2)).square().mean().backward()
if dist.get_rank() == 0:
    print("messages in one step:", len(sent))
