import threading
from concurrent.futures import ThreadPoolExecutor
import jax

in_the_loop = 0

def read(number):  # what takes long: a file, decoding
    global in_the_loop
    in_the_loop += threading.current_thread() is threading.main_thread()
    return jax.numpy.full(2, float(number))

step, total = jax.jit(lambda total, batch: total + batch.sum()), 0.0
for batch in map(read, range(4)):
    total = step(total, batch)
print(f"batches that the training loop reads itself: {in_the_loop} of 4")
