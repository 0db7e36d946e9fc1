# ---
# course:
#   number: "05"
#   title: Different at every run
#   part: 1
#   minutes: {core: 25, further: [15, 15]}
#   symptoms:
#     - "threads that update one tf.Variable give another result at every run"
#     - "asynchronous training ends at other weights although all seeds are fixed"
#     - "is tf.Variable thread safe, are Keras variables"
#   in_a_hurry:
#     cause: >-
#       Two threads read the same value, both compute, both write. The later write is
#       made out of a value that is out of date, and the earlier update is gone.
#     probe: >-
#       Let all threads wait for each other between read and write (a
#       `threading.Barrier`), and count how many updates survive.
#     fix: >-
#       Do the slow part without a lock; then `assign_add` of a `tf.Variable` (of a Keras
#       variable `v`: `v.value.assign_add`), or one shared lock around read AND write. Or
#       hand all results to one thread.
# ---

# %% [markdown] beat="symptom"
# ## 1 · Symptom
#
# A training script starts threads of its own. Each thread reads a variable, computes for a
# while, and writes. With one thread the result is always the same. With four it changes
# from run to run, although all seeds are fixed. There is no error.
#
# This notebook is for code that **starts threads**, and for **asynchronous** training, as
# with parameter servers.
#
# Here the threads are real, but you decide who goes next.

# %% role="start"
from course import check, mirrored, predict, show, virtual_devices
import tensorflow as tf
devices = virtual_devices(4)

# %% role="setup" key="tools"
import threading
from collections import Counter

import numpy as np

from course.lessons.n05_different_every_run import (
    QUESTIONS, descend_late, in_threads, lanes, late_gradients, observe_ways,
    print_schedule, run_schedule, stability_limit,
)
from course.learner.predictions import ticks
from course.pictures.tick_table import tick_table
from course.runs.workloads import LEARNING_RATE

# %% [markdown] beat="predict"
# ## 2 · Predict
#
# A thread runs a function beside the rest of the program. `in_threads(2, f, v)` calls `f(v)`
# in two threads at the same time, and waits for both. A **lock** lets one thread at a time
# into its `with` block; others wait.
#
# Five ways to add 1 twice. They are defined here, and not called yet.

# %% key="parts"
lock, strategy = threading.Lock(), mirrored(devices[:2])
sgd = tf.keras.optimizers.SGD(1.0)  # a gradient of -1 adds 1

def lock_the_write(v):
    value = v.numpy()
    with lock:
        v.assign(value + 1.0)

@tf.function
def one_function(v):
    v.assign(v + 1.0)

@tf.function
def on_two_replicas(v):
    strategy.run(lambda: v.assign(v + 1.0))

# %% [markdown] beat="aside"
# ### Which of them lose an update?
#
# The variable of the first three is a `tf.Variable`, one for all (not mirrored); that of the
# last two is one of Keras, as the weights of a layer are.

# %% key="ways"
Keras, gradient = tf.keras.Variable, tf.constant(-1.0)
ways = {
    "lock around the write": (tf.Variable, lambda v: in_threads(2, lock_the_write, v)),
    "one tf.function": (tf.Variable, lambda v: in_threads(2, one_function, v)),
    "strategy.run": (tf.Variable, on_two_replicas),
    "assign_add (Keras)": (Keras, lambda k: in_threads(2, k.assign_add, 1.0)),
    "SGD.apply (Keras)": (Keras, lambda k: in_threads(2, sgd.apply, [gradient], [k])),
}

# %% key="ask"
predict("05")

# %% [markdown] beat="observe"
# ## 3 · Observe
#
# Each thread is held before its write until both have read: for a second at most, as some
# ways let the other one read only after this write.

# %% key="run-ways"
observed = observe_ways(ways)
show(tick_table(QUESTIONS, observed, ticks("05")), prediction="05")

# %% [markdown]
# <details><summary>The reasons (open it after the run)</summary>
#
# - The lock: the value is old before the lock is taken.
# - A `tf.function` makes the gap between read and write shorter. It does not close it.
# - In `strategy.run`, TensorFlow puts the replicas' reads and writes of one variable in
#   order.
# - A **Keras** variable reads, adds, then calls `assign`: two steps.
# - Keras's SGD leaves the whole subtraction to TensorFlow, in one step.
#
# </details>

# %% [markdown] beat="aside"
# ### A read and a write
#
# `work` is the slow part, such as a gradient: from the value that was read and this thread's
# `delta`, it computes what to add. (Here it returns `delta`.) `start` begins a thread, `join`
# waits for its end. Each thread takes two steps on `var`, a Keras variable: a **read** and
# a **write**.

# %% role="broken" exercise="my_update"
def broken_update(var, deltas, work):
    """Add to var what work(value, delta) returns, in one thread for each delta."""
    def one_thread(delta):
        value = var.numpy()
        added = work(value, delta)
        var.assign(value + added)

    threads = [threading.Thread(target=one_thread, args=(d,)) for d in deltas]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

# %% [markdown] beat="aside"
# ### You are the scheduler
#
# Thread 0 adds 1, thread 1 adds 10 (and thread 2 adds 100). Each waits before each of its
# steps until you let it go on; thread 0 has read already. At which values can `var` end?

# %% key="scheduler"
from course.lessons.n05_different_every_run import who_goes_next

who_goes_next()

# %% key="without-buttons"
print_schedule(broken_update, [0, 1, 0, 1])  # the same without buttons
crossed = run_schedule(broken_update, [0, 1, 0, 1])
events = [(event.thread, event.kind, event.value) for event in crossed.events]
show(lanes(crossed))

# %% [markdown] beat="locate"
# ## 4 · Locate
#
# A job wrote down what its threads did to a variable: `events` is a list of
# `(thread, "read" or "write", value)`, in order. The function below is right about some
# jobs only. Make `my_lost_update` return `(index, lost)`:
#
# - the index, among all events, of the **first write that loses** what another thread has
#   added (hatched in the figure),
# - how much it loses.
#
# Where nothing is lost, `None`. (To try yours: `my_lost_update(events)`, with the `events`
# of the cell above.)

# %% role="broken" exercise="my_lost_update"
def broken_lost_update(events):
    held = events[0][2]
    for index, (thread, kind, value) in enumerate(events):
        if kind == "write" and value < held:
            return index, held - value
        held = value
    return None

# %% role="fix" exercise="my_lost_update"
def my_lost_update(events):
    held, seen = events[0][2], {}
    for index, (thread, kind, value) in enumerate(events):
        if kind == "write" and seen[thread] != held:
            return index, held - seen[thread]
        held = seen[thread] = value
    return None

# %% role="check" points=3
check("05/my_lost_update", my_lost_update)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# In the four `events` of the cell above, what did thread 1 believe the variable to hold when
# it wrote? What did it hold?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# Remember two things while you go through the events: what the variable holds now, and
# what **each thread** has read last. A write is healthy if these two agree for its thread.
# Reads by others in between do no harm.
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# At a read, `seen[thread] = ____`. At a write, compare `seen[____]` with `held`, and if
# they differ, `return index, ____ - ____`.
#
# </details>

# %% [markdown] beat="fix"
# ## 5 · Fix
#
# Fix `my_update`: at its return, `var`, a **Keras variable** as the weights of a layer are,
# is what it was at first plus everything that `work` has returned. One thread for each
# delta, one call of `work` in each, and all of them in `work` **at the same time**: it is
# the slow part.
#
# (The check makes all threads meet in `work`, then lets them go on in an order of its own.
# It watches `var`; what you keep elsewhere, it may not see.)

# %% role="fix" exercise="my_update"
def my_update(var, deltas, work):
    """Add to var what work(value, delta) returns, in one thread for each delta."""
    def one_thread(delta):
        added = work(var.numpy(), delta)
        var.value.assign_add(added)

    threads = [threading.Thread(target=one_thread, args=(d,)) for d in deltas]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

# %% role="check" points=4
check("05/my_update", my_update)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# Between a thread's read and its write, all others can read and write. Must the read that
# goes into `work` be the one that the write builds on?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# Leave `work` outside of any protection. What must not be divided is short: take the
# value as it is **then**, add, write. One lock that **all** threads share makes one step of
# it; so does one thread alone, with the results of all the others. And inside, a Keras
# variable keeps a `tf.Variable`, its `value` (what does Keras's SGD leave to it?).
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# `added = work(____, delta)`, then one step instead of two, or two steps `with ____:`.
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** `var.value` is the `tf.Variable` inside, and its `assign_add` is one
# operation: it adds to what the variable holds at that moment, and several of them never
# mix. (Four threads with 250 of them each give 1000.) Keras's own `assign_add` reads first
# and calls `assign` then. No thread writes a value that it read earlier, so no write can be
# out of date, and `work` runs without a lock.
# What `work` was given may still be out of date: that is staleness, the subject of
# Further 2.

# %% [markdown] beat="confirm"
# ## 6 · Confirm
#
# The same turns for both, 0, 1, 0, 1; then whatever yours has left to do. ("waits": at its
# turn, another thread held the lock.)

# %% key="run-mine" tags=["raises-exception"]
mine = run_schedule(my_update, (0, 1, 0, 1), label="my_update", finish=True)
before = run_schedule(broken_update, (0, 1, 0, 1))
show(lanes(before, mine))

# %% [markdown]
# `var.value` is the `tf.Variable` inside a Keras one. Its `assign_add` is one step, as is its
# `assign_sub`, which SGD calls. A lock that all share makes one step of two.
#
# **Would `model.fit` have saved you?** Yes: on one device, `fit` updates the weights from
# one thread; on several, it uses `strategy.run`. It does not protect the weights from
# threads of **your** own that write to them meanwhile.
#
# **On real GPUs this would differ:** operations take different times, so other orders
# are frequent. (This course has not been run on several GPUs.)

# %% [markdown] role="claims"

# %% [markdown] beat="aside"
# ### Probe for work
#
# Plain Python, to paste into your own job. Call `pause()` in your update, **between** its
# read and its write; each update adds 1. All must survive. (At a `Barrier(count)`, each
# thread waits until `count` of them have come.)

# %% key="probe"
import threading

def surviving_updates(update, read, count=4):
    """Run update(pause) in threads; return how much read() grows."""
    meet, before = threading.Barrier(count), read()
    def pause():
        try:
            meet.wait(timeout=1.0)
        except threading.BrokenBarrierError:
            return  # a lock lets one thread at a time come here: fine
    threads = [threading.Thread(target=update, args=(pause,)) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return read() - before

# %% [markdown] role="elsewhere"

# %% [markdown] beat="aside"
# An update without a lock, probed, and one with it:

# %% key="used"
counter = tf.Variable(0.0)

def count_up(pause):
    value = counter.numpy()
    pause()
    counter.assign(value + 1.0)

def count_up_alone(pause):
    with lock:
        count_up(pause)

for update in (count_up, count_up_alone):
    survive = surviving_updates(update, lambda: float(counter))
    print(f"{update.__name__}: {survive:.0f} of 4 updates survive")

# %% [markdown] beat="further"
# ## Further 1 · All that can come (15 minutes)
#
# Five threads add 1 each. This is done 200 times, and nobody decides who goes next:

# %% key="luck"
v = tf.Variable(0.0)

def add_one():
    value = v.numpy()
    v.assign(value + 1.0)

def five_times_one():
    v.assign(0.0)
    in_threads(5, add_one)
    return float(v)

print("200 runs ended at:", Counter(five_times_one() for _ in range(200)))

# %% [markdown]
# Run the cell again: the counts change. A test may pass by luck, and so may a job. So do not
# ask what came, ask what **can** come.

# %% [markdown] beat="further"
# ### What can this print?
#
# Each thread runs the loop below with a `delta` of its own; `var` is 0 at first.
#
# ```python
# for _ in range(times):
#     value = var.numpy()
#     var.assign(value + delta)
# ```
#
# Make `my_outcomes` return the set of **all** values that `var` can have when all threads
# have ended, in any order of their steps. Two threads that both add 1, ten times each: what
# is the least? Think before you write.
#
# (The check uses one to three threads, and `times` up to 4.)

# %% role="broken" exercise="my_outcomes"
def broken_outcomes(deltas, times):
    return {times * sum(deltas)}

# %% role="fix" exercise="my_outcomes"
def my_outcomes(deltas, times):
    def go_on(var, left, read):  # for each thread: steps left, what it has read last
        ends = set() if any(left) else {var}
        for t in [t for t, steps in enumerate(left) if steps]:
            later = (*left[:t], left[t] - 1, *left[t + 1:])
            if left[t] % 2:
                ends |= go_on(read[t] + deltas[t], later, read)
            else:
                ends |= go_on(var, later, (*read[:t], var, *read[t + 1:]))
        return ends
    return go_on(0, (2 * times,) * len(deltas), (0,) * len(deltas))

# %% role="check" points=4
check("05/my_outcomes", my_outcomes)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# Two threads, both add 1, two times each. With pencil: which order ends at 2? Why can none
# end at 1?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# Do not look for a formula: let the computer take all orders. What can still happen depends
# on three things only: what `var` is, how many steps each thread has taken, and what each
# has read last. From each such state, every thread that has steps left may be the next.
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# A function `go_on(var, left, read)` that calls itself: for each thread `t` with `left[t]`
# above 0, if `left[t]` is even, it reads, `read[t] = ____`; else it writes,
# `var = ____ + deltas[t]`. Where nobody has steps left, `ends = {____}`.
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** Every order of the steps is followed to its end. Two threads that
# add 1 ten times can end at **2**: thread 1 reads 0; thread 0 adds nine times; thread 1
# writes 1; thread 0 reads 1; thread 1 adds nine times; thread 0 writes 2.

# %% [markdown]
# <details><summary>What is the least? (Open it when yours is right.)</summary>
#
# 2. Thread 1 reads 0. Thread 0 adds nine times. Thread 1 writes 1. Thread 0 reads 1. Thread 1
# adds nine times. Thread 0 writes 2.
#
# </details>

# %% [markdown] beat="further"
# ## Further 2 · Old gradients (15 minutes)
#
# Nothing is lost any more. But in asynchronous training, a gradient is applied to weights
# that have gone on for some steps since it was computed. The error here is `w**2 / 2`; without
# delay, plain descent is stable for every learning rate below 2.
#
# Before you run the cell: with gradients that are 3 steps old, below which rate is it still
# stable? The cell prints this limit. Then it takes 300 steps, once at a rate 5% under the
# limit and once 5% over it, and prints the largest distance of `w` from the minimum in the
# last 20 of them. At the start it is 1.

# %% key="limits"
for delay in (0, 1, 3, 7):
    limit = stability_limit(delay)
    under, over = (descend_late(f * limit, delay)[-20:].max() for f in (0.95, 1.05))
    print(f"age {delay}: limit {limit:.3f}. Distance after 300 steps: "
          f"{under:.1g} (5% under), {over:.1g} (5% over)")

# %% [markdown]
# <details><summary>What this means (open it after the run)</summary>
#
# Below 0.445, less than a quarter of the limit without delay. The limit is
# 2 sin(π / (2 (2 · delay + 1))), divided by the curvature: how fast the gradient grows with the distance from the minimum, here 1. There
# are no threads here, and nothing is left to chance.
#
# </details>

# %% [markdown] beat="further"
# ### Just under, just over, and no delay

# %% key="late" thumbnail="0 0 100 100"
limit = stability_limit(3)
show(late_gradients({
    f"rate {0.95 * limit:.2f}, 3 steps old": descend_late(0.95 * limit, 3),
    f"rate {1.05 * limit:.2f}, 3 steps old": descend_late(1.05 * limit, 3),
    f"rate {1.05 * limit:.2f}, not old": descend_late(1.05 * limit, 0),
}))

# %% [markdown] beat="further"
# ### One step of all workers
#
# Four workers (here four calls, no processes) take their turns with a lock around
# everything: each computes the mean
# gradient of its own rows and applies it, then comes the next. No update is lost, and yet
# this is not the training of one device.
#
# Make `my_round` equal the step of one device on all rows, from the workers' gradients
# alone: `gradient(w, shard)`, once for each shard. `w` and the gradients are NumPy arrays
# of shape (2,). A shard is not an array: it has only its number of rows, `len(shard)`, and
# can be passed to `gradient`. Sizes are unequal.

# %% role="broken" exercise="my_round"
def broken_round(w, shards, gradient):
    """Return the weights after one step of all workers; w: shape (2,)."""
    for shard in shards:
        w = w - LEARNING_RATE * gradient(w, shard)
    return w

# %% role="fix" exercise="my_round"
def my_round(w, shards, gradient):
    """Return the weights after one step of all workers; w: shape (2,)."""
    gradients = [gradient(w, shard) for shard in shards]
    rows = [len(shard) for shard in shards]
    return w - LEARNING_RATE * np.average(gradients, axis=0, weights=rows)

# %% role="check" points=4
check("05/my_round", my_round)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# At which weights does the second worker compute its gradient? And one device, for the
# same rows?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# First all gradients, at the same weights; then one step. The gradient of all rows is the
# mean of the workers' mean gradients, each weighted by its number of rows.
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# `gradients = [____ for shard in shards]`, then
# `np.average(gradients, axis=0, weights=____)`, applied once.
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** Waiting for all workers makes every gradient one of the same
# weights: no delay, so the limit of one device holds again, and the result does not depend
# on who was first. That is the price and the gain of synchronous training.
