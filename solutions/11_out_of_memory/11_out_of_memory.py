# ---
# course:
#   number: "11"
#   title: Out of memory, although half the batch ran
#   part: 2
#   minutes: {core: 25, further: [10, 10]}
#   symptoms:
#     - "ResourceExhaustedError: OOM when allocating tensor with shape"
#     - "out of memory with a larger batch size, although model and data are small"
#     - "memory monitor shows free memory, and the training job dies"
#   in_a_hurry:
#     cause: >-
#       The tape keeps every layer's output until the backward pass has used it. That
#       grows with the rows that go through the network in one call, not with the weights.
#     probe: >-
#       Halve the number of rows until the step runs; the error names the tensor that
#       did not fit.
#     fix: >-
#       Cut the batch into micro-batches, one `tf.GradientTape` each; add up gradients of
#       SUMS over rows; divide once by the number of all rows.
# ---

# %% [markdown] beat="symptom"
# ## 1 · Symptom
#
# A training step ran well with a batch of 30,000 rows. With 60,000 rows it stops:
# `ResourceExhaustedError: OOM when allocating tensor with shape[60000,64]`. The data are in
# memory already, and the model is small.
#
# Several training processes (**workers**) on one machine have the same problem sooner:
# they share its memory. Here the step runs in a process of its own, which may take only
# 80 MB more than it has at the start (this needs Linux). Your kernel is not limited. (1 MB is 2**20
# bytes in this notebook.)

# %% role="start"
from course import check, mirrored, predict, show, virtual_devices
import tensorflow as tf
devices = virtual_devices(4)

# %% role="setup" key="tools"
import numpy as np
import psutil

from course.lessons.n11_out_of_memory import (
    HeldMemory, memory_curve, run_step, this_machine,
)

LIMIT = 80  # MB more than at the start

# %% [markdown] beat="predict"
# ## 2 · Predict
#
# A network of eight layers; each computes 64 numbers for every row: `tf.matmul`, then
# `tf.tanh`. `row_losses(x, y)` sends rows through it and returns one loss for each row.
# `weights` is the list of the eight variables, and the function returns one gradient for
# each. (`most` comes later.)

# %% role="broken" exercise="my_gradients"
def broken_gradients(weights, x, y, row_losses, most):
    """Return the gradients of the mean loss over all rows, one for each weight."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(row_losses(x, y))
    return tape.gradient(loss, weights)

# %% key="ask"
predict("11")

# %% [markdown] beat="observe"
# ## 3 · Observe
#
# The same step twice: without a limit (dashed), and with 80 MB. The memory is that of the
# real process, read after every operation forward and every layer backward. `run_step`
# starts the process, and returns what it read.

# %% key="run-broken"
whole = run_step(broken_gradients)
broken = run_step(broken_gradients, limit=LIMIT)
show(memory_curve(whole, broken), prediction="11")

# %% [markdown]
# The error is TensorFlow's own, and the process could go on after it:

# %% key="error"
print(broken.error.split(" [Op")[0])

# %% [markdown] beat="aside"
# ### Half the rows

# %% key="half"
half = run_step(broken_gradients, limit=LIMIT, rows=30_000)
print(f"Largest reading: {whole.peak:.0f} MB with 60,000 rows and no limit, "
      f"{half.peak:.0f} MB with 30,000 rows and the limit.")
print("Error with 30,000 rows:", half.error or "none")
names, changes = zip(*whole.events[:4], strict=True)
print("The dashed line begins with", ", ".join(names))
print("in MB:", np.round(changes, 1))

# %% [markdown] beat="locate"
# ## 4 · Locate
#
# `events` is what a step did **without** a limit: a list of `(name, change)` in order, with
# the MB taken (positive) or given back (negative). The function below should say where a
# process with a `limit` stops; it does not. Make `my_first_failure` return
# `(index, missing)`:
#
# - the index of the **first** event that does not fit,
# - how many MB are missing there (do not round).
#
# Exactly the limit still fits. Where all fits, `None`. (To try yours: take the index from
# `my_first_failure(whole.events, LIMIT)`, print `whole.events[index]`, and compare with the
# place named under the figure. The amount alone can be right by chance. The check uses
# other recordings.)

# %% role="broken" exercise="my_first_failure"
def broken_first_failure(events, limit):
    taken = 0
    for index, (name, change) in enumerate(events):
        taken += max(change, 0)
        if taken > limit:
            return index, taken - limit
    return None

# %% role="fix" exercise="my_first_failure"
def my_first_failure(events, limit):
    taken = 0
    for index, (name, change) in enumerate(events):
        taken += change
        if taken > limit:
            return index, taken - limit
    return None

# %% role="check" points=3
check("11/my_first_failure", my_first_failure)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# In the figure, the line goes up twice and down once for each layer. Which of these three
# does the shipped function see?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# What must be below the limit is what is in use **at this moment**: all that was taken,
# less all that was given back.
#
# </details>
# <details><summary>Hint 3: a line with holes</summary>
#
# For **every** event: `taken += ____`, and then the comparison.
#
# </details>

# %% [markdown] beat="fix"
# ## 5 · Fix
#
# Fix `my_gradients`: it returns the gradients of the mean loss over **all** rows, as
# before. But the activations (what the layers computed) of at most `most` rows are alive at
# the same time. Each row goes through `row_losses` once, in as few calls as that allows;
# what one call gets is a *micro-batch*. Leave the weights as they are.
#
# Below, `most` is 16,000: eight outputs of about 4 MB, and room for the operation that runs.
# `len(x)` is the number of rows; slices such as `x[8:16]` work; `tf.zeros_like(w)` gives
# zeros in the shape of `w`.
#
# (The check uses a smaller network. It records how long TensorFlow keeps the activations
# of each call.)

# %% role="fix" exercise="my_gradients"
def my_gradients(weights, x, y, row_losses, most):
    """Return the gradients of the mean loss over all rows, one for each weight."""
    total = [tf.zeros_like(w) for w in weights]
    for start in range(0, len(x), most):
        with tf.GradientTape() as tape:
            part = slice(start, start + most)
            loss = tf.reduce_sum(row_losses(x[part], y[part])) / len(x)
        gradients = tape.gradient(loss, weights)
        total = [t + g for t, g in zip(total, gradients, strict=True)]
    return total

# %% role="check" points=4
check("11/my_gradients", my_gradients)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# When can TensorFlow free what the layers computed: when the forward pass ends, or when
# the backward pass has used it? So what must be over before the next rows go in?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# Gradients of **sums** can be added up, over any parts of the batch. Each part needs a tape
# of its own, and its gradient before the next part. Divide by the number of rows of the
# **whole** batch: the last part may be smaller than the others.
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# `for start in range(0, ____, most):`, and in it, under a tape,
# `loss = tf.reduce_sum(row_losses(x[start:____], y[start:____])) / ____`; then add
# `tape.gradient(loss, weights)` to what you have, weight by weight.
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** The gradient of a sum is the sum of the gradients, so the parts may
# be computed one after the other. A tape that is not persistent lets go of its activations
# when its gradient is taken. What stays is one gradient for each weight, which is small.
# Each row is divided by the same number, so an uneven last part does no harm. The weights
# move only afterwards: all parts see the same ones.

# %% [markdown] beat="confirm"
# ## 6 · Confirm
#
# Before and after, with the same limit of 80 MB:

# %% key="run-mine" tags=["raises-exception"]
mine = run_step(my_gradients, limit=LIMIT)
show(memory_curve(whole, broken, mine))

# %% [markdown]
# **Would `model.fit` have saved you?** No: it sends a whole batch through the network, and
# stops with the same error. `gradient_accumulation_steps` of a Keras optimizer adds up
# several smaller batches. But each batch counts the same there, also an uneven last one.
#
# **On real GPUs this would differ (not run here):** TensorFlow takes nearly all memory of a
# GPU at its start. A second process then finds none, and `nvidia-smi` shows what is
# reserved, not what is used. With `tf.config.experimental.set_memory_growth` it takes more
# only when it needs it. Free memory can be in pieces that are too small.

# %% [markdown] role="claims"

# %% [markdown] beat="aside"
# ### Probe for work
#
# Plain TensorFlow, to paste into your own job. `step(rows)` runs one training step on that
# many rows. Where a **container** has the limit, the system ends the process before
# TensorFlow can raise an error. On Linux, run one small step, and then set a limit of your
# own, of `extra` bytes more:
# `resource.setrlimit(resource.RLIMIT_AS, (psutil.Process().memory_info().vms + extra, -1))`.
# It limits **addresses**, of which `vms` are in use. A library that does not expect
# this may end the process by a signal (11 or 6): try in a process of its own, and take its
# end for "does not fit".

# %% key="probe"
def rows_that_fit(step, rows):
    """Halve `rows` until step(rows) runs; return the number, 0 if none does."""
    while rows > 0:
        try:
            step(rows)
            return rows
        except tf.errors.ResourceExhaustedError as error:
            oom = [each for each in error.message.splitlines() if "OOM when" in each]
            print(rows, "rows do not fit:", *(oom[:1] or [error.message]))
        rows //= 2  # outside of `except`: there, the error still holds its tensors
    return 0

# %% [markdown] beat="further"
# ## Further 1 · How many workers does this machine carry? (10 minutes)
#
# What a machine has, and what your process is allowed, are two things. `this_machine()`
# asks for both:
#
# - `cpu_count`: the cores of the machine,
# - `affinity`: on how many of them this process may run,
# - `cpu_max`: a container's "quota period", its time on all cores together: "250000 100000"
#   is 2.5 cores, "max 100000" no limit,
# - `ram_mb`: the memory of the machine, in MB,
# - `memory_max`: a container's limit, in **bytes**, or "max".

# %% key="machine"
print(this_machine())

# %% [markdown] beat="further"
# ### Write the plan
#
# `my_plan(machine, worker_mb)` returns `(workers, threads)`: as many workers as fit, where
# each needs `worker_mb` MB of 2**20 bytes and at least one core; and the threads for each,
# its even share of the cores. Workers times threads are never more than the allowed
# cores. Round down, but less than one core counts as one. If not even one worker fits,
# `(0, 0)`.

# %% role="broken" exercise="my_plan"
def broken_plan(machine, worker_mb):
    workers = min(machine.cpu_count, machine.ram_mb // worker_mb)
    return (workers, machine.cpu_count // workers) if workers else (0, 0)

# %% role="fix" exercise="my_plan"
def my_plan(machine, worker_mb):
    cores, memory = machine.affinity, machine.ram_mb
    quota, period = machine.cpu_max.split()
    if quota != "max":
        cores = min(cores, max(1, int(quota) // int(period)))
    if machine.memory_max != "max":
        memory = min(memory, int(machine.memory_max) // 2**20)
    workers = min(cores, memory // worker_mb)
    return (workers, cores // workers) if workers else (0, 0)

# %% role="check" points=4
check("11/my_plan", my_plan)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# Three of the five figures of `machine` are about cores, two about memory. What may the
# process use where they differ?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# Cores: the smaller of affinity and quota / period. Memory: the smaller of `ram_mb` and
# `memory_max`. Workers: the smaller of cores and memory / `worker_mb`. Then share out the
# cores.
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# `quota, period = machine.cpu_max.split()`; if `quota != "max"`:
# `cores = min(cores, max(1, int(____) // int(____)))`. Memory likewise, with
# `int(machine.memory_max) // ____`.
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** Of two limits, the smaller one holds: for cores the affinity and
# the container's quota, for memory the machine's and the container's. Workers fit if both
# their memory and one core each are there; the cores are then shared out evenly, rounded
# down.

# %% [markdown] beat="further"
# ## Further 2 · A monitor that measures what it says (10 minutes)
#
# One of the five texts (at the end of Confirm) prints this number as "GPU utilization". A
# real job takes 100 MB and writes to them. Before you run the cell: by how much will the
# number grow?

# %% role="broken" exercise="my_monitor"
def broken_monitor(pid):
    return psutil.virtual_memory().percent

# %% key="monitor"
with HeldMemory() as job:
    before = broken_monitor(job.pid)
    job.take(100)
    print(before, "->", broken_monitor(job.pid))
    ram = psutil.virtual_memory().total / 2**20
    print(f"100 MB of {ram:.0f} MB are {100 * 100 / ram:.2f} %.")
    print("first cpu_percent() of the job:", psutil.Process(job.pid).cpu_percent())

# %% [markdown]
# <details><summary>What this means (open it after the run)</summary>
#
# It is the RAM of the whole machine, in percent: no GPU, no utilization, and not of this job.
# The second line says what 100 MB can change in it; what others take and give back may
# change it more. And the first `cpu_percent()` of a process is
# always 0.0: it tells the time since the call before, and there was none.
#
# </details>

# %% [markdown] beat="further"
# ### Write the monitor
#
# Make `my_monitor(pid)` return the RAM that the job `pid` holds **now**, in MB of 2**20
# bytes: its own process and all that it has started, directly or not. Memory that is only
# reserved and was never written to does not count. (The check runs a real job, and asks
# your monitor after each thing that it does.)

# %% role="fix" exercise="my_monitor"
def my_monitor(pid):
    job = psutil.Process(pid)
    processes = [job, *job.children(recursive=True)]
    return sum(p.memory_info().rss for p in processes) / 2**20

# %% role="check" points=4
check("11/my_monitor", my_monitor)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# Does the shipped function use `pid` at all? Whose memory does it read?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# `psutil.Process(pid)` is one process; its `memory_info()` has `rss` (what is in RAM) and
# `vms` (all addresses), in bytes. Its `children()` are processes too.
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# `job = psutil.Process(____)`; the others are `job.children(recursive=____)`. Add up
# `p.memory_info().____` of all, and divide by `____`.
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** The resident memory (`rss`) is what is in RAM now; what was only
# reserved is not in it. Processes that the job has started hold memory of their own, and
# `children(recursive=True)` finds them, also those of its children. Nothing of it depends
# on what the monitor itself uses.

# %% [markdown] beat="aside"
# ### The end of Part 2
#
# Two broken jobs without a label, 15 to 25 minutes: write `!course practice 2` into a new
# cell, run it, and open the notebook that it names, in the folder
# `notebooks/practice`. (In a terminal: `.venv/bin/course practice 2`.) Add `--seed 2` for
# others.
#
# Part 3 begins with notebook 12: many workers, each a process of its own.
