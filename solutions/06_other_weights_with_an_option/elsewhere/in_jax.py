import jax
from jax.sharding import Mesh, PartitionSpec as P

mesh = Mesh(jax.devices(), ("data",))
x = jax.numpy.array([5.0, -3.0, 3.0, 7.0])

def loss(w, x):
    return (w * x).mean()

def gradient(w, x):
    return jax.lax.pmean(jax.grad(loss)(w, x), "data")

step = jax.shard_map(gradient, mesh=mesh, in_specs=(P(), P("data")), out_specs=P())
print("four devices:", step(1.0, x), "one device:", jax.grad(loss)(1.0, x))
