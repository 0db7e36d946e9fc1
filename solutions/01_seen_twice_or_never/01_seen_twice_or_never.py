# ---
# course:
#   number: "01"
#   title: Which GPU gets which rows?
#   part: 1
#   minutes: {core: 30, further: [12, 10]}
#   symptoms:
#     - "custom training loop on several GPUs is not faster, or the model gets worse"
#     - "distribute_datasets_from_function with shard: which GPU gets which rows"
#     - "does strategy.run split the batch; global batch size or batch size per replica"
#   in_a_hurry:
#     cause: >-
#       `strategy.run` hands its arguments to every replica as they are; it splits
#       nothing. And `distribute_datasets_from_function` calls its function once in a
#       process: a `shard` by `input_pipeline_id` leaves all other shards out. It gives
#       each replica a whole batch, which must then be a per-replica batch.
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
# You move your own training loop from one GPU to two. There is no error. But an epoch takes
# as long as before, or the model gets worse.
#
# What is one epoch, with several replicas? People have long asked: TensorFlow issue
# [25620](https://github.com/tensorflow/tensorflow/issues/25620) is from 2019. To answer,
# look at **which rows each replica is given**. Here a row is just its own number, so that
# you can see where it goes.

# %% role="start"
from course import check, mirrored, predict, show, virtual_devices
import tensorflow as tf
devices = virtual_devices(4)

# %% role="setup" key="tools" jupyter={"source_hidden": true}
import itertools
import warnings

from course.lessons.n01_seen_twice_or_never import (
    batch_rows, batch_share, distribute, from_function, full_batches, id_grid,
    pull_inside, record_epoch, repeat_rows, shard_rows,
)

# %% [markdown] beat="predict"
# ## 2 · Predict
#
# 16 rows, two replicas. All replicas together train on 4 rows in a step: that is the
# **global batch**. The share of one replica, here 2 rows, is the **per-replica batch**. In
# this notebook, `batch` is always the global batch.
#
# `make_input` is an input function like that of many jobs: a shard of the rows, in
# per-replica batches. TensorFlow calls it with a context, which holds the number of replicas
# and the number of this input pipeline. `step` only returns the rows that its replica was
# given.

# %% role="setup" key="loop"
def make_input(context):
    own = tf.data.Dataset.range(16).shard(
        context.num_replicas_in_sync, context.input_pipeline_id)
    return own.batch(4 // context.num_replicas_in_sync)

def step(rows):
    return tf.identity(rows)  # a real step would train on them

def one_epoch():
    strategy = mirrored(devices[:2])
    for rows in strategy.distribute_datasets_from_function(make_input):
        given = strategy.run(step, args=(rows,))
        print([r.numpy().tolist() for r in strategy.experimental_local_results(given)])

# %% key="ask"
predict("01")

# %% [markdown] beat="observe"
# ## 3 · Observe
#
# First the loop as it is; it prints the rows of each replica, step by step. Then the same
# epoch again: `record_epoch` sends numbered rows through a list of functions, runs the same
# loop, and records what **each** replica was given. Each row of data has its own column; the
# number in a cell is the row's step. Steps and replicas count from 0.

# %% key="run-broken"
one_epoch()
sequential = record_epoch([batch_rows], 16, 4, devices[:1], "one device")
shards = [shard_rows, batch_share, from_function]  # what make_input does
sharded = record_epoch(shards, 16, 4, devices[:2], "make_input")
show(id_grid(sequential, sharded), prediction="01")

# %% [markdown] beat="aside"
# ### The pieces
#
# A pipeline is a list of pieces. Each gets `data`, which is what the piece before it
# returned, and returns:
#
# | piece | returns |
# |:--|:--|
# | `batch_rows` | `data.batch(batch)` |
# | `batch_share` | `data.batch(batch // strategy.num_replicas_in_sync)` |
# | `full_batches` | `data.batch(batch, drop_remainder=True)` |
# | `shard_rows` | `data.shard(strategy.num_replicas_in_sync, index=0)` |
# | `repeat_rows` | `data.repeat()` |
# | `from_function` | `strategy.distribute_datasets_from_function(lambda context: data)` |
# | `distribute` | `strategy.experimental_distribute_dataset(data)` |
# | `pull_inside` | for each step, `strategy.run(lambda: next(iterator))` |

# %% [markdown] beat="aside"
# ### Five pipelines
#
# **None of the five is right.** Before you choose one, decide: does a row appear twice, or
# never? Or does each row appear once, but in a different step than on one device?
#
# - **1**: `shard_rows`, `batch_share`, `from_function`. This is `make_input`: as you have
#   seen, the number of its pipeline is 0.
# - **2**: `batch_rows`.
# - **3**: `batch_rows`, `pull_inside`: each replica calls `next` for itself.
# - **4**: `batch_rows`, `from_function`.
# - **5**: `batch_share`, `distribute`.

# %% key="five"
from course.lessons.n01_seen_twice_or_never.playing import who_gets_which_row

who_gets_which_row()

# %% [markdown]
# <details><summary>What you should have seen</summary>
#
# With 10 rows in batches of 4, on two replicas:
#
# - **1**: the odd rows never appear. One process has one input pipeline, so nobody reads the
#   other shard.
# - **2**: every row appears twice. If you average the gradients (notebook 02), this trains
#   exactly as one device does: replica 1 only repeats the work of replica 0.
# - **3**: rows 8 and 9 never appear. Their batch finds no partner, so its step fails.
# - **4**: each row once, but in 2 steps instead of 3. **5**: each row once, but in 5 steps.
#   Why? You will need that for the fix.
#
# </details>

# %% [markdown] beat="aside"
# ### A monitor, and one recording worked by hand
#
# `broken_first_faults` is a monitor: it looks at the recording of a run and reports two
# rows. Which row is the first to appear **again**? Which is the smallest row number that
# **never** appears? Read a recording like a page: step by step, and in a step replica by
# replica.
#
# In the recording printed below, you read 9 5, then 8 1, then 3 8: row 8 is the first to
# appear again. Of the rows 0 to 9, only row 7 never appears. So the right answer is `(8, 7)`.
# The monitor says something else.

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
# `(again, never)`: the row whose **second** appearance is the earliest, and the smallest row
# number that **never** appears. `None` stands for "there is none".
#
# The check uses five recordings of other runs; one is healthy. To try yours:
# `my_first_faults(worked, 10)`, or `my_first_faults(sharded.ids, 16)`.

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
# Choose pieces and put them in order. `my_stages` returns a list; it starts as pipeline
# 2. It must do three things, for 22, 17 and other numbers of rows that do not divide by the
# batch, on two to four replicas:
#
# - use each row once in an epoch;
# - in each step, give all replicas together the rows that one device has in that step;
# - give no replica more than its share, the global batch divided by the replicas.
#
# More than one list is right, and you do not need all pieces.

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
# Compare pipelines 4 and 5 with one device. Which has too many rows in a step, which too
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
# `return [____, ____]`: the first piece makes batches, the second brings them to replicas.
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
# each row once. But it takes a dataset of `from_function` as it is, with the mistake of
# pipeline 4 in it.
#
# **On real GPUs** we expect the same grids, because the input pipeline decides which rows go
# where. What you do not see here is the price: the wasted work of pipeline 2 costs a whole
# GPU. (This course has not been run on several GPUs.)

# %% [markdown] role="claims"

# %% [markdown] beat="aside"
# ### Probe for work
#
# Plain TensorFlow, to paste into your own job. Give your examples a number, from 0, as one
# more column, and pass what you iterate over in training. Both counts should be 0, and the
# largest share the per-replica batch.
#
# If a batch is a tuple with the numbers last, add `numbers=lambda batch: batch[-1]`. For an
# endless dataset, add the `steps` of one epoch.

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

# %% [markdown] role="elsewhere"

# %% [markdown] beat="further"
# ## Further 1 · Break a right pipeline (12 minutes)
#
# One right pipeline makes global batches and cuts each into shares. The next cell shows its
# epoch, and below it the one that you are to make: each replica gets **one block** of rows,
# and still its share in each step. (A file sorted by class would do that to classes.)

# %% role="broken" exercise="my_blocks"
def broken_blocks(data, rows, batch, replicas):
    return data

# %% role="edit" key="wanted" thumbnail="0 0 100 100"
from course.lessons.n01_seen_twice_or_never import blocks_grid, record_blocks

alone = record_epoch([batch_rows], 22, 4, devices[:1], "one device")
plain = record_blocks(broken_blocks, 22, 4, 2)
show(blocks_grid(alone, plain))

# %% [markdown]
# Make `my_blocks` return a dataset of single rows, so that the lower picture appears, also
# for other numbers. Rows and batch divide by the replicas, but the rows do not divide by the
# batch. Each replica has `batch // replicas` rows in a step; only the last step has fewer. To
# see yours, record `my_blocks` in the cell above.

# %% role="fix" exercise="my_blocks"
def my_blocks(data, rows, batch, replicas):
    block, share = rows // replicas, batch // replicas
    order = []
    for first in range(0, block, share):
        for r in range(replicas):
            order += range(r * block + first, r * block + min(first + share, block))
    return tf.data.Dataset.from_tensor_slices(order)

# %% role="check" points=3
check("01/my_blocks", my_blocks)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# In the lower picture, which four rows are the batch of step 0, before it is split? In
# which order do they stand? And those of step 1?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# A batch is cut into parts that stand behind one another in it. So the order of the rows
# before `batch` decides who gets them: a share of the first block, a share of the second,
# and so on; then the next share of each.
#
# </details>
# <details><summary>Hint 3: a line with holes</summary>
#
# A list of row numbers is a way: `for first in range(0, ____, ____):`, in it
# `for r in range(replicas):`, and there `order += range(____, ____)`. Mind the last share.
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** Each batch holds the next share of every block, in the order of the
# replicas, and it is cut exactly there. `interleave` over the replicas, with
# `cycle_length=replicas` and `block_length=batch // replicas`, does the same without a list.
# A probe that counts rows calls this epoch healthy; with batch normalisation, or a file
# sorted by class, it is not.

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
# - each shard is well mixed: at least one row moves forward by a quarter of the shard or
#   more, and a row rarely follows the row before it;
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

# %% [markdown] beat="aside"
# ### When an epoch is shorter than the data
#
# 24 rows in batches of 8 are three steps. A loop keeps its iterator, and takes two steps
# an epoch; `fit` is told `steps_per_epoch=2`. How many steps do three epochs have, in the
# loop and in `fit`? Decide before you run the cell.

# %% key="short-epochs"
two = mirrored(devices[:2])
batches = iter(two.experimental_distribute_dataset(tf.data.Dataset.range(24).batch(8)))
print("loop:", [len(list(itertools.islice(batches, 2))) for epoch in range(3)])
with two.scope():
    model = tf.keras.Sequential([tf.keras.Input((1,)), tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse")
ones = tf.data.Dataset.from_tensor_slices((tf.ones((24, 1)), tf.ones(24))).batch(8)
steps = []
def seen(batch, logs):
    steps.append(batch)  # its number within its epoch
watch = [tf.keras.callbacks.LambdaCallback(on_train_batch_end=seen)]
with warnings.catch_warnings(record=True) as said:
    model.fit(ones, epochs=3, steps_per_epoch=2, callbacks=watch, verbose=0)
print("fit:", steps, *(str(w.message).split(";")[0] for w in said[-1:]))

# %% [markdown]
# <details><summary>What you should have seen</summary>
#
# The second epoch continues where the first one stopped, and gets what is left. After that,
# the loop has no data; inside a `tf.function`, the missing batch is an error (`OUT_OF_RANGE:
# End of sequence`). `fit` starts the data again only after they have ended. Leave
# `steps_per_epoch` out, or `repeat()` the data; but then an epoch is not each row once.
#
# </details>
