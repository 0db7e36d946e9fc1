# ---
# course:
#   number: "09"
#   title: Four devices, the speed of one
#   part: 2
#   minutes: {core: 35, further: [10, 10]}
#   symptoms:
#     - "MirroredStrategy custom training loop: 4 GPUs are as slow as 1, the weights are right"
#     - "four GPUs, and each is busy for a quarter of the time"
#     - "WARNING: 5 out of the last 5 calls triggered tf.function retracing"
#     - "multi-GPU training: same time per step as on one GPU"
#   in_a_hurry:
#     cause: >-
#       `strategy.run` of a Python function, outside of a `tf.function`, runs the replicas
#       in turn. A new Python number in every step, or a `tf.function` made in the loop,
#       makes TensorFlow trace again. Reading a value in every step (`float(loss)`) makes
#       the host wait.
#     probe: >-
#       Let the replicas meet inside a step (a barrier in a stateless `tf.numpy_function`),
#       and call the step's `experimental_get_tracing_count()`.
#     fix: >-
#       Before the loop, make one `tf.function` around `strategy.run`. Hand in numbers that
#       change as tensors. Keep the losses as tensors, and read them after the loop.
# ---

# %% [markdown] beat="symptom"
# ## 1 · Symptom
#
# You added a `MirroredStrategy` to a custom training loop. The weights match those of one
# device, and each of the four devices computes its share. But the training is no faster than
# on one.
#
# Two questions are left. Do the devices work **at the same time**? And what in the program
# keeps them from it? You will see when each replica works, find the costly line of a job in
# a list of events, and fix a training loop.

# %% role="start"
from course import check, mirrored, predict, show, virtual_devices
import tensorflow as tf
devices = virtual_devices(4)

# %% role="setup" key="tools"
from collections import Counter
from course.learner.predictions import ticks
from course.pictures.tick_table import tick_table
from course.pictures.timeline import timeline
from course.lessons.n09_four_devices_speed_of_one import (
    QUESTIONS, observe_loops, profiled, run_job, time_training, work,
)

# %% [markdown] beat="predict"
# ## 2 · Predict
#
# `step(x, y, rate)` is one step of SGD in a replica. It works on its share of the batch,
# all-reduces the gradient, updates its copy of the weights, and returns **its part** of the
# loss. The sum of all parts is the loss of the batch. `batches` is a list of `(x, y, rate)`:
# a share of the rows for each replica, and the learning rate of this step, a Python number.
#
# To make time visible, the work of a replica is a **wait** on its device.

# %% role="broken" exercise="my_train"
def broken_train(strategy, step, batches):
    losses = []
    for x, y, rate in batches:
        parts = strategy.run(step, args=(x, y, rate))
        loss = strategy.reduce("SUM", parts, axis=None)
        losses.append(float(loss))
    return losses

# %% [markdown] beat="aside"
# ### Seven ways to run a step
#
# `work(x)` is the work of one replica. (The first row below makes no graph, like
# `broken_train`.) `check_numerics` returns its argument, or raises an error if it is NaN or
# infinite. Nothing runs yet.

# %% key="steps"
strategy, check_numerics = mirrored(devices), tf.debugging.check_numerics
graph = tf.function(work)

def calls_a_graph(x):
    return graph(x)

def prints(x):
    tf.print("before:", x, output_stream="file:///dev/null")
    y = work(x)
    tf.print("after:", y, output_stream="file:///dev/null")
    return y

def checks(x):
    y = work(check_numerics(x, "x is not finite"))
    return check_numerics(y, "y is not finite")

# %% [markdown] beat="aside"
# ### In which of them do the replicas work at the same time?

# %% key="loops"
def in_a_graph(step):
    return tf.function(lambda x: strategy.reduce("SUM", run(step)(x), axis=None))

def run(step):
    return lambda x: strategy.run(step, args=(x,))

fast = in_a_graph(work)
loops = {
    "run(work)": run(work),
    "run(calls_a_graph)": run(calls_a_graph),
    "run(graph)": run(graph),
    "in_a_graph(work)": fast,
    "in_a_graph(work), float": lambda x: [float(fast(x)), float(fast(x))],
    "in_a_graph(prints)": in_a_graph(prints),
    "in_a_graph(checks)": in_a_graph(checks),
}

# %% key="ask"
predict("09")

# %% [markdown] beat="observe"
# ## 3 · Observe
#
# Each replica waits in its work until all four are there, or until nothing moves any more. So
# no clock decides.

# %% key="run-loops"
observed = observe_loops(loops, strategy)
show(tick_table(QUESTIONS, observed, ticks("09")), prediction="09")

# %% [markdown]
# <details><summary>The reasons (open it after the run)</summary>
#
# - Without a graph, `run` executes the Python code of one replica, then that of the next.
#   A graph that this code calls is part of one replica's turn.
# - If you **pass** a `tf.function` to `run`, or put one around it, TensorFlow makes one graph
#   of all replicas.
# - In a graph, an operation starts when its inputs are ready. Before the all-reduce, replicas
#   need nothing from each other.
# - `float` waits for the end of a step. By then, all replicas have worked.
# - `tf.print` and `check_numerics` are **stateful**: TensorFlow runs them in program order,
#   over all replicas. In `checks`, the value passes through them, so replica 1's first check
#   waits for replica 0's last check, and that waits for replica 0's work. In `prints`, the
#   work waits for no print.
#
# </details>

# %% [markdown] beat="aside"
# ### Switch lines on and off
#
# This is the loop of `broken_train`; the host needs some time for each batch. Switch one line
# at a time, and move the slider below the picture: what does the **host** do while the
# replicas are idle?
#
# 1. With `tf.function` "made once": which switches make new graphs after step 0? Which make
#    the replicas work in turn?
# 2. When does `float(loss)` cost time? Try it with and without "calls return at once".
# 3. How often does Python's `print` print in three steps, with a graph and without?

# %% key="play"
from course.lessons.n09_four_devices_speed_of_one import switch_lines

switch_lines()

# %% [markdown]
# <details><summary>What you should have seen</summary>
#
# 1. A new rate makes a new graph in each step: the host is busy, and the replicas are idle.
#    With `check_numerics` the replicas work in turn. No other switch does either.
# 2. On CPUs, a call returns when the graph has run, so a read costs almost nothing. If calls
#    return at once, as with a GPU, the host prepares the next batch while the replicas work. A
#    read in each step takes that away.
# 3. Without a graph, 12 times: once for each replica in each step. With a graph, 4 times:
#    Python's `print` runs only while TensorFlow makes the graph. `tf.print` is part of the
#    graph and runs in each step.
#
# </details>

# %% [markdown] beat="locate"
# ## 4 · Locate
#
# Three things keep devices waiting. Here is a real run of a job with six lines, for six steps
# on two devices. Each event is `(step, line, what)`:
#
# - `"trace"`: TensorFlow made a new graph,
# - `"read"`: the host read a value from a tensor,
# - `"in turn"`: the replicas made a step one by one (not in this job).
#
# `scale` and `train_step` are `tf.function`s.

# %% key="job"
job = [
    "loss = train_step(batch)",
    "if i == 0: start = [float(v) for v in weights]",
    "half = scale(loss, 0.5)",
    "small = scale(loss, 1 / (i + 3))",
    "history.append(loss)",
    "if i == 2: best = min(history)",
]
events = run_job(job, devices[:2], steps=6)
for line, text in enumerate(job):
    print(line, text)
    print("     ", *[f"{i}:{what}" for i, at, what in events if at == line])

# %% [markdown] beat="aside"
# ### Which line keeps the job waiting?
#
# The job above made six steps. A real one makes a million. A step waits for a line if the
# line has an event of any kind in that step. Make `my_blocker` return `(line, steps)`:
#
# - `line`: which line would make the most of a million such steps wait?
# - `steps`: how many steps in `events` wait for it? Don't count step 0, the first one.
#
# If no step after step 0 waits, return `None`. The function below is wrong. The check uses
# the events of other jobs, which have just run. To try yours, run `my_blocker(events)`.

# %% role="broken" exercise="my_blocker"
def broken_blocker(events):
    counts = Counter(line for step, line, what in events)
    return counts.most_common(1)[0] if counts else None

# %% role="fix" exercise="my_blocker"
def my_blocker(events):
    waits = {(step, line) for step, line, what in events if step > 0}
    counts = Counter(line for step, line in waits)
    return counts.most_common(1)[0] if counts else None

# %% role="check" points=3
check("09/my_blocker", my_blocker)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# In the run above, line 1 has the most events. How many of the next 1000 steps would wait
# for it? And for line 3, or line 5?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# Every `tf.function` is traced once, also with a Python number that never changes. So leave
# the first step out. Then count steps, not events: after one read, other reads in the same
# step need not wait.
#
# </details>
# <details><summary>Hint 3: a line with holes</summary>
#
# `waits = {(____, ____) for step, line, what in events if ____ > 0}` is a set: it holds each
# pair once. `Counter(line for step, line in ____)` is empty for a healthy job.
#
# </details>

# %% [markdown] beat="fix"
# ## 5 · Fix
#
# Make `my_train` fast. The losses of all batches and the weights must still match those of
# one device. Also:
#
# - all replicas work at the same time, in every step.
# - TensorFlow traces `step` **at most twice**, however many batches there are. (A Python loop
#   over the batches inside a `tf.function` traces it once for each batch.)
# - the host reads no value before the last step.
#
# Return a list, a tensor or an array. One replica's share may be a row longer than another's,
# but each replica's share has the same shape in every batch. If replicas do not work at the
# same time, the check waits 10 seconds for them.

# %% role="fix" exercise="my_train"
def my_train(strategy, step, batches):
    @tf.function
    def one_step(x, y, rate):
        parts = strategy.run(step, args=(x, y, rate))
        return strategy.reduce("SUM", parts, axis=None)

    losses = []
    for x, y, rate in batches:
        losses.append(one_step(x, y, tf.constant(rate)))
    return tf.stack(losses).numpy()

# %% role="check" points=4
check("09/my_train", my_train)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# `broken_train` has two of the three faults. It has no graph, so it never traces. Once you put
# a `tf.function` around `strategy.run`: which argument is a new number in every step?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# Make one `tf.function` before the loop, with the work of all replicas in it. TensorFlow traces
# it again for each new Python number, but not for a new value of a tensor. Read values
# (`float`, `print`, `.numpy()`) after the loop.
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# Before the loop: `@tf.function`, then `def one_step(x, y, ____):` around the two lines with
# `strategy`. In the loop: `losses.append(one_step(x, y, tf.____(rate)))`.
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** In a `tf.function`, `strategy.run` only records what each replica
# does. Before the all-reduce, no replica needs anything from another, so TensorFlow runs them
# at the same time. `strategy.run(graph_step, ...)`, with `graph_step = tf.function(step)` made
# before the loop, is also right: TensorFlow puts the call into one graph. A whole loop in one
# `tf.function`, with `tf.range` and a `tf.TensorArray`, needs one call for all steps.

# %% [markdown] beat="confirm"
# ## 6 · Confirm
#
# Before and after. Each bar is the work of one replica; the number is that of the step.

# %% key="run-mine" tags=["raises-exception"] thumbnail="0 13 7 92, 54 13 84 92"
broken = time_training(broken_train, devices, label="broken_train")
mine = time_training(my_train, devices, label="my_train")
show(timeline(broken, mine))

# %% [markdown]
# **Would `model.fit` have saved you?** Yes, by default: `fit` puts its step into one
# `tf.function` and traces it once, even if the last batch is smaller. Its replicas work at
# the same time.
#
# <details><summary>And with run_eagerly=True? (open it after the run)</summary>
#
# People turn it on in `compile` to debug, and forget it. Then `fit` is as slow as
# `broken_train`.
#
# </details>
#
# **On real GPUs this would differ:** a call returns at once, so a read in each step costs
# more (see "calls return at once", above). This course was not yet run on several GPUs.

# %% [markdown] role="claims"

# %% [markdown] beat="aside"
# ### Probe for work
#
# Plain TensorFlow, to paste into your own job. Put `x = meet(x, barrier)` into the
# replica's step, where `x` is from the data. If not all replicas get there within 20 seconds,
# they work in turn, and `barrier.broken` is true. (With fewer cores than replicas, begin
# the program with `tf.config.threading.set_inter_op_parallelism_threads(16)`, as this
# course does: a replica that waits needs a thread.)

# %% key="probe"
import contextlib
import threading

def meet(x, barrier):
    """Return `x` when all replicas are here, or time is up."""
    def wait(value):
        with contextlib.suppress(threading.BrokenBarrierError):
            barrier.wait()
        return value

    # declared stateless, so that it changes nothing of what it shows
    y = tf.numpy_function(wait, [x], x.dtype, stateful=False)
    y.set_shape(x.shape)
    return y

# %% [markdown] role="elsewhere"

# %% [markdown] beat="aside"
# ### Which line reads?
#
# A second probe: call `reads = count_reads()` after step 0. It does not see
# `np.asarray(tensor)`.

# %% key="probe-reads"
import traceback
from collections import Counter
from pathlib import Path
from unittest import mock

def count_reads():
    """Count from now on how often each line of the program reads a tensor's value."""
    counts, kind = Counter(), type(tf.constant(0)).__mro__[1]
    read = kind._numpy
    def counted(tensor):
        own = [f for f in traceback.extract_stack() if "-packages" not in f.filename]
        counts[f"{Path(own[-2].filename).name}:{own[-2].lineno} {own[-2].line}"] += 1
        return read(tensor)
    mock.patch.object(kind, "_numpy", counted).start()  # mock.patch.stopall() ends it
    return counts

# %% [markdown] beat="aside"
# ### Both at work
#
# The replicas of this job work at the same time. Is it healthy? (In a notebook, a cell has a
# number instead of a file name.)

# %% key="use-probe"
barrier, losses = threading.Barrier(4, timeout=20), []
x = strategy.experimental_distribute_values_from_function(
    lambda context: tf.constant(1.0 + context.replica_id_in_sync_group))

@tf.function
def train(x, i):
    parts = strategy.run(lambda x: meet(x, barrier) / (i + 1), args=(x,))
    return strategy.reduce("SUM", parts, axis=None)

for i in range(6):
    if i == 1:
        reads = count_reads()
    losses.append(float(train(x, i)))
mock.patch.stopall()
print("in turn:", barrier.broken, "- traces:", train.experimental_get_tracing_count())
print(*reads.most_common(), sep="\n")

# %% [markdown]
# <details><summary>What this means (open it after the run)</summary>
#
# No. `i` is a Python number that is new in each step, so there are six graphs for six steps.
# And the host read a value in each step from step 1 on.
#
# </details>

# %% [markdown] beat="further"
# ## Further 1 · Break it so that no count can tell (10 minutes)
#
# One trace, no reads, the right results, and still the speed of one. Four replicas call
# `my_slow_step(x, work)` in one `tf.function` around `strategy.run`, without an all-reduce.
# It starts as a right step.
#
# Break it: no two replicas may **ever** be in their work at the same time. Each replica must
# still call `work` once, on its own device, and return its result.
#
# Section 2 has a step that does this. Yours must do it without `check_numerics`.

# %% role="broken" exercise="my_slow_step"
def broken_slow_step(x, work):
    return work(x)

# %% role="fix" exercise="my_slow_step"
def my_slow_step(x, work):
    with tf.control_dependencies([tf.timestamp()]):
        y = work(tf.identity(x))
    with tf.control_dependencies([y]):
        tf.timestamp()
    return y

# %% role="check" points=3
check("09/my_slow_step", my_slow_step)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# In `prints`, TensorFlow prints the lines "before" and "after" of all replicas in program
# order. What would have to wait for what, so that replica 1's work waits for replica 0's?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# **Stateful** operations (`tf.print`, `tf.py_function`, `tf.timestamp`, `check_numerics`,
# and by default `tf.numpy_function`) wait for each other in program order, over all replicas.
# They delay the work only if it is between two of them: it waits for the first, and the
# second waits for it.
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# `with tf.control_dependencies([____]):`, in it `y = work(tf.identity(x))`; after it another
# stateful operation that needs `____`. Or: let the value go through one before the work, and
# through one after it.
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** This step measures the time of the work. The second timestamp of
# replica 0 waits for its work. The first timestamp of replica 1 is later in the program, so
# it waits for that one, and replica 1's work waits for it. Without the two `with`, no work
# waits for a timestamp.
#
# A Python log that the values pass through does the same; so the probe's function is declared
# stateless. A list of what earlier replicas have returned does it too.

# %% [markdown] beat="further"
# ## Further 2 · Read a profiler's trace (10 minutes)
#
# `tf.profiler` records when each operation ran, and in which thread of the host. Here is a
# trace of one step, on three devices: pairs `(thread, "name:type")`. Before you run the cell:
# is there a row for each device?

# %% key="trace"
for thread, name in profiled([2, 0, 1], devices[:3], steps=1):
    print(thread, name)

# %% [markdown]
# <details><summary>What this means (open it after the run)</summary>
#
# No. A row of the trace is a thread. TensorFlow gives an operation to any free thread, and one
# thread may serve several replicas. On CPUs, devices do not appear; the name tells the
# replica.
#
# </details>

# %% [markdown] beat="further"
# ### Who multiplies how often?
#
# Make `my_counts` return a list: for each replica, how often operations of the type `MatMul`
# ran in the whole trace. The name before the colon is free text: a layer may be called
# `MatMul`, `after_replica_1` or `replica_1_head`. The check profiles other jobs, which make
# several steps.

# %% role="broken" exercise="my_counts"
def broken_counts(events, replicas):
    counts = {}
    for thread, name in events:
        if name.endswith(":MatMul"):
            counts[thread] = counts.get(thread, 0) + 1
    return [counts[thread] for thread in sorted(counts)]

# %% role="fix" exercise="my_counts"
def my_counts(events, replicas):
    names = [name for thread, name in events if name.endswith(":MatMul")]
    counts = [0] * replicas
    for r in range(1, replicas):
        counts[r] = sum(name.startswith(f"replica_{r}/") for name in names)
    counts[0] = len(names) - sum(counts)
    return counts

# %% role="check" points=3
check("09/my_counts", my_counts)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# Run the cell with the trace again. Which numbers changed, and which names?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# Use the name, not the thread. Names begin with `replica_1/`, `replica_2/` and so on, slash
# included. Those of replica 0 begin with anything else.
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# For each `r` from 1: `counts[r] = sum(name.startswith(f"replica_{r}____") for name in names)`.
# Replica 0 has the rest: `len(names) - ____`.
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** TensorFlow sets the type, after the last colon; the program chooses
# the name before it. Replica 0 has no prefix. The names of the others begin with
# `replica_1/`, `replica_2/`. The slash matters: `replica_1_head` may be a layer of
# replica 0. Threads belong to the host, and tell nothing about replicas.
