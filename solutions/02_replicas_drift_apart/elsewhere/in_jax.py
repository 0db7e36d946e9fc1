import jax
from jax.sharding import Mesh, PartitionSpec as P

mesh, x = Mesh(jax.devices(), ("data",)), jax.numpy.arange(4.0)

def step(w, x):
    gradient = jax.grad(lambda w: ((w * x - 1) ** 2).mean())(w)
    return w - 0.1 * gradient

specs = {"in_specs": (P(), P("data")), "out_specs": P(), "check_vma": False}
w = jax.jit(jax.shard_map(step, mesh=mesh, **specs))(1.0, x)
alone = 1.0 - 0.1 * jax.grad(lambda w: ((w * x - 1) ** 2).mean())(1.0)
print(f"four devices: {w:.2f}, one device: {alone:.2f}")
