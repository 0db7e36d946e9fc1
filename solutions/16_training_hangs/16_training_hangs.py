# ---
# course:
#   number: "16"
#   title: Training stands still, and nothing says why
#   part: 3
#   minutes: {core: 25, further: [5, 15]}
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
# its own, and a watchdog stops the run when nobody has used the processor for four
# seconds. Before that, it asks every process for the line of code that it stands in.

# %% role="start"
from course import check, mirrored, predict, show, virtual_devices
import tensorflow as tf
devices = virtual_devices(4)

# %% role="setup" key="tools"
from course.runs.cluster import Cluster, run_workers
from course.lessons.n16_training_hangs import parts_of, train_uneven, worker_lanes
from course.runs.workloads import regression
from course.widgets.film import film

parts = parts_of(regression(54), (20, 14, 20), batch=4)

# %% [markdown] beat="predict"
# ## 2 · Predict
#
# Each worker has a file of its own: 20, 14 and 20 rows, in batches of 4. Each calls the
# function below once an epoch.
#
# `batches` is the worker's own dataset of `(x, y)`. `step(x, y)` is one synchronous step:
# an all-reduce sums the gradients and the numbers of rows over all workers, then each
# applies the mean gradient. (The other two arguments are not used yet.)

# %% role="broken" exercise="my_epoch"
def broken_epoch(batches, no_rows, step, sum_over_workers):
    """Make one epoch on one worker."""
    for x, y in batches:
        step(x, y)

# %% key="ask"
predict("16")

# %% [markdown] beat="observe"
# ## 3 · Observe
#
# One lane for each worker. Each step sleeps 0.3 s first, so that you can see it; the waits
# are TensorFlow's own. The number in a bar is that of the step.

# %% key="run-broken"
broken = train_uneven(broken_epoch, parts, slow=0.3)
show(worker_lanes(broken.cluster), prediction="16")

# %% [markdown] beat="aside"
# ### The same as a film
#
# Play it, stop it, or move the slider by the arrow keys. Below the lanes stands the line
# of code in which each worker was at that moment.

# %% key="film"
film(worker_lanes(broken.cluster))

# %% [markdown] beat="aside"
# ### Does TensorFlow notice a worker that stands still?
#
# It notices a **process** that no longer answers. Here worker 1 is halted in the middle of
# its work, as on a machine that is too busy to go on. (About ten seconds.)

# %% key="halted"
def count_on():
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    one = tf.constant(1.0)
    @tf.function
    def count():
        context = tf.distribute.get_replica_context
        return strategy.run(lambda: context().all_reduce("SUM", tf.identity(one)))
    while True:
        count()

with Cluster({"worker": 2}, quiet=None) as cluster:
    cluster.start(count_on)
    cluster.wait_until(lambda: len(cluster.beats("worker 0")) > 10)
    cluster.stop("worker 1")
    cluster.wait_until(lambda: "worker 0" not in cluster.running())
    print("worker 0 stopped with", cluster.finish()["worker 0"].error)

# %% [markdown]
# The halted process did not answer for about nine seconds, so the other one got an error. In
# the run above, worker 1 answered all the time. It was only somewhere else in its program,
# and that is not checked by anybody.

# %% [markdown] beat="locate"
# ## 4 · Locate
#
# `broken.calls()` lists for each worker the collectives that it entered, in order:
# `(name, elements)`, such as `("step", 3)`, an all-reduce of 3 numbers. Nobody may have
# come out of the last one.
#
# The function below blames a worker that stands still. Make `my_first_odd` return
# `(worker, call)` for the first call (its index, from 0) in which a worker does something
# else than **most** workers do, and that worker. To enter nothing is something else, too.
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
check("16/my_first_odd", my_first_odd)

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
# `step`: it returns, on all workers, the sum of the numbers that they hand in. How many
# batches there are, `batches` does not know.
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
check("16/my_epoch", my_epoch)

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

# %% key="run-mine" tags=["raises-exception"]
mine = train_uneven(my_epoch, parts, slow=0.3)
titles = [broken.label, mine.label]
show(worker_lanes(broken.cluster, mine.cluster, titles=titles))

# %% [markdown]
# **Would `model.fit` have saved you?** No: `fit` does not run in a cluster
# (notebook 12). A loop over a dataset that the **strategy** distributes does take
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

# %% [markdown] beat="further"
# ## Further 1 · Wrong sums (5 minutes)
#
# Calls in another order need not hang. Two workers sum two gradients, `a` and `b`; worker
# 1 begins with `b`. The right sums are `a` = 1 + 100 and `b` = 2 + 200.

# %% key="swapped"
def sums_in_own_order():
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    context = tf.distribute.get_replica_context
    first = strategy.cluster_resolver.task_id == 0
    own = {"a": 1.0, "b": 2.0} if first else {"b": 200.0, "a": 100.0}
    def total(value):
        value = tf.constant(value)
        return strategy.run(lambda: context().all_reduce("SUM", tf.identity(value)))
    return {name: float(total(value)) for name, value in own.items()}

for worker, sums in enumerate(run_workers(sums_in_own_order).values()):
    print(f"worker {worker}: {sums}")

# %% [markdown] beat="further"
# ### All by their names
#
# A backward pass hands out gradients as they become ready, and that order may differ
# between workers. `gradients` is a dictionary in that order: name -> array of 3 numbers;
# the names are the same on all workers. `sum_over_workers(array)` is a collective: it adds
# up what the workers hand in at the same time, and knows no names.
#
# Make `my_sums` return, on every worker, a dictionary: name -> sum over all workers.

# %% role="broken" exercise="my_sums"
def broken_sums(gradients, sum_over_workers):
    sums = {}
    for name in gradients:
        sums[name] = sum_over_workers(gradients[name])
    return sums

# %% role="fix" exercise="my_sums"
def my_sums(gradients, sum_over_workers):
    sums = {}
    for name in sorted(gradients):
        sums[name] = sum_over_workers(gradients[name])
    return sums

# %% role="check" points=2
check("16/my_sums", my_sums)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# On worker 0, `a` came out as 201. Which two numbers are that, and of which gradients?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# TensorFlow puts together the first call of all workers, then the second, and so on. The
# order must come from something that is the same everywhere. Sizes and times are not.
#
# </details>
# <details><summary>Hint 3: a line with holes</summary>
#
# `for name in ____(gradients):`
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** `sorted` gives all workers the same order, whatever order their
# gradients came in: names are equal everywhere, so call number k is the same gradient on
# every worker. Each other order that comes from the names alone would do as well.

# %% [markdown] beat="further"
# ## Further 2 · One worker casts (15 minutes)
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
# receives the lists of all workers.
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
check("16/my_first_mismatch", my_first_mismatch)

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
