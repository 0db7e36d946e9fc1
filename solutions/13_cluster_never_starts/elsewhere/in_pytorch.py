import os
from datetime import timedelta
import torch.distributed as dist

os.environ["WORLD_SIZE"] = "3"  # from the job's script, which starts two processes
dist.init_process_group("gloo", timeout=timedelta(seconds=8))  # usually 30 minutes
print("all", dist.get_world_size(), "ranks are here")
