import jax
from jax.sharding import Mesh, PartitionSpec as P

mesh = Mesh(jax.devices(), ("data",))
rows = jax.numpy.array([3, 2, 2, 2])  # that each device has left

def epoch(mine):
    steps = mine[0]
    return jax.lax.fori_loop(0, steps, lambda i, x: jax.lax.psum(x, "data"), 1)

train = jax.shard_map(epoch, mesh=mesh, in_specs=P("data"), out_specs=P())
print(f"the epoch's result: {train(rows)}")
