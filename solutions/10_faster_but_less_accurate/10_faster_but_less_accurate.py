# ---
# course:
#   number: "10"
#   title: Faster with every device, and less accurate
#   part: 2
#   minutes: {core: 25, further: [15, 10]}
#   symptoms:
#     - "accuracy drops when training with more GPUs, same number of epochs"
#     - "loss is higher with MirroredStrategy than on one GPU"
#     - "which batch size and learning rate for 4 GPUs"
#     - "steps get no shorter when GPUs are added"
#   in_a_hurry:
#     cause: >-
#       The batch was multiplied by the number of replicas. With the same epochs there are
#       fewer steps, each by the mean over more rows. Nothing is broken: it is the training
#       of one device with the larger batch.
#     probe: >-
#       Print how many rows a step takes in all, how many steps an epoch has, and the
#       learning rate; compare with one device.
#     fix: >-
#       Share out the batch of one device among the replicas, uneven if need be. Where you
#       want a larger batch, change the rate too, and test it against one device.
# ---

# %% [markdown] beat="symptom"
# ## 1 · Symptom
#
# A training was moved from one GPU to four. Each takes batches of the size it took before,
# so all GPUs are busy, and an epoch takes a quarter of the time. After the same number of
# epochs, the loss is higher than on one GPU. The data, the seeds and the all-reduce have
# been checked: no row is lost, all copies are equal.
#
# You will compare the training on four devices with training runs on one, find out
# which of them a run equals, and plan one that stays the same on any number of replicas.

# %% role="start"
from course import check, mirrored, predict, show, virtual_devices
import tensorflow as tf
devices = virtual_devices(4)

# %% role="setup" key="tools"
import numpy as np

from course.lessons.n10_faster_but_less_accurate import (
    Costs, Training, loss_curves, measure_step, train_alone, train_planned,
)
from course.pictures.timeline import timeline
from course.runs.workloads import regression

training = Training(rows=64, batch=8, rate=0.1, epochs=4)
rows = regression(training.rows)

# %% [markdown] beat="predict"
# ## 2 · Predict
#
# `training` is what one device did: `training.rows` examples, `training.batch` of them in a
# step, the learning rate `training.rate`, and `training.epochs`. A **plan** says how
# replicas do it: how many rows each takes in a step, the rate, and the number of steps.
#
# All plans are carried out alike: in each step, all replicas change their weights by the
# mean gradient over **all** rows of the step.

# %% role="broken" exercise="my_plan"
def broken_plan(training, replicas):
    """Return the rows of each replica in a step, the rate, and the number of steps."""
    shares = [training.batch] * replicas
    steps = training.epochs * training.rows // sum(shares)
    return shares, training.rate, steps

# %% key="ask"
predict("10")

# %% [markdown] beat="observe"
# ## 3 · Observe
#
# Lines: one device, with batch 8 and with batch 32. Markers: four replicas by
# `broken_plan`. All go through the 64 rows four times, in the same order. The loss is that
# of all rows, after each step.

# %% key="run-broken"
eight = train_alone(rows, 8, [0.1] * 32)
thirty_two = train_alone(rows, 32, [0.1] * 8)
broken = train_planned(broken_plan, training, rows, devices, "broken_plan, 4 replicas")
show(loss_curves([eight, thirty_two], [broken], rows), prediction="10")

# %% [markdown] beat="locate"
# ## 4 · Locate
#
# Which run of one device does a run **equal**? `run` holds its two weights at the start
# and after each step, shape (steps + 1, 2), saved with two decimals. `alone[batch]` holds
# the same for one device with that batch, not rounded; a larger batch has fewer steps. The function below looks at the end only.
#
# Make `my_same_training` return `(batch, gap)`: the batch whose training is the run, and
# the largest difference of a weight between the two. It is that training if the gap is
# below 0.01 **at every step of the run**, which may have been stopped early. Where there is
# none, return `None`: then something other than the batch differs. (A cell below tries
# yours.)

# %% role="broken" exercise="my_same_training"
def broken_same_training(run, alone):
    gaps = {b: float(abs(run[-1] - w[-1]).max()) for b, w in alone.items()}
    nearest = min(gaps, key=gaps.get)
    return nearest, gaps[nearest]

# %% role="fix" exercise="my_same_training"
def my_same_training(run, alone):
    n = len(run)
    for batch, weights in alone.items():
        if len(weights) >= n:
            gap = float(abs(run - weights[:n]).max())
            if gap < 0.01:
                return batch, gap
    return None

# %% key="try-same" tags=["raises-exception"]
alone = {8: eight.copies[:, 0], 32: thirty_two.copies[:, 0]}
print(my_same_training(broken.copies[:, 0].round(2), alone))

# %% role="check" points=3
check("10/my_same_training", my_same_training)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# After long enough, trainings with all batches end near the same minimum. Where do they
# differ most?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# Leave out what has fewer steps than the run. Compare step by step, over the steps that
# the run has: `weights[:len(run)]`. One difference that is too large, anywhere, and it is
# another training.
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# For each training that is long enough, `gap = abs(run - weights[:____]).max()`; if
# `gap < ____`, it is found. After the loop: `return ____`.
#
# </details>

# %% [markdown] beat="fix"
# ## 5 · Fix
#
# Make `my_plan` keep the training what it was on one device, on any number of replicas:
# the weights at the end are the same, on all replicas.
#
# - No replica takes more rows in a step than it needs to: the others would wait for it.
# - The batch need not divide by the replicas. A replica may have no row at all.
# - The rows need not divide by the batch: each epoch ends with a step that takes what is
#   left, on one device and here. Return the shares of a full step; in the last one, the
#   first replicas get what is left.

# %% role="fix" exercise="my_plan"
def my_plan(training, replicas):
    """Return the rows of each replica in a step, the rate, and the number of steps."""
    each, more = divmod(training.batch, replicas)
    shares = [each + (replica < more) for replica in range(replicas)]
    steps = training.epochs * -(-training.rows // training.batch)
    return shares, training.rate, steps

# %% role="check" points=4
check("10/my_plan", my_plan)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# How many rows does one device take in a step, and how many steps are there in an epoch of
# 64 rows? Of 69 rows? How many do your replicas take together?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# The **sum** of the shares is the batch of one device: the global batch. Share it out,
# for example so that no two shares differ by more than one row. Steps and rate stay as
# they were. In each epoch, a step for the rest counts: round up.
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# `each, more = divmod(training.batch, ____)`; the first `more` replicas take one row
# ____. `steps = training.epochs * -(-training.rows // ____)` (that rounds up).
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** A step of SGD knows the mean gradient over its rows, the rate, and
# nothing else. If each step takes the rows that it took on one device, every step is the
# same, whoever computes which part. So the number of replicas is free, and the price is
# known: each replica has less to do in a step (Further 2).

# %% [markdown] beat="confirm"
# ## 6 · Confirm
#
# Before and after, on the same rows:

# %% key="run-mine" tags=["raises-exception"]
mine = train_planned(my_plan, training, rows, devices, "my_plan, 4 replicas")
show(loss_curves([eight, thirty_two], [broken, mine], rows))

# %% [markdown]
# **Would `model.fit` have saved you?** Yes: `fit` takes `batch_size` for the batch of all
# replicas together, and shares it out. Four replicas with `batch_size=8` train as one. The
# batch grows only where you multiply it, and many guides tell you to. (An uneven last batch
# is another matter: notebook 03.)
#
# **On real GPUs this would differ:** nothing in these curves. But 2 rows do not fill a GPU,
# which is why batches get multiplied. (This course was not yet run on several GPUs.)

# %% [markdown] role="claims"

# %% [markdown] beat="aside"
# ### Probe for work
#
# Plain TensorFlow, to paste into your own job. Give it your strategy, your distributed
# dataset and the learning rate of a step; compare the output with that of one device.
# The dataset must end.

# %% key="probe"
def describe_training(strategy, dataset, rate):
    """Print and return the rows of each replica in a step, in order of steps."""
    steps = []
    for batch in dataset:
        part = tf.nest.flatten(batch)[0]
        shares = strategy.experimental_local_results(part)
        steps.append([int(tf.shape(share)[0]) for share in shares])
    rate = float(tf.convert_to_tensor(rate))  # Keras's is a variable
    print("steps in an epoch:", len(steps), " learning rate:", round(rate, 6))
    print("global batch:", sum(steps[0]), " of the last step:", sum(steps[-1]))
    print("rows of each replica:", steps[0], " in the last step:", steps[-1])
    return steps

# %% [markdown] beat="further"
# ## Further 1 · A larger batch on purpose (15 minutes)
#
# If a step takes k times as many rows, there are 1/k as many steps. The **linear rule**
# (Goyal and others, 2017, arXiv 1706.02677): multiply the rate by k as well. Take it as a
# hypothesis, and the curve of batch 8 (here with rate 0.2) as what it should give. Before
# you run the cell: which of the batches 16, 32 and 64 come near to it?

# %% key="linear-rule"
def scaled(k):
    rates = [0.2 * k] * (4 * 64 // (8 * k))
    label = f"batch {8 * k}, rate {0.2 * k:g}"
    return train_alone(rows, 8 * k, rates, label)

show(loss_curves([scaled(1), scaled(4)], [scaled(2), scaled(8)], rows))

# %% [markdown]
# <details><summary>What this means (open it after the run)</summary>
#
# Batch 16 ends nearly where batch 8 does, batch 32 higher, and batch 64 leaves the figure.
# The rule is an approximation: k small steps go along nearly the same gradient only while
# the weights hardly move. And every rate has a limit: here 2 divided by the largest
# curvature. Beyond it, steps get longer and longer, whatever the rule says.
#
# </details>

# %% [markdown] beat="further"
# ### The limit, from the data

# %% key="limit"
x = rows.x.astype(float)
curvature = np.linalg.eigvalsh(2 * x.T @ x / len(x)).max()
limit = 2 / curvature
print(f"limit for batches of all 64 rows: {limit:.2f}")
for share in (0.9, 1.1):
    run = train_alone(rows, 64, [share * limit] * 60)
    moved = abs(run.copies[-1] - run.copies[-2]).max()
    print(f"rate {share * limit:.2f}: step 60 moved a weight by {moved:.1g}")

# %% [markdown] beat="further"
# ### Warm-up
#
# The same paper adds a warm-up: the rate goes up on a straight line. It is `rate` in step
# 0, `factor * rate` for the first time in step number `warmup`, and from then on.
# Make `my_rates` return a list with the rate of each of `steps` steps. (With `warmup` 0
# there is no line. The warm-up may be longer than the training.)

# %% role="broken" exercise="my_rates"
def broken_rates(rate, factor, warmup, steps):
    return [factor * rate] * steps

# %% role="fix" exercise="my_rates"
def my_rates(rate, factor, warmup, steps):
    rates = []
    for step in range(steps):
        way = min(step / warmup, 1.0) if warmup else 1.0
        rates.append(rate + (factor * rate - rate) * way)
    return rates

# %% role="check" points=3
check("10/my_rates", my_rates)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# What share of the way has the rate gone in step 0? In step number `warmup`? In the step
# after it?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# The share of the way is the step divided by `warmup`, and never more than 1. The rate is
# the first rate plus this share of the whole rise.
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# `way = min(step / ____, ____)`, and `rate + (____ - rate) * way`. Take care of a `warmup`
# of 0.
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** The way from `rate` to `factor * rate` is walked once, in
# `warmup` equal parts: in step 0 nothing of it, in step `warmup` all. `min` holds it
# there. A training shorter than the warm-up simply stops on the way; without a warm-up
# the whole way is gone at once.

# %% key="warmup" tags=["raises-exception"]
warm = train_alone(rows, 32, my_rates(0.2, 4, 3, 8), "batch 32, warm-up")
show(loss_curves([scaled(1), scaled(4)], [warm], rows))

# %% [markdown]
# <details><summary>What this means (open it after the run)</summary>
#
# Here the warm-up only delays: the curvature of a linear regression is the same everywhere,
# so the first steps are no more dangerous than later ones. The paper found it useful for a
# deep network, whose curvature changes most at the start. That, too, is to be tested.
#
# </details>

# %% [markdown] beat="further"
# ## Further 2 · How many replicas are useful? (10 minutes)
#
# With the global batch held, each replica gets fewer rows. But a step has parts that do not
# shrink: a **fixed** cost in each replica, and the **exchange** of gradients, here for each
# replica beyond the first. Here they are **waits** of known length; who waits for whom is
# TensorFlow's doing. Before you run the cell: 16 rows of 5 ms each, 20 ms fixed, 15 ms
# exchange. Is a step on 4 replicas twice as fast as on 2?

# %% key="costs"
costs, lanes = Costs(fixed=20, row=5, exchange=15), [*devices, "exchange"]
steps = [measure_step(costs, 16, devices[:n], lanes) for n in (1, 2, 4)]
show(timeline(*steps, tell=lambda run: f"{run.seconds:.3f} s"))

# %% [markdown]
# <details><summary>What this means (open it after the run)</summary>
#
# 100, 75 and 85 ms, and a little: two replicas are useful, four are slower than two. The
# lengths are ours, chosen to show it. (On two cores, real computation gained nothing
# from more logical CPUs.)
#
# </details>

# %% [markdown] beat="further"
# ### Predict it
#
# `my_useful_replicas(fixed, row, exchange, batch, most)` returns `(replicas, ms)`: the
# **smallest** number of replicas, from 1 to `most`, with the shortest step; and how many ms
# that takes. Rows are not cut: all wait for the replica with the largest share.

# %% role="broken" exercise="my_useful_replicas"
def broken_useful_replicas(fixed, row, exchange, batch, most):
    return most, (fixed + row * batch) / most

# %% role="fix" exercise="my_useful_replicas"
def my_useful_replicas(fixed, row, exchange, batch, most):
    def ms(n):
        return fixed + row * -(-batch // n) + exchange * (n - 1)

    best = min(range(1, most + 1), key=ms)
    return best, ms(best)

# %% role="check" points=3
check("10/my_useful_replicas", my_useful_replicas)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# Which of the three costs gets smaller with more replicas, which one larger, and which one
# stays?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# Compute the ms of a step for **every** number of replicas, with the share rounded up, and
# take the first of the smallest.
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# `ms = fixed + row * -(-batch // ____) + exchange * (____)`, for each `n` in
# `range(1, ____)`.
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** All replicas wait for the one with the most rows, so a step costs
# its rows, rounded up: `-(-batch // n)`. Each replica more takes less from that, and adds
# one exchange. `min` goes from 1 upwards, and keeps the first of equals.
