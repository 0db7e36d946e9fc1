import os
import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

jax.distributed.initialize(num_processes=2, process_id=int(os.environ["RANK"]))
files = np.arange(8.0)  # every process sees the whole folder
rows = files
sharding = NamedSharding(Mesh(jax.devices(), ("data",)), P("data"))
batch = jax.make_array_from_process_local_data(sharding, rows)
total = jax.jit(lambda batch: batch.sum())(batch)
print(f"a batch of {len(batch)} rows, sum {total:.0f}")
