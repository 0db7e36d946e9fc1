# ---
# course:
#   number: "08"
#   title: Four devices, the speed of one
#   part: 2
#   minutes: {core: 25, further: [8, 10]}
#   symptoms:
#     - "MirroredStrategy custom training loop: 4 GPUs are as slow as 1, the weights are right"
#     - "four GPUs, and each is busy for a quarter of the time"
#     - "WARNING: 5 out of the last 5 calls triggered tf.function retracing"
#     - "multi-GPU training: same time per step as on one GPU"
#   in_a_hurry:
#     cause: >-
#       `strategy.run` of a Python function, outside of a `tf.function`, does the replicas
#       in turn. A new Python number in every step, or a `tf.function` made in the loop, makes a new graph every
#       time. A value that is read in every step (`float(loss)`) stops the host.
#     probe: >-
#       Let the replicas meet inside a step (a barrier in a stateless `tf.numpy_function`),
#       and ask the step for `experimental_get_tracing_count()`.
#     fix: >-
#       Before the loop, make one `tf.function` around `strategy.run`. Hand in numbers that
#       change as tensors. Keep the losses as tensors, and read them after the loop.
# ---

# %% [markdown] beat="symptom"
# ## 1 · Symptom
#
# A custom training loop got a `MirroredStrategy`. The weights are those of one device, and
# each of the four devices computes its share. But the training is no faster than on one.
#
# So two questions are answered: the numbers are right, and the work is shared. Two are
# open: do the devices work **at the same time**? And what does the program do that keeps
# them from it?
#
# You will see when each replica works, find the costly line of a job in a list of events,
# and repair a training loop.

# %% role="start"
from course import check, mirrored, predict, show, virtual_devices
import tensorflow as tf
devices = virtual_devices(4)

# %% role="setup" key="tools"
import contextlib
import threading
import time
from collections import Counter
from course.pictures.timeline import timeline
from course.runs.host_watch import asynchronous
from course.lessons.n08_four_devices_speed_of_one import (
    profiled, replicas_at_once, run_job, time_training,
)
from course.runs.spans import stamped

# %% [markdown] beat="predict"
# ## 2 · Predict
#
# `step(x, y, rate)` is one step of SGD in a replica. It works on its share of the batch,
# all-reduces the gradient, updates its copy of the weights, and returns **its part** of the
# loss: the sum of all parts is the loss of the batch. `batches` is a list of `(x, y, rate)`:
# a share of the rows for each replica, and the learning rate of this step, a Python number.
#
# To make time visible, the work of a replica is a **wait** of 0.1 s on its device.

# %% role="broken" exercise="my_train"
def broken_train(strategy, step, batches):
    losses = []
    for x, y, rate in batches:
        parts = strategy.run(step, args=(x, y, rate))
        loss = strategy.reduce("SUM", parts, axis=None)
        losses.append(float(loss))
    return losses

# %% key="ask"
predict("08")

# %% [markdown] beat="observe"
# ## 3 · Observe
#
# Each bar is the work of one replica in one step; the number is that of the step. The waits
# are ours. Their order, and what overlaps, is TensorFlow's. On the right, for comparison,
# another loop of the course, whose replicas work at the same time.

# %% key="run-broken"
parallel = replicas_at_once(devices)
broken = time_training(broken_train, devices, label="broken_train")
show(timeline(broken, parallel), prediction="08")

# %% [markdown] beat="aside"
# ### Not because of `float(loss)`
#
# Answer C blamed `float(loss)`. The same loop, but it keeps the losses as tensors:

# %% key="without-float"
def without_float(strategy, step, batches):
    losses = []
    for x, y, rate in batches:
        parts = strategy.run(step, args=(x, y, rate))
        losses.append(strategy.reduce("SUM", parts, axis=None))
    return losses

no_float = time_training(without_float, devices, label="without float")
show(timeline(broken, no_float))

# %% [markdown]
# <details><summary>What this means (open it after the run)</summary>
#
# The figure is the same. The replicas wait for each other inside of `strategy.run`. (What
# `float(loss)` costs is another thing: it comes below.)
#
# </details>

# %% [markdown] beat="locate"
# ## 4 · Locate
#
# Three things keep devices waiting. Here is a real run of a job of six lines, six steps, on
# two devices. Each event is `(step, line, what)`:
#
# - `"trace"`: TensorFlow made a new graph,
# - `"read"`: the host read a value from a tensor,
# - `"in turn"`: a step was done replica by replica (not in this job).
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
# The first step pays for much that is paid once, which does not matter in a training of
# many steps. Make `my_blocker` return `(line, times)`:
#
# - the line with the most events after step 0, the first one, of all kinds together,
# - how many these are.
#
# Where no line has any, return `None`. The function below is wrong. (The check uses the
# events of other jobs, which have just run; no two lines share the first place. To try
# yours: `my_blocker(events)`.)

# %% role="broken" exercise="my_blocker"
def broken_blocker(events):
    counts = Counter(line for step, line, what in events)
    return counts.most_common(1)[0] if counts else None

# %% role="fix" exercise="my_blocker"
def my_blocker(events):
    counts = Counter(line for step, line, what in events if step > 0)
    return counts.most_common(1)[0] if counts else None

# %% role="check" points=3
check("08/my_blocker", my_blocker)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# In the run above, line 1 has the most events. How many more would it have after 1000
# steps? And line 3?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# The first trace of a `tf.function` is its price, paid once: also for a Python number that
# is always the same. Leave the first step out before you count anything.
#
# </details>
# <details><summary>Hint 3: a line with holes</summary>
#
# `Counter(line for step, line, what in events if ____ > ____)`. A healthy job then leaves
# `counts` empty.
#
# </details>

# %% [markdown] beat="fix"
# ## 5 · Fix
#
# Make `my_train` fast. The losses of all batches, and the weights, stay those of one device.
# And:
#
# - all replicas work at the same time, in every step,
# - TensorFlow traces `step` **at most twice**, however many batches there are (one graph
#   that holds every step of the training does not count: its size, and the time to trace it,
#   grow with their number),
# - the host reads no value before the last step.
#
# Return a list, a tensor or an array. (One replica's share may be a row longer than
# another's; each replica's share has the same shape in every batch. Where replicas do not
# meet, the check waits 10 seconds for them.)

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
check("08/my_train", my_train)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# `broken_train` has two of the three faults; as it has no graph, it never traces. Once you put
# a `tf.function` around `strategy.run`: which argument is another number in every step?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# One `tf.function`, made before the loop, holds each replica's work. TensorFlow traces it again
# for each new Python number, but not for a new value of a tensor. What is read (`float`,
# `print`, `.numpy()`) is read after the loop.
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# Before the loop: `@tf.function`, then `def one_step(x, y, ____):` around the two lines with
# `strategy`. In the loop: `losses.append(one_step(x, y, tf.____(rate)))`.
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** In a `tf.function`, `strategy.run` only writes down what each replica
# does. No replica's part needs another's before the all-reduce, so TensorFlow runs them at
# the same time. `strategy.run(graph_step, ...)`, where `graph_step = tf.function(step)` was
# made before the loop, is right as well: TensorFlow puts the call into a graph of its own. A
# whole loop in one `tf.function`, with `tf.range` and a `tf.TensorArray`, needs one call for
# all steps.

# %% [markdown] beat="confirm"
# ## 6 · Confirm
#
# Before and after:

# %% key="run-mine" tags=["raises-exception"]
mine = time_training(my_train, devices, label="my_train")
show(timeline(broken, mine))

# %% [markdown]
# **Would `model.fit` have saved you?** Yes, by default: `fit` puts its step into one
# `tf.function`, traces it once, also where the last batch is smaller, and its replicas meet.
#
# <details><summary>And with run_eagerly=True? (open it after the run)</summary>
#
# It is turned on in `compile`, to debug, and forgotten: then `fit` is as slow as
# `broken_train`.
#
# </details>
#
# **On real GPUs this would differ:** the host normally goes ahead of a GPU, so a read in
# each step costs more there ("What a read costs", below). This course has not been run on
# several GPUs.

# %% [markdown] role="claims"

# %% [markdown] beat="aside"
# ### What a read costs
#
# On CPUs, a call of a graph returns when the graph has run, so reads cost almost nothing.
# With a GPU it returns at once. The cell below turns that on for CPUs, for its own lines.
# Before you run it: how many steps are over when each loop ends?

# %% key="reads"
over = []
slow = tf.function(lambda v: stamped(v, lambda *_: (time.sleep(0.1), over.append(1))))
one = tf.constant(1.0)
slow(one)
for reads in (False, True):
    over.clear()
    with asynchronous():
        for i in range(4):
            value = slow(one)
            if reads:
                float(value)
        print("a read in each step:", reads, "- steps over:", len(over), "of 4")
        value.numpy()  # wait for the rest

# %% [markdown]
# <details><summary>What this means (open it after the run)</summary>
#
# Without reads, the host had given out all four steps before the first was over: it could
# prepare the next batch meanwhile. With a read it waits for every step, and the device then
# waits for the host. Print the loss in every hundredth step only.
#
# </details>

# %% [markdown] beat="aside"
# ### Which line reads?
#
# A second probe: paste it above your loop, and call `reads = count_reads()` after step 1
# (making a graph reads, too). After the loop, `print(*reads.most_common(), sep="\n")` tells
# which of your lines read values, and how often; in a notebook, a cell has a number for a
# file's name. It does not see `np.asarray(tensor)`.

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
# ### Probe for work
#
# Plain TensorFlow, to paste into your own job. Put `x = meet(x, barrier)` into the
# replica's step, where `x` comes from the data: a constant would be computed beforehand.
# If not all replicas come within 20 seconds, they work in turn, and `barrier.broken` is
# true. (A replica that waits needs a thread. With fewer cores than replicas, begin the
# program with `tf.config.threading.set_inter_op_parallelism_threads(16)`, as this course
# does.) After some steps, `train.experimental_get_tracing_count()` should still be 1 or 2.

# %% key="probe"
import contextlib
import threading

def meet(x, barrier):
    """Return `x` when all replicas have come here, or time is up."""
    def wait(value):
        with contextlib.suppress(threading.BrokenBarrierError):
            barrier.wait()
        return value

    # stateful=True, the default, would itself make the replicas run in turn
    y = tf.numpy_function(wait, [x], x.dtype, stateful=False)
    y.set_shape(x.shape)
    return y

barrier, strategy = threading.Barrier(4, timeout=20), mirrored(devices)

# %% [markdown] beat="aside"
# ### The probe at work
#
# Here each replica has another `x`, of which the graph knows nothing beforehand.

# %% key="use-probe"
x = strategy.experimental_distribute_values_from_function(
    lambda context: tf.constant(1.0 + context.replica_id_in_sync_group)
)
def replica_step(x):
    return 2 * meet(x, barrier)

@tf.function
def train(x):
    return strategy.run(replica_step, args=(x,))

for i in range(5):
    train(x)
print("in turn:", barrier.broken, "- traces:", train.experimental_get_tracing_count())

# %% [markdown] beat="further"
# ## Further 1 · The log that stops the others (8 minutes)
#
# To see when replicas work, people write a line before and after the work: `"begin"`, then
# `"end"`. Below is such a log. TensorFlow keeps **stateful** operations in the order of the
# program, over all replicas. Up to their next all-reduce, all of replica 0 stands first.
#
# Each replica calls `my_log` twice inside a `tf.function`: before its work with `place`
# `"begin"`, after it with `"end"`. Make it call `write(place, value)`, a Python function,
# each time the graph runs, return `value`, and let the replicas work at the same time.

# %% role="broken" exercise="my_log"
def broken_log(place, value, write):
    def call(number):
        write(place, number)
        return number

    written = tf.numpy_function(call, [value], value.dtype)
    written.set_shape(value.shape)
    return written

# %% role="fix" exercise="my_log"
def my_log(place, value, write):
    def call(number):
        write(place, number)
        return number

    written = tf.numpy_function(call, [value], value.dtype, stateful=False)
    written.set_shape(value.shape)
    return written

# %% role="check" points=3
check("08/my_log", my_log)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# In the order of the program: what stands between the "begin" of replica 0 and that of
# replica 1?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# `tf.print`, `tf.py_function`, `tf.timestamp` and, by default, `tf.numpy_function` are
# stateful. An operation that is declared stateless is kept in no order, and left out where
# nobody uses its result.
#
# </details>
# <details><summary>Hint 3: a line with holes</summary>
#
# `written = tf.numpy_function(call, [value], value.dtype, ____=____)`
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** TensorFlow puts stateful operations in the order of the program,
# so a stateful log makes replica 1 wait for replica 0. With `stateful=False` only data
# order it: its result is returned and used, so `"begin"` comes before the work, and
# `"end"` after it. A result that nobody uses would not be computed at all.

# %% [markdown] beat="further"
# ## Further 2 · Read a profiler's trace (10 minutes)
#
# `tf.profiler` writes down when each operation ran, and in which thread of the host. Here is
# a trace of one step, on three devices: pairs `(thread, "name:type")`. Before you run the
# cell: is there a row for each device?

# %% key="trace"
for thread, name in profiled([2, 0, 1], devices[:3], steps=1):
    print(thread, name)

# %% [markdown]
# <details><summary>What this means (open it after the run)</summary>
#
# A row of the trace is a thread. TensorFlow gives an operation to any thread that is free,
# and one thread may serve several replicas. Devices do not appear on CPUs; the replica
# stands in the name.
#
# </details>

# %% [markdown] beat="further"
# ### Who multiplies how often?
#
# Make `my_counts` return a list: for each replica, how often operations of the type `MatMul`
# ran in the whole trace. The name before the colon is free text: a layer may be called
# `MatMul`, or `after_replica_1`. (The check profiles other jobs, of several steps.)

# %% role="broken" exercise="my_counts"
def broken_counts(events, replicas):
    counts = {}
    for thread, name in events:
        if name.endswith(":MatMul"):
            counts[thread] = counts.get(thread, 0) + 1
    return [counts[thread] for thread in sorted(counts)]

# %% role="fix" exercise="my_counts"
def my_counts(events, replicas):
    counts = [0] * replicas
    for thread, name in events:
        if name.endswith(":MatMul"):
            owner = name.split("/")[0]
            named = owner.startswith("replica_")
            counts[int(owner.removeprefix("replica_")) if named else 0] += 1
    return counts

# %% role="check" points=3
check("08/my_counts", my_counts)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# Run the cell with the trace again. Which numbers changed, and which names?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# Ask the name, not the thread. Names begin with `replica_1/`, `replica_2/` and so on;
# those of replica 0 begin with anything else.
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# `counts = [0] * ____` before the loop; in it, `owner = name.split("/")[____]` says whose
# operation it is.
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** The type stands behind the last colon, and is TensorFlow's; the
# name before it is the program's. Replica 0 has no prefix; the others have `replica_1`,
# `replica_2` as the **first** part of the name. Threads belong to the host, and say
# nothing of replicas.
