# ---
# course:
#   number: "15"
#   title: Workers differ before the first step
#   part: 3
#   minutes: {core: 40, further: [10, 15]}
#   symptoms:
#     - "MultiWorkerMirroredStrategy: workers report different losses for the same rows"
#     - "weights differ between workers, although all gradients are all-reduced"
#     - "workers give different predictions for the same rows"
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
# A job on two workers. All gradients are all-reduced, each row is read once, nothing fails.
# But for the same validation rows the two workers report different losses, already before
# the first step. "They will soon agree", somebody says: "a mirrored strategy mirrors".
# "They never will", says another.
#
# Which values does TensorFlow make equal? And what becomes of workers that begin unequal?

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

from course.learner.predictions import ticks
from course.runs.cluster import run_workers
from course.lessons.n15_workers_differ_before_step_one import (
    QUESTIONS, observe_ways, start_paths, tick_table, train_from, who_begins_where,
)
from course.runs.workloads import regression

data = regression(22)

# %% [markdown] beat="predict"
# ## 2 · Predict
#
# Every worker calls `give`, with two numbers of its **own**, and then `broken_sync`: all
# should have the values of the chief (worker 0). Then come 20 steps of SGD.

# %% key="give"
def give(strategy, own):
    with strategy.scope():
        a, b = tf.Variable(0.0, name="a"), tf.Variable(0.0, name="b")
        a.assign(own[0])
        b.assign(own[1])
    return a, b

# %% role="broken" exercise="my_sync"
def broken_sync(strategy, variables):
    """Give every worker the chief's values."""
    with strategy.scope():
        if strategy.cluster_resolver.task_id == 0:
            for variable in variables:
                variable.assign(variable.numpy())

# %% [markdown]
# That is "assigned, own numbers". In the other five ways, also in the scope:
#
# * made: `tf.Variable(own[0])`, without an assign;
# * made by Keras: a layer draws both, after another `set_random_seed` on each worker;
# * made, other order: with equal numbers, but worker 1 makes `b` first;
# * steps that halve: each step halves the weights before it adds its change;
# * own momentum: the momentum of SGD begins with own numbers, assigned.

# %% key="ask"
predict("15")

# %% [markdown] beat="observe"
# ## 3 · Observe

# %% key="run-ways"
observed = observe_ways(broken_sync, data)
show(tick_table(QUESTIONS, observed, ticks("15")), prediction="15")

# %% [markdown]
# ### Where do the values come from?
#
# Left, the weights of each worker from step 0 (before step 1) on; the grey band is one device
# that begins with the chief's values. Right, distances.

# %% key="play"
who_begins_where(broken_sync, data)

# %% [markdown]
# * Which ways make own numbers equal? Do you get an error where they stay different?
# * Worker 1 makes `b` first: which value does its `a` get, with equal and with own numbers?
# * When does the distance between the workers stay, shrink or grow? Why? (The momentum is
#   given like the weights, and `broken_sync` gets it with them.)
#
# <details><summary>What you should have seen</summary>
#
# * Only the two that make the variables in the scope, in the same order on all workers: by
#   `tf.Variable`, or by a Keras layer. The others stay different, and nothing raises an error.
# * The chief's `b`, both times. TensorFlow sends the chief's values in the order in which the
#   variables are made, whatever their names are.
# * With plain SGD it stays, because all workers add the same change. A step that halves the
#   weights halves the distance. Momentum with equal numbers keeps the distance. If the
#   momentum differs, every step adds a part of that difference to the weights: the distance
#   grows from 0 to 1 if the weights were equal, and from 0.9 to 2 if worker 1 made `b`
#   first. If the variables are made outside the scope, it happens to shrink.
#
# </details>

# %% [markdown] beat="locate"
# ## 4 · Locate
#
# `logs[worker]` lists what a worker did, as `(what, variable, where, value)`:
#
# * `("make", 0, "scope", 1.5)`: it makes variable 0 with its number 1.5, in the scope;
# * `("assign", 1, "outside", -0.25)`: it assigns, here outside the scope;
# * `("step", None, "scope", 0.5)`: all workers add 0.5 to all their variables.
#
# Call k makes, assigns or steps on all workers alike. Make `my_first_difference` return `(call,
# variable, distance)`: the first call (from 0) after which a variable has another value on
# some worker than on the chief; the smallest such variable; and the largest distance in it
# from the chief. A variable that a worker has not made yet does not count. `None` where
# nothing differs.

# %% role="broken" exercise="my_first_difference"
def broken_first_difference(logs):
    for call, (chiefs, *others) in enumerate(zip(*logs, strict=True)):
        for what, variable, where, value in others:
            if value != chiefs[3]:
                return call, variable, abs(value - chiefs[3])

# %% [markdown] beat="aside"
# ### Your function
#
# No value is sent but by TensorFlow's own rule, which you have seen at work. (The check has
# records of 2 and 3 workers. All numbers are such that sums of floats are exact.)

# %% role="fix" exercise="my_first_difference"
def my_first_difference(logs):
    values = [{} for _ in logs]
    for call, together in enumerate(zip(*logs, strict=True)):
        for own, (what, variable, where, value) in zip(values, together, strict=True):
            if what == "step":
                own.update({name: old + value for name, old in own.items()})
            else:
                sent = what == "make" and where == "scope"
                own[variable] = together[0][3] if sent else value
        for name, due in sorted(values[0].items()):
            distance = max(abs(own.get(name, due) - due) for own in values)
            if distance > 0:
                return call, name, distance

# %% role="check" points=3
check("15/my_first_difference", my_first_difference)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# In two rows of the table, own numbers were equal before step 1. What has worker 1 after such
# a call, and what after an assign? And where worker 1 made `b` first, what did its `b` get?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# Follow the values that every worker **has**, call by call. A variable that is made in the
# scope gets the value that the chief gives in the **same call**, whatever that makes. All
# else stays on its worker. Then compare, after each call.
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# Keep a dictionary for each worker, variable -> value. A step adds to all of them. Else
# `own[variable] = together[____][3]` if `what == ____ and where == ____`, and `value` if not.
# After each call, for each variable of the chief, the largest
# `abs(own.get(name, due) - ____)`.
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** Making a variable in the scope is a call that all workers make
# together: the chief's value is sent, and joined to whatever they make in this call, not to
# a name. An assign is each worker's own, wherever it stands. A step adds the same to all.

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
check("15/my_sync", my_sync)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# In the table, one way of getting a value gave worker 1 the chief's, whatever its own was.
# Could you use it for a value that exists already?
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
# With your function, and dotted with the broken one. (In the instrument, it is now one of the
# choices.)

# %% key="run-mine" tags=["raises-exception"] thumbnail="0 0 100 100"
broken = train_from(give, broken_sync, data)
mine = train_from(give, my_sync, data)
show(start_paths(mine, broken))

# %% [markdown]
# All workers add the same sum to what they have. So a distance stays as it is; steps that
# halve the weights halve it, too. Where the momentum begins with own numbers, each worker is
# moved by its own for some time: a distance may grow, or shrink.

# %% [markdown] beat="aside"
# ### Elsewhere
#
# **Would `model.fit` have saved you?** That of Keras 3 does not run in a cluster
# (notebook 13). And `model.set_weights` or a restored checkpoint are assigns: what one
# worker loads stays there, as TensorFlow [issue
# 60128](https://github.com/tensorflow/tensorflow/issues/60128) describes.
#
# **On real machines this would differ:** each has its own disk. Where every worker loads "the
# latest checkpoint" from its own, a stale file on one of them gives this notebook's picture.
# Workers with different versions of TensorFlow are no part of this notebook's runs.

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

# %% [markdown] role="elsewhere"

# %% [markdown] beat="aside"
# ### The probe in two workers
#
# On TensorFlow's version, and on the weights after `broken_sync` and after `my_sync`.

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
# One of the five texts sets `tf.random.set_seed` before each model, so that their weights
# are equal. Two layers each, in this one process:

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
check("15/my_preflight", my_preflight)

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
# ## Further 2 · The usual looks see nothing (15 minutes)
#
# "We did look. Before step 1 every worker printed its first weight, the sum and the mean of
# all weights, and its loss on the first batch: all equal." Break it: with which weights of
# worker 1 is that so, and the workers differ all the same?
#
# Make `my_unseen` return them. `w` are the chief's, shape (weights,), at least four; `x` and
# `y` are the first batch, of which the loss is `np.mean((x @ w - y) ** 2)`. Worker 1 must be
# more than 0.1 from the chief in some weight, at the start and after 20 steps; what the
# looks print must be the chief's within 1e-6.

# %% role="broken" exercise="my_unseen"
def broken_unseen(w, x, y):
    other = w.copy()
    other[1], other[2] = w[2], w[1]
    return other

# %% role="fix" exercise="my_unseen"
def my_unseen(w, x, y):
    way = np.zeros(len(w))
    way[1], way[2] = 1.0, -1.0  # keeps the first weight and the sum
    error, moved = x @ w - y, x @ way
    return w - 2 * (error @ moved) / (moved @ moved) * way

# %% role="check" points=4
check("15/my_unseen", my_unseen)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# Go from `w` in one direction, `w + t * way`. Which directions keep the first weight and the
# sum? And what curve is the loss over `t`: how often does it have the same height?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# Over `t` the loss is a parabola. It has the chief's height at `t = 0` and once more, as far
# behind the smallest loss as `w` is before it. Write the error as
# `(x @ w - y) + t * (x @ way)`, and find that `t`.
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# With `error = x @ w - y` and `moved = x @ way`, the smallest loss is at
# `t = -(error @ ____) / (moved @ moved)`. Go ____ times as far.
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** The direction takes from one weight what it gives to another, so
# sum, mean and first weight stay. Along it the loss is a parabola, and each height but the
# lowest comes twice. Numbers that many weights share can't tell weights apart; a hash can.

# %% [markdown] beat="further"
# ### The probe on it
#
# Two real workers begin so. Printed are the losses of both, and what the probe finds.

# %% key="unseen-use" tags=["raises-exception"]
def looked():
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    rng = np.random.default_rng(1)
    w, x, y = rng.normal(size=5), rng.normal(size=(8, 5)), rng.normal(size=8)
    own = my_unseen(w, x, y) if strategy.cluster_resolver.task_id else w
    loss = round(float(np.mean((x @ own - y) ** 2)), 6)
    return loss, workers_that_differ(strategy, own.tobytes())

print(*run_workers(looked).values(), sep="\n")
