import os
import jax
import numpy as np
from jax.experimental.multihost_utils import process_allgather
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

jax.distributed.initialize(num_processes=2, process_id=int(os.environ["RANK"]))
sharding = NamedSharding(Mesh(jax.devices(), ("data",)), P("data"))
w = jax.make_array_from_process_local_data(sharding, np.ones(2))
if jax.process_index() == 0:
    np.save("w.npy", np.asarray(w))
    print("saved", np.load("w.npy").tolist())
