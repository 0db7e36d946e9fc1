# ---
# course:
#   number: "04"
#   title: Results change with the number of replicas
#   part: 1
#   minutes: {core: 30, further: [15, 10]}
#   symptoms:
#     - "set_seed is the same, but 1, 2 and 4 GPUs give different results"
#     - "a model with dropout ends at other weights on another number of GPUs"
#     - "random augmentation cannot be reproduced on another number of GPUs"
#     - "random numbers on several workers: is tf.random.Generator.from_seed(seed + rank) enough"
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
    "tf.random": lambda: tf.random.normal([4]),
    "tf.random, seed=7": lambda: tf.random.normal([4], seed=7),
    "stateless, seed=[7, 7]": lambda: tf.random.stateless_normal([4], seed=[7, 7]),
    "tf.random.Generator": lambda: generator.normal([4]),
    "Keras Dropout": lambda: dropout(tf.ones([16]), training=True),
    "np.random": lambda: np.random.normal(size=4),
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
# - A `Generator` made in the scope is split: it has another stream on every replica.
# - Keras keeps its seed in a mirrored variable, as it keeps weights: equal on all replicas.
# - NumPy is called while TensorFlow **traces** the function (turns it into a graph), once for
#   each replica. In the graph, its numbers are constants.
#
# </details>

# %% [markdown] beat="aside"
# ### What that does to dropout
#
# A dropout mask says which units of a row are kept (filled) and which are dropped (empty).
# Left: 8 rows on one device. Right: the same rows, seed and steps on replicas. With which
# sources has a row the mask that it has on one device, in every step?

# %% key="masks"
from course.lessons.n04_changes_with_replica_count import which_rows_share_a_mask

which_rows_share_a_mask()

# %% [markdown]
# <details><summary>What you should have seen</summary>
#
# For all rows only with `np.random`, but that is no solution: every step repeats the masks of
# the first. With the stateless operation and with Keras, only the rows of replica 0 have the
# masks of one device, because the other replicas get the same numbers for their rows. With
# the other three, even replica 0's rows have them in step 0 only: each call moves on by as
# many numbers as it drew, and a replica draws fewer than one device.
#
# </details>

# %% [markdown] beat="aside"
# ### Which behaviour is right?
#
# Two wishes are reasonable, and they are not the same:
#
# - **Independent**: every replica draws other numbers, and the run can be repeated on the
#   same number of replicas. Good enough to train (Further 2).
# - **The same as on one device**: a row gets the same numbers wherever it is. Only then can
#   you compare a parallel run with the sequential one, the ground truth of this course, to
#   find *other* faults. The core of this notebook makes such masks.

# %% [markdown] beat="aside"
# ### Two dropout layers, recorded
#
# `broken_mask` is a layer of our own. `recorded[layer, step, replica]` holds its masks
# (layer 0) and those of the Keras layer (layer 1), each of shape (rows, units).

# %% role="broken" exercise="my_mask"
def broken_mask(step, ids, units):
    """Return 1 (kept) or 0, shape (rows, units); step and ids are int32 tensors."""
    numbers = tf.random.uniform([tf.size(ids), units])
    return tf.cast(numbers < KEEP, tf.float32)

# %% key="record"
def keras_mask(step, ids, units):
    return dropout(tf.ones([tf.size(ids), units]), training=True)

layers = (broken_mask, keras_mask)
# 8 rows in batches of 8, 4 steps, 16 units
recorded = np.array([draw_masks(f, 8, 8, 4, 16, strategy).masks for f in layers]) > 0
print("layer, step, replica, row, unit:", recorded.shape)

# %% [markdown] beat="locate"
# ## 4 · Locate
#
# `masks` is such a recording of several layers. Make `my_first_shared` return
# `(step, layer)`: the first step in which two replicas have the same masks, and the
# first such layer in that step. Where nothing is shared, `None`. On
# `recorded`, the function below is right. It is not always.

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
# Given are the number of the step, `ids`, the numbers of this replica's rows in the whole
# data (below 1000), and how many `units` a row has. Which of the six sources can be told
# which numbers to draw?

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
# One row: `tf.random.stateless_uniform([units], seed=[____, ____])`. All rows: `tf.map_fn`
# calls a function with each element of ____; its result is float32 (`fn_output_signature`).
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
# Before and after, on the same rows, in step 1 (≠: not as on one device):

# %% key="run-mine" tags=["raises-exception"] thumbnail="0 0 100 100"
def one_and_four(mask, label):
    tf.random.set_seed(42)
    on = [mirrored(devices[:n]) for n in (1, 4)]
    return [draw_masks(mask, 8, 8, 2, 16, strategy, label) for strategy in on]

broken = one_and_four(broken_mask, "broken_mask")
mine = one_and_four(my_mask, "my_mask")
show(mask_stripes(broken, mine, step=1))

# %% [markdown]
# **Would `model.fit` have saved you?** No. A Keras `Dropout` made in the scope gives all
# replicas the same masks, for different rows; `fit` with such a layer ended with other
# weights on four devices than on one.
#
# **In your own model**, a layer knows neither the step nor the rows. Give both to the model's
# call, and multiply: `x * my_mask(step, ids, units) / KEEP`. **Augmentation** too: draw
# from (epoch, row), before batching.
#
# **On real GPUs this would differ:** the numbers should not. TensorFlow documents that stateless
# operations agree between CPU and GPU, and may change with its version. We saw CPUs only.

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

# %% [markdown] role="elsewhere"

# %% [markdown] beat="further"
# ## Further 1 · Numbers that come again (15 minutes)
#
# A usual recipe is "seed plus number of the worker". Look at what it gives. A seed leads to
# one long row of numbers, the **stream**; a generator's state holds its **place** in it.
# Below, that place before and after a call:

# %% key="neighbours"
for seed in (5, 6, 7):
    numbers = tf.random.Generator.from_seed(seed).normal([10]).numpy()
    print(seed, *(f"{number:7.3f}" for number in numbers))

def place_after(seed, count):
    generator = tf.random.Generator.from_seed(seed)
    before = generator.state.numpy()[0]
    generator.normal([count])
    return f"{before} -> {generator.state.numpy()[0]}"

print(place_after(5, 10), "   ", place_after(6, 1))

# %% [markdown]
# (With `tf.random.set_seed` and stateless operations, neighbouring seeds are unrelated.)

# %% [markdown] beat="further"
# ### Which draws come again?
#
# Each worker `w` of a job has `from_seed(seeds[w])`, and draws `count` numbers in each step:
#
# ```python
# numbers = generator.uniform_full_int([count], tf.uint32)
# ```
#
# Make `my_repeats` return the set of all `(step, worker)` whose draw has a number that some
# **other** draw of the job has, too. Whoever believes in different seeds says: none.
#
# The check runs such jobs (at most 4 workers, 4 steps and 12 numbers), and gives `my_repeats`
# the numbers `seeds`, `steps`, `count`. Which rule they follow, the cell above can tell you.

# %% role="broken" exercise="my_repeats"
def broken_repeats(seeds, steps, count):
    return set()

# %% role="fix" exercise="my_repeats"
def my_repeats(seeds, steps, count):
    def places(step, worker):
        first = seeds[worker] + 256 * count * step
        return set(range(first, first + (count + 3) // 4))

    draws = [(s, w) for s in range(steps) for w in range(len(seeds))]
    return {
        a for a in draws for b in draws if a != b and places(*a) & places(*b)
    }

# %% role="check" points=3
check("04/my_repeats", my_repeats)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# How many numbers of seed 5 come before those of seed 6? So how many numbers are there at
# one place? And by how many places did the calls of 10 numbers and of 1 number move?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# A draw takes some places of the stream, from the one where its generator is then. Two draws
# have numbers in common if they have places in common. A call moves its generator much
# further than it reads: a multiple of how many numbers it draws.
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# `first = seeds[worker] + ____ * count * step`; the places are
# `range(first, first + ____)`, where a place that is read in part counts, too.
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** `from_seed` chooses a place in **one** stream, with four numbers of
# 32 bits at each place. A call moves on by 256 places for each of its numbers (seen on CPUs,
# with the TensorFlow of this course). So neighbouring seeds share numbers within a step, and
# seeds that are a multiple of 256 apart share them across steps.

# %% [markdown] beat="further"
# ## Further 2 · Streams of their own (10 minutes)
#
# Make `my_generators` return a list of `replicas` generators for use inside `strategy.run`:
#
# - the same seed gives the same numbers;
# - every replica has a stream of its own, whoever draws first and however much;
# - with another seed, **the next one too**, all streams have nothing in common with these.
#
# A generator's `state` holds two numbers for the **place** (`low + 2**64 * high`), then the
# **key**, which chooses the stream. `split` draws new keys from the first one's stream:

# %% key="split-neighbours"
for seed in (5, 6):
    parts = tf.random.Generator.from_seed(seed).split(3)
    print(seed, *(f"{part.normal([]).numpy():7.3f}" for part in parts))

# %% [markdown]
# The third part of seed 5 is the first part of seed 6. How a generator can be made otherwise,
# `help(tf.random.Generator)` says.

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
