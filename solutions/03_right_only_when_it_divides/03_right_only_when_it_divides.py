# ---
# course:
#   number: "03"
#   title: Right for some numbers of rows
#   part: 1
#   minutes: {core: 30, further: [15, 10]}
#   symptoms:
#     - "MirroredStrategy gives the right weights for some dataset sizes only"
#     - "last batch of the epoch is smaller than the number of GPUs"
#     - "loss is NaN on one replica, or the logged loss is NaN at the end of an epoch"
#     - "what should global_batch_size of compute_average_loss be for the last batch"
#   in_a_hurry:
#     cause: >-
#       Each replica takes the mean over its own rows, and the means are averaged. Where
#       the last batch does not divide, a lone row counts too much, and an empty replica
#       makes the whole step too short.
#     probe: >-
#       Differentiate the replicas' losses by the losses of the rows: all rows of a step
#       must get 1 / (rows of the step).
#     fix: >-
#       Divide the SUM of a replica's losses by the number of rows on ALL replicas:
#       `ctx.all_reduce("SUM", count)`.
# ---

# %% [markdown] beat="symptom"
# ## 1 · Symptom
#
# With 16 rows, and with 24, a training script gives the same weights on two GPUs as on one.
# With some other numbers of rows it does not. Nobody changed a line of it.
#
# You will measure how much each row counts, and fix the loss so that it is right for every
# number of rows.

# %% role="start"
from course import check, mirrored, predict, show, virtual_devices
import tensorflow as tf
devices = virtual_devices(4)

# %% role="setup" key="tools"
import numpy as np

from course.lessons.n03_right_only_when_it_divides import (
    example_bars, example_weights, train_with_loss,
)
from course.runs.sequential import train_sequentially
from course.runs.workloads import LEARNING_RATE, regression

rows = regression(9)
two = devices[:2]

# %% [markdown] beat="predict"
# ## 2 · Predict
#
# On each replica, `broken_loss` turns the squared errors of its own rows into one number,
# and the tape makes the replica's gradient from it. Then the gradients of all replicas are
# **added up**, as a Keras optimizer does. (Keras's own loss objects divide by
# `num_replicas_in_sync`, too.)
#
# 9 rows in batches of 8 make two steps: 4 + 4 rows, then 1 + 0.

# %% role="broken" exercise="my_loss"
def broken_loss(per_example, ctx):
    """Return this replica's loss; per_example: its squared errors, shape (rows,)."""
    return tf.reduce_mean(per_example) / ctx.num_replicas_in_sync

# %% key="ask"
predict("03")

# %% [markdown] beat="observe"
# ## 3 · Observe
#
# Upper panels: the **weight** of each row in the last step of an epoch, which says how much
# the row counts in the gradient. (It is the derivative of the sum of the replicas' losses
# with respect to the row's own loss, measured on the replicas.) Lower panel: how far the
# model's weights are from those of the sequential run, after each step.

# %% key="run-broken"
sequential = train_sequentially(rows, batch=8, steps=10)
broken = train_with_loss(broken_loss, rows, 8, 10, two, label="broken_loss")
weights = {"broken_loss": example_weights(broken_loss, (1, 0), two)}
show(example_bars(sequential, [broken], weights, step=1), prediction="03")

# %% [markdown] beat="aside"
# ### Every row of an epoch
#
# Batch 8, 2 replicas: for which numbers of rows is every weight right? For which does a row
# weigh **most**, compared with one device?

# %% key="play" thumbnail="0 45 64 100"
from course.lessons.n03_right_only_when_it_divides import weights_in_an_epoch

weights_in_an_epoch(broken_loss)

# %% [markdown]
# <details><summary>What you should have seen</summary>
#
# Every weight is right for every even number of rows. A row weighs most with 11 rows, and
# with 19: the last step is 2 + 1, and the lone row weighs 1.5 times as much as on one device.
#
# </details>

# %% [markdown] beat="aside"
# ### A replica without a row
#
# Its loss and its gradient:

# %% key="no-row"
w, none = tf.Variable([0.0, 0.0]), tf.zeros([0, 2])
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(tf.linalg.matvec(none, w) ** 2)
print("loss:", loss.numpy(), " gradient:", tape.gradient(loss, w).numpy())

# %% [markdown]
# The mean of no row is 0 / 0. But it depends on no weight of the model, so its gradient is 0.
# Nothing tells you, unless you log this replica's loss.

# %% [markdown] beat="locate"
# ## 4 · Locate
#
# `counts` has a row for each step and a column for each replica: how many rows it had. From
# that alone follows what each row weighs under `broken_loss`. Its **error** is how far that
# is from its weight on one device. Make `my_first_unequal` return `(step, replica, weight)`:
#
# - the first step in which a row has an error,
# - the replica whose rows have the largest error there (of several replicas, the first),
# - the weight that each of these rows has under `broken_loss`.
#
# Where no row has an error, return `None`. To try yours: for 11 rows,
# `my_first_unequal(np.array([[4, 4], [2, 1]]))` is `(1, 1, 0.5)`. The function below looks
# for a smaller batch.

# %% role="broken" exercise="my_first_unequal"
def broken_first_unequal(counts):
    for step, each in enumerate(counts):
        if each.sum() < counts[0].sum():
            return step, int(each.argmin()), 1 / each.sum()
    return None

# %% role="fix" exercise="my_first_unequal"
def my_first_unequal(counts):
    for step, each in enumerate(counts):
        if each.min() < each.max():
            weights = 1 / (len(each) * np.maximum(each, 1))
            off = np.where(each > 0, abs(weights - 1 / each.sum()), -1)
            replica = int(off.argmax())
            return step, replica, weights[replica]
    return None

# %% role="check" points=3
check("03/my_first_unequal", my_first_unequal)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# Four rows on two replicas, 2 + 2, after full batches of 8: which weight has each row? Is
# that wrong?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# A row weighs 1 / (replicas · rows of its replica). In a step, that is right exactly if all
# replicas have the same number of rows. None and one are not the same; but an empty replica
# has no row that could be off, so it cannot be the answer.
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# `weights = 1 / (len(each) * np.maximum(each, ____))`, then
# `off = np.where(each > 0, abs(weights - ____), -1)` and `off.____()`.
#
# </details>

# %% [markdown] beat="fix"
# ## 5 · Fix
#
# Fix `my_loss`: in **every** step, **every** row has the weight 1 / (rows in the step),
# however the rows are split, also where a replica has none.
#
# `ctx` is the replica's context, as in notebook 02: through it, replicas can exchange what
# they know. (Tab after `tf.distribute.ReplicaContext.` in a new cell lists its methods.)
# Exchange as little as possible: no rows, and no rows padded to a fixed size. The gradients
# are still added up afterwards.

# %% role="fix" exercise="my_loss"
def my_loss(per_example, ctx):
    """Return this replica's loss; per_example: its squared errors, shape (rows,)."""
    count = tf.cast(tf.size(per_example), tf.float32)
    return tf.reduce_sum(per_example) / ctx.all_reduce("SUM", count)

# %% role="check" points=4
check("03/my_loss", my_loss)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# In the step 2 + 1, what would replica 1 have to know about replica 0 to give its row the
# weight 1/3?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# Add up what can be added, divide once. A replica's loss is the **sum** of its rows'
# losses, divided by the number of rows on **all** replicas. The sums need not be exchanged:
# the gradients are added up anyway.
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# `count = tf.cast(tf.size(____), tf.float32)`, then
# `____(per_example) / ctx.____("____", count)`.
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** Replica r's loss is (sum over its rows) / m, where m counts the rows
# of all replicas. Added up over the replicas, that is (sum over all rows) / m: the mean over
# the step. An empty replica adds 0 / m, which is 0, and its count of 0 does not shorten
# anybody's step. The count does not depend on `w`, so it has no gradient.

# %% [markdown] beat="confirm"
# ## 6 · Confirm
#
# Before and after, on the same rows:

# %% key="run-mine" tags=["raises-exception"]
mine = train_with_loss(my_loss, rows, 8, 10, two, label="my_loss")
weights["my_loss"] = example_weights(my_loss, (1, 0), two)
show(example_bars(sequential, [broken, mine], weights, step=1))

# %% [markdown]
# **Would `model.fit` have saved you?** No: in notebook 00 it went wrong for such numbers of
# rows. Its loss object divides by the replica's own rows and by the number of replicas.
# `drop_remainder=True` avoids the fault by leaving rows out of every epoch.
#
# **On real GPUs** the rows would have the same weights, because these follow from the counts.
# The distances would differ in their last digits, because sums may be computed in another
# order.

# %% [markdown] role="claims"

# %% [markdown] beat="aside"
# ### Probe for work
#
# Plain TensorFlow, to paste into your own job. Give it your strategy, the function that
# makes one replica's loss out of the losses of its rows, and the numbers of rows in your
# last batch. All weights must be 1 / (sum of the counts), if your optimizer adds gradients
# up, as Keras does. (If your function needs the replica's context:
# `tf.distribute.get_replica_context()`.)

# %% key="probe"
def weights_of_rows(strategy, replica_loss, counts):
    """Return the weight of every row in one step; counts: rows on each replica."""

    def derivative(losses):
        with tf.GradientTape() as tape:
            tape.watch(losses)
            loss = replica_loss(losses)
        return tape.gradient(loss, losses)

    def ones(ctx):
        return tf.ones([counts[ctx.replica_id_in_sync_group]])

    values = strategy.experimental_distribute_values_from_function(ones)
    result = strategy.run(derivative, args=(values,))
    return [part.numpy() for part in strategy.experimental_local_results(result)]

print(weights_of_rows(mirrored(two), lambda losses: tf.reduce_mean(losses) / 2, (2, 1)))

# %% [markdown] role="elsewhere"

# %% [markdown] beat="aside"
# ### Which truth?
#
# There are two ways to be fair to the rows of a smaller last batch:
#
# - Equal in a **step**: 1/8 in a full one, 1/3 in a step of three. One device does this
#   (`reduce_mean`), so it is the truth here.
# - Equal in the **epoch**: always 1/8, so a small batch makes a small step.
#   `tf.nn.compute_average_loss` does this, if it knows the global batch.
#
# That function has two traps. The weights in a step of 2 + 1 rows:

# %% key="traps"
average = tf.nn.compute_average_loss
losses = {
    "average(x, global_batch_size=8)": lambda x, _: average(x, global_batch_size=8),
    "average(x)": lambda x, _: average(x),
    "average(x, 8)": lambda x, _: average(x, 8),
}
for text, loss in losses.items():
    first, second = example_weights(loss, (2, 1), two)
    print(f"{text:32} replica 0: {first}, replica 1: {second}")

# %% [markdown]
# (`x`: the losses of a replica's own rows.) Without the size, it divides as `broken_loss`
# does. As the second argument, 8 is a `sample_weight` (TensorFlow issue
# [48572](https://github.com/tensorflow/tensorflow/issues/48572)).

# %% [markdown] beat="aside"
# ### The same fault in a layer
#
# Batch normalisation uses the mean and the variance of the batch. On replicas, each one
# takes those of its own shard: another result than one device gives, although every
# gradient is combined correctly. `synchronized=True` takes them over all replicas.

# %% key="normalisation"
strategy = mirrored(two)
data = tf.data.Dataset.from_tensor_slices(rows.x).batch(9)
shards = next(iter(strategy.experimental_distribute_dataset(data)))
alone = tf.keras.layers.BatchNormalization()(rows.x, training=True)
for over_all in (False, True):
    with strategy.scope():
        layer = tf.keras.layers.BatchNormalization(synchronized=over_all)
        layer.build((None, 2))
    parts = strategy.run(layer, args=(shards,), kwargs={"training": True})
    together = np.concatenate(strategy.experimental_local_results(parts))
    off = np.abs(together - alone).max() / np.abs(alone).max()
    print(f"synchronized={over_all}: off by {off:.0e} of the largest value")

# %% [markdown] beat="further"
# ## Further 1 · Statistics over all replicas (15 minutes)
#
# Build what `synchronized=True` needs. `my_statistics` runs on every replica, with its own
# rows, and must return the mean and the variance (division by the number of rows) of **all**
# rows of the step. Shards may be unequal or empty. What a replica sends must **not grow**
# with its shard, and rows that are padded to a fixed size are still rows.

# %% role="broken" exercise="my_statistics"
def broken_statistics(x, ctx):
    """Return mean and variance, each of shape (2,); x: own rows, shape (rows, 2)."""
    return tf.nn.moments(x, axes=[0])

# %% role="fix" exercise="my_statistics"
def my_statistics(x, ctx):
    """Return mean and variance, each of shape (2,); x: own rows, shape (rows, 2)."""
    count = tf.cast(tf.shape(x)[0], tf.float32)
    sums = [count, tf.reduce_sum(x, axis=0), tf.reduce_sum(x**2, axis=0)]
    count, total, squares = ctx.all_reduce("SUM", sums)
    mean = total / count
    return mean, squares / count - mean**2

# %% role="check" points=4
check("03/my_statistics", my_statistics)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# Two shards hold 0, 0 and 10, 10. What is the variance of each? What is the variance of all
# four numbers? What got lost?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# Send only what can be added up: the number of rows, the sum of `x`, the sum of `x**2`.
# The variance is the mean of the squares minus the square of the mean.
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# `sums = [count, tf.reduce_sum(x, axis=____), tf.reduce_sum(____, axis=____)]`, then
# `count, total, squares = ctx.all_reduce("SUM", ____)`.
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** Sums over rows can be added shard by shard; means and variances
# cannot. Five numbers are sent, whatever the shard's size. Where the values are large
# compared with their spread, subtract a common offset first: the difference of two large
# squares loses digits in float32.

# %% [markdown] beat="further"
# ## Further 2 · A log that says what you want (10 minutes)
#
# Not only gradients are means of means. In the loop below, each replica gives the mean of
# its rows' losses to a Keras metric, which takes the mean of all it was given.

# %% key="log"
import inspect
from course.lessons.n03_right_only_when_it_divides import log_loss

print(inspect.getsource(log_loss))
losses = [1, 1, 1, 1, 1, 1, 1, 1, 4, 4]
print("log:", log_loss(losses, 2), " mean over all rows:", np.mean(losses))

# %% [markdown]
# How wrong can it get? Make `my_losses` return the losses of an epoch, a list of numbers
# from 0 upwards, such that on `replicas` devices
#
# - the log says `logged`, and
# - the mean over all rows is `true`.
#
# `true` is between 0.8 and 1.25 times `logged`. How many rows there are is up to you, 200 at
# most; a full batch is 8. The check compares with 2, 3 and 4 replicas.

# %% role="broken" exercise="my_losses"
def broken_losses(logged, true, replicas):
    """Return the rows' losses, in order."""
    return [true] * 16

# %% role="fix" exercise="my_losses"
def my_losses(logged, true, replicas):
    """Return the rows' losses, in order."""
    n = replicas
    first = ((8 + n) * true - 2 * n * logged) / (8 - n)
    return [first] * 8 + [2 * logged - first] * n

# %% role="check" points=4
check("03/my_losses", my_losses)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# In the example, how much of the log comes from the last two rows? How much of the mean?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# Let all rows of the full step have one loss, and those of a last step another, with one row
# on each replica: an empty replica makes the log NaN. Then log and mean are two equations
# for two losses.
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# `logged = (first + last) / ____`, and
# `true = (8 * first + ____ * last) / (8 + ____)`.
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** The metric counts each replica's mean once: those of the full step,
# all `first`, and as many of the last step. So the log is the mean of the two losses, and a
# row of the last step counts several times as much as one of the full step. A log that
# gives the metric the rows' losses instead of their mean is right.
