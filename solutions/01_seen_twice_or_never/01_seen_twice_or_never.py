# ---
# course:
#   number: "01"
#   title: No faster on two GPUs, or an epoch too short
#   part: 1
#   minutes: {core: 25, further: [8, 10]}
#   symptoms:
#     - "custom training loop on several GPUs is not faster: all GPUs train on the same batch"
#     - "epoch has fewer steps with MirroredStrategy, or some examples are never used"
#     - "does strategy.run split the batch; global batch size or batch size per replica"
#   in_a_hurry:
#     cause: >-
#       `strategy.run` hands its arguments to every replica as they are; it splits
#       nothing. And `distribute_datasets_from_function` gives each replica a whole
#       batch of your dataset, which must then be a per-replica batch.
#     probe: >-
#       Give each row a number, run one epoch through `strategy.run`, and count how
#       often each number arrives on ALL replicas.
#     fix: >-
#       Batch by the global batch, then
#       `strategy.experimental_distribute_dataset(data)`. No `shard` by replica, no
#       `drop_remainder`.
# ---

# %% [markdown] beat="symptom"
# ## 1 · Symptom
#
# A training loop of your own moves from one GPU to two. Perhaps the curves are exactly
# those from before, and an epoch takes no less time. Or an epoch has half as many steps,
# and the model gets worse. Either way, there is no error.
#
# What is one epoch, with several replicas? People have long asked: TensorFlow issue
# [25620](https://github.com/tensorflow/tensorflow/issues/25620) is from 2019. To answer,
# look at **which rows of data each replica is given**. Here a row is just its own number,
# so that you can see where it goes.

# %% role="start"
from course import check, mirrored, predict, show, virtual_devices
import tensorflow as tf
devices = virtual_devices(4)

# %% role="setup" key="tools"
from course.lessons.n01_seen_twice_or_never import (
    id_grid, pull_inside, record_epoch, small_id_grids,
)

# %% [markdown] beat="predict"
# ## 2 · Predict
#
# 16 rows, two replicas. All replicas together are to train on 4 rows in a step: that
# is the **global batch**. The share of one replica, here 2 rows, is the **per-replica
# batch**. In this notebook, `batch` is always the global batch.
#
# `step` only returns the rows that its replica was given.

# %% role="setup" key="loop"
def batch_rows(data, strategy, batch):
    return data.batch(batch)

def step(rows):
    return tf.identity(rows)  # a real step would train on them

def two_steps():
    strategy = mirrored(devices[:2])
    data = batch_rows(tf.data.Dataset.range(16), strategy, 4)
    for rows in data.take(2):
        given = strategy.run(step, args=(rows,))
        print([r.numpy().tolist() for r in strategy.experimental_local_results(given)])

# %% key="ask"
predict("01")

# %% [markdown] beat="observe"
# ## 3 · Observe
#
# First the loop as it is; it prints a list with the rows of each replica. Then a whole
# epoch: `record_epoch` sends numbered rows through a list of functions, runs the same
# loop, and records what **each** replica was given. Each row of data has its
# own column; the number in a cell is the step in which the row came.

# %% key="run-broken"
two_steps()
sequential = record_epoch([batch_rows], 16, 4, devices[:1], "one device")
plain = record_epoch([batch_rows], 16, 4, devices[:2], "batch_rows only")
show(id_grid(sequential, plain), prediction="01")

# %% [markdown] beat="aside"
# ### The pieces
#
# Each piece takes what the one before it returned. `batch_share` makes per-replica
# batches. `shard_rows` keeps every n-th row, where n is the number of replicas.
# `distribute` **splits** each batch among the replicas. `from_function` splits nothing:
# each replica takes **whole batches**, in turn.

# %% role="setup" key="pieces"
def batch_share(data, strategy, batch):
    return data.batch(batch // strategy.num_replicas_in_sync)

def full_batches(data, strategy, batch):
    return data.batch(batch, drop_remainder=True)

def shard_rows(data, strategy, batch):
    return data.shard(strategy.num_replicas_in_sync, index=0)

def repeat_rows(data, strategy, batch):
    return data.repeat()

def from_function(data, strategy, batch):
    return strategy.distribute_datasets_from_function(lambda context: data)

def distribute(data, strategy, batch):
    return strategy.experimental_distribute_dataset(data)

# %% [markdown] beat="aside"
# ### Five pipelines
#
# 10 rows, batch 4, two replicas. A is the loop from above. In B, `pull_inside` calls
# `next` inside `run`, so each replica takes a batch for itself.
#
# None of the five is right. Before you run the cell, decide for each: does a row come
# twice? Does a row never come? Or does each row come once, but with too many or too few
# rows in a step?

# %% key="five"
tried = {
    "A: batch_rows": [batch_rows],
    "B: batch_rows, next inside run": [batch_rows, pull_inside],
    "C: batch_rows, from_function": [batch_rows, from_function],
    "D: shard_rows, batch_share, from_function": [
        shard_rows, batch_share, from_function],
    "E: batch_share, distribute": [batch_share, distribute],
}
ten = record_epoch([batch_rows], 10, 4, devices[:1], "batch_rows on one device")
five = [record_epoch(s, 10, 4, devices[:2], name) for name, s in tried.items()]
show(small_id_grids(ten, five))

# %% [markdown]
# <details><summary>After the figure: why?</summary>
#
# **A**: nothing splits the batches. If the gradients of the replicas are averaged
# (notebook 02), this trains exactly as one device does: the second only repeats the work
# of the first. **B**: the third batch finds no partner, so that step fails, and rows 8
# and 9 are lost. **C**: each replica takes a whole global batch. **D**: nobody reads
# shard 1. **E**: what is split is a per-replica batch already.
#
# </details>

# %% [markdown] beat="aside"
# ### A monitor, and one recording worked by hand
#
# `broken_first_faults` is a monitor: it looks at the recording of a run and reports two
# rows. Which row comes **again** first? Which is the smallest number of a row that
# **never** comes? Read a recording as you read a page: step by step, and in a step
# replica by replica.
#
# In the recording printed below, you read 9 5, then 8 1, then 3 8: row 8 is the first
# that comes again. Rows 5 and 9 come again too, but later. Of the rows 0 to 9, only row 7
# never comes. So the right answer is `(8, 7)`. The monitor says something else.

# %% role="broken" exercise="my_first_faults"
def broken_first_faults(steps, rows):
    again, seen = None, set()
    for step in steps:
        for row in step[0]:
            if row in seen and again is None:
                again = row
            seen.add(row)
    return again, min(set(range(rows)) - seen, default=None)

# %% key="worked"
worked = [[(9, 5), (8, 1)], [(3, 8), (0, 6)], [(2, 5), (9, 4)]]
for k, given in enumerate(worked):
    print(f"steps[{k}]:", given)
print("monitor:", broken_first_faults(worked, rows=10))

# %% [markdown] beat="locate"
# ## 4 · Locate
#
# `steps[k][r]` are the row numbers that replica `r` was given in step `k`, in order;
# `rows` is how many rows there are, numbered from 0. Make `my_first_faults` return
# `(again, never)`: the row whose **second** appearance comes first, and the smallest row
# that **never** comes. `None` stands for "there is none".
#
# The check uses five recordings of other runs; one is healthy. To try yours:
# `my_first_faults(worked, 10)`, or `five[1].ids` for pipeline B.

# %% role="fix" exercise="my_first_faults"
def my_first_faults(steps, rows):
    again, seen = None, set()
    for step in steps:
        for shard in step:
            for row in shard:
                if row in seen and again is None:
                    again = row
                seen.add(row)
    return again, min(set(range(rows)) - seen, default=None)

# %% role="check" points=3
check("01/my_first_faults", my_first_faults)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# In the recording above, which rows of `steps[0]` does the monitor read, and which does
# it never read?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# A step holds one tuple of rows for each replica. All of them must be read, in order,
# and one set must remember the rows of all replicas and all steps.
#
# </details>
# <details><summary>Hint 3: a line with holes</summary>
#
# One more loop stands between the two: `for shard in ____:`, and the innermost loop is
# `for row in ____:`.
#
# </details>

# %% [markdown] beat="fix"
# ## 5 · Fix
#
# Choose pieces and put them in order. `my_stages` returns a list; it starts as the loop
# you predicted. Asked, for 22, 17 and other numbers of rows that do not divide by the
# batch, on two to four replicas:
#
# - each row once in an epoch;
# - in each step, all replicas together hold the rows that one device has in it;
# - no replica has more than its share, the global batch divided by the replicas.
#
# Not all pieces are needed: `batch_rows`, `batch_share`, `full_batches`, `shard_rows`,
# `repeat_rows`, `from_function`, `distribute`.

# %% role="broken" exercise="my_stages"
def broken_stages():
    return [batch_rows]

# %% role="fix" exercise="my_stages"
def my_stages():
    return [batch_rows, distribute]

# %% role="check" points=3
check("01/my_stages", my_stages)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# Compare pipelines C and E with one device. Which has too many rows in a step, which too
# few, and what does the last piece of each do with a batch?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# Two pieces bring rows to replicas. One splits every batch, so it needs global batches.
# One splits nothing, so it needs per-replica batches. Either way, batch first: what is
# distributed can only be iterated.
#
# </details>
# <details><summary>Hint 3: a line with holes</summary>
#
# `return [batch_rows, ____]`, or `return [batch_share, ____]`
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** `distribute` takes each global batch and cuts it into one part
# for each replica; a last batch that is too small gives some replicas fewer rows, or
# none. `[batch_share, from_function]` is right too: the replicas take per-replica
# batches in turn, and as many of them as there are replicas make one global batch.
# `shard` belongs between **workers**, which read files in processes of their own; inside
# one process there is one input pipeline, and a shard of it loses the rest.

# %% [markdown] beat="confirm"
# ## 6 · Confirm
#
# Before and after, 22 rows on four replicas:

# %% key="run-mine" tags=["raises-exception"]
sequential = record_epoch([batch_rows], 22, 8, devices[:1], "one device")
broken = record_epoch(broken_stages(), 22, 8, devices, "broken_stages")
mine = record_epoch(my_stages(), 22, 8, devices, "my_stages")
show(id_grid(sequential, broken, mine))

# %% [markdown]
# **Would `model.fit` have saved you?** Yes: `fit` distributes a plain dataset by itself,
# each row once. It also takes a dataset of `from_function` as it is, with the mistake of
# pipeline C in it.
#
# **On real GPUs this would differ:** which rows go where is decided by the input
# pipeline, so we expect the same grids. What you do not see here is the price: the
# wasted work of pipeline A costs a whole GPU. (This course was not yet run on several
# GPUs.)

# %% [markdown] role="claims"

# %% [markdown] beat="aside"
# ### Probe for work
#
# Plain TensorFlow, to paste into your own job. Give your examples a number, from 0, as one
# more column, and pass what you iterate over in training. Where a batch is a tuple with
# the numbers last, add `numbers=lambda batch: batch[-1]`. For an endless dataset, add the
# `steps` of one epoch. Both counts should be 0, and the largest share the per-replica
# batch.

# %% key="probe"
import itertools
import numpy as np

def row_report(strategy, batches, rows, numbers=lambda batch: batch, steps=None):
    """Print how many of `rows` row numbers an epoch repeats or never gives."""
    times, largest = np.zeros(rows, int), 0
    for batch in itertools.islice(batches, steps):
        ids = strategy.run(lambda each: tf.identity(numbers(each)), args=(batch,))
        for part in strategy.experimental_local_results(ids):
            np.add.at(times, part.numpy(), 1)
            largest = max(largest, len(part))
    for words, found in (("more than once", times > 1), ("never", times == 0)):
        print(f"{words}: {found.sum()} of {rows}, first {np.flatnonzero(found)[:5]}")
    print("largest share:", largest)

row_report(mirrored(devices[:2]), tf.data.Dataset.range(16).batch(4), rows=16)

# %% [markdown] beat="further"
# ## Further 1 · A dataset for from_function (8 minutes)
#
# Many jobs build their input in a function. `strategy.distribute_datasets_from_function`
# calls it once for each **input pipeline** (one process has one). Its `context` knows
# `num_replicas_in_sync`, `num_input_pipelines`, `input_pipeline_id`, and
# `get_per_replica_batch_size(global_batch)`.
#
# Make `my_input` return a dataset so that, as in Fix:
#
# - each row comes once in an epoch;
# - in each step, all replicas together hold the rows that one device has in it;
# - no replica has more than its share, the global batch divided by the replicas.
#
# `batch` is the global batch. It divides by the replicas; the rows do not divide by it.

# %% role="broken" exercise="my_input"
def broken_input(context, data, batch):
    return data.batch(batch)

# %% role="fix" exercise="my_input"
def my_input(context, data, batch):
    return data.batch(context.get_per_replica_batch_size(batch))

# %% role="check" points=3
check("01/my_input", my_input)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# In pipeline C, how many rows has a step? How many should it have?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# Each replica takes a whole batch of this dataset. So its batches must be per-replica
# batches. A `shard` is for several input pipelines, and there is one here.
#
# </details>
# <details><summary>Hint 3: a line with holes</summary>
#
# `return data.batch(context.____(batch))`
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** Four replicas take four batches of 2, together one global batch
# of 8. `get_per_replica_batch_size` raises a ValueError where the global batch does not
# divide by the replicas; `batch // context.num_replicas_in_sync` would quietly make the
# global batch smaller. For several input pipelines, one would also shard the rows by
# `num_input_pipelines` and `input_pipeline_id`; with one pipeline that changes nothing.
# Beware of `drop_remainder` here: it drops the last rows, and after it TensorFlow drops
# a last step in which some replica would get nothing.

# %% [markdown] beat="further"
# ## Further 2 · Shuffled shards that overlap (10 minutes)
#
# Sometimes you make the shards by hand, one dataset for each replica or worker (a
# **worker** is a process that trains with others), and want the rows mixed.
# `broken_shards` shuffles, then shards. Look at what comes out:

# %% role="broken" exercise="my_shards"
def broken_shards(data, rows, replicas):
    mixed = data.shuffle(rows)
    return [mixed.shard(replicas, i) for i in range(replicas)]

# %% key="overlap"
for shard in broken_shards(tf.data.Dataset.range(10), 10, 2):
    print(sorted(int(row) for row in shard))

# %% [markdown]
# Make `my_shards` return a list of datasets of single rows (no batches), one for each
# replica:
#
# - in **every** epoch, the shards together hold each row exactly once;
# - no shard is larger than its share, rounded up;
# - each shard is well mixed: some row comes at least a quarter of the shard before its
#   turn, and rows seldom follow the row before them;
# - the second epoch has **another** order than the first.

# %% role="fix" exercise="my_shards"
def my_shards(data, rows, replicas):
    return [data.shard(replicas, i).shuffle(rows) for i in range(replicas)]

# %% role="check" points=3
check("01/my_shards", my_shards)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# Iterate one shuffled dataset twice: do you get the same order? How often is `mixed`
# iterated when you read all shards?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# Every iteration of a shuffled dataset draws a new order, with a seed too. Either share
# the rows out before anything is random, or make sure that every shard draws the same
# orders.
#
# </details>
# <details><summary>Hint 3: a line with holes</summary>
#
# `return [data.____(replicas, i).____(rows) for i in range(replicas)]`
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** The shards are cut while the order is still fixed, so they are
# disjoint and together complete; then each is mixed for itself. The price: a row stays
# with its replica for ever. `[data.shuffle(rows, seed=1).shard(replicas, i) for i in ...]`
# mixes all rows: each shard has a shuffle of its own, with the same seed, so all draw the
# same orders, as long as all are iterated equally often. One shuffle for all, with a seed
# but without `reshuffle_each_iteration=False`, still gives every shard another order.
# Simplest inside one process: shuffle, batch, then distribute ONE dataset.
