# ---
# course:
#   number: "11"
#   title: Faster with every device, and less accurate
#   part: 2
#   minutes: {core: 30, further: [15, 10]}
#   symptoms:
#     - "accuracy drops when training with more GPUs, same number of epochs"
#     - "loss is higher with MirroredStrategy than on one GPU"
#     - "which batch size and learning rate for 4 GPUs"
#     - "steps get no shorter when GPUs are added"
#   in_a_hurry:
#     cause: >-
#       The batch was multiplied by the number of replicas. With the same epochs there are
#       fewer steps, each with the mean gradient over more rows. Nothing is broken: it is
#       the training of one device with the larger batch.
#     probe: >-
#       Print how many rows a step takes in all, how many steps an epoch has, and the
#       learning rate; compare with one device.
#     fix: >-
#       Divide the batch of one device among the replicas, unevenly if needed. If you want
#       a larger batch, change the learning rate as well, and test it against one device.
# ---

# %% [markdown] beat="symptom"
# ## 1 · Symptom
#
# You moved a training from one GPU to four. Each GPU takes batches of the old size, so all are
# busy, and an epoch takes a quarter of the time. But after the same number of epochs, the
# loss is higher than on one GPU. You checked the data, the seeds and the all-reduce: no row
# is lost, and all copies are equal.
#
# You will find out which training on one device a run on four equals, and plan a training
# that stays the same on any number of replicas.

# %% role="start"
from course import check, mirrored, predict, show, virtual_devices
import tensorflow as tf
devices = virtual_devices(4)

# %% role="setup" key="tools"
import numpy as np

from course.learner.predictions import ticks
from course.lessons.n11_faster_but_less_accurate import (
    QUESTIONS, Training, job, loss_curves, tick_table, train_alone, train_planned,
    which_of_one_device,
)
from course.runs.workloads import regression

training = Training(rows=64, batch=8, rate=0.1, epochs=4)
rows = regression(training.rows)

# %% [markdown] beat="predict"
# ## 2 · Predict
#
# `training` describes one device: its rows, its batch, its learning rate `rate` and its epochs.
# A **plan** says how replicas do it: the rows of each in a step, the rate, the number of
# steps. Each replica computes the gradient of its rows' part of the loss, and all apply the
# sum.
#
# The first job follows `broken_plan`. Each other job changes what its name says, on one device
# as well: `momentum` and `clipnorm` (it shortens a long gradient) of Keras's SGD; `root`, the
# root of the mean squared error as the loss; `BatchNorm`, a `BatchNormalization` layer in
# front.

# %% role="broken" exercise="my_plan"
def broken_plan(training, replicas):
    """Return the rows of each replica in a step, the rate, and the number of steps."""
    shares = [training.batch] * replicas
    steps = training.epochs * training.rows // sum(shares)
    return shares, training.rate, steps

# %% key="jobs"
jobs = {
    "8 rows each": job([8, 8, 8, 8]),
    "8 rows each, rate 0.4": job([8, 8, 8, 8], rate=0.4),
    "5, 1, 1 and 1 row": job([5, 1, 1, 1]),
    "2 rows each, momentum": job([2, 2, 2, 2], momentum=0.5),
    "2 rows each, clipnorm": job([2, 2, 2, 2], clipnorm=1.0),
    "2 rows each, root": job([2, 2, 2, 2], root=True),
    "2 rows each, BatchNorm": job([2, 2, 2, 2], normalised=True),
}

# %% key="ask"
predict("11")

# %% [markdown] beat="observe"
# ## 3 · Observe
#
# All seven jobs on four devices, compared with one device of batch 8 and of batch 32.

# %% key="run-jobs"
observed = {}
for name, equal in which_of_one_device(jobs, rows, devices):
    observed[name] = equal
    print("done:", name)
show(tick_table(QUESTIONS, observed, ticks("11")), prediction="11")

# %% [markdown]
# <details><summary>The reasons (open it after the run)</summary>
#
# - The loss is a mean over rows, so the sum of the parts is the gradient of one device. It
#   does not matter which replica has which rows, or how many. Momentum is computed from
#   these sums.
# - Rate 0.4 with 32 rows is one device with 32 rows and rate 0.4. It is near batch 8, but not
#   equal: try it below.
# - Keras 3 clips in each replica and adds up afterwards. A part may be short although the
#   sum is long.
# - The root of a mean is not the mean of four roots.
# - `BatchNormalization` looks at several rows at once: each replica normalises by the mean
#   and variance of **its** two rows. No batch of one device does that (Further 1).
#
# </details>

# %% [markdown] beat="aside"
# ### Which training is it?
#
# `broken_plan` again, to play with. The time of a step is simulated by sleeping: in each
# replica a fixed time and 5 ms for each of its rows, then the exchange for each replica
# beyond the first. TensorFlow decides the order.
#
# - Go from one replica to four: how many times more rows a second? Do they learn as much
#   from them?
# - Which rate brings four replicas nearest to the curve of batch 8? Of batch 4 and 16?
# - With `BatchNormalization`: which setting equals one device?

# %% key="play"
from course.lessons.n11_faster_but_less_accurate import which_training_is_it

which_training_is_it(broken_plan)

# %% [markdown]
# <details><summary>What you should have seen</summary>
#
# - A step on one replica takes 60 ms for 8 rows: 133 rows a second. Four replicas take 105 ms
#   for 32 rows: 305 rows a second, 2.3 times as many. They learn less from them: after the
#   same 256 rows the loss is 2.66 instead of 2.15.
# - Rate 0.4, four times the rate, for each of the three batches. The loss ends within 2 % of
#   one device's. With 0.8 it falls too fast at first. This is the **linear rule**: "k times
#   the rows, k times the rate" (Goyal and others, 2017, arXiv 1706.02677). It works
#   while the weights hardly move in k steps, and every rate has a limit.
# - Only one replica. On two or four, each normalises by its own rows.
#
# </details>

# %% [markdown] beat="aside"
# ### Three runs for the next section
#
# One device with batch 8 and with batch 32, and `broken_plan` on four replicas.

# %% key="three-runs"
eight, thirty_two = (train_alone(rows, b, [0.1] * (256 // b)) for b in (8, 32))
alone = {8: eight.copies[:, 0], 32: thirty_two.copies[:, 0]}
broken = train_planned(broken_plan, training, rows, devices, "broken_plan, 4 replicas")
show(loss_curves([eight, thirty_two], [broken], rows))

# %% [markdown] beat="locate"
# ## 4 · Locate
#
# Which training of one device does a run **equal**? `run` holds its two weights at the start
# and after each step, shape (steps + 1, 2), saved with two decimals. `alone[batch]` holds
# the same for one device with that batch, not rounded; a larger batch has fewer steps. The
# function below looks at the end only.
#
# Make `my_same_training` return `(batch, gap)`: the batch of the equal training, and the
# largest difference of a weight between the two. They are equal if this gap is below 0.01
# **at every step of the run**, which may have been stopped early. If none is equal, return
# `None`.

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
for steps in (8, 5):  # all of it, and stopped early
    print(my_same_training(broken.copies[: steps + 1, 0].round(2), alone))

# %% role="check" points=3
check("11/my_same_training", my_same_training)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# After enough steps, trainings with all batches end near the same minimum. Where do they
# differ most?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# Leave out trainings with fewer steps than the run. Compare step by step, over the steps of
# the run: `weights[:len(run)]`. If one difference is too large, it is another training.
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# For each training that is long enough, `gap = abs(run - weights[:____]).max()`; if
# `gap < ____`, you have found it. After the loop: `return ____`.
#
# </details>

# %% [markdown] beat="fix"
# ## 5 · Fix
#
# Make `my_plan` train on any number of replicas as on one device: all replicas must end with
# the weights of one device.
#
# - No replica takes more rows in a step than necessary, because the others wait for it.
# - The batch may not divide by the number of replicas. A replica may have no row at all.
# - The rows may not divide by the batch: each epoch ends with a step of the rows that are
#   left, on one device and here. Return the shares of a full step. In the last one, the first
#   replicas get the rows that are left.

# %% role="fix" exercise="my_plan"
def my_plan(training, replicas):
    """Return the rows of each replica in a step, the rate, and the number of steps."""
    each, more = divmod(training.batch, replicas)
    shares = [each + (replica < more) for replica in range(replicas)]
    steps = training.epochs * -(-training.rows // training.batch)
    return shares, training.rate, steps

# %% role="check" points=4
check("11/my_plan", my_plan)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# How many rows does one device take in a step? How many steps has an epoch of 64 rows, or of
# 69? How many rows do your replicas take together?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# The **sum** of the shares is the batch of one device: the global batch. Divide it so that no
# two shares differ by more than one row. Steps and rate stay as they were. In each epoch,
# the step with the remaining rows counts: round up.
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# `each, more = divmod(training.batch, ____)`; the first `more` replicas take one row
# ____. `steps = training.epochs * -(-training.rows // ____)` (that rounds up).
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** A step of SGD uses the mean gradient over its rows and the learning
# rate, nothing else. If each step takes the same rows as on one device, every step is the
# same, no matter which replica computes which part. So you may choose the number of replicas.
# The price: each replica has less to do in a step (Further 2).

# %% [markdown] beat="confirm"
# ## 6 · Confirm
#
# Before and after, on the same rows:

# %% key="run-mine" tags=["raises-exception"]
mine = train_planned(my_plan, training, rows, devices, "my_plan, 4 replicas")
show(loss_curves([eight, thirty_two], [broken, mine], rows))

# %% [markdown]
# **Would `model.fit` have saved you?** Yes: `fit` takes `batch_size` as the batch of all
# replicas together, and divides it. Four replicas with `batch_size=8` train as one device. The
# batch grows only if you multiply it, and many guides tell you to. (Notebook 03 is about an
# uneven last batch.)
#
# **On real GPUs** these curves would look the same. But 2 rows do not fill a GPU, so people
# multiply the batch. (This course has not been run on several GPUs yet.)

# %% [markdown] role="claims"

# %% [markdown] beat="aside"
# ### Probe for work
#
# Plain TensorFlow for your own job. Give it your strategy, your distributed dataset and the
# learning rate of a step, and compare the output with one device's. The dataset must end.

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

# %% [markdown] role="elsewhere"

# %% [markdown] beat="aside"
# ### The probe on a job
#
# A job of 60 rows, on one replica and on four. Which lines should not have changed?

# %% key="use-probe"
data = tf.data.Dataset.from_tensor_slices((rows.x, rows.y)).take(60)
for n in (1, 4):
    strategy = mirrored(devices[:n])
    batches = data.batch(8 * strategy.num_replicas_in_sync)
    describe_training(strategy, strategy.experimental_distribute_dataset(batches), 0.1)

# %% [markdown]
# <details><summary>What this means (open it after the run)</summary>
#
# The rate did not change. But the steps and the global batch did, and they should not: this
# is the training of one device with batch 32. Only the rows of each replica may change.
#
# </details>

# %% [markdown] beat="further"
# ## Further 1 · Every number is right (15 minutes)
#
# A model with `BatchNormalization`, batch 8: one device, and four replicas of two rows. While
# it trains, each replica normalises its own rows. The loss drawn here is computed on rows
# that are normalised by the mean and variance of all 64.

# %% key="own-statistics"
from course.lessons.n11_faster_but_less_accurate import Plan, dealt_by, train_normalised

plan = Plan((2, 2, 2, 2), rate=0.1, steps=32)
one = train_normalised(Plan((8,), 0.1, 32), rows, devices[:1], "one device, batch 8")
four = train_normalised(plan, rows, devices, "4 replicas")
sync = train_normalised(plan, rows, devices, "synchronized=True", synchronized=True)
show(loss_curves([one], [four, sync], rows))

# %% [markdown]
# <details><summary>What this means (open it after the run)</summary>
#
# `BatchNormalization(synchronized=True)` uses the statistics of all replicas' rows, so the
# replicas equal one device. It costs one more message for each such layer. Without it, a
# replica with fewer rows trains worse: with a single row, the normalised features are 0, and
# their weights never move.
#
# </details>

# %% [markdown] beat="further"
# ### Break it so that no number tells
#
# `my_deal(x, y, replicas)` divides the rows of one step: it returns a list for each replica,
# with the numbers of its rows in `x`, shape (rows, 2), and `y`. It starts right. Break it:
#
# - The probe must print the same as before: each row of a step goes to one replica, and all
#   get the same number of rows. So a model **without** normalisation trains as on one device.
# - The model **with** it (not synchronized) must end with at least **1.5 times** the loss of
#   one device.
#
# Where would you meet a job like this at work?

# %% role="broken" exercise="my_deal"
def broken_deal(x, y, replicas):
    return np.array_split(np.arange(len(x)), replicas)

# %% role="fix" exercise="my_deal"
def my_deal(x, y, replicas):
    return np.array_split(np.argsort(y), replicas)

# %% role="check" points=4
check("11/my_deal", my_deal)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# A replica subtracts the mean of its rows. Which two rows must it have so that nothing
# distinguishes them from the other six?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# Put similar rows together. Then the replicas differ a lot, and normalising removes that
# difference. What is left within a replica is noise, enlarged.
#
# </details>
# <details><summary>Hint 3: a line with holes</summary>
#
# `np.array_split(np.____(y), replicas)`
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** Sorted by target, similar rows go to the same replica. It subtracts
# their mean, and with it what tells large targets from small ones. Sorting by the first
# feature also works, because the target depends on it most.

# %% key="dealt" tags=["raises-exception"]
dealt = train_normalised(plan, rows, devices, "my_deal", deal=dealt_by(my_deal, rows))
show(loss_curves([one], [four, dealt], rows))

# %% [markdown]
# <details><summary>Where you would meet it (open it after the run)</summary>
#
# Where each replica or worker reads its own file, and a file holds one class, one day or one
# customer. Shuffle before you divide the rows, or use a normalisation that does not look at
# other rows.
#
# </details>

# %% [markdown] beat="further"
# ## Further 2 · How many replicas are useful? (10 minutes)
#
# If the global batch stays the same, each replica gets fewer rows. But a step has parts that do
# not shrink: a **fixed** cost in each replica, and the **exchange** of gradients for each
# replica beyond the first. Here they are simulated by sleeping; TensorFlow decides who waits
# for whom. Before you run the cell: 16 rows of 5 ms each, 20 ms fixed, 15 ms exchange. Is a
# step on 4 replicas twice as fast as on 2?

# %% key="costs" thumbnail="0 0 100 100"
from course.lessons.n11_faster_but_less_accurate import Costs, measure_step
from course.pictures.timeline import timeline

costs, lanes = Costs(fixed=20, row=5, exchange=15), [*devices, "exchange"]
steps = [measure_step(costs, 16, devices[:n], lanes) for n in (1, 2, 4)]
show(timeline(*steps, tell=lambda run: f"{run.seconds:.3f} s"))

# %% [markdown]
# <details><summary>What this means (open it after the run)</summary>
#
# 100, 75 and 85 ms, and a little more: two replicas help, but four are slower than two. We
# chose the times to show it. (On two cores, real computation gained nothing from more
# logical CPUs.)
#
# </details>

# %% [markdown] beat="further"
# ### Predict it
#
# `my_useful_replicas(fixed, row, exchange, batch, most)` returns `(replicas, ms)`: the
# **smallest** number of replicas, from 1 to `most`, with the shortest step, and the ms of
# that step. A row is never divided.

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
check("11/my_useful_replicas", my_useful_replicas)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# With more replicas, which of the three costs shrinks, which grows, and which stays the same?
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
# **Why this is right.** All replicas wait for the one with the most rows, so a step costs that
# many rows: `-(-batch // n)`, rounded up. Each additional replica saves less of it, and adds
# one exchange. `min` tries the numbers from 1 upwards and keeps the first of equals.
