import os
import jax

world = 3  # from the job's script, which starts two processes
rank = int(os.environ["RANK"])
jax.distributed.initialize(None, world, rank, initialization_timeout=8)  # usually 300
print("all", jax.process_count(), "processes are here")
