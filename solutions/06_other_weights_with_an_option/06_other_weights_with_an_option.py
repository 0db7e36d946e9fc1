# ---
# course:
#   number: "06"
#   title: The same weights, until one option is set
#   part: 1
#   minutes: {core: 35, further: [5, 15, 10]}
#   symptoms:
#     - "fit gives other weights on two GPUs than on one since an option of compile was set"
#     - "clipnorm, clipvalue or global_clipnorm with MirroredStrategy: other weights"
#     - "custom loss in compile: the learning rate seems multiplied by the number of GPUs"
#     - "mixed_float16: the loss becomes inf or NaN on several GPUs, and not on one"
#     - "BatchNormalization gives other results on several GPUs than on one"
#   in_a_hurry:
#     cause: >-
#       Keras 3 clips each replica's share of the gradient, and checks it for overflow,
#       before the shares are added up. Neither works on shares: the sum of clipped shares
#       is not the clipped sum.
#     probe: >-
#       Fit the same small model on one device and on two, and compare every weight.
#     fix: >-
#       Add up first: `ctx.all_reduce("SUM", ...)` of gradients and row counts. Then
#       divide, check and clip the sum, in the same way on every replica.
# ---

# %% [markdown] beat="symptom"
# ## 1 · Symptom
#
# With SGD, `fit` ends with the same weights on two GPUs as on one. Then somebody sets one
# option of the optimizer, of a layer or of the loss. Some options change nothing. With
# others, two GPUs end with different weights, and `fit` raises no error.
#
# You will see which options do that, find the cause, and write a step that is right on any
# number of replicas.

# %% role="start"
from course import check, mirrored, predict, show, virtual_devices
import tensorflow as tf
devices = virtual_devices(4)

# %% role="setup" key="tools"
import numpy as np

from course.lessons.n06_other_weights_with_an_option import (
    LIMIT, ONE_LARGE, in_fit, option_distances, recorded_run, run_scaled,
    scaled_table, shares_of_a_gradient,
)
from course.learner.predictions import ticks
from course.runs.workloads import regression

rows = regression(128, seed=1)
keras, layers = tf.keras, tf.keras.layers

# %% [markdown] beat="predict"
# ## 2 · Predict
#
# The same `fit` each time: 128 rows in batches of 16, in the same order, so each of two
# replicas gets 8 rows in a step. Without an option, two devices end with the weights of one.

# %% key="fit"
def fit_on(
    n, policy="float32", dense=(), after=layers.Identity,
    optimizer=keras.optimizers.SGD, loss="mse", fit=(), **option,
):
    keras.utils.set_random_seed(4)
    keras.config.set_dtype_policy(policy)
    one_device = tf.distribute.get_strategy()
    with (one_device if n == 1 else mirrored(devices[:n])).scope():
        first, last = layers.Dense(4, **dict(dense)), layers.Dense(1, dtype="float32")
        model = keras.Sequential([layers.Input((2,)), first, after(), last])
        model.compile(optimizer(0.05, **option), loss=loss)
    model.fit(rows.x, rows.y, batch_size=16, shuffle=False, verbose=0, **dict(fit))
    return np.concatenate([each.ravel() for each in model.get_weights()])

# %% [markdown] beat="aside"
# ### Seven options, one at a time

# %% key="options"
options = {
    "SGD(clipnorm=1.0)": {"clipnorm": 1.0},
    "SGD(weight_decay=0.1)": {"weight_decay": 0.1},
    "mixed_float16": {"policy": "mixed_float16"},
    'kernel_regularizer="l2"': {"dense": {"kernel_regularizer": "l2"}},
    "loss, a number per row": {"loss": lambda y, p: tf.reduce_mean((y - p) ** 2, 1)},
    "loss, one number": {"loss": lambda y, p: tf.reduce_mean((y - p) ** 2)},
    "BatchNormalization": {"after": layers.BatchNormalization},
}

# %% key="ask"
predict("06")

# %% [markdown] beat="observe"
# ## 3 · Observe
#
# Without an option, then with the first four:

# %% key="run-first"
def distance(**option):
    return float(np.abs(fit_on(2, **option) - fit_on(1, **option)).max())

print(f"no option: {distance():.0e}")
distances = {name: distance(**options[name]) for name in list(options)[:4]}

# %% [markdown]
# The other three (the reasons stand in section 6, under "And the other options?"):

# %% key="run-all"
distances |= {name: distance(**options[name]) for name in list(options)[4:]}
show(option_distances(distances, ticks("06")), prediction="06")

# %% [markdown] beat="aside"
# ### What two replicas add up
#
# One option, step by step, in a model of two weights. Each replica's **share** is its part of
# the gradient: without an option, the shares add up to the gradient of one device. On the
# left, they are drawn head to tail. The dashed circle is the limit.
#
# - In which steps do the replicas apply the same gradient as one device?
# - Does it get better with more replicas? With `clipvalue`? With more rows in a step?

# %% key="play" thumbnail="0 0 43 100"
shares_of_a_gradient()

# %% [markdown]
# <details><summary>What you should have seen</summary>
#
# - With `clipnorm` and limit 2 on two replicas: only in step 0. Its gradient has length 1.22,
#   so nothing is clipped. In step 1, one device applies length 2.00, but the replicas 3.97,
#   because each clipped its own share. From then on, the weights differ, and so does every
#   gradient. With limit 6 nothing is clipped, and all eight steps are the same.
# - No, it gets worse. After eight steps, the weights differ from one device's by 0.39 on two
#   replicas, 0.45 on three and 0.50 on four: the shares get shorter, so less is clipped.
# - `clipvalue` clips each part of a share on its own, so its limit is drawn as a square. The
#   weights differ by 0.33.
# - With 24 rows in a step, the weights differ by only 0.13, because the longest gradients
#   are shorter. But not even step 0 is right.
#
# </details>

# %% [markdown] beat="locate"
# ## 4 · Locate
#
# A job has two rules. On one device:
#
# - rule 0, the **check**: if a part of the gradient is not finite, it applies zeros.
# - rule 1, the **clip**: it shortens a gradient longer than `LIMIT`, 2.0, to that length.
#
# On replicas, the job may have applied one rule, or both, to each share before adding up,
# instead of to the sum. `shares[k, r]` is the share of replica `r` in step `k`; their sum is
# one device's gradient. `applied[k]` is what all replicas applied, in float32. Make
# `my_first_misplaced` return `(step, rule)`: the first step that differs from one device's
# by more than 1e-5, and the rule to blame in it. Return `None` if no step differs.

# %% role="broken" exercise="my_first_misplaced"
def broken_first_misplaced(shares, applied):
    for step in range(len(shares)):
        if np.linalg.norm(applied[step]) > LIMIT + 1e-5:
            return step, 1
    return None

# %% role="fix" exercise="my_first_misplaced"
def my_first_misplaced(shares, applied):
    for step in range(len(shares)):
        total = shares[step].sum(axis=0)
        finite = np.isfinite(total).all()
        length = np.linalg.norm(total) if finite else 1.0
        right = total * min(1.0, LIMIT / length) if finite else np.zeros(2)
        if np.abs(applied[step] - right).max() > 1e-5:
            return step, int(finite)
    return None

# %% [markdown] beat="aside"
# ### A recording to try it on

# %% key="try-misplaced" tags=["raises-exception"]
shares, applied = recorded_run()
print("step  share of replica 0, share of replica 1 -> applied")
for step in range(len(shares)):
    own, done = shares[step].round(2), applied[step].round(2)
    print(f"{step:4}  {own[0]}, {own[1]} -> {done}")
print("found:", my_first_misplaced(shares, applied))

# %% [markdown]
# <details><summary>What a right function finds (open it after your try)</summary>
#
# `(3, 1)`. Steps 1 and 2 are right: a share is infinite, and zeros were applied. In step 3,
# the sum has length 0.73, so one device applies it as it is. But both shares are longer than
# 2.0; clipped, they add up to (0.05, -0.24). The shipped function finds step 5, the first one
# longer than the limit.
#
# </details>

# %% role="check" points=3
check("06/my_first_misplaced", my_first_misplaced)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# In the instrument: clip each share. Can their sum be short enough and still differ from
# what one device applies?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# For each step, compute what one device applies from the sum of the shares, and compare it
# with `applied`. If the sum is not finite, one device applies zeros; anything else means that
# the check was used on the shares. In all other steps, only the clip can be to blame.
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# `total = shares[step].____(axis=0)`, then `finite = np.isfinite(____).all()`, and
# `right = total * min(1.0, LIMIT / ____)` if it is finite.
#
# </details>

# %% [markdown] beat="fix"
# ## 5 · Fix
#
# `my_gradient` runs in every replica, and the replica applies the result as it is. `own` is
# the gradient of the **sum** of the squared errors over the replica's own rows. `count` is
# their number, and it may be 0.
#
# After every step, every copy must equal the weights of one device. One device divides the
# sum over all rows by their number, then checks, then clips. The replicas may have different
# numbers of rows. (`ctx` is the replica's `tf.distribute.get_replica_context()`. The check
# has gradients of shape (2,); `fit` in section 6 has others.)

# %% role="broken" exercise="my_gradient"
def broken_gradient(own, count, ctx):
    """Return what this replica applies; own: float32 of any shape; count: float32."""
    mean = own / count
    finite = tf.reduce_all(tf.math.is_finite(mean))
    clipped = tf.clip_by_norm(mean, LIMIT)
    safe = tf.where(finite, clipped, tf.zeros_like(clipped))
    return ctx.all_reduce("MEAN", safe)

# %% role="fix" exercise="my_gradient"
def my_gradient(own, count, ctx):
    """Return what this replica applies; own: float32 of any shape; count: float32."""
    own, count = ctx.all_reduce("SUM", [own, count])
    mean = own / count
    finite = tf.reduce_all(tf.math.is_finite(mean))
    clipped = tf.clip_by_norm(mean, LIMIT)
    return tf.where(finite, clipped, tf.zeros_like(clipped))

# %% role="check" points=4
check("06/my_gradient", my_gradient)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# Look at each line of the function. If every replica does this to its share, do the results
# still add up to one device's?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# You can compute a sum in parts, and multiply the parts by a number that all replicas know.
# But a length, a comparison and a quotient of two sums need the whole sum. The replicas have
# to add up their numbers of rows as well.
#
# </details>
# <details><summary>Hint 3: a line with holes</summary>
#
# `own, count = ctx.all_reduce("____", [____, ____])`. After this line, do what one device
# does.
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** After the all-reduce, every replica has the sum over all rows and
# their number. From there, each does what one device does, with the same numbers. A share
# that is NaN or infinite makes the sum NaN or infinite, so every replica sees it. Each
# replica sends three numbers, however many rows it has.

# %% [markdown] beat="confirm"
# ## 6 · Confirm
#
# `fit` on two devices: with `clipnorm=LIMIT`, and with an optimizer that calls `my_gradient`.
# In `fit`, a share is already divided by the number of all rows. So the counts must add up
# to 1: each replica passes `1 / n`. All replicas return the same gradient and SGD adds them
# up, so each returns `1 / n` of it. (The counts are equal here, so a mean of means ends
# right, too.)

# %% key="run-mine" tags=["raises-exception"]
class WithMine(keras.optimizers.SGD):
    def apply(self, grads, trainable_variables=None):
        ctx = tf.distribute.get_replica_context()
        n = ctx.num_replicas_in_sync
        mine = [my_gradient(each, tf.constant(1 / n), ctx) / n for each in grads]
        super().apply(mine, trainable_variables)

alone = fit_on(1, clipnorm=LIMIT)
ended = {"SGD(clipnorm=LIMIT)": fit_on(2, clipnorm=LIMIT)}
with in_fit(my_gradient):
    ended["my_gradient in fit"] = fit_on(2, optimizer=WithMine)
show(option_distances({k: float(np.abs(w - alone).max()) for k, w in ended.items()}))

# %% [markdown]
# **Would `model.fit` have saved you?** No, Keras 3 itself goes wrong. With tf_keras 2.21,
# `clipnorm` and a loss of one number end like one device. `mixed_float16` stays finite,
# 7e-5 away; `BatchNormalization` differs.
#
# **On real GPUs** the same options would be wrong: Keras decides before the devices
# communicate.

# %% [markdown] beat="aside"
# ### The lines that decide
#
# From the installed Keras, in the order they run:

# %% key="lines" jupyter={"source_hidden": true}
import inspect

def lines(function, *words):
    source, first = inspect.getsourcelines(function)
    found = {
        line.strip(): number  # gradient accumulation has the same lines, further up
        for number, line in enumerate(source, first)
        if any(word in line for word in words)
    }
    for line, number in found.items():
        print(f"{function.__qualname__}, line {number}: {line}")

print("Keras", keras.__version__)
sgd, scaled = keras.optimizers.SGD, keras.optimizers.LossScaleOptimizer
lines(sgd._backend_apply_gradients, "self._clip_gr", "self._backend_update")
lines(sgd._backend_update_step, "all_reduce")
lines(scaled._tf_apply, "finite` ", "grads` is")

# %% [markdown]
# Each replica clips its own share. Only then, in the update, are the shares added up.
#
# With `mixed_float16`, replica 0 checks its own share and decides for all: Keras believes
# that the shares are already added up, as the comment above says. If only replica 1
# overflows, all apply its infinity.
#
# <details><summary>Why does such a small model overflow at all?</summary>
#
# Keras multiplies the loss by a scale, so that small gradients are not lost in float16. The
# scale starts at 32768, so any part of a gradient above 2 (65504 / 32768) becomes infinite.
# On one device, this happens in the first of the eight steps: Keras skips it, halves the scale
# to 16384, and makes the other seven. On two devices, replica 0 decides alone, and an infinity
# of replica 1 ends up in the weights.
#
# (TensorFlow issue [33929](https://github.com/tensorflow/tensorflow/issues/33929): TensorFlow
# 2.0 to 2.2 refused `clipnorm` under a strategy, because it would clip shares.)
#
# </details>
# <details><summary>And the other options?</summary>
#
# - `weight_decay` acts on the weights, which are equal on all replicas.
# - `"l2"`: each replica adds the penalty divided by the number of replicas, so it counts once.
# - A loss with a number per row: Keras averages over the replica's rows and divides by the
#   number of replicas. With equal numbers of rows, the shares add up.
# - A loss of one number: Keras cannot know what was averaged, so it divides by nothing. On
#   two replicas, every step is twice as long. The log hides that: it shows twice the true
#   loss, but the true loss falls faster. The epoch's true loss is 2.11 on one device
#   and 1.04 on two, and the log shows 2.09 for two.
# - `BatchNormalization` uses a replica's own rows.
# - `gradient_accumulation_steps=2` stops with a RuntimeError ("merge_call"). Notebook 16
#   accumulates by hand.
#
# </details>

# %% [markdown] beat="aside"
# ### Probe for work
#
# Plain Keras (3 or tf_keras) for your own job. Give it a function that makes and compiles a
# small model, rows that divide evenly into batches and replicas, and two strategies:
# `tf.distribute.get_strategy()` is one device. Then remove options until no difference is
# left.

# %% key="probe"
def largest_differences(make_model, strategies, x, y, **fit):
    """Return the largest difference of each weight, after fit under two strategies."""
    ended = []
    for strategy in strategies:
        tf.keras.utils.set_random_seed(1)
        with strategy.scope():
            model = make_model()
        model.fit(x, y, shuffle=False, verbose=0, **fit)
        ended.append(model.get_weights())
    names = [getattr(weight, "path", weight.name) for weight in model.weights]
    gaps = [float(abs(one - other).max()) for one, other in zip(*ended, strict=True)]
    return {name: round(gap, 4) for name, gap in zip(names, gaps, strict=True)}

# %% [markdown] role="elsewhere"

# %% [markdown] beat="aside"
# ### The probe, on a small model

# %% key="try-it" jupyter={"source_hidden": true}
def make_model():
    model = keras.Sequential([layers.Input((2,)), layers.Dense(1)])
    model.compile(keras.optimizers.SGD(0.05, clipvalue=0.1), loss="mse")
    return model

two = (tf.distribute.get_strategy(), mirrored(devices[:2]))
differences = largest_differences(make_model, two, rows.x, rows.y, batch_size=16)
for weight, gap in differences.items():
    print(f"{weight}: differs by up to {gap}")

# %% [markdown] beat="further"
# ## Further 1 · Three more options (5 minutes)
#
# An average of the weights over the steps, one weight for each row, and a normalization
# over the rows of all replicas. Which of them keep the weights of one device? Decide before
# you run the cell.

# %% key="more-options"
more = {
    "SGD(use_ema=True)": {"use_ema": True},
    "sample_weight": {"fit": {"sample_weight": np.linspace(0.2, 2, 128)}},
    "synchronized=True": {
        "after": lambda: layers.BatchNormalization(synchronized=True)
    },
}
show(option_distances({name: distance(**option) for name, option in more.items()}))

# %% [markdown]
# <details><summary>What you should have seen</summary>
#
# All three keep them. The average is taken over weights that are equal on all replicas.
# `fit` hands each replica the sample weights of its own rows, so the shares still add up.
# `BatchNormalization(synchronized=True)` adds up the statistics of all replicas before it
# normalizes.
#
# </details>

# %% [markdown] beat="further"
# ## Further 2 · One overflow, skipped by all (15 minutes)
#
# In float16, numbers beyond 65504 are infinite. Mixed precision multiplies the loss by a
# **scale**, so that small gradients are not lost, and lowers it after an overflow.
#
# `my_scaled` runs in every replica and step. `share` is the share times `scale`, as float16
# held it. Return the gradient to apply, the next scale and the next count of good steps, the
# same on **all** replicas:
#
# - no overflow: the sum of the shares, without the scale. The third good step in a row
#   doubles the scale and sets the count to 0.
# - an overflow on any replica: zeros, half the scale, count 0.

# %% role="broken" exercise="my_scaled"
def broken_scaled(share, scale, good, ctx):
    """Return gradient, scale, good; share: float32, shape (2,); good: int32."""
    gradient = ctx.all_reduce("SUM", share) / scale
    return gradient, scale, good

# %% [markdown]
# Six steps; in step 3, replica 1 overflows:

# %% key="scaled"
print(scaled_table(run_scaled(broken_scaled, ONE_LARGE, devices[:2])))

# %% role="fix" exercise="my_scaled"
def my_scaled(share, scale, good, ctx):
    """Return gradient, scale, good; share: float32, shape (2,); good: int32."""
    gradient = ctx.all_reduce("SUM", share) / scale
    finite = tf.reduce_all(tf.math.is_finite(gradient))
    third = finite & (good == 2)
    factor = tf.where(third, 2.0, tf.where(finite, 1.0, 0.5))
    good = tf.where(finite & ~third, good + 1, 0)
    return tf.where(finite, gradient, tf.zeros_like(gradient)), scale * factor, good

# %% role="check" points=4
check("06/my_scaled", my_scaled)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# In step 3, what does replica 0 see of its own share? And of the sum?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# All replicas have the same sum, scale and count. What you compute from these alone is the
# same on every replica.
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# `finite = tf.reduce_all(tf.math.____(gradient))`, `third = finite & (good == ____)`, and
# `tf.where(____, 2.0, tf.where(finite, ____, 0.5))`.
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** An infinite share makes the sum infinite or NaN, and every replica has
# the sum. So all replicas make the same decision without another exchange, and their scales
# stay equal. (A replica that decides by its own share has a different scale from then on, and
# that scale weights its later shares.)

# %% [markdown] beat="further"
# ## Further 3 · A loss of your own for `fit` (10 minutes)
#
# *Best after notebook 03.* A model predicts one number for each row. A row is padding if its
# target is below 0. The loss must be the mean squared error over all other rows of the step.
#
# `compile(loss=my_loss)` calls `my_loss` in every replica with that replica's columns, both of
# shape (rows, 1). Replicas may have different numbers of rows and of padding; one may have
# padding only. "And the other options?" in section 6 says what Keras does with the result.

# %% role="broken" exercise="my_loss"
def broken_loss(targets, predictions):
    """Return the loss of this replica, for compile(loss=...)."""
    real = tf.cast(targets >= 0, tf.float32)
    squares = real * (targets - predictions) ** 2
    return tf.reduce_sum(squares) / tf.reduce_sum(real)

# %% role="fix" exercise="my_loss"
def my_loss(targets, predictions):
    """Return the loss of this replica, for compile(loss=...)."""
    real = tf.cast(targets >= 0, tf.float32)
    squares = real * (targets - predictions) ** 2
    ctx = tf.distribute.get_replica_context()
    return tf.reduce_sum(squares) / ctx.all_reduce("SUM", tf.reduce_sum(real))

# %% role="check" points=4
check("06/my_loss", my_loss)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# Replica 0 has six rows; replica 1 has one row and five of padding. Each returns a mean. How
# much does that one row count in the sum of both?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# Keras adds up the gradients, so the replicas' losses should add up to one device's loss.
# Each is a part of the sum of squares, and all are divided by the same number.
#
# </details>
# <details><summary>Hint 3: a line with holes</summary>
#
# `return tf.reduce_sum(squares) / ctx.____("____", ____)`
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** Keras does not divide a single number, and adds up the replicas'
# gradients. So the parts add up to the mean over all rows that count. (A number per row also
# works, times the replica's rows and times the number of replicas, which undoes Keras's
# divisions. tf_keras divides a single number by the number of replicas: multiply by it
# there.)

# %% [markdown] beat="aside"
# ### The end of Part 1
#
# Two broken jobs without a label, 20 to 30 minutes: write `!course practice 1` into a new
# cell, run it, and open the notebook that it names, in the folder
# `notebooks/practice`. (In a terminal: `.venv/bin/course practice 1`.) Add `--seed 2` for
# two others.
#
# Part 2 begins with notebook 07: jobs that are right, but slow.
