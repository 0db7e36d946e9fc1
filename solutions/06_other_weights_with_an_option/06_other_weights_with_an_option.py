# ---
# course:
#   number: "06"
#   title: The same weights, until one option is set
#   part: 1
#   minutes: {core: 25, further: [15, 10]}
#   symptoms:
#     - "fit gives other weights on two GPUs than on one since an option of compile was set"
#     - "clipnorm, clipvalue or global_clipnorm with MirroredStrategy: other weights"
#     - "custom loss in compile: the learning rate seems multiplied by the number of GPUs"
#     - "mixed_float16: the loss becomes inf or NaN on several GPUs, and not on one"
#     - "BatchNormalization gives other results on several GPUs than on one"
#   in_a_hurry:
#     cause: >-
#       Keras 3 clips, and checks for overflow, what ONE replica has, before the gradients
#       are added up. Neither can be done to parts: the sum of clipped shares is not the
#       clipped sum.
#     probe: >-
#       Fit the same small model on one device and on two, and compare each weight.
#     fix: >-
#       Add up first: `ctx.all_reduce("SUM", ...)` of gradients and numbers of rows; then
#       divide, check and clip, the same on all replicas.
# ---

# %% [markdown] beat="symptom"
# ## 1 · Symptom
#
# With SGD and equal shares, `fit` ends with the same weights on two GPUs as on one. Then
# somebody adds one option: to the optimizer, to a layer, to the loss. With some options all
# stays as it was. With others, two GPUs end with other weights, and `fit` raises no error.
#
# You will see which options do that, find out from recorded steps what went wrong, and write
# a step that has such options and is right on any number of replicas.

# %% role="start"
from course import check, mirrored, predict, show, virtual_devices
import tensorflow as tf
devices = virtual_devices(4)

# %% role="setup" key="tools"
import numpy as np

from course.lessons.n06_other_weights_with_an_option import (
    LIMIT, ONE_LARGE, option_distances, run_scaled, shares_of_a_gradient,
)
from course.learner.predictions import ticks
from course.runs.workloads import regression

rows = regression(128, seed=1)
keras, layers = tf.keras, tf.keras.layers
normalize = layers.BatchNormalization

# %% [markdown] beat="predict"
# ## 2 · Predict
#
# The same `fit` each time: 128 rows in batches of 16, in one order, so that every replica has
# as many rows as the other one. Without an option, two devices end with the weights of one.

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
# ### Ten options, one at a time

# %% key="options"
options = {
    "SGD(clipnorm=1.0)": {"clipnorm": 1.0},
    "SGD(weight_decay=0.1)": {"weight_decay": 0.1},
    "SGD(use_ema=True)": {"use_ema": True},
    "mixed_float16": {"policy": "mixed_float16"},
    'kernel_regularizer="l2"': {"dense": {"kernel_regularizer": "l2"}},
    "sample_weight": {"fit": {"sample_weight": np.linspace(0.2, 2, 128)}},
    "loss, a number per row": {"loss": lambda y, p: tf.reduce_mean((y - p) ** 2, 1)},
    "loss, one number": {"loss": lambda y, p: tf.reduce_mean((y - p) ** 2)},
    "BatchNormalization": {"after": normalize},
    "the same, synchronized": {"after": lambda: normalize(synchronized=True)},
}

# %% key="ask"
predict("06")

# %% [markdown] beat="observe"
# ## 3 · Observe
#
# First the `fit` without an option, then the first five.

# %% key="run-first"
def distance(**option):
    return float(np.abs(fit_on(2, **option) - fit_on(1, **option)).max())

print(f"no option: {distance():.0e}")
names = list(options)
distances = {name: distance(**options[name]) for name in names[:5]}

# %% [markdown]
# The other five, and all of them:

# %% key="run-all"
distances |= {name: distance(**options[name]) for name in names[5:]}
show(option_distances(distances, ticks("06")), prediction="06")

# %% [markdown] beat="aside"
# ### What two replicas add up
#
# One option, step by step, in a model of two weights. Each replica's **share** is its part of
# the gradient: without an option, the shares of all replicas add up to the gradient of one
# device. Left, the shares as they are added up, head to tail, and the limit of the option.
#
# In which steps do the replicas apply what one device applies? Do more replicas make it
# better?

# %% key="play" thumbnail="0 0 43 100"
shares_of_a_gradient()

# %% [markdown] beat="locate"
# ## 4 · Locate
#
# A job has two rules. One device would use them like this:
#
# - rule 0, the **check**: where a part of the gradient is not finite, zeros are applied.
# - rule 1, the **clip**: a gradient longer than `LIMIT`, 2.0, is shortened to that length.
#
# A job may have used one of them, or both, on the shares instead. `shares[k, r]` is what
# replica `r` had in step `k` (they add up to one device's gradient), `applied[k]` what all
# applied. Make `my_first_misplaced` return `(step, rule)`: the first step in which something
# else was applied than on one device, and the rule that is to blame in that step; `None`
# where there is none.

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

# %% role="check" points=3
check("06/my_first_misplaced", my_first_misplaced)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# In the instrument: can shares that were each clipped have a sum that is short enough, and
# still not be what one device applies?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# Work out what one device applies in each step, from the sum of the shares, and compare with
# what was applied. Where the sum is not finite, one device applies zeros: something else
# there means that the check was used on the shares. Elsewhere, only the clip can be to blame.
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
# `my_gradient` runs in every replica, and its result is applied to that replica's copy of the
# weights, as it is. `own` is the gradient of the **sum** of the squared errors of the
# replica's own rows; `count` is how many rows these are, and it may be 0.
#
# After every step, every copy must be where one device is that has the two rules of section
# 4, whatever the replicas' numbers of rows.

# %% role="broken" exercise="my_gradient"
def broken_gradient(own, count, ctx):
    """Return what this replica applies; own: float32, shape (2,); count: float32."""
    mean = own / count
    finite = tf.reduce_all(tf.math.is_finite(mean))
    clipped = tf.clip_by_norm(mean, LIMIT)
    safe = tf.where(finite, clipped, tf.zeros_like(clipped))
    return ctx.all_reduce("MEAN", safe)

# %% role="fix" exercise="my_gradient"
def my_gradient(own, count, ctx):
    """Return what this replica applies; own: float32, shape (2,); count: float32."""
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
# Take each line of the function for itself. If a replica did it to its share, would the
# result still add up to that of one device?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# A sum may be taken apart, and so may a product with a number that all replicas know. A
# length, a comparison and a quotient of sums may not: they need the whole. The number of rows
# is something that replicas have to add up, too.
#
# </details>
# <details><summary>Hint 3: a line with holes</summary>
#
# `own, count = ctx.all_reduce("____", [____, ____])`, and what follows it is what one device
# does.
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** After the all-reduce, every replica has the sum over all rows and
# their number, so from there on all do what one device does, with the same numbers, and
# decide alike. A NaN or an infinite share makes the sum NaN or infinite, so nobody can miss
# it. What is sent are three numbers, whatever the rows.

# %% [markdown] beat="confirm"
# ## 6 · Confirm
#
# `fit` on two devices: with `clipnorm=LIMIT`, and with an optimizer that calls
# `my_gradient`. (The shares of `fit` add up to one device's gradient: with counts of `1 / n`,
# which add up to 1, that sum stays as it is. And SGD adds up what `n` replicas return: hence
# `/ n`.)

# %% key="run-mine" tags=["raises-exception"]
class WithMine(keras.optimizers.SGD):
    def apply(self, grads, trainable_variables=None):
        ctx = tf.distribute.get_replica_context()
        n = ctx.num_replicas_in_sync
        mine = [my_gradient(each, tf.constant(1 / n), ctx) / n for each in grads]
        super().apply(mine, trainable_variables)

alone = fit_on(1, clipnorm=LIMIT)
ended = {
    "SGD(clipnorm=LIMIT)": fit_on(2, clipnorm=LIMIT),
    "my_gradient in fit": fit_on(2, optimizer=WithMine),
}
show(option_distances({k: float(np.abs(w - alone).max()) for k, w in ended.items()}))

# %% [markdown]
# **Would `model.fit` have saved you?** It is `fit` that goes wrong here, with Keras 3. With
# tf_keras 2.21, `clipnorm` and a loss of one number end with the weights of one device, and
# `mixed_float16` stays finite, 7e-5 away; `BatchNormalization` is off there, too.
#
# **On real GPUs this would differ:** nothing in which options are wrong: that is decided in
# Keras, before the devices send each other anything.

# %% [markdown] beat="aside"
# ### The lines that decide
#
# In the Keras that is installed here, in this order:

# %% key="lines"
import inspect

def lines(function, *words):
    source, first = inspect.getsourcelines(function)
    for number, line in enumerate(source, first):
        if any(word in line for word in words):
            print(f"{function.__qualname__}, line {number}: {line.strip()}")

print("Keras", keras.__version__)
sgd, scaled = keras.optimizers.SGD, keras.optimizers.LossScaleOptimizer
lines(sgd._backend_apply_gradients, "self._clip_gr", "self._backend_update")
lines(sgd._backend_update_step, "all_reduce")
lines(scaled._tf_apply, "finite` ", "grads` is")

# %% [markdown]
# Each replica clips what it has; only then, in the update, are gradients added up. (More
# replicas, shorter shares: in the instrument, four end further from one device than two.)
# With float16, replica 0 checks its own share and decides for all: the comment takes it that
# gradients were added up before. What overflowed on replica 1 is applied. (TensorFlow issue
# [33929](https://github.com/tensorflow/tensorflow/issues/33929): in TensorFlow 2.0 to 2.2,
# `clipnorm` was refused under a strategy, for this reason.)

# %% [markdown] beat="aside"
# ### And the other options?
#
# - `weight_decay`, `use_ema` act on the weights, which are equal everywhere.
# - `"l2"`: each replica adds the penalty divided by the replicas, so it counts once.
# - `sample_weight`, a number per row: Keras takes the mean over a replica's rows and divides
#   by the replicas: with equal shares, the shares add up.
# - One number: Keras cannot know what was averaged, and divides nothing. Two replicas, twice
#   the step. The log shows twice the loss, too, but it falls faster: 2.09 for the epoch
#   here, and 2.11 on one device.
# - `BatchNormalization` uses a replica's own rows; synchronized, it adds up first.
# - `gradient_accumulation_steps=2` is no such case: it stops with a RuntimeError
#   ("merge_call"). Notebook 16 accumulates by hand.

# %% [markdown] beat="aside"
# ### Probe for work
#
# Plain Keras, 3 or tf_keras, to paste into your own job. Give it a function that makes and
# compiles your model (a small one), rows that all batches and replicas share evenly, and two
# strategies; `tf.distribute.get_strategy()` is one device. Then set options back, one by one,
# until no difference is left.

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

# %% key="try-it"
def make_model():
    model = keras.Sequential([layers.Input((2,)), layers.Dense(1)])
    model.compile(keras.optimizers.SGD(0.05, clipvalue=0.1), loss="mse")
    return model

two = (tf.distribute.get_strategy(), mirrored(devices[:2]))
print(largest_differences(make_model, two, rows.x, rows.y, batch_size=16))

# %% [markdown] beat="further"
# ## Further 1 · One overflow, skipped by all (15 minutes)
#
# In float16, what is beyond 65504 is infinite. Mixed precision multiplies the loss by a
# **scale**, so that small gradients are not lost, and lowers it after an overflow.
#
# `my_scaled` runs in every replica and step. `share` is its share times `scale`, as float16
# held it. It returns the gradient to apply, and the next scale and count of good
# steps. On **all** replicas alike:
#
# - no overflow: the shares' sum, without the scale. The third good step in a row doubles the
#   scale, and the count is 0 again.
# - a share overflowed, on any replica: zeros; half the scale, count 0.

# %% role="broken" exercise="my_scaled"
def broken_scaled(share, scale, good, ctx):
    """Return gradient, scale, good; share: float32, shape (2,); good: int32."""
    gradient = ctx.all_reduce("SUM", share) / scale
    return gradient, scale, good

# %% [markdown]
# Six steps; in step 3, replica 1's share is large:

# %% key="scaled"
for step, each in enumerate(run_scaled(broken_scaled, ONE_LARGE, devices[:2])):
    print(f"step {step}: replica 0 {each[0]}, replica 1 {each[1]}")

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
# All replicas have the same sum, scale and count. Whatever is worked out from these alone is
# the same on all of them.
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# `finite = tf.reduce_all(tf.math.____(gradient))`, `third = finite & (good == ____)`, and
# `tf.where(____, 2.0, tf.where(finite, ____, 0.5))`.
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** An infinite share makes the sum infinite or NaN, and everybody has
# the sum. So all replicas come to the same decision without asking each other again, and
# their scales can never part. (A replica that decides by its own share has another scale
# from then on, and its later shares are weighted by it.)

# %% [markdown] beat="further"
# ## Further 2 · A loss of your own for `fit` (10 minutes)
#
# *Best after notebook 03.* A model predicts one number for each row; rows with a target below
# 0 are padding. The loss is to be the mean squared error over the other rows of the step.
#
# `compile(loss=my_loss)` calls `my_loss` in every replica with that replica's columns, both of
# shape (rows, 1). Replicas may have unlike numbers of rows, and of padding; one may have
# padding only. What Keras does with the result, Confirm has shown.

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
# Replica 0 has six rows, replica 1 has one, and five of padding. Each returns a mean. How much
# does that one row count in the sum of both?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# Gradients are added up, so what the replicas return should add up to the loss of one
# device: a part of the sum of squares each, divided by the same number.
#
# </details>
# <details><summary>Hint 3: a line with holes</summary>
#
# `return tf.reduce_sum(squares) / ctx.____("____", ____)`
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** Keras divides a single number by nothing, and adds the replicas'
# gradients up: the parts add up to the mean over all rows that count. (A number per row would
# also do, times the replica's rows and times the replicas, to undo what Keras divides by.)
# With tf_keras, which divides a single number by the replicas, too, it would have to be
# multiplied by them.

# %% [markdown] beat="aside"
# ### The end of Part 1
#
# Two broken jobs without a label, 15 to 25 minutes: write `!course practice 1` into a new
# cell, run it, and open the notebook that it names, in the folder
# `notebooks/practice`. (In a terminal: `.venv/bin/course practice 1`.) Add `--seed 2` for
# others.
#
# Part 2 begins with notebook 07: jobs that are right, and slow.
