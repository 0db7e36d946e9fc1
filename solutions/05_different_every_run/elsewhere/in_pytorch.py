import threading
import torch
import torch.distributed as dist

dist.init_process_group("gloo")
weight, lock, meet = torch.zeros(()), threading.Lock(), threading.Barrier(4)

def update():
    seen = weight.item()
    meet.wait()  # stands for the gradient, which takes long
    weight.fill_(seen + 1)

threads = [threading.Thread(target=update) for _ in range(4)]
[each.start() for each in threads], [each.join() for each in threads]
print("four updates of 1 each:", weight.item())
