# ---
# course:
#   number: "09"
#   title: Four devices, the speed of one
#   part: 2
#   minutes: {core: 25, further: [10, 10]}
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
# loss: the sum of all parts is the loss of the batch. `batches` is a list of `(x, y, rate)`:
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
# `work(x)` is the work of one replica. (In the first row below, as in `broken_train`, no
# graph is made.) `check_numerics` returns the value that it was given, and stops with an
# error where that is NaN or infinite. Nothing runs yet.

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
# Each replica waits in its work until all four are there, or nothing moves any more: no
# clock decides.

# %% key="run-loops"
observed = observe_loops(loops, strategy)
show(tick_table(QUESTIONS, observed, ticks("09")), prediction="09")

# %% [markdown]
# <details><summary>The reasons (open it after the run)</summary>
#
# - Without a graph, `run` executes the Python code of one replica, then that of the next.
#   A graph that this code calls is a part of one replica's turn.
# - A `tf.function` that is **given** to `run` is another thing: TensorFlow makes one graph of
#   all replicas. Around `run`, it does the same.
# - In a graph, an operation starts when what it needs is there. Replicas need nothing of
#   each other before they all-reduce.
# - `float` waits for the end of a step. In the step, all replicas have worked.
# - `tf.print` and `check_numerics` are **stateful**: TensorFlow runs them in the order of
#   the program, over all replicas. In `checks`, the value goes through them: replica 1's
#   first check waits for replica 0's last one, and so for its work. In `prints`, the work
#   waits for no print.
#
# </details>

# %% [markdown] beat="aside"
# ### Switch lines on and off
#
# The loop of `broken_train`, with a host that needs some time for each batch. Switch one line
# at a time, and move the slider below the picture: what does the **host** do while the
# replicas have nothing to do?
#
# 1. With `tf.function` "made once": which switches bring new graphs after step 0? Which let
#    the replicas work in turn?
# 2. When does `float(loss)` cost time? Try it with and without "calls return at once".
# 3. How often does Python's `print` print in three steps, with a graph and without?

# %% key="play"
from course.lessons.n09_four_devices_speed_of_one import switch_lines

switch_lines()

# %% [markdown]
# <details><summary>What you may have seen</summary>
#
# A new rate, or a `tf.function` made in each step, makes new graphs: the host is busy, the
# replicas are idle. On CPUs, a call returns when the graph has run, so a read costs almost
# nothing. With a GPU, the call returns at once, and the host could prepare the next batch
# meanwhile: a read in each step takes that away. One in every hundredth step costs little.
# Python's `print` runs when the graph is made; `tf.print`, when it runs.
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
# The job above made six steps. A real one makes a million. A step waits for a line if the
# line has an event in it, of any kind. Make `my_blocker` return `(line, steps)`:
#
# - the line that would make the most of a million such steps wait,
# - how many of the steps given to `my_blocker` wait for it, step 0, the first one, left out.
#
# Where only the start of the job, step 0, waits, return `None`. The function below is wrong.
# (The check uses the events of other jobs, which have just run. To try yours:
# `my_blocker(events)`.)

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
# The first trace of a `tf.function` is its price, paid once: also for a Python number that
# is always the same. Leave the first step out. Then count steps, not events: after one
# read, the others of the same step find what they need.
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
# Make `my_train` fast. The losses of all batches, and the weights, stay those of one device.
# And:
#
# - all replicas work at the same time, in every step,
# - TensorFlow traces `step` **at most twice**, however many batches there are. (Python's
#   loop over the batches, inside of a `tf.function`, traces it once for each of them.)
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
check("09/my_train", my_train)

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
# Before and after. Each bar is the work of one replica; the number is that of the step.

# %% key="run-mine" tags=["raises-exception"] thumbnail="0 13 7 92, 54 13 84 92"
broken = time_training(broken_train, devices, label="broken_train")
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
# **On real GPUs this would differ:** a call returns at once, so a read in each step costs
# more (see "calls return at once", above). This course has not been run on several GPUs.

# %% [markdown] role="claims"

# %% [markdown] beat="aside"
# ### Probe for work
#
# Plain TensorFlow, to paste into your own job. Put `x = meet(x, barrier)` into the
# replica's step, where `x` comes from the data. If not all replicas come within 20 seconds,
# they work in turn, and `barrier.broken` is true. (With fewer cores than replicas, begin
# the program with `tf.config.threading.set_inter_op_parallelism_threads(16)`, as this
# course does: a replica that waits needs a thread.)

# %% key="probe"
import contextlib
import threading

def meet(x, barrier):
    """Return `x` when all replicas have come here, or time is up."""
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
# A second probe: call `reads = count_reads()` after step 0. (It does not see
# `np.asarray(tensor)`.)

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
# A job whose replicas meet. Is it healthy? (In a notebook, a cell has a number for a file's
# name.)

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
# No. The replicas work at the same time. But `i` is a Python number, another one in each
# step: six graphs for six steps. And from step 1 on, each step was read.
#
# </details>

# %% [markdown] beat="further"
# ## Further 1 · Break it so that no count can tell (10 minutes)
#
# One trace, no reads, the right results, and still the speed of one. Four replicas call
# `my_slow_step(x, work)` in one `tf.function` around `strategy.run`; nobody all-reduces.
# It starts as a right step. Break it: no two replicas may **ever** be in their work at the
# same time. All else stays: each replica calls `work` once, on its own device, and returns
# what it gave.
#
# Section 2 has a step that does this. Yours does it without `check_numerics`.

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
# In `prints`, the lines "before" and "after" of all replicas come in the order of the
# program. What would have to wait for what, so that replica 1's work waits for replica 0's?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# **Stateful** operations (`tf.print`, `tf.py_function`, `tf.timestamp`, `check_numerics`,
# and by default `tf.numpy_function`) wait for each other in the order of the program, over
# all replicas. They stop the work only where it stands between two of them: it waits for
# the first, and the second waits for it.
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
# **Why this is what was asked.** Somebody takes the time of the work. The second timestamp of
# replica 0 waits for its work. The first one of replica 1 comes later in the program, so it
# waits for that one, and replica 1's work waits for it. Without the two `with`, the
# timestamps stand beside the work, and stop nobody. A log in Python through which the values
# go does the same (that is why the probe's is declared stateless), and so does a list of what
# the replicas before have returned.

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
check("09/my_counts", my_counts)

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
