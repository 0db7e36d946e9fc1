# ---
# course:
#   number: "05"
#   title: Different at every run
#   part: 1
#   minutes: {core: 25, further: [10, 15]}
#   symptoms:
#     - "threads that update one tf.Variable give another result at every run"
#     - "asynchronous training ends at other weights although all seeds are fixed"
#     - "is tf.Variable thread safe, is assign_add atomic"
#   in_a_hurry:
#     cause: >-
#       Two threads read the same value, both compute, both write. The later write is
#       made out of a value that is out of date, and the earlier update is gone.
#     probe: >-
#       Let all threads wait for each other between read and write (a
#       `threading.Barrier`), and count how many updates survive.
#     fix: >-
#       Do the slow part without a lock; then `tf.Variable.assign_add`, or one shared
#       lock around read AND write. Or hand all results to one thread.
# ---

# %% [markdown] beat="symptom"
# ## 1 · Symptom
#
# A training script starts threads of its own. Each thread reads a variable, computes for a
# while, and writes. With one thread the result is always the same. With four it changes
# from run to run, although all seeds are fixed. There is no error.
#
# This notebook is for code that **starts threads**, and for **asynchronous** training, as
# with parameter servers. If all your updates are made in `strategy.run`, this is not the
# fault you have: there, TensorFlow puts the updates in order, and nothing is lost (see
# Further 1).
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
    descend_late, in_threads, lanes, late_gradients, print_schedule, run_schedule,
    scheduler, stability_limit,
)
from course.runs.workloads import LEARNING_RATE

# %% [markdown] beat="predict"
# ## 2 · Predict
#
# A thread runs a function beside the rest of the program: `start` begins it, `join` waits
# until it has ended. `work` is the slow part, such as a gradient: from the value that was
# read and this thread's `delta`, it computes what to add. Each thread takes two steps on
# the variable: a **read** and a **write**.

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

# %% key="ask"
predict("05")

# %% [markdown] beat="observe"
# ## 3 · Observe
#
# Two real threads and a real `tf.Variable`. Each thread is held back before each of its
# steps until it is its turn. On the left the same function, one thread after the other.

# %% key="run-broken"
in_turn = run_schedule(broken_update, (0, 0, 1, 1), label="one after the other")
crossed = run_schedule(broken_update, (0, 1, 0, 1), label="the order of the question")
show(lanes(in_turn, crossed), prediction="05")

# %% [markdown] beat="aside"
# ### You are the scheduler
#
# Each button lets one thread take its next step (mouse, or Tab and the space bar). Find an
# order for each of the three outcomes 1, 10 and 11.

# %% key="scheduler"
scheduler(broken_update)

# %% key="without-buttons"
print_schedule(broken_update, [0, 1, 0, 1])  # the same without buttons

# %% [markdown] beat="locate"
# ## 4 · Locate
#
# A job wrote down what its threads did to a variable: `events` is a list of
# `(thread, "read" or "write", value)`, in order. The monitor below looks for a value that
# falls, and is wrong. Make `my_lost_update` return `(index, lost)`:
#
# - the index, among all events, of the **first write** whose thread had not seen what the
#   variable held just before,
# - how much was lost: what the variable held, minus what that thread had read.
#
# Where nothing is lost, `None`. (To try yours:
# `my_lost_update([(e.thread, e.kind, e.value) for e in crossed.events])`.)

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
# In the right half of the figure, what did thread 1 believe the variable to hold when it
# wrote? What did it hold?
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
# Fix `my_update`: at its return, `var` holds what it held at first plus everything that
# `work` has returned. One thread for each delta, one call of `work` in each, and all of
# them in `work` **at the same time**: it is the slow part. If you want a lock: where
# threads share one `lock = threading.Lock()`, only one of them at a time is inside
# `with lock:`; the others wait.
#
# (The check makes all threads meet in `work`, then lets them go on in an order of its own.
# It watches `var`: a race at a place of your own, it may not see.)

# %% role="fix" exercise="my_update"
def my_update(var, deltas, work):
    """Add to var what work(value, delta) returns, in one thread for each delta."""
    def one_thread(delta):
        added = work(var.numpy(), delta)
        var.assign_add(added)

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
# value as it is **then**, add, write. One operation of `tf.Variable` does all three; one
# lock that **all** threads share can do it too; so can one thread alone, with the results
# of all the others.
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# `added = work(var.numpy(), delta)`, then `var.____(added)`.
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** `tf.Variable.assign_add` is one operation: it adds to what the
# variable holds at that moment, and several of them never mix. (Four threads with 250 of
# them each give 1000.) No thread writes a value that it read earlier, so no write can be
# out of date, and `work` runs without a lock.
# What `work` was given may still be out of date: that is staleness, the subject of
# Further 2.

# %% [markdown] beat="confirm"
# ## 6 · Confirm
#
# The same order of steps for both, as far as your function allows it ("waits": it was this
# thread's turn, but another one held the lock).

# %% key="run-mine" tags=["raises-exception"]
mine = run_schedule(my_update, (0, 1, 0, 1), label="my_update", finish=True)
before = run_schedule(broken_update, (0, 1, 0, 1))
show(lanes(before, mine))

# %% [markdown]
# **Would `model.fit` have saved you?** Yes: on one device, `fit` updates the weights from
# one thread; on several, it uses `strategy.run`. It does not protect the weights from
# threads of **your** own that write to them meanwhile.
#
# **On real GPUs this would differ:** operations take different times, so other orders
# are frequent. The rule for what is lost in a given order is the same. (This course has not
# been run on several GPUs.)

# %% [markdown] role="claims"

# %% [markdown] beat="aside"
# ### Probe for work
#
# Plain Python, to paste into your own job. Call `pause()` in your update, between its read
# and its write; each update adds 1. All must survive. Only a `pause()` **inside** the
# update proves anything: before one that only looks like one piece, as `assign_add` of a
# Keras variable does, most runs pass. At a `Barrier(count)`, each thread waits until
# `count` of them have come.

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

# %% [markdown] beat="further"
# ## Further 1 · Luck, replicas, and repairs that do not hold (10 minutes)
#
# Five threads add 1: first 200 times without any help, then once with the probe, where
# nobody writes before all have read. `in_threads(5, f, x)` calls `f(x)` in five threads at
# the same time, and waits for all.

# %% key="luck"
v = tf.Variable(0.0)

def add_one(pause):
    value = v.numpy()
    pause()
    v.assign(value + 1.0)

def five_times_one():
    v.assign(0.0)
    in_threads(5, add_one, lambda: None)
    return float(v)

print("without help:", Counter(five_times_one() for _ in range(200)))
print("with the probe:", surviving_updates(add_one, v.numpy, 5), "of 5 survived")

# %% [markdown]
# Run the cell again: the first line may change, the second does not. A test without the
# probe may pass by luck, and so may a job.

# %% [markdown] beat="further"
# ### And in `strategy.run`?
#
# Four replicas share a variable that was made **outside** the scope, so there is one copy
# of it. Each replica reads it, adds 1 and writes, 100 times. Before you run the cell: what
# does it print?

# %% key="replicas"
strategy = mirrored(devices)
shared = tf.Variable(0.0)

@tf.function
def step():
    strategy.run(lambda: shared.assign(shared + 1.0))

for _ in range(100):
    step()
print(shared.numpy())

# %% [markdown]
# <details><summary>What this means (open it after the run)</summary>
#
# Exactly 400, at every run: inside `strategy.run`, TensorFlow puts the replicas' reads and
# writes of one variable in order. Nothing is lost. But a counter that should say 100 says
# 400, because **every** replica updated it.
#
# </details>

# %% [markdown] beat="further"
# ### A lock around the write
#
# Is it enough to protect the write? Two threads each add 1. The barrier holds them for a
# moment, as other work would do in a real job. Before you run the cell: what does it
# print?

# %% key="lock-write"
v, lock, meet = tf.Variable(0.0), threading.Lock(), threading.Barrier(2)

def lock_the_write():
    value = v.numpy()
    meet.wait()
    with lock:
        v.assign(value + 1.0)

in_threads(2, lock_the_write)
print("two threads added 1 each:", v.numpy())

# %% [markdown]
# <details><summary>What this means (open it after the run)</summary>
#
# **1, not 2.** The writes do not meet any more, but the value was old before the lock was
# taken. A lock must hold the read **and** the write, and be the same for all threads.
#
# </details>

# %% [markdown] beat="further"
# ### `tf.function`, and Keras variables
#
# A read and a write in one `tf.function`, and `assign_add` of a Keras variable, look like
# one piece. If there is a gap, a barrier in it holds both threads: `numpy_function` puts it
# into the graph, and `Held` in front of the write. Two threads each add 1: what does it
# print?

# %% key="one-piece"
def wait_for_both(value):
    meet.wait()
    return value

@tf.function
def in_one_function():
    value = tf.numpy_function(wait_for_both, [v], tf.float32)
    v.assign(value + 1.0)

class Held(tf.keras.Variable):
    def assign(self, value):  # assign_add calls it, with the finished sum
        return super().assign(wait_for_both(value))

v.assign(0.0)
in_threads(2, in_one_function)
k = Held(0.0)
in_threads(2, k.assign_add, 1.0)
print("read, write in a tf.function:", v.numpy(), " Keras assign_add:", float(k))

# %% [markdown]
# <details><summary>What this means (open it after the run)</summary>
#
# A `tf.function` makes the gap shorter, it does not close it. `assign_add` of a **Keras**
# variable reads, adds and calls `assign`. That of a `tf.Variable` is one operation.
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
# stable? The cell prints this limit. Then it takes 300 steps, once at a rate 5% under the limit and once
# 5% over it, and prints the largest distance of `w` from the minimum in the last 20 of
# them. At the start it is 1.

# %% key="limits"
for delay in (0, 1, 3, 7):
    limit = stability_limit(delay)
    under, over = (descend_late(f * limit, delay)[-20:].max() for f in (0.95, 1.05))
    print(f"age {delay}: limit {limit:.3f}. Distance after 300 steps: "
          f"{under:.1g} (5% under), {over:.1g} (5% over)")

# %% [markdown]
# <details><summary>What this means (open it after the run)</summary>
#
# Less than a quarter. The limit is 2 sin(π / (2 (2 · delay + 1))), divided by the
# curvature: how fast the gradient grows with the distance from the minimum, here 1. There
# are no threads here, and nothing is left to chance.
#
# </details>

# %% [markdown] beat="further"
# ### Just under, just over, and no delay

# %% key="late"
limit = stability_limit(3)
show(late_gradients({
    f"rate {0.95 * limit:.2f}, 3 steps old": descend_late(0.95 * limit, 3),
    f"rate {1.05 * limit:.2f}, 3 steps old": descend_late(1.05 * limit, 3),
    f"rate {1.05 * limit:.2f}, not old": descend_late(1.05 * limit, 0),
}))

# %% [markdown] beat="further"
# ### The synchronous step
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

# %% [markdown] beat="aside"
# ### The end of Part 1
#
# Two broken jobs without a label, 15 to 25 minutes: write `!course practice 1` into a new
# cell, run it, and open the notebook that it names, in the folder
# `notebooks/practice`. (In a terminal: `.venv/bin/course practice 1`.) Add `--seed 2` for
# others.
#
# Part 2 begins with notebook 06: jobs that are right, and slow.
