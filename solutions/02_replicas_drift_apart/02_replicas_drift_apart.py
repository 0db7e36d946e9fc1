# ---
# course:
#   number: "02"
#   title: Other weights on four devices than on one
#   part: 1
#   minutes: {core: 30, further: [10, 10]}
#   symptoms:
#     - "training on several GPUs gives other weights than on one GPU"
#     - "custom training loop with MirroredStrategy: variables differ between replicas"
#     - "weights differ from the run on one GPU from the first step on, and no error"
#   in_a_hurry:
#     cause: >-
#       In `strategy.run`, each replica computes the gradient of its own rows. A
#       replica that applies it directly changes only its own copy of a mirrored
#       variable. TensorFlow does not compare the copies.
#     probe: >-
#       After 1 step, compare all copies:
#       `strategy.experimental_local_results(w)`. `w.numpy()` shows replica 0 only.
#     fix: >-
#       All-reduce before you apply:
#       `tf.distribute.get_replica_context().all_reduce("MEAN", gradient)`. That is right
#       while all replicas have the same number of rows; notebook 03 does without.
# ---

# %% [markdown] beat="symptom"
# ## 1 · Symptom
#
# A training step was right on one GPU. Under `MirroredStrategy` it runs on four, on the
# same rows in the same order. But the model that comes out is not the one from one GPU.
#
# You will see it happen on four virtual devices, find where it begins, and fix the
# step so that four replicas equal one device after every step.

# %% role="start"
from course import check, mirrored, predict, show, virtual_devices
import tensorflow as tf
devices = virtual_devices(4)

# %% role="setup" key="tools"
import numpy as np

from course.lessons.n02_replicas_drift_apart import weights_plane
from course.runs.replicas import train_on_replicas
from course.runs.sequential import train_sequentially
from course.runs.workloads import LEARNING_RATE, regression

rows = regression(24)

# %% [markdown] beat="predict"
# ## 2 · Predict
#
# `w` holds two weights. It was made under `strategy.scope()`, so it is a **mirrored
# variable**: each of the four replicas has its own copy, and all copies start equal.
# In every step, a batch of 8 rows is split into four shards of 2, and each replica
# runs the function below on its own shard. On one device, with all 8 rows, the same
# lines are plain SGD.
#
# `strategy.reduce("MEAN", value, axis=None)` is what people use to bring one value of each
# replica together, for a log for example.

# %% role="broken" exercise="my_step"
def broken_step(w, x, y):
    """One SGD step, run in every replica on its own rows: x (rows, 2), y (rows,)."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    w.assign_sub(LEARNING_RATE * gradient)

# %% key="ask"
predict("02")

# %% [markdown] beat="observe"
# ## 3 · Observe
#
# The same 24 rows, ten steps: once on one device, once on four replicas. (24 rows make
# three batches; then they come again.) Each line is the path of one copy of `w`; the grey
# band in both panels is the sequential path. "Away" is the largest difference in a weight.

# %% key="run-broken"
sequential = train_sequentially(rows, batch=8, steps=10)
broken = train_on_replicas(broken_step, rows, 8, 10, devices, label="broken_step")
show(weights_plane(sequential, broken), prediction="02")

# %% [markdown] beat="aside"
# ### Why did nobody notice?
#
# Here are three of these steps without our runner, and three ways to look at the variable
# afterwards:

# %% key="shown-copy"
strategy = mirrored(devices)
with strategy.scope():
    v = tf.Variable([0.0, 0.0])
data = tf.data.Dataset.from_tensor_slices((rows.x, rows.y)).batch(8)
run_step = tf.function(lambda x, y: strategy.run(broken_step, args=(v, x, y)))
for x, y in strategy.experimental_distribute_dataset(data):
    run_step(x, y)
print("v.numpy():       ", v.numpy())
print("reduce MEAN of v:", strategy.reduce("MEAN", v, axis=None).numpy())
for copy in strategy.experimental_local_results(v):
    print("a copy:          ", copy.numpy())

# %% [markdown]
# The usual ways show **one** copy, replica 0's, and a checkpoint holds no other. Only the
# last lines tell the truth. (Of what the replicas *return* from `run`, `"MEAN"` is a mean.)

# %% [markdown] beat="locate"
# ## 4 · Locate
#
# Turn the knobs. After how many steps do the copies part? And does the number of rows in a
# step matter? (Once your `my_step` is right, it is on the list of steps, too.)

# %% key="play"
from course.lessons.n02_replicas_drift_apart import paths_of_copies

paths_of_copies(broken_step)

# %% [markdown]
# <details><summary>What you should have seen</summary>
#
# They part in the first step. The number of rows does not matter: with 8, 12 and 24
# rows in a step, each replica still applies the gradient of its own rows only.
#
# </details>
#
# The monitor below is right about some runs only. It gets
#
# - `copies[k, r]`: replica `r`'s two weights after `k` steps (`copies[0]` is the start),
# - `truth[k]`: those of one device.
#
# A copy's **distance** is its largest difference from `truth[k]` in one weight. Make
# `my_first_drift` return `(k, r)`:
#
# - `k`: the first at which a copy's distance is more than 1e-5,
# - `r`: the replica with the largest distance **then**.
#
# Where nothing drifts, return `None`. To try it:
# `my_first_drift(broken.copies, sequential.copies[:, 0])`.

# %% role="broken" exercise="my_first_drift"
def broken_first_drift(copies, truth):
    for step in range(len(copies)):
        if np.abs(copies[step, 0] - truth[step]).max() > 1e-5:
            return step, 0
    return None

# %% role="fix" exercise="my_first_drift"
def my_first_drift(copies, truth):
    for step in range(len(copies)):
        gaps = np.abs(copies[step] - truth[step]).max(axis=1)
        if gaps.max() > 1e-5:
            return step, int(gaps.argmax())
    return None

# %% role="check" points=3
check("02/my_first_drift", my_first_drift)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# Look at the four paths in the first figure of the run: which replica's leads furthest away?
# Does the monitor ever look at that replica?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# Compute one gap for every replica, then ask two things of them: is the largest beyond
# the limit, and which replica has it? `copies[step]` has the shape (replicas, 2),
# `truth[step]` the shape (2,): NumPy subtracts the second from every row.
#
# </details>
# <details><summary>Hint 3: a line with holes</summary>
#
# `gaps = np.abs(copies[step] - ____).max(axis=____)`, then `gaps.max()` and
# `gaps.____()`.
#
# </details>

# %% [markdown] beat="fix"
# ## 5 · Fix
#
# Fix `my_step`: after **every** step, **every** copy of `w` must equal sequential SGD
# on the whole batch, while each replica computes on its own rows only.
#
# Inside the function, a replica talks to the others through its context,
# `tf.distribute.get_replica_context()`. What it offers, Tab shows after the dot in a new
# cell, and `help(tf.distribute.ReplicaContext)` explains.
#
# Here all shards have the same size. (The check draws 2, 3 and 4 replicas and other
# rows.)

# %% role="fix" exercise="my_step"
def my_step(w, x, y):
    """One SGD step, run in every replica on its own rows: x (rows, 2), y (rows,)."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    context = tf.distribute.get_replica_context()
    gradient = context.all_reduce("MEAN", gradient)
    w.assign_sub(LEARNING_RATE * gradient)

# %% role="check" points=4
check("02/my_step", my_step)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# After 1 step the four copies differ. They started equal and the rule is the same. So
# which value in the function differs between replicas?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# The gradient of the whole batch is the mean over 8 rows. Each replica has the mean over
# its 2 rows. While shards are equal, the mean of the four means is the mean over all 8.
# Combine the gradients, then apply. The loss need not be combined. (With plain SGD one
# may also average the weights after the step; with Adam that goes wrong.)
#
# </details>
# <details><summary>Hint 3: a line with holes</summary>
#
# Before the update: `____ = context.all_reduce("____", ____)`
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** After the all-reduce, every replica holds the same gradient, and
# it is the mean over all rows of the batch. Equal copies minus equal steps stay equal.
# The rule is right while shards are equal; notebook 03 is about the others.
# Reducing the *weights* after the step gives the same numbers under SGD, because
# the mean of `w - rate * g` is `w - rate * mean(g)`; with momentum or Adam it leaves the
# optimizer's own state different on every replica.

# %% [markdown] beat="confirm"
# ## 6 · Confirm
#
# Before and after, on the same rows:

# %% key="run-mine" tags=["raises-exception"]
mine = train_on_replicas(my_step, rows, 8, 10, devices, label="my_step")
show(weights_plane(sequential, broken, mine))

# %% [markdown]
# **Would `model.fit` have saved you?** Yes, here: a Keras optimizer adds the replicas'
# gradients up, and `fit` scales the loss to match. Where that fails, notebook 00 has shown.
#
# **On real GPUs this would differ:** several GPUs add the gradients with another library
# (NCCL), perhaps in another order, so expect other last digits. (This course has not been
# run on several GPUs.)

# %% [markdown] role="claims"

# %% [markdown] beat="aside"
# ### Four values under one name
#
# What `strategy.run` returns stands for one value of each replica. Four lines, as they are
# written for one device. Which of them print a number? Decide before you run the cell.

# %% key="four-values"
def own_number():
    replica = tf.distribute.get_replica_context().replica_id_in_sync_group
    return 1.0 + tf.cast(replica, tf.float32)

strategy = mirrored(devices)
losses = strategy.run(own_number)
for text in ("float(losses)", "losses.numpy()", "losses + 1", "tf.reduce_mean(losses)"):
    try:
        print(text, "is", eval(text))
    except (TypeError, ValueError, AttributeError) as error:
        print(f"{text}: {type(error).__name__}: {str(error)[:75]}")
print("SUM of the replicas:", strategy.reduce("SUM", losses, axis=None).numpy())
print("all:", [one.numpy() for one in strategy.experimental_local_results(losses)])

# %% [markdown]
# <details><summary>What this means (open it after the run)</summary>
#
# None: three kinds of error, all about a `PerReplica`. Say what you want:
# `strategy.reduce` makes one value of them, `strategy.experimental_local_results` shows all.
# `"MEAN"` is the mean over **replicas**, not over rows.
#
# </details>

# %% [markdown] beat="aside"
# ### Probe for work
#
# Plain TensorFlow, to paste into your own job. Call it after 1 step, and again after an
# epoch, with your variables (for Keras: `[v.value for v in model.trainable_variables]`).
# Anything but 0 means that the replicas have drifted apart. 0 means that they agree, not
# that they are right.

# %% key="probe"
import numpy as np

def largest_spread(strategy, variables):
    """Return the largest difference between any two replicas' copies."""
    spreads = [0.0]
    for variable in variables:
        copies = [c.numpy() for c in strategy.experimental_local_results(variable)]
        if len(copies) != strategy.num_replicas_in_sync:
            raise ValueError("not a mirrored variable; of a Keras one, pass v.value")
        spreads.append(np.ptp(np.stack(copies), axis=0).max())
    return float(np.max(spreads))  # NaN where a copy has one

# %% key="use-probe"
print("v, trained above:", largest_spread(strategy, [v]))

# %% [markdown] role="elsewhere"

# %% [markdown] beat="aside"
# ### How big is normal?
#
# Two **right** runs may differ, because float32 sums depend on the order of addition. A
# deep network trained right on one replica and on four starts 1e-8 to 1e-7 apart, and the
# gap can grow for hundreds of steps, far past the 1e-5 of our checks: that is no fault. This
# bug is large after 1 step already; others wait for the first uneven batch. So compare the
# **first ten steps** on so few rows that an uneven batch is among them, not the last loss.

# %% key="normal"
from course.lessons.n02_replicas_drift_apart import divergence, float_noise

bug = broken.gaps(sequential).max(axis=1)
noise = float_noise(devices)
show(divergence({"broken_step, ten steps": bug, "a correctly trained network": noise}))

# %% [markdown] beat="further"
# ## Further 1 · Break it so that nobody sees it (10 minutes)
#
# Is a job right whose copies agree? Below, four copies lie on one path, and the probe would
# print 0. But it is the path of one device that has **replica 0's rows only**: the one that
# replica 0 took in section 3.

# %% key="alike" thumbnail="0 0 100 100"
from course.lessons.n02_replicas_drift_apart import train_on_first_shards

target = train_on_first_shards(rows, 8, replicas=4, steps=10)
show(weights_plane(sequential, target))

# %% [markdown]
# `my_alike_step` starts as a right step (folded, as it shows how the core is solved: click
# on the three dots). Break it: after every step, **every** copy must be where one device
# would be that trains on replica 0's part of each batch. Each replica still computes on its
# own rows. `context.replica_id_in_sync_group` is a replica's number; the check draws 2, 3
# and 4 of them.

# %% role="broken" exercise="my_alike_step" jupyter={"source_hidden": true}
def broken_alike_step(w, x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    context = tf.distribute.get_replica_context()
    w.assign_sub(LEARNING_RATE * context.all_reduce("MEAN", gradient))

# %% role="fix" exercise="my_alike_step" jupyter={"source_hidden": true}
def my_alike_step(w, x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    context = tf.distribute.get_replica_context()
    first = tf.cast(context.replica_id_in_sync_group == 0, tf.float32)
    w.assign_sub(LEARNING_RATE * context.all_reduce("SUM", first * gradient))

# %% role="check" points=4
check("02/my_alike_step", my_alike_step)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# Replica 3 must make a step that it cannot compute. From whom does it get it, and what does
# its own gradient have to be, so that it does not count?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# Every replica takes part in the all-reduce. In a sum, what is zero does not count; in a
# mean, it does.
#
# </details>
# <details><summary>Hint 3: a line with holes</summary>
#
# `sent = tf.where(____ == 0, ____, tf.zeros_like(gradient))`
#
# </details>

# %% [markdown] solution_only=true
# **Why this is what was asked.** All replicas send something, and all but one send zeros, so
# the sum is replica 0's gradient, and everybody applies it. So 0 from a probe of the copies
# means that they agree. It does not mean that all rows count: for that, compare with one
# device.

# %% [markdown] beat="further"
# ## Further 2 · One replica's gradient is not finite (10 minutes)
#
# *Best after notebook 03. Folded, as the step below holds its rule.*
#
# One bad row makes a replica's gradient NaN or infinite, and the all-reduce gives it to
# everyone. Make `my_finite_step` leave such a replica out of the step: it contributes
# **neither gradient nor rows**, but its copy of `w` is updated like all others. Where no
# replica is left, nothing changes. The truth is the sequential step on the remaining rows.

# %% role="broken" exercise="my_finite_step" jupyter={"source_hidden": true}
def broken_finite_step(w, x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    count = tf.cast(tf.shape(x)[0], tf.float32)
    context = tf.distribute.get_replica_context()
    gradient, count = context.all_reduce("SUM", [gradient, count])
    w.assign_sub(LEARNING_RATE * gradient / count)

# %% role="fix" exercise="my_finite_step" jupyter={"source_hidden": true}
def my_finite_step(w, x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    finite = tf.reduce_all(tf.math.is_finite(gradient))
    gradient = tf.where(finite, gradient, tf.zeros_like(gradient))
    count = tf.where(finite, tf.cast(tf.shape(x)[0], tf.float32), 0.0)
    context = tf.distribute.get_replica_context()
    gradient, count = context.all_reduce("SUM", [gradient, count])
    w.assign_sub(LEARNING_RATE * tf.math.divide_no_nan(gradient, count))

# %% role="check" points=4
check("02/my_finite_step", my_finite_step)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# What is NaN + 1? What is NaN * 0? So where must the bad gradient be replaced: before the
# all-reduce, or after?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# Each replica decides for itself whether its gradient is finite, and if not, sends a zero
# gradient and a zero count. Every replica must reach the all-reduce, so do not put it
# inside an `if`; `tf.where` chooses between two values.
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# `finite = tf.reduce_all(tf.math.is_finite(____))`,
# `gradient = tf.where(finite, gradient, ____)`, and `tf.math.divide_no_nan` for the step
# in which no row is left.
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** A replica that sends zeros for gradient and rows is as one that
# had no rows. It still takes part in the all-reduce, so nobody waits, and it receives the
# others' sum, so its copy stays equal. `tf.where` chooses before the sum: once a NaN is
# in it, no factor takes it out again.
