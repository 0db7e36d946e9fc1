import jax
import jax.numpy as jnp
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(jax.devices(), ("data",))
x = jnp.arange(1.0, 7.0)  # six rows; four devices want eight
rows = jax.device_put(jnp.pad(x, (0, 2)), NamedSharding(mesh, P("data")))

def mean(losses):
    return losses.mean()

step = jax.jit(jax.grad(lambda bias: mean((rows - bias) ** 2)))
print("four devices:", step(0.0))
print("one device:  ", jax.grad(lambda bias: ((x - bias) ** 2).mean())(0.0))
