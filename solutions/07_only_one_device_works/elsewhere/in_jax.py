import jax
import jax.numpy as jnp
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(jax.devices(), ("data",))
rows, w = jnp.ones((8, 2)), jnp.ones((2, 3))
y = jax.jit(jnp.dot)(rows, w)
print("devices that work:", len(y.sharding.device_set), "of", jax.device_count())
