# ---
# course:
#   number: "17"
#   title: Training stands still, and nothing says why
#   part: 3
#   minutes: {core: 30, further: [10, 20]}
#   symptoms:
#     - "MultiWorkerMirroredStrategy hangs in the last step, no error, no progress"
#     - "training stops after some steps, all workers still run"
#     - "the loss of one tensor shows up in another, without an error"
#   in_a_hurry:
#     cause: >-
#       A collective, such as an all-reduce, ends when ALL workers have entered it. One
#       worker made fewer steps, or another call: the others wait for ever.
#     probe: >-
#       Let every worker write down each collective that it enters; compare the lists.
#       Whoever stands in the last call is waiting, and not the cause.
#     fix: >-
#       All workers must make the same calls in the same order. Before each step, let
#       them sum up who still has rows; who has none takes part with an empty batch.
# ---

# %% [markdown] beat="symptom"
# ## 1 · Symptom
#
# A job on three workers prints a loss for every step, and then nothing more. There is no
# error. All processes live, the machines are idle. After a night, somebody restarts the
# job, and it stands still again at the same step.
#
# TensorFlow's own wait has no end here. In this notebook each worker is a real process of
# its own, and a watchdog stops a run when nobody has used the processor for four
# seconds. Before that, it asks every process for the line of code that it stands in.

# %% role="start"
from course import check, mirrored, predict, show, virtual_devices
import tensorflow as tf
devices = virtual_devices(4)

# %% role="setup" key="tools"
from course.learner.predictions import ticks
from course.lessons.n17_training_hangs import (
    QUESTIONS, control_panel, observe_pairs, parts_of, tick_table, train_uneven,
    worker_lanes,
)
from course.runs.cluster import run_workers
from course.runs.workloads import regression

# %% [markdown] beat="predict"
# ## 2 · Predict
#
# Two workers call `total` for `a` and then for `b`, each with a number of its own, in float32;
# `a` has one element, and so has `b`.

# %% key="total"
def total(strategy, own):
    def in_replica():
        return tf.distribute.get_replica_context().all_reduce("SUM", tf.identity(own))
    return strategy.run(in_replica)

# %% [markdown]
# In five jobs, one thing is different:
#
# - worker 1 does not call `total` for `b`, and goes on with something else;
# - it calls it for `a` once more in the end;
# - it takes `b` first, and then `a`;
# - it casts both to float16;
# - worker 0's process ends before its calls.

# %% key="ask"
predict("17")

# %% [markdown] beat="observe"
# ## 3 · Observe
#
# All five pairs at the same time. Who still waits when nobody has moved for four seconds,
# waits for ever.

# %% key="run-pairs"
show(tick_table(QUESTIONS, observe_pairs(), ticks("17")), prediction="17")

# %% [markdown] beat="aside"
# ### Files of different lengths
#
# Three workers have a file each, of 20, 14 and 20 rows, in batches of 4, and each calls the
# function below once. `step(x, y)` is one synchronous step: an all-reduce sums the gradients
# and the numbers of rows over all workers. (Two arguments are not used yet.)

# %% role="broken" exercise="my_epoch"
def broken_epoch(batches, no_rows, step, sum_over_workers):
    """Make one epoch on one worker."""
    for x, y in batches:
        step(x, y)

# %% key="run-broken"
parts = parts_of(regression(54), (20, 14, 20), batch=4)
broken = train_uneven(broken_epoch, parts, slow=0.3)
show(worker_lanes(broken.cluster))

# %% [markdown] beat="aside"
# ### The control panel
#
# Choose the rows, and press Start. While the workers run, halt one, let it go on, kill it, or
# cut its link. Beside the buttons stands the line in which each process is. A run ends after
# 45 seconds, or with the next cell.

# %% key="play"
control_panel({"broken_epoch": broken_epoch}, broken)

# %% [markdown]
# * Halt a worker, and let it go on after five seconds. And after fifteen: who gets an error?
# * Kill worker 0, or worker 1: when do the others hear of it?
# * In which line stand those who wait? Is it the line at fault?
#
# <details><summary>What this means (open it after playing)</summary>
#
# Each process tells worker 0 again and again that it is alive. A halted one does not: after
# about nine seconds the others get an error. One that is elsewhere in its program does.
#
# </details>

# %% [markdown] beat="locate"
# ## 4 · Locate
#
# `broken.calls()` lists for each worker the collectives that it entered, in order:
# `(name, elements)`, such as `("step", 3)`, an all-reduce of 3 numbers. A call stands there
# as soon as it was entered, whether or not the worker ever came out of it.
#
# The function below blames a worker that stands still. Make `my_first_odd` return
# `(worker, call)` for the first call (its index, from 0) in which a worker does something
# else than **most** workers do, and the first such worker. To enter nothing is something else,
# too.
# Where all did the same, `None`. (The check uses other recordings, of three and four
# workers.)

# %% role="broken" exercise="my_first_odd"
def broken_first_odd(calls):
    longest = max(len(own) for own in calls)
    for worker, own in enumerate(calls):
        if len(own) == longest:
            return worker, longest - 1

# %% role="fix" exercise="my_first_odd"
def my_first_odd(calls):
    for call in range(max(len(own) for own in calls)):
        entered = [own[call] if call < len(own) else None for own in calls]
        most = max(entered, key=entered.count)
        for worker, each in enumerate(entered):
            if each != most:
                return worker, call

# %% role="check" points=3
check("17/my_first_odd", my_first_odd)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# How many calls did each worker of `broken` enter? Workers 0 and 2 stand in a call that
# they were right to enter. What did worker 1 enter as its fifth call (index 4)?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# Put the lists beside each other and go through them call by call. In each call, find out
# what most workers entered; a list that has ended counts as `None`. The first one that is
# different is what you look for.
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# For each `call`: `entered = [own[call] if call < len(own) else ____ for own in calls]`,
# then `most = max(entered, key=entered.____)`, then the first worker whose entry is not
# `most`.
#
# </details>

# %% [markdown] beat="fix"
# ## 5 · Fix
#
# Fix `my_epoch`. Nobody may wait for ever, no row may be lost or used twice, and the
# workers must have the weights of one device that takes, in step k, the k-th batch of
# every worker that has one.
#
# What you have: `no_rows` is a pair `(x, y)` without rows, which `step` accepts as long as
# **some** worker has rows in that step. A worker's file can be empty.
# `sum_over_workers(number)` is a collective like
# `step`: it returns, on all workers, the sum of the numbers that they hand in.
# `len(batches)` does not work.
#
# (The check runs it in two and in three real workers, with other data, over one and two
# epochs.)

# %% role="fix" exercise="my_epoch"
def my_epoch(batches, no_rows, step, sum_over_workers):
    """Make one epoch on one worker."""
    batches = iter(batches)
    batch = next(batches, None)
    while sum_over_workers(batch is not None) > 0:
        x, y = no_rows if batch is None else batch
        step(x, y)
        batch = next(batches, None)

# %% role="check" points=4
check("17/my_epoch", my_epoch)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# Worker 1 alone can't know that others still have rows. Which of the two collectives can
# tell it? And when must the workers **with** rows enter it?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# All workers enter the same calls in the same order, always. So before each step, all sum
# up who has a batch. Is the sum 0, all stop. Else **all** make the step, some of them
# without rows.
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# With `batches = iter(batches)` and `batch = next(batches, None)`:
# `while sum_over_workers(____) > 0:`, in it `x, y = no_rows if ____ else batch`, the step,
# and the next batch.
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** Each worker enters a sum, a step, a sum, a step, ..., and at last
# a sum that is 0 for all. No `if` decides alone whether a collective is entered. A worker
# without rows adds a zero gradient and a zero count, so the mean is that of the others'
# rows.

# %% [markdown] beat="confirm"
# ## 6 · Confirm
#
# Before and after, on one scale of time:

# %% key="run-mine" tags=["raises-exception"] thumbnail="0 13 8 92, 54 13 84 92"
mine = train_uneven(my_epoch, parts, slow=0.3)
titles = [broken.label, mine.label]
show(worker_lanes(broken.cluster, mine.cluster, titles=titles))

# %% [markdown]
# **Would `model.fit` have saved you?** That of Keras 3 does not run in a cluster
# (notebook 13). A loop over a dataset that the **strategy** distributes does take
# part without rows, by itself. But a `reduce_mean` over no rows is NaN there, and it
# reaches all workers.
#
# **On real machines this would differ:** collectives of NVIDIA's NCCL wait in the GPU,
# which then looks fully busy (not run here); and some jobs set a time after which all is
# stopped.

# %% [markdown] role="claims"

# %% [markdown] beat="aside"
# ### Probe for work
#
# Plain Python and TensorFlow. Call it before each collective, and compare the workers'
# logs. With `seconds=60` it also prints, a minute after the last call, the line that each
# thread stands in, even while TensorFlow waits.

# %% key="probe"
import faulthandler
import json
import os
import time

def entering(name, *tensors, seconds=0):
    """Log which collective this worker enters, with the numbers of elements."""
    if seconds:
        faulthandler.dump_traceback_later(seconds)  # each call begins anew
    task = json.loads(os.environ.get("TF_CONFIG", "{}")).get("task", "alone")
    parts = tf.nest.flatten(tensors, expand_composites=True)  # a batch's parts, too
    sizes = [int(tf.size(each)) for each in parts]
    print(f"{time.time():.3f} {task} enters {name} {sizes}", flush=True)

# %% key="probe-use"
entering("all_reduce", tf.zeros([2]), tf.zeros([]))

# %% [markdown] role="elsewhere"

# %% [markdown] beat="further"
# ## Further 1 · Worse than standing still (10 minutes)
#
# A backward pass hands out gradients as they become ready, and that order may differ between
# workers. Break a right job in the worst way: nobody waits, nobody gets an error, both logs
# have the same calls, and no sum is right.
#
# `calls` lists what worker 0 hands in, one all-reduce after the other: `(name, elements)`; each
# number of elements occurs more than once. Make `my_mix_up` return the order in which worker
# 1 makes the same calls.

# %% role="broken" exercise="my_mix_up"
def broken_mix_up(calls):
    return list(calls)

# %% role="fix" exercise="my_mix_up"
def my_mix_up(calls):
    queues = {}
    for call in calls:
        queues.setdefault(call[1], []).append(call)
    for queue in queues.values():
        queue.append(queue.pop(0))
    return [queues[elements].pop(0) for _, elements in calls]

# %% role="check" points=3
check("17/my_mix_up", my_mix_up)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# In one job of your prediction, worker 1 took `b` before `a`. What came of it, and what would
# TensorFlow have compared if `b` had had two elements?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# TensorFlow joins the first call of one worker with the first call of the other, and so on, and
# compares sizes and dtypes, not names. So a call may stand only where worker 0 has another
# one of the same number of elements.
#
# </details>
# <details><summary>Hint 3: what is left</summary>
#
# For each number of elements, take the list of its calls, and put the first of them to its
# end. Then go through `calls`, and take for each the next one of its number of elements.
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** Among calls of one size, each gives its place to the next. All sizes
# fit, so nothing stops; no name meets itself. The repair is an order that comes from the
# names, which are the same everywhere: `sorted(names)`.

# %% [markdown] beat="further"
# ### On two real workers
#
# Worker 0 hands in 1, 2, 3, 4 for four gradients, worker 1 ten times as much:

# %% key="mixed" tags=["raises-exception"]
def sums(mix_up):
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    calls = [("kernel", 2), ("bias", 1), ("gate", 2), ("scale", 1)]
    own = {call: k + 1.0 for k, call in enumerate(calls)}
    if strategy.cluster_resolver.task_id == 1:
        own = {call: 10 * own[call] for call in mix_up(calls)}
    told = {n: total(strategy, tf.fill([size], own[n, size])) for n, size in own}
    return {name: float(each[0]) for name, each in told.items()}

for worker, told in enumerate(run_workers(sums, my_mix_up).values()):
    print(f"worker {worker}: {told}")

# %% [markdown] beat="further"
# ## Further 2 · One worker casts (20 minutes)
#
# Worker 1 has another dtype policy, so its gradient is float16. Only one of the two gets
# an error, and it has numbers for names: data_type 1 is float32, 19 is float16.

# %% key="cast"
def sum_of_two_kinds():
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    context = tf.distribute.get_replica_context
    first = strategy.cluster_resolver.task_id == 0
    own = tf.constant([1.0, 2.0], "float32" if first else "float16")
    return strategy.run(lambda: context().all_reduce("SUM", tf.identity(own)))

for end in run_workers(sum_of_two_kinds).ends:
    print(str(end)[:250])

# %% [markdown] beat="further"
# ### Ask before the first step
#
# `gradients` is this worker's list of tensors. `gather(numbers)` is a collective: every
# worker hands in a list of whole numbers, **equally long on all of them**, and each
# receives the lists of all workers. (The numbers must fit into int32.)
#
# Make `my_first_mismatch` return, on every worker, the number of the first gradient whose
# dtype or shape is not the same everywhere, or that not all workers have; `None` where all
# fit. Whole numbers can be made of any text: `list("float32".encode())`. The function below
# compares only sizes, and hangs where a worker has one gradient more.

# %% role="broken" exercise="my_first_mismatch"
def broken_first_mismatch(gradients, gather):
    sizes = gather([int(tf.size(each)) for each in gradients])
    for number, column in enumerate(zip(*sizes, strict=True)):
        if len(set(column)) > 1:
            return number

# %% role="fix" exercise="my_first_mismatch"
def my_first_mismatch(gradients, gather):
    longest = max(length for [length] in gather([len(gradients)]))
    kinds = [f"{each.dtype.name} {each.shape}" for each in gradients]
    kinds += ["none"] * (longest - len(kinds))
    for number, kind in enumerate(kinds):
        column = gather(list(kind.ljust(80).encode()))
        if any(each != column[0] for each in column):
            return number

# %% role="check" points=4
check("17/my_first_mismatch", my_first_mismatch)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# One worker has 6 gradients, another 7. What can both hand in without knowing of the
# other? And with which numbers can you tell the shape [3, 4] from [12]?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# First gather something of a fixed length: how many gradients there are. Then all know how
# many times to gather more. Describe each gradient by a list of a fixed length; one that is
# not there is described by another such list.
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# `longest = max(length for [length] in gather([____]))`, and for each number up to it, with
# `kind` a text of the gradient's dtype and shape: `column = gather(list(kind.ljust(____)
# .encode()))`. Compare all of `column` with `column[0]`.
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** Every worker enters the first gather, with one number. From then
# on all know the longest list, so all enter equally often, and a missing gradient has a
# text of its own. All see the same columns, so all stop at the same one.
