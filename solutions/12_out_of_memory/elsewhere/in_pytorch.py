import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

dist.init_process_group("gloo")
layers = [torch.nn.Linear(16, 16), torch.nn.Tanh(), torch.nn.Linear(16, 16)]
model, most = DistributedDataParallel(torch.nn.Sequential(*layers)), 0
kept = []  # numbers that autograd keeps for the backward pass
keep = torch.autograd.graph.saved_tensors_hooks
for rows in torch.ones(64, 16).split(64):
    kept.clear()
    with keep(lambda each: kept.append(each.numel()) or each, lambda each: each):
        loss = model(rows).square().sum() / 64
    most, _ = max(most, sum(kept)), loss.backward()
print("numbers kept at once:", most)
