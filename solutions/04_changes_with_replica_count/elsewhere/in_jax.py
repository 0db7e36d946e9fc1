import jax
from jax.sharding import Mesh, PartitionSpec as P

def dropout(key, rows):
    return jax.random.bernoulli(key, 0.5, (len(rows), 6))

for count in 1, 4:
    mesh = Mesh(jax.devices()[:count], ("data",))
    specs = {"in_specs": (P(), P("data")), "out_specs": P("data"), "check_vma": False}
    step = jax.jit(jax.shard_map(dropout, mesh=mesh, **specs))
    kept = step(jax.random.key(0), jax.numpy.arange(4)).astype(int)
    for row in range(2):
        print(f"row {row} on {count} devices keeps {kept[row].tolist()}")
