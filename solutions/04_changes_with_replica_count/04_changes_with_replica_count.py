# ---
# course:
#   number: "04"
#   title: Results change with the number of replicas
#   part: 1
#   minutes: {core: 25, further: [10, 10]}
#   symptoms:
#     - "set_seed is the same, but 1, 2 and 4 GPUs give different results"
#     - "dropout drops the same units on every replica"
#     - "random augmentation cannot be reproduced on another number of GPUs"
#     - "tf.random.Generator.from_seed(seed + rank): numbers come again on other workers"
#   in_a_hurry:
#     cause: >-
#       Random numbers are drawn per replica, and shards depend on the number of replicas.
#       So a row meets other numbers when that number changes. Some sources also give all
#       replicas the same numbers.
#     probe: >-
#       Draw from the source in `strategy.run` for two steps: are all replicas' numbers
#       equal? Are the steps' numbers equal?
#     fix: >-
#       Let the numbers belong to the row: a stateless operation with the step and the
#       row's number as its seed.
# ---

# %% [markdown] beat="symptom"
# ## 1 · Symptom
#
# A model with dropout was trained on one GPU, on two and on four, with the same seed and
# the same rows in the same order. Each run can be repeated exactly. But the three results
# differ, and not by rounding. Without dropout, they agree.
#
# You will see which numbers each replica draws, and make a dropout mask that is the same
# on any number of replicas.

# %% role="start"
from course import check, mirrored, predict, show, virtual_devices
import tensorflow as tf
devices = virtual_devices(4)

# %% role="setup" key="tools"
import numpy as np

from course.lessons.n04_changes_with_replica_count import (
    QUESTIONS, draw_masks, mask_stripes, observe_sources, tick_table,
)
from course.learner.predictions import ticks

KEEP = 0.75  # probability that dropout keeps a unit
NOISE = 0.1  # standard deviation, for the second further exercise

# %% [markdown] beat="predict"
# ## 2 · Predict
#
# Six ways to draw random numbers inside a replica. They are defined here, and not called
# yet.

# %% key="sources"
strategy = mirrored(devices)
with strategy.scope():
    generator = tf.random.Generator.from_seed(1)
    dropout = tf.keras.layers.Dropout(1 - KEEP, seed=1)
tf.random.set_seed(42)
sources = {
    "tf.random.normal": lambda: tf.random.normal([4]),
    "tf.random.normal, seed=7": lambda: tf.random.normal([4], seed=7),
    "stateless, seed=[7, 7]": lambda: tf.random.stateless_normal([4], seed=[7, 7]),
    "tf.random.Generator": lambda: generator.normal([4]),
    "Keras Dropout": lambda: dropout(tf.ones([16]), training=True),
    "np.random.normal": lambda: np.random.normal(size=4),
}

# %% key="ask"
predict("04")

# %% [markdown] beat="observe"
# ## 3 · Observe
#
# Each source is called on four replicas, in three steps of one `tf.function`.

# %% key="run-sources"
observed = observe_sources(sources, strategy)
show(tick_table(QUESTIONS, observed, ticks("04")), prediction="04")

# %% [markdown]
# <details><summary>The reasons (open it after the run)</summary>
#
# - `tf.random.normal`: every replica has its own operation, with a state of its own.
# - With `seed=7`, all these states start alike; each call moves on.
# - Stateless: the same seed gives the same numbers, in every call and on every replica.
# - The `Generator`, made in the scope, has another stream on every replica.
# - Keras's seed state is a mirrored variable: equal on all replicas.
# - NumPy is called while TensorFlow **traces** the function (turns it into a graph), once for
#   each replica. In the graph, its numbers are constants.
#
# </details>

# %% [markdown] beat="aside"
# ### What that does to dropout
#
# A dropout mask says which units of a row are kept (filled) and which are dropped (empty).
# `broken_mask` draws it with `tf.random.uniform`. Left: 8 rows on one device. Right: the
# same 8 rows, seed and step on four replicas, two rows on each.

# %% role="broken" exercise="my_mask"
def broken_mask(step, ids, units):
    """Return 1 (kept) or 0, shape (rows, units); step and ids are int32 tensors."""
    numbers = tf.random.uniform([tf.size(ids), units])
    return tf.cast(numbers < KEEP, tf.float32)

# %% key="run-broken"
def one_and_four(mask, label):
    tf.random.set_seed(42)
    on = [mirrored(devices[:n]) for n in (1, 4)]
    return [draw_masks(mask, 8, 8, 2, 16, strategy, label) for strategy in on]

broken = one_and_four(broken_mask, "broken_mask")
show(mask_stripes(broken))

# %% [markdown]
# Rows 0 and 1 agree, since replica 0 draws what one device draws first.

# %% [markdown] beat="aside"
# ### Which behaviour is right?
#
# Two wishes are reasonable, and they are not the same:
#
# - **Independent**: every replica draws other numbers, and the run can be repeated on the
#   same number of replicas. Good enough to train (Further 1).
# - **The same as on one device**: a row gets the same numbers wherever it is. Only then can
#   you compare a parallel run with the sequential one, the ground truth of this course, to
#   find *other* faults. The core of this notebook makes such masks.

# %% [markdown] beat="aside"
# ### Two dropout layers, recorded
#
# `recorded[layer, step, replica]` holds masks of shape (rows, units): those of `broken_mask`
# (layer 0) and of the Keras layer (layer 1), in four steps. Below are the first rows of the
# four replicas in the first step (index 0).

# %% key="record"
def keras_mask(step, ids, units):
    return dropout(tf.ones([tf.size(ids), units]), training=True)

layers = (broken_mask, keras_mask)
recorded = np.array([draw_masks(f, 8, 8, 4, 16, strategy).masks for f in layers]) > 0
for layer in (0, 1):
    print(f"layer {layer}:", *recorded[layer, 0, :, 0].astype(int), sep="\n")

# %% [markdown]
# In one layer, all replicas use the same masks, though their rows are different. Which one?
# (Section 4 says it.)

# %% [markdown] beat="locate"
# ## 4 · Locate
#
# `masks` is such a recording of several layers. Make `my_first_shared` return
# `(step, layer)`: the first step in which any two replicas have the same masks, and the
# first such layer in that step. Where nothing is shared, `None`. (The check uses other
# recordings. For the one above, it is `(0, 1)`.)

# %% role="broken" exercise="my_first_shared"
def broken_first_shared(masks):
    layers, steps = masks.shape[:2]
    for step in range(steps):
        for layer in range(layers):
            if np.array_equal(masks[layer, step, 0], masks[layer, step, 1]):
                return step, layer
    return None

# %% role="fix" exercise="my_first_shared"
def my_first_shared(masks):
    layers, steps = masks.shape[:2]
    for step in range(steps):
        for layer in range(layers):
            if len(np.unique(masks[layer, step], axis=0)) < masks.shape[2]:
                return step, layer
    return None

# %% role="check" points=3
check("04/my_first_shared", my_first_shared)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# With four replicas there are six pairs. Which of them does the function compare?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# Two replicas share if **all** their rows are equal. Compare every pair, or count how many
# different masks there are: fewer than replicas means that two are equal.
#
# </details>
# <details><summary>Hint 3: a line with holes</summary>
#
# `if len(np.unique(masks[layer, step], axis=____)) < masks.shape[____]:`
#
# </details>

# %% [markdown] beat="fix"
# ## 5 · Fix
#
# Fix `my_mask`: the mask of a row in a step must be the same on 1, 2 and 4 replicas. Every
# row and every step has a mask of its own, and each unit is kept with probability `KEEP`,
# independently.
#
# - `ids` holds the numbers of this replica's rows in the whole data (below 1000).
# - `tf.random.stateless_uniform(shape, seed=[a, b])` gives the same numbers for the same two
#   integers, in every call and on every replica; `a` and `b` may be tensors.
# - `tf.map_fn(f, ids, fn_output_signature=tf.float32)` calls `f(row)` for each of `ids` and
#   stacks the results.

# %% role="fix" exercise="my_mask"
def my_mask(step, ids, units):
    """Return 1 (kept) or 0, shape (rows, units); step and ids are int32 tensors."""
    def for_row(row):
        return tf.random.stateless_uniform([units], seed=[step, row])

    numbers = tf.map_fn(for_row, ids, fn_output_signature=tf.float32)
    return tf.cast(numbers < KEEP, tf.float32)

# %% role="check" points=4
check("04/my_mask", my_mask)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# Row 4 is the first row of replica 2 on four replicas, and the fifth row on one device.
# What do both places know about it that is the same?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# Numbers must be a function of (step, row) and of nothing else: not of the replica, the
# place in the shard, the global seed, or what was drawn before. Keep step and row apart:
# a sum or a product of them is the same for different pairs.
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# Inside `for_row(row)`: `tf.random.stateless_uniform([____], seed=[____, ____])`; then
# `numbers = tf.map_fn(for_row, ____, fn_output_signature=tf.float32)`.
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** A stateless operation has no memory, so the numbers depend on the
# seed only, and the seed on step and row only. Two integers cannot collide as a sum does. If
# `map_fn` is too slow, draw a table for all rows of the data from `seed=[step, 0]` and take
# `tf.gather(table, ids)`.

# %% [markdown] beat="confirm"
# ## 6 · Confirm
#
# Before and after, on the same rows:

# %% key="run-mine" tags=["raises-exception"]
mine = one_and_four(my_mask, "my_mask")
show(mask_stripes(broken, mine))

# %% [markdown]
# **Would `model.fit` have saved you?** No. A Keras `Dropout` made in the scope gives all
# replicas the same masks, for different rows; `fit` with such a layer ended with other
# weights on four devices than on one.
#
# **In your own model**, a layer knows neither the step nor the rows. Give both to the model's
# call, and multiply: `x * my_mask(step, ids, units) / KEEP`.
#
# **On real GPUs this would differ:** the numbers should not. TensorFlow documents that stateless
# operations agree between CPU and GPU, and that they may change with its version, or on other
# hardware. We saw CPUs only.

# %% [markdown] role="claims"

# %% [markdown] beat="aside"
# ### Probe for work
#
# Plain TensorFlow, to paste into your own job. `source` is a function without arguments that
# returns random numbers, for example your dropout layer called on ones. For dropout and
# augmentation, both should be False. It finds numbers that are shared or frozen, and no more:
# whether a row keeps its mask on more replicas, only two runs tell, compared row by row, as in
# section 6.

# %% key="probe"
import numpy as np

def shared_and_repeated(strategy, source):
    """Return: do any two replicas draw the same numbers? Does a step repeat another?"""
    run_step = tf.function(lambda: strategy.run(source))
    drawn = []
    for _ in range(2):
        parts = strategy.experimental_local_results(run_step())
        drawn.append({np.asarray(part).tobytes() for part in parts})
    shared = any(len(step) < strategy.num_replicas_in_sync for step in drawn)
    return {"shared": shared, "repeated": bool(drawn[0] & drawn[1])}

print(shared_and_repeated(strategy, lambda: dropout(tf.ones([16]), training=True)))

# %% [markdown] beat="further"
# ## Further 1 · A generator for each replica (10 minutes)
#
# A usual recipe is "seed plus number of the replica". Look at what it gives:

# %% key="neighbours"
for seed in (5, 6, 7):
    numbers = tf.random.Generator.from_seed(seed).normal([10]).numpy()
    print(seed, *(f"{number:7.3f}" for number in numbers))

# %% [markdown]
# The numbers of seed 6 are those of seed 5, four later: `from_seed` starts **one** stream at
# neighbouring places. (With `tf.random.set_seed` and stateless operations, neighbouring
# seeds are unrelated.)

# %% [markdown] beat="aside"
# ### Streams of their own
#
# Make `my_generators` return a list of `replicas` generators for use inside
# `strategy.run`:
#
# - the same seed gives the same numbers;
# - every replica has a stream of its own, whoever draws first and however much;
# - with another seed, **the next one too**, all streams have nothing in common with these.
#
# `split` makes further generators: it draws their **keys** from the first one's stream.
# With neighbouring seeds:

# %% key="split-neighbours"
for seed in (5, 6):
    parts = tf.random.Generator.from_seed(seed).split(3)
    print(seed, *(f"{part.normal([]).numpy():7.3f}" for part in parts))

# %% [markdown]
# The third part of seed 5 is the first part of seed 6. A generator's `state` holds two
# numbers for the **place** in a stream and the **key**, which chooses the stream.
# `tf.random.Generator.from_key_counter(key, [low, high], "philox")` makes one from these;
# the place is `low + 2**64 * high`.

# %% role="broken" exercise="my_generators"
def broken_generators(seed, replicas):
    return [tf.random.Generator.from_seed(seed + r) for r in range(replicas)]

# %% role="fix" exercise="my_generators"
def my_generators(seed, replicas):
    make = tf.random.Generator.from_key_counter
    return [make(seed, [0, r], "philox") for r in range(replicas)]

# %% role="check" points=3
check("04/my_generators", my_generators)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# Print `[g.state.numpy() for g in my_generators(5, 3)]`, and the same for seed 6. Which
# states have the same key? How far apart are their places?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# Two generators are apart if their keys differ, or if their places are further apart than
# any training draws. Seed and replica must not be added up: let one of them choose the
# stream, and the other a place that is far away.
#
# </details>
# <details><summary>Hint 3: a line with holes</summary>
#
# `[tf.random.Generator.from_key_counter(____, [0, ____], "philox") for r in range(replicas)]`
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** The seed is the key, so another seed is another stream, the next
# one too. In it, replica r begins `2**64 * r` places further on: no training draws as
# much. (`split` is good enough where all runs have seeds that are far apart, or come from a
# stateless operation.)

# %% [markdown] beat="further"
# ## Further 2 · Noise that belongs to the row (10 minutes)
#
# `my_augment` adds normal noise to the features in the input pipeline, before the batches are
# distributed. Make the noise depend on **epoch and row only**: the same to the last bit on
# any number of replicas, for any batch size and global seed, and new for every row and
# epoch.
#
# `data` gives one row at a time: its number `id`, an int32 tensor, and `x`, shape (2,);
# `epoch` is a Python number. Return batches (ids, x), in the same order. A part of `data`, or
# other orders, must not change a row's noise.

# %% role="broken" exercise="my_augment"
def broken_augment(data, batch, epoch):
    def add_noise(ids, x):
        return ids, x + NOISE * tf.random.normal(tf.shape(x))

    return data.batch(batch).map(add_noise)

# %% role="fix" exercise="my_augment"
def my_augment(data, batch, epoch):
    def add_noise(row, x):
        noise = tf.random.stateless_normal([2], seed=[epoch, row])
        return row, x + NOISE * noise

    return data.map(add_noise).batch(batch)

# %% role="check" points=3
check("04/my_augment", my_augment)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# `broken_augment` adds noise to whole batches. What would have to be known about each row
# there, and where is it easier to know?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# The rule of the core: a stateless operation with two numbers as its seed. Map first, while
# the data still are single rows; then batch.
#
# </details>
# <details><summary>Hint 3: a line with holes</summary>
#
# `noise = tf.random.stateless_normal([2], seed=[____, ____])` in a function
# `add_noise(row, x)`, then `data.map(add_noise).____(batch)`.
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** Noise that is drawn row by row, before `batch`, can't depend on
# the batch; drawn from (epoch, row) alone, it can't depend on anything else. The pipeline
# may then be cut into shards, or run in many threads: each row carries its noise with it.
