# ---
# course:
#   number: "14"
#   title: Workers differ before the first step
#   part: 3
#   minutes: {core: 25, further: [10, 15]}
#   symptoms:
#     - "MultiWorkerMirroredStrategy: workers report different losses for the same rows"
#     - "weights differ between workers, although all gradients are all-reduced"
#     - "workers give different predictions after earlier weights are loaded"
#   in_a_hurry:
#     cause: >-
#       `MultiWorkerMirroredStrategy` gives all workers the chief's value when a variable
#       is made in its scope, and never again. What is assigned later (loaded weights, a
#       checkpoint), or made outside the scope, is each worker's own. Equal updates keep
#       that distance to the end.
#     probe: >-
#       Before step 1, hash all weights on every worker, bring the hashes together with
#       `all_gather`, and compare them with worker 0's.
#     fix: >-
#       Send the chief's values once: make a variable from them in the scope and assign
#       it, or all-reduce a SUM in which all but worker 0 send zeros. Or let all
#       workers load the same file.
# ---

# %% [markdown] beat="symptom"
# ## 1 · Symptom
#
# A job on two workers goes on from earlier weights. All gradients are all-reduced, each row
# is read once, nothing fails. But for the same validation rows the two workers report
# different losses, already before the first step. "They will agree soon", somebody says: "a
# mirrored strategy mirrors".
#
# Two real workers will begin with two weights, `a` and `b`. You will see where they
# differ, and make them begin alike.

# %% role="start"
from course import check, mirrored, predict, show, virtual_devices
import tensorflow as tf
devices = virtual_devices(4)

# %% role="setup" key="tools"
import hashlib
import inspect
import json
import os

import numpy as np

from course.runs.cluster import run_workers
from course.lessons.n14_workers_differ_before_step_one import start_paths, train_from
from course.runs.workloads import regression

data = regression(22)
KEEP = 0.75  # probability that dropout keeps a unit, for the second further exercise

# %% [markdown] beat="predict"
# ## 2 · Predict
#
# Every worker calls `give`, with two numbers of its **own**: `own[0]` and `own[1]` are
# different on the two workers. Then it calls `broken_sync`, which should give all of them
# the values of the chief (worker 0). Then come the steps.

# %% key="give"
def give(strategy, own):
    with strategy.scope():
        a = tf.Variable(own[0], name="a")  # made with the number
        b = tf.Variable(0.0, name="b")
    b.assign(own[1])  # the number comes later, as from a checkpoint
    return a, b

# %% role="broken" exercise="my_sync"
def broken_sync(strategy, variables):
    """Give every worker the chief's values."""
    with strategy.scope():
        if strategy.cluster_resolver.task_id == 0:
            for variable in variables:
                variable.assign(variable.numpy())

# %% key="ask"
predict("14")

# %% [markdown] beat="observe"
# ## 3 · Observe
#
# Left, the two weights of each worker, from step 0 (before step 1) to step 20; the grey band
# is one device that begins with the chief's values. Right, how far the two workers
# are apart.

# %% key="run-broken"
broken = train_from(give, broken_sync, data)
show(start_paths(broken), prediction="14")

# %% [markdown]
# No distance grows, and none goes away: both workers add the **same** sum to their own
# values. That sum is the gradient of neither. TensorFlow [issue
# 60128](https://github.com/tensorflow/tensorflow/issues/60128) describes this: what one
# worker assigns does not reach the others.

# %% [markdown] beat="aside"
# ### What does the strategy make equal?
#
# One of the five texts (at the end of Confirm) lets workers print the first weight of a
# Keras layer, and warns that each may have its own. Here it is, with another seed on each
# worker: made in the scope, and outside of it. Last, two variables that worker 1 makes in
# another order. Before you run the cell: which lines are equal?

# %% key="ways"
def first_values():
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    worker = strategy.cluster_resolver.task_id
    tf.keras.utils.set_random_seed(worker)
    def kernel():
        layer = tf.keras.layers.Dense(1)
        layer.build((None, 1))
        return round(float(layer.kernel.numpy()[0, 0]), 3)
    with strategy.scope():
        inside, made = kernel(), {}
        for name in ("c", "d") if worker == 0 else ("d", "c"):
            made[name] = tf.Variable({"c": 1.0, "d": 2.0}[name], name=name).numpy()
    return f"in scope {inside}, outside {kernel()}, c {made['c']}, d {made['d']}"

print(*run_workers(first_values).values(), sep="\n")

# %% [markdown]
# <details><summary>What this means (open it after the run)</summary>
#
# - In the scope, all get the chief's value, whatever their seeds are: the first kernel is
#   equal.
# - Outside, nothing is sent, and the workers differ.
# - Worker 1 asked for `d` = 2 first, and got the chief's **first** value, that of `c`.
#   Variables are joined by the order in which they are made, not by name. Where their
#   types and shapes are equal, there is no message.
#
# </details>

# %% [markdown] beat="locate"
# ## 4 · Locate
#
# `snapshots[worker][moment]` lists `(name, values)` of all variables, in the order in which
# they were made; values are NumPy arrays. Make `my_first_difference` return `(moment,
# position)`, both from 0: the first moment at which **any** worker differs from worker 0, and
# in it the first position at which one does, in name or in any digit. NaN is equal to NaN.
# `None` where nothing differs.
#
# (To try it: `my_first_difference(broken.snapshots)`; moment 0 is after `give`, 1 after the
# sync, then the steps. The check uses other recordings, of up to 4 workers.)

# %% role="broken" exercise="my_first_difference"
def broken_first_difference(snapshots):
    for moment, entries in enumerate(snapshots[0]):
        for position, (_, values) in enumerate(entries):
            other = snapshots[1][moment][position][1]
            if abs(values.sum() - other.sum()) > 1e-6:
                return moment, position

# %% role="fix" exercise="my_first_difference"
def my_first_difference(snapshots):
    for moment, entries in enumerate(snapshots[0]):
        for position, (name, values) in enumerate(entries):
            for other in [own[moment][position] for own in snapshots[1:]]:
                equal = np.array_equal(values, other[1], equal_nan=True)
                if name != other[0] or not equal:
                    return moment, position

# %% role="check" points=3
check("14/my_first_difference", my_first_difference)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# One worker has the values 1 and 3, another 3 and 1. What does the shipped function say of
# them? What does it say of a worker whose value is NaN, and of worker 2?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# Compare every worker with worker 0, every value with its partner, and the names, too. An
# array comparison that takes NaN for equal to NaN does the values in one call.
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# In the second loop a third: `for own in snapshots[____:]:`. In it, `own[____][____]` is the
# other entry, a pair; compare its name, and its values with
# `np.array_equal(values, ____, equal_nan=____)`.
#
# </details>

# %% [markdown] beat="fix"
# ## 5 · Fix
#
# Fix `my_sync`. All workers call it, after they have their values. Then every worker must
# have the values that the **chief** had before the call: of all variables, of any shape,
# of float32, float64 and int64.
#
# No other worker has the chief's values: they must travel. That takes a call which **all**
# workers make; one that only some of them make waits for ever.
#
# (The check starts three real workers, each with five variables and other values, lets them
# train for some steps, and compares with one device that begins with the chief's values.)

# %% role="fix" exercise="my_sync"
def my_sync(strategy, variables):
    """Give every worker the chief's values."""
    for variable in variables:
        with strategy.scope():
            chiefs = tf.Variable(variable.numpy())
        variable.assign(chiefs)

# %% role="check" points=4
check("14/my_sync", my_sync)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# In `first_values`, one way of making a value gave worker 1 the chief's. Which? Could you
# use it for a value that exists already?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# Two ways. A variable that is made in the scope gets the chief's value on every worker: make
# one from each variable's own value, and assign what came. Or add up over the workers, with
# `all_reduce("SUM", ...)` in a replica, where all but worker 0 send zeros.
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# For every variable, on every worker: `with strategy.scope():`
# `chiefs = tf.Variable(____.numpy())`, and then, below: `variable.____(chiefs)`.
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** Each worker asks for a new variable with its own value. The
# strategy sends the chief's value to all of them, because the variable is made in the
# scope. Then each worker assigns it to its old variable. Shape and type stay as they are.
# All workers have the variables in the same order, so the right values meet. In code that
# starts anew, it is simpler to make each variable from its value in the scope at once.

# %% [markdown] beat="confirm"
# ## 6 · Confirm
#
# Before and after:

# %% key="run-mine" tags=["raises-exception"]
mine = train_from(give, my_sync, data)
show(start_paths(broken, mine))

# %% [markdown]
# **Would `model.fit` have saved you?** No: `fit` does not run in a cluster
# (notebook 12). And `model.set_weights` or a restored checkpoint are assigns: what one
# worker loads stays there.
#
# **On real machines this would differ:** each has its own disk. Where every worker loads "the
# latest checkpoint" from its own, a stale file on one of them gives this notebook's picture.
# Different versions of TensorFlow were not run here.

# %% [markdown] role="claims"

# %% [markdown] beat="aside"
# ### Probe for work
#
# Plain TensorFlow, to paste into your own job. Call it on **all** workers, before step 1.
# `values` may be a version, a list of files, weights as bytes: all that `repr` shows in full
# and in one order. (Sort a set first.) Each worker sends 32 numbers, whatever the size of
# the model.

# %% key="probe"
import hashlib

def workers_that_differ(strategy, values):
    """Return the workers whose `values` are not worker 0's; all must call it."""
    digest = hashlib.sha256(repr(values).encode()).digest()
    numbers = tf.constant([list(digest)])

    def gather():
        return tf.distribute.get_replica_context().all_gather(numbers, axis=0)

    rows = strategy.run(gather).numpy()
    return [worker for worker, row in enumerate(rows) if (row != rows[0]).any()]

# %% [markdown] beat="aside"
# ### The probe in two workers
#
# First on TensorFlow's version, then on the weights after `broken_sync` and after `my_sync`.
# Printed are the workers that differ from worker 0.

# %% key="probe-use" tags=["raises-exception"]
def probed():
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    worker = strategy.cluster_resolver.task_id
    found = {"version": workers_that_differ(strategy, tf.__version__)}
    variables = give(strategy, [1.0 + worker, 2.0 + worker])
    for sync in (broken_sync, my_sync):
        sync(strategy, variables)
        values = [v.numpy().tobytes() for v in variables]
        found[sync.__name__] = workers_that_differ(strategy, values)
    return found

print(run_workers(probed).values()[0])

# %% [markdown] beat="aside"
# ### Which seed do Keras's weights listen to?
#
# The same text sets `tf.random.set_seed` before each model, so that their weights are
# equal. Two layers each, in this one process:

# %% key="seeds"
for seed_with in (tf.random.set_seed, tf.keras.utils.set_random_seed):
    drawn = []
    for _ in range(2):
        seed_with(42)
        layer = tf.keras.layers.Dense(1)
        layer.build((None, 1))
        drawn.append(float(layer.kernel.numpy()[0, 0]))
    print(f"{seed_with.__name__:16} {drawn[0]:6.3f} {drawn[1]:6.3f}")

# %% [markdown] beat="further"
# ## Further 1 · Before the first step (10 minutes)
#
# Weights are not all that must be equal. Below, three real workers report: TensorFlow's
# version, Keras's policy for types, a hash of the source of `give`, and the files they will
# read, in this order. One worker has a setting of its own, and one lists its files in another
# order.

# %% key="reports"
def report(names):
    worker = int(json.loads(os.environ["TF_CONFIG"])["task"]["index"])
    if worker == 1:
        tf.keras.config.set_dtype_policy("mixed_bfloat16")
    return {
        "tensorflow": tf.__version__,
        "policy": tf.keras.config.dtype_policy().name,
        "code": hashlib.sha256(inspect.getsource(give).encode()).hexdigest()[:8],
        "files": names if worker < 2 else names[::-1],
    }

reports = run_workers(report, ["b", "a", "c"], workers=3).values()
print(*reports, sep="\n")

# %% [markdown] beat="further"
# ### Say who differs, and in what
#
# `reports[worker]` is such a dictionary. Make `my_preflight` return a set of pairs
# `(worker, item)`: every item in which a worker's report differs from the **chief's**
# (worker 0), or that only one of the two has. An empty set lets the job begin.
#
# (For the reports above it is `{(1, "policy"), (2, "files")}`. The check has others, of up
# to five workers. There can be items that you do not know, with any value, None among them.)

# %% role="broken" exercise="my_preflight"
def broken_preflight(reports):
    found = set()
    for worker in range(1, len(reports)):
        for item, value in reports[worker].items():
            if value != reports[worker - 1].get(item):
                found.add((worker, item))
    return found

# %% role="fix" exercise="my_preflight"
def my_preflight(reports):
    found, nothing = set(), object()
    for worker, own in enumerate(reports):
        for item in {*own, *reports[0]}:
            if own.get(item, nothing) != reports[0].get(item, nothing):
                found.add((worker, item))
    return found

# %% role="check" points=3
check("14/my_preflight", my_preflight)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# What does the shipped function say of worker 2's policy in the reports above? With whom is
# worker 2 compared?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# All follow the chief, so all are compared with it. And go over the items of **both**
# reports: one that a worker does not have is missing in its own list of items.
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# `for item in {*own, *____}:`. In it, what is missing needs a value that no report has:
# `nothing = object()`, and then `own.get(item, ____)` beside `____.get(item, ____)`.
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** All workers are compared with one, the chief, in the items of
# **both**: an item that only one has is different from none. Each pair is found by
# itself, so the second difference of a worker is not lost behind its first.

# %% [markdown] beat="further"
# ## Further 2 · The same masks on any number of workers (15 minutes)
#
# In notebook 04, dropout masks were made equal on any number of replicas. Here a worker
# knows less: after `rows.shard(workers, worker)`, only its rows' `places` in its own shard,
# 0, 1, 2, ...
#
# Make `my_mask` return 1 (kept, with probability `KEEP`) or 0, shape (places, units). A row
# must have the same mask on 1, 2 and 3 workers, and every row, step **and seed** masks of
# its own. `tf.random.experimental.stateless_fold_in(seed, number)` makes a new seed of a
# seed (two numbers) and one number more.

# %% role="broken" exercise="my_mask"
def broken_mask(seed, step, places, worker, workers, units):
    own_seed = [seed + worker, step]
    numbers = tf.random.stateless_uniform([len(places), units], seed=own_seed)
    return tf.cast(numbers < KEEP, tf.float32)

# %% role="fix" exercise="my_mask"
def my_mask(seed, step, places, worker, workers, units):
    def for_row(row):
        own_seed = tf.random.experimental.stateless_fold_in([seed, step], row)
        return tf.random.stateless_uniform([units], seed=own_seed)

    numbers = tf.stack([for_row(place * workers + worker) for place in places])
    return tf.cast(numbers < KEEP, tf.float32)

# %% role="check" points=4
check("14/my_mask", my_mask)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# Of three workers, which rows of the data does worker 1 have at its places 0, 1 and 2? And
# with one worker, which place has row 4?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# First find the row's number in the whole data from its place; then the numbers may depend on
# seed, step and row, each kept apart, and on nothing else.
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# The row at a place is `place * ____ + ____`. Its seed is
# `tf.random.experimental.stateless_fold_in([____, ____], row)`, from which
# `tf.random.stateless_uniform([____], seed=own_seed)` draws.
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** After `rows.shard(workers, worker)`, place p of worker r is row
# `p * workers + r` of the whole data. With that number, a mask is a function of seed,
# step and row, as on one device. `fold_in` keeps the three apart; their sum or product
# would not.
