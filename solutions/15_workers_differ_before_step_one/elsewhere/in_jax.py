import os
import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

jax.distributed.initialize(num_processes=2, process_id=int(os.environ["RANK"]))
rank, everywhere = jax.process_index(), NamedSharding(Mesh(jax.devices(), "d"), P())
value = np.full(1, 5.0 if rank == 0 else 0.0)  # only process 0 has the file
w = jax.make_array_from_process_local_data(everywhere, value)
w = jax.jit(lambda w: w - 0.1)(w)
print(f"process {rank}: weight {w.addressable_data(0)[0]:.1f}")
