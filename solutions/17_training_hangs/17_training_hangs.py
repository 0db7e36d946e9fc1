# ---
# course:
#   number: "17"
#   title: Training stands still, and nothing says why
#   part: 3
#   minutes: {core: 35, further: [10, 20]}
#   symptoms:
#     - "MultiWorkerMirroredStrategy hangs in the last step, no error, no progress"
#     - "training stops after some steps, all workers still run"
#     - "the loss of one tensor shows up in another, without an error"
#   in_a_hurry:
#     cause: >-
#       A collective, such as an all-reduce, ends when ALL workers have entered it. One
#       worker made fewer steps, or another call, so the others wait forever.
#     probe: >-
#       Let every worker log each collective that it enters, and compare the logs. A
#       worker that is in the last call is waiting; it is not the cause.
#     fix: >-
#       All workers must make the same calls in the same order. Before each step, let
#       them sum how many still have rows; a worker without rows joins with an empty batch.
# ---

# %% [markdown] beat="symptom"
# ## 1 · Symptom
#
# A job on three workers prints a loss for every step, and then nothing more. There is no
# error. All processes are alive, and the machines are idle. The next morning, somebody
# restarts the job, and it hangs again at the same step.
#
# TensorFlow sets no limit to this wait. In this notebook each worker is a real process. A
# watchdog stops a run when no process has used the processor for four seconds.

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
# Two workers call `total` for `a` and then for `b`, each with its own numbers, in float32.
# `a` and `b` have one element each.

# %% key="total"
def total(strategy, own):
    def in_replica():
        return tf.distribute.get_replica_context().all_reduce("SUM", tf.identity(own))
    return strategy.run(in_replica)

# %% [markdown]
# Five jobs differ from this in one thing each:
#
# - worker 1 does not call `total` for `b`, and goes on with something else;
# - worker 1 calls `total` for `a` once more at the end;
# - worker 1 calls it for `b` first, and then for `a`;
# - worker 1 casts both to float16;
# - worker 0's process ends before its calls.

# %% key="ask"
predict("17")

# %% [markdown] beat="observe"
# ## 3 · Observe
#
# All five pairs run at the same time. If nothing has moved for four seconds, any worker
# that is still waiting will wait forever.

# %% key="run-pairs"
show(tick_table(QUESTIONS, observe_pairs(), ticks("17")), prediction="17")

# %% [markdown]
# ### The reasons
#
# <details><summary>Why each pair ended as it did</summary>
#
# - One call fewer: worker 0 waits in its sum of `b`, which needs worker 1. Worker 1 is alive
#   and busy elsewhere, so TensorFlow has nothing to report.
# - One call more: worker 1 waits in its third sum. Worker 0 is done and will never join.
# - `b` before `a`: TensorFlow joins first call with first call, and compares size and dtype,
#   not names. So worker 0's `a` is added to worker 1's `b`: two wrong sums, no error.
# - float16: the dtypes of two calls that meet differ. One worker gets an error, and the other
#   waits for a sum that will never be made.
# - Its process ends: the connection to worker 0 breaks, so worker 1 gets an error.
#   TensorFlow notices a process that has gone, but not one that is elsewhere in its program.
#
# </details>

# %% [markdown] beat="aside"
# ### Files of different lengths
#
# Three workers have a file each, of 20, 14 and 20 rows, in batches of 4. Each calls the
# function below once. `step(x, y)` is one synchronous step: an all-reduce sums the gradients
# and the numbers of rows over all workers.

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
# cut its link. Beside its buttons you see the line each process is at. A run ends after 45
# seconds, or with the next cell. (Once `my_epoch` is right, you can choose it here, too.)

# %% key="play"
control_panel({"broken_epoch": broken_epoch}, broken)

# %% [markdown]
# * Halt worker 1, and let it go on after five seconds. In another run, after fifteen: who gets
#   an error?
# * Kill worker 0; in another run, worker 1. When do the others get an error?
# * Cut the link of worker 1. Who never gets an error?
# * Give worker 1 the fewest rows. Which line do the waiting workers show? Is it wrong?
#
# <details><summary>What you should have seen (open it after playing)</summary>
#
# * Halted for five seconds: no error, and all finish. Halted for fifteen: the others get an
#   error after about nine seconds, and worker 1 gets one when it goes on.
# * Worker 0 is killed: both others get an error at once. Worker 1 is killed: at least one of
#   the others gets it at once. The other may wait for it for about nine seconds.
# * Both others get an error within two seconds. Worker 1, the one that is cut off, waits
#   until the panel ends the run.
# * They are in the call of `step`, in `broken_epoch`. That line is right; the fault is what
#   worker 1 did not do. Nobody gets an error.
#
# Every process keeps telling worker 0 that it is alive. After about nine seconds without that
# sign, the others get an error. A worker that has left its loop still gives the sign.
#
# </details>

# %% [markdown] beat="locate"
# ## 4 · Locate
#
# `broken.calls()` lists for each worker the collectives that it entered, in order:
# `(name, elements)`, such as `("step", 3)`: two numbers of the gradient and one of the rows
# are summed. A call is listed as
# soon as the worker enters it, even if the worker never leaves it.
#
# The function below blames a worker that waits. Make `my_first_odd` return `(worker, call)`:
# the first call (its index, from 0) in which a worker does something different from what
# **most** workers do, and the first such worker. A worker whose list has already ended there
# also counts as different. If all did the same, return `None`. (The check uses other
# recordings, of three and four workers, never two against two.)

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

# %% key="own-calls" tags=["raises-exception"]
print(*broken.calls(), sep="\n")
my_first_odd(broken.calls())

# %% role="check" points=3
check("17/my_first_odd", my_first_odd)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# How many calls did each worker of `broken` enter? Workers 0 and 2 wait in a call that they
# were right to enter. What did worker 1 enter as its fifth call (index 4)?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# Put the lists side by side and go through them call by call. For each call, find what most
# workers entered; a list that has ended counts as `None`. Return the first worker that differs.
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
# Fix `my_epoch`. No worker may wait forever, and every row is used once an epoch. The workers
# must end with the weights of one device whose step k uses, together, the k-th batches of all
# workers that still have one.
#
# `no_rows` is a pair `(x, y)` without rows. `step` accepts it as long as **some** worker has
# rows in that step. A worker's file can be empty. `sum_over_workers(number)` is a collective
# like `step`: it returns, on all workers, the sum of their numbers. The length of `batches` is
# unknown.
#
# (The check runs two and three real workers, with other data, over one and two epochs.)

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
# tell it? And when must the workers **with** rows make that call?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# All workers must make the same calls in the same order. So before each step, all sum how
# many of them have a batch. If the sum is 0, all stop. Otherwise **all** make the step, some
# of them without rows.
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# With `batches = iter(batches)` and `batch = next(batches, None)`:
# `while sum_over_workers(____) > 0:`, and in the loop `x, y = no_rows if ____ else batch`,
# the step, and the next batch.
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** Each worker makes a sum, a step, a sum, a step, and so on, until a
# sum is 0 for all. No worker decides alone whether to make a call. A worker without rows adds
# a zero gradient and a zero count, so the mean is over the other workers' rows.

# %% [markdown] beat="confirm"
# ## 6 · Confirm
#
# Before and after, on one time axis:

# %% key="run-mine" tags=["raises-exception"] thumbnail="0 13 8 92, 54 13 84 92"
mine = train_uneven(my_epoch, parts, slow=0.3)
titles = [broken.label, mine.label]
show(worker_lanes(broken.cluster, mine.cluster, titles=titles))

# %% [markdown]
# **Would `model.fit` have saved you?** Keras 3's `fit` does not run in a cluster (notebook 13).
# If the **strategy** distributes the dataset, a worker without rows joins the step by itself.
# But a `reduce_mean` over no rows is NaN there, and the NaN reaches all workers.
#
# **On real machines this would differ:** NVIDIA's NCCL waits on the GPU, which then looks
# fully busy (not run here). Some jobs set a timeout that stops everything.

# %% [markdown] role="claims"

# %% [markdown] beat="aside"
# ### Probe for work
#
# Call it from Python (not inside a `tf.function`) before each collective, and compare the
# workers' logs. With `seconds=60` it also
# prints, a minute after the last call, the line each thread is at, even while TensorFlow waits.

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
# ## Further 1 · Worse than a hang (10 minutes)
#
# A backward pass returns gradients as they become ready, and that order may differ between
# workers. Break a correct job in the worst way: nobody waits, nobody gets an error, both logs
# have the same calls, and no sum is right.
#
# `calls` lists worker 0's all-reduces in order, each as `(name, elements)`. Each number of
# elements occurs more than once. Make `my_mix_up` return the order in which worker 1 makes the
# same calls.

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
# In one job of your prediction, worker 1 summed `b` before `a`. How did it end? What would
# TensorFlow have compared if `b` had two elements?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# TensorFlow joins the first call of one worker with the first call of the other, and so on. It
# compares sizes and dtypes, not names. So move a call only to where worker 0 has another call
# of the same number of elements.
#
# </details>
# <details><summary>Hint 3: what is left</summary>
#
# For each number of elements, list its calls, and move the first one to the end of that list.
# Then go through `calls`, and replace each with the next call of its number of elements.
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** Among the calls of one size, each moves to the place of another. All
# sizes fit, so nothing stops, and no name meets itself. To fix such a job, use an order that
# is the same everywhere: `sorted(names)`.

# %% [markdown] beat="further"
# ### On two real workers
#
# Worker 0 sums 1, 2, 3, 4 for four gradients, and worker 1 ten times as much:

# %% key="mixed" tags=["raises-exception"]
def sums(mix_up):
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    calls = [("kernel", 2), ("bias", 1), ("gate", 2), ("scale", 1)]
    own = {call: k + 1.0 for k, call in enumerate(calls)}
    if strategy.cluster_resolver.task_id == 1:
        own = {call: 10 * own[call] for call in mix_up(calls)}
    summed = {n: total(strategy, tf.fill([size], own[n, size])) for n, size in own}
    return {name: float(each[0]) for name, each in summed.items()}

for worker, summed in enumerate(run_workers(sums, my_mix_up).values()):
    print(f"worker {worker}: {summed}")

# %% [markdown]
# <details><summary>What this means</summary>
#
# The right sums are 11, 22, 33 and 44. Here, each sum mixes two gradients, and worker 1 gives
# the same sums other names. So both apply wrong gradients, and the workers drift apart.
#
# </details>

# %% [markdown] beat="further"
# ## Further 2 · Check before the first step (20 minutes)
#
# Worker 1 has another dtype policy than worker 0. What would you read in its log, and what
# in worker 0's? (In the message, data_type 1 is float32, and data_type 19 is float16.)

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
# ### Compare all gradients
#
# `gradients` is this worker's list of tensors. `gather(numbers)` is a collective: every worker
# passes a list of whole numbers (int32), **of the same length on all workers**, and gets the
# lists of all workers.
#
# Make `my_first_mismatch` return, on every worker, the index of the first gradient whose dtype
# or shape is not the same on all workers, or that some worker does not have. If all fit,
# return `None`. Any text can become whole numbers: `list("float32".encode())`. The function
# below compares only sizes, and hangs if a worker has one gradient more.

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
# One worker has 6 gradients, another has 7. What can both pass without knowing about the
# other? And which numbers tell the shape [3, 4] from [12]?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# First gather something of a fixed length: the number of gradients. Then all workers know how
# many more times to gather. Describe each gradient by a list of a fixed length, and a missing
# gradient by another list of that length.
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
# **Why this is right.** Every worker makes the first gather, with one number. Then all know the
# longest list, so all gather equally often, and a missing gradient has its own text. All see
# the same columns, so all stop at the same one.
