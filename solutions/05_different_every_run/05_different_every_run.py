# ---
# course:
#   number: "05"
#   title: Different at every run
#   part: 1
#   minutes: {core: 30, further: [15, 15]}
#   symptoms:
#     - "threads that update one tf.Variable give another result at every run"
#     - "asynchronous training ends at other weights although all seeds are fixed"
#     - "is tf.Variable thread safe, are Keras variables"
#   in_a_hurry:
#     cause: >-
#       Two threads read the same value, both compute, both write. The later write is
#       computed from an outdated value, and the earlier update is lost.
#     probe: >-
#       Make all threads wait for each other between read and write (with a
#       `threading.Barrier`), and count how many updates survive.
#     fix: >-
#       Do the slow part without a lock. Then call `assign_add` of a `tf.Variable` (for a
#       Keras variable `v`: `v.value.assign_add`), or hold one shared lock around read AND
#       write. Or hand all results to one thread.
# ---

# %% [markdown] beat="symptom"
# ## 1 · Symptom
#
# A training script starts threads. Each thread reads a variable, computes for a while, and
# writes. With one thread the result is always the same. With four it changes from run to run,
# although all seeds are fixed, and there is no error.
#
# This notebook is for code that **starts threads**, and for **asynchronous** training, for
# example with parameter servers.
#
# Here the threads are real, but you decide which one goes next.

# %% role="start"
from course import check, mirrored, predict, show, virtual_devices
import tensorflow as tf
devices = virtual_devices(4)

# %% role="setup" key="tools" jupyter={"source_hidden": true}
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
# into its `with` block; the others wait.
#
# Here are five ways to add 1 twice. They are defined, but not called yet.

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
# The first three use one `tf.Variable` for all threads or replicas (not mirrored). The last
# two use a Keras variable, like a layer's weights.

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
# Each thread waits before its write until both have read. It waits for at most a second: in
# some ways the other thread cannot read before this one has written.

# %% key="run-ways"
observed = observe_ways(ways)
show(tick_table(QUESTIONS, observed, ticks("05")), prediction="05")

# %% [markdown]
# <details><summary>The reasons (open it after the run)</summary>
#
# - The lock: the thread reads before it takes the lock, so its value may be outdated.
# - A `tf.function` makes the gap between read and write shorter, but it does not close it.
# - In `strategy.run`, TensorFlow puts the replicas' reads and writes of one variable in
#   order.
# - `assign_add` of a **Keras** variable reads, adds, then calls `assign`: two steps.
# - Keras's SGD leaves the whole subtraction to TensorFlow, in one step.
#
# </details>

# %% [markdown] beat="aside"
# ### A read and a write
#
# `work` is the slow part, such as a gradient. It computes what to add from the value that the
# thread has read and from the thread's `delta`. (Here it returns `delta`.)
#
# `start` begins a thread, `join` waits until it has ended. Each thread takes two steps on
# `var`, a Keras variable: a **read** and a **write**.

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
# Thread 0 adds 1, thread 1 adds 10 (and thread 2 adds 100). Each thread waits before each
# step until you let it go on; thread 0 has already read. At which values can `var` end? Is
# a lock around the write enough?

# %% key="scheduler"
from course.lessons.n05_different_every_run import who_goes_next

who_goes_next()

# %% [markdown]
# <details><summary>What you should have seen</summary>
#
# With two threads, `var` can end at 11, at 10 and at 1. With three, it can end at every sum
# of one, two or three of 1, 10 and 100: seven values, six of them wrong. With the lock around
# the write, thread 0 takes the lock right after its read, so it writes first. Only the end
# at 1 is gone; the other wrong ends are still possible.
#
# </details>

# %% key="without-buttons"
print_schedule(broken_update, [0, 1, 0, 1])  # the same without buttons
crossed = run_schedule(broken_update, [0, 1, 0, 1])
events = [(event.thread, event.kind, event.value) for event in crossed.events]
show(lanes(crossed))

# %% [markdown] beat="locate"
# ## 4 · Locate
#
# A job recorded what its threads did to a variable: `events` is a list of
# `(thread, "read" or "write", value)`, in order. The function below is right for some jobs
# only. Make `my_lost_update` return `(index, lost)`:
#
# - the index, among all events, of the **first write that loses** what another thread has
#   added (hatched in the figure),
# - how much it loses.
#
# If nothing is lost, return `None`. To try yours: `my_lost_update(events)`, with the `events`
# of the cell above.

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
# Look at the four `events` of the cell above. When thread 1 wrote, which value had it read?
# Which value did the variable hold?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# Remember two things while you go through the events: what the variable holds now, and
# what **each thread** has read last. A write loses nothing if these two are equal for its
# thread. Reads by other threads in between do no harm.
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
# Fix `my_update`: when it returns, `var` (a **Keras variable**, like a layer's weights) holds
# its first value plus everything that the calls of `work` returned. Start one thread for each
# delta and call `work` once in each. All of them must be in `work` **at the same time**,
# because it is the slow part.
#
# (The check makes all threads meet in `work`, then chooses the order in which they go on. It
# watches `var`; it may not see what you keep elsewhere.)

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
# Between a thread's read and its write, all others can read and write. Must `work` and the
# write use the same read?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# Leave `work` outside of any lock. Only a short part must be one step: take the value that
# `var` holds **then**, add, write. One lock that **all** threads share makes it one step. So
# does a single thread that adds the results of all the others.
#
# And a Keras variable has a
# `tf.Variable` inside, its `value` (what does Keras's SGD leave to it?).
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# `added = work(____, delta)`, then one step instead of two, or two steps `with ____:`.
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** `var.value` is the `tf.Variable` inside, and its `assign_add` is one
# operation: it adds to what the variable holds at that moment, so no two of them mix. (Four
# threads that call it 250 times each give 1000.) Keras's own `assign_add` reads first and
# then calls `assign`. Here no thread writes a value that it read earlier, so no write is
# outdated, and `work` runs without a lock.
# But the value that `work` gets may still be outdated: that is staleness, the subject of
# Further 2.

# %% [markdown] beat="confirm"
# ## 6 · Confirm
#
# Both get the same turns, 0, 1, 0, 1; then yours runs to its end. ("waits": another thread
# held the lock when it was this thread's turn.)

# %% key="run-mine" tags=["raises-exception"]
mine = run_schedule(my_update, (0, 1, 0, 1), label="my_update", finish=True)
before = run_schedule(broken_update, (0, 1, 0, 1))
show(lanes(before, mine))

# %% [markdown]
# `var.value` is the `tf.Variable` inside a Keras variable. Its `assign_add` is one step, and
# so is its `assign_sub`, which SGD calls. A shared lock turns two steps into one.
#
# **Would `model.fit` have saved you?** Yes: on one device, `fit` updates the weights from
# one thread; on several, it uses `strategy.run`. But it does not protect the weights from
# **your** threads that write at the same time.
#
# **On real GPUs this would differ:** operations take different times, so other orders are
# frequent. (This course has not been run on several GPUs.)

# %% [markdown] role="claims"

# %% [markdown] beat="aside"
# ### Probe for work
#
# Plain Python, to paste into your own job. Call `pause()` in your update, **between** its
# read and its write; each update adds 1. All updates must survive. (At a `Barrier(count)`,
# each thread waits until `count` threads are there.)

# %% key="probe"
import threading

def surviving_updates(update, read, count=4):
    """Run update(pause) in threads; return how much read() grows."""
    meet, before = threading.Barrier(count), read()
    def pause():
        try:
            meet.wait(timeout=1.0)
        except threading.BrokenBarrierError:
            return  # a lock lets only one thread at a time in here: fine
    threads = [threading.Thread(target=update, args=(pause,)) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return read() - before

# %% [markdown] role="elsewhere"

# %% [markdown] beat="aside"
# The probe on an update without a lock, and on one with it:

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
# ## Further 1 · Every possible outcome (15 minutes)
#
# Five threads add 1 each. The cell does this 200 times, and nobody decides which thread goes
# next:

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
# ask where the runs ended. Ask where they **can** end.

# %% [markdown] beat="further"
# ### Where can this end?
#
# Each thread runs the loop below with its own `delta`; `var` is 0 at first.
#
# ```python
# for _ in range(times):
#     value = var.numpy()
#     var.assign(value + delta)
# ```
#
# Make `my_outcomes` return the set of **all** values that `var` can hold when all threads
# have ended, for any order of their steps. If two threads both add 1, ten times each, what is
# the smallest of these values? Think before you write.
#
# (The check uses one to three threads, and `times` up to 4.)

# %% role="broken" exercise="my_outcomes"
def broken_outcomes(deltas, times):
    return {times * sum(deltas)}

# %% role="fix" exercise="my_outcomes"
def my_outcomes(deltas, times):
    def go_on(var, left, read):  # for each thread: steps left, value read last
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
# Two threads both add 1, two times each. Use a pencil: which order ends at 2? Why can no order
# end at 1?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# Do not look for a formula: let the computer try all orders. What can still happen depends
# on three things only: what `var` holds, how many steps each thread has taken, and what each
# thread has read last. From each such state, every thread that has steps left may go next.
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# A function `go_on(var, left, read)` that calls itself: for each thread `t` with `left[t]`
# above 0, if `left[t]` is even, it reads, `read[t] = ____`; else it writes,
# `var = ____ + deltas[t]`. If no thread has steps left, `ends = {____}`.
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** The function follows every order of the steps to its end.

# %% [markdown]
# <details><summary>What is the smallest? (Open it when yours is right.)</summary>
#
# 2: thread 1 reads 0; thread 0 adds nine times; thread 1 writes 1; thread 0 reads 1; thread 1
# adds nine times; thread 0 writes 2.
#
# </details>

# %% [markdown] beat="further"
# ## Further 2 · Old gradients (15 minutes)
#
# Nothing is lost any more. But in asynchronous training, a worker applies its gradient to
# weights that have changed for some steps since it computed the gradient. The loss here is
# `w**2 / 2`; without delay, gradient descent is stable for every learning rate below 2.
#
# Before you run the cell: with gradients that are 3 steps old, below which learning rate is it
# still stable?
#
# The cell prints this limit. Then it takes 300 steps, once with a learning rate 5% under the
# limit and once 5% over it. It prints the largest distance of `w` from the minimum in the last
# 20 steps. At the start the distance is 1.

# %% key="limits"
for delay in (0, 1, 3, 7):
    limit = stability_limit(delay)
    under, over = (descend_late(f * limit, delay)[-20:].max() for f in (0.95, 1.05))
    print(f"age {delay}: limit {limit:.3f}. Distance after 300 steps: "
          f"{under:.1g} (5% under), {over:.1g} (5% over)")

# %% [markdown]
# <details><summary>What you should have seen</summary>
#
# Below 0.445, less than a quarter of the limit without delay. The limit is
# 2 sin(π / (2 (2 · delay + 1))), divided by the curvature. (The curvature says how fast the
# gradient grows with the distance from the minimum; here it is 1.) There are no threads here,
# and nothing is random.
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
# Four workers (here four calls, not processes) take turns with a lock around everything:
# each computes the mean gradient of its own rows and applies it, then the next one begins. No
# update is lost, but this is not the training of one device.
#
# Make `my_round` equal the step of one device on all rows, using only the workers' gradients:
# call `gradient(w, shard)` once for each shard. `w` and the gradients are NumPy arrays of
# shape (2,). A shard is not an array: you can only take its number of rows, `len(shard)`, and
# pass it to `gradient`. The shards have different numbers of rows.

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
# At which weights does the second worker compute its gradient? At which weights does one
# device compute it for the same rows?
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
# **Why this is right.** If all workers wait for each other, every gradient belongs to the
# same weights. There is no delay, so the limit of one device holds again, and the result does
# not depend on which worker was first. That is the price and the gain of synchronous training.
