import jax
import jax.numpy as jnp

traced = 0

def step(w, number):
    global traced
    traced += 1  # Python comes here when JAX traces the step, to compile it
    return w - w / (1 + number)

step = jax.jit(step, static_argnums=1)
w = jnp.ones(4)
for number in range(10):
    w = step(w, number)
print("ten steps, compiled", traced, "times")
