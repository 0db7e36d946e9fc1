# ---
# course:
#   number: "08"
#   title: Busy, then idle, then busy again
#   part: 2
#   minutes: {core: 30, further: [10, 8]}
#   symptoms:
#     - "GPU utilization jumps between 0 % and 100 %, although the dataset has prefetch(AUTOTUNE)"
#     - "tf.data input pipeline is slow in a container and fast on my machine"
#     - "tf.data map with numpy_function or py_function reads one element at a time"
#     - "training waits for the input pipeline, and no CPU core is busy"
#   in_a_hurry:
#     cause: >-
#       Reading an element takes longer than a step, and one is read at a time. `prefetch`
#       lets reading and the step overlap, but it makes reading no faster. And by
#       default, a dataset has one thread for each core that the process may use, so
#       `num_parallel_calls` has only these threads.
#     probe: >-
#       Measure how long the loop waits in `next()`, and how long it works on the element.
#     fix: >-
#       `map(read, num_parallel_calls=4)`, and as many threads for the dataset:
#       `options.threading.private_threadpool_size = 4`.
# ---

# %% [markdown] beat="symptom"
# ## 1 · Symptom
#
# The GPU's monitor jumps: busy, idle, busy, idle. A Python function reads the examples from
# a slow store. You were told to use `num_parallel_calls` in `map`, and
# `prefetch(tf.data.AUTOTUNE)` at the end. You did both, and the monitor still jumps.
#
# In TensorFlow [issue 61084](https://github.com/tensorflow/tensorflow/issues/61084), a user
# reads images from a cloud store with `prefetch(tf.data.AUTOTUNE)`, and sees the GPU at 0 %
# for a large part of the time.
#
# You will see what waits for what, find the bottleneck of a pipeline, and fix one.

# %% role="start"
from course import check, mirrored, predict, show, virtual_devices
import tensorflow as tf
devices = virtual_devices(4)

# %% role="setup" key="tools"
import time
from collections import Counter, defaultdict
from itertools import pairwise
from course.lessons.n08_busy_then_idle import (
    KINDS, augment, batched, busy_lanes, decode, keep, mix, reads_in_fit, run_pieces,
    run_stages, spans_of, steps_that_waited, time_dataset, time_four_at_once,
)

# %% [markdown] beat="predict"
# ## 2 · Predict
#
# `read(i)` returns element `i`. It calls a Python function (`tf.numpy_function`) that waits
# for a store, and the store can serve four reads at a time. To make time visible, a read is
# a **wait** of 60 ms, and the training step after it is a wait of 20 ms.
#
# Many containers have one CPU core. So in this notebook, the dataset and the loop may use
# **one core only**, however many your machine has. A wait needs no core.

# %% role="broken" exercise="my_dataset"
def broken_dataset(read, n):
    dataset = tf.data.Dataset.range(n).map(read, num_parallel_calls=4)
    return dataset.prefetch(tf.data.AUTOTUNE)

# %% key="ask"
predict("08")

# %% [markdown] beat="observe"
# ## 3 · Observe
#
# Each bar is one read or one step, with the number of its element. In a dotted box, a lane
# is idle. We chose how long each wait is; TensorFlow decides which waits overlap.

# %% key="run-broken"
broken = time_dataset(broken_dataset)
goal = time_four_at_once()
show(busy_lanes(broken, goal), prediction="08")

# %% [markdown] beat="aside"
# ### Why one by one?
#
# Which knobs make the step wait less, and which change nothing? A read needs no core, so why
# do the cores matter? Which elements does one slow read delay, with the order kept and with
# the order free?
#
# ("cores" shows what happens on a machine with that many. Point at a bar to see what it is.)

# %% key="play"
from course.lessons.n08_busy_then_idle import who_waits_for_whom

who_waits_for_whom()

# %% [markdown]
# <details><summary>What you should have seen (open it when you have played)</summary>
#
# - `num_parallel_calls` is how many elements `map` may work on at once. Each call also needs
#   a thread, and a dataset has one thread for each core that the process may use: on one
#   core, one. A read that waits needs no core, but it keeps its thread.
# - TensorFlow adds a `prefetch` at the end of a dataset itself, so yours changes nothing. If
#   you turn off what TensorFlow adds ("nothing"), reads and steps take turns. `prefetch`
#   saves at most the shorter of the two times.
# - One slow element delays all elements after it, unless the order is free.
#
# </details>

# %% [markdown] beat="locate"
# ## 4 · Locate
#
# Before you fix a pipeline, find its bottleneck. Here is a real pipeline with three stages:
# stage 0 reads, with three threads; stage 1 decodes, with one; stage 2 is the step. Some
# stages wait for others.

# %% key="stages" thumbnail="0 0 100 100"
stages = run_stages()
look_at = "Each bar is one element. Look at the dotted boxes: there, a lane is idle."
show(busy_lanes(stages, sentence=look_at))

# %% [markdown] beat="aside"
# ### Which stage is the bottleneck?
#
# `spans` is a list of `(stage, thread, element, begin, end)`, sorted by `begin`, with times
# in ms. Stages count from 0, and the last stage is the step. Make `my_limit` return
# `(stage, waited)`:
#
# - `stage`: which stage would pass on the fewest elements per second, in a long run, if it
#   never had to wait?
# - `waited`: how many ms the step waited between its first begin and its last end.
#
# The function below returns the wrong stage. The check uses other pipelines. To try yours,
# run `my_limit(spans_of(stages))`.

# %% role="broken" exercise="my_limit"
def broken_limit(spans):
    stage = max(spans, key=lambda span: span[4] - span[3])[0]
    last = max(span[0] for span in spans)
    steps = [(begin, end) for s, _, _, begin, end in spans if s == last]
    return stage, sum(after[0] - before[1] for before, after in pairwise(steps))

# %% role="fix" exercise="my_limit"
def my_limit(spans):
    work, threads = Counter(), defaultdict(set)
    for stage, thread, _, begin, end in spans:
        work[stage] += end - begin
        threads[stage].add(thread)
    limit = max(work, key=lambda stage: work[stage] / len(threads[stage]))
    steps = [(begin, end) for s, _, _, begin, end in spans if s == max(work)]
    return limit, sum(after[0] - before[1] for before, after in pairwise(steps))

# %% role="check" points=3
check("08/my_limit", my_limit)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# In the figure, a read takes longer than anything else. How many elements do the three
# readers pass on in the time of one read? And the decoder in the same time?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# Add up the lengths of **all** spans of a stage, and divide by the number of **its**
# threads (each appears in `spans`). The stage with the largest result is the bottleneck. The
# second number that the function returns is right already.
#
# </details>
# <details><summary>Hint 3: a line with holes</summary>
#
# Use two dictionaries, `work` and `threads`. For each stage, one holds its work and the other
# the set of its threads: `max(work, key=lambda stage: work[stage] / ____)`
#
# </details>

# %% [markdown] beat="fix"
# ## 5 · Fix
#
# In `broken_dataset`, reading is the bottleneck. Make `my_dataset` return a
# `tf.data.Dataset` of what `read(i)` returns for `0` to `n - 1`, each once, in order. Also:
#
# - at least four reads (or all `n`, if there are fewer) run at the same time, **even on one
#   core**: the check lets your dataset use one core only.
# - later elements are read while a step runs, and the first step begins before all elements
#   have been read.
# - nothing is read before the loop asks for elements.
#
# `help(tf.data.Options)` lists what you can set. If your reads never overlap, the check
# waits up to ten seconds for them.

# %% role="fix" exercise="my_dataset"
def my_dataset(read, n):
    options = tf.data.Options()
    options.threading.private_threadpool_size = 4
    dataset = tf.data.Dataset.range(n).map(read, num_parallel_calls=4)
    return dataset.prefetch(tf.data.AUTOTUNE).with_options(options)

# %% role="check" points=4
check("08/my_dataset", my_dataset)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# Readers 1 to 3 have nothing to do, although `map` may make four calls. What else does a
# call need? How can a dataset get more of it?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# Two numbers must allow four: the parallel calls of `map`, and the threads of the dataset.
# By default, a dataset has one thread for each core that the process may use. A read that
# waits needs no core, but it keeps its thread. `tf.data.Options` has an attribute
# `threading`.
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# `options = tf.data.Options()`, then `options.threading.____ = ____`. Pass
# `num_parallel_calls=____` to `map`, and call `.with_options(____)` on the dataset at the end.
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** `num_parallel_calls` is how many elements `map` may work on at once;
# the pool is how many threads there are to do it. In a container with one core, the pool has
# one thread, unless you set it. A read that waits needs no core, but it keeps its thread.
#
# The elements still come in order. You can leave out `prefetch`, because TensorFlow adds it.
# An `interleave` over shards, with `num_parallel_calls` and a pool, is also right, and so is
# a generator with four threads of its own.

# %% [markdown] beat="confirm"
# ## 6 · Confirm
#
# Before you run the cell: which stage will be the bottleneck of `my_dataset`?

# %% key="run-mine" tags=["raises-exception"]
mine = time_dataset(my_dataset)
show(busy_lanes(broken, mine))

# %% [markdown]
# <details><summary>What this means (open it after the run)</summary>
#
# The step. Four reads in 60 ms are one read in 15 ms, and a step takes 20 ms. More reads at a
# time would gain nothing now.
#
# </details>
#
# **Would `model.fit` have saved you?** The next cell gives it four inputs. From which of them
# does it read several elements at the same time?

# %% key="fit"
for kind in KINDS:
    print(f"model.fit, given {kind}: reads at the same time: {reads_in_fit(kind)}")

# %% [markdown]
# <details><summary>What this means (open it after the run)</summary>
#
# No. `fit` takes a dataset as it is, with too few threads or with enough. A generator has one
# thread. A `keras.utils.PyDataset` with `workers` reads several elements at once.
#
# </details>
#
# **On real GPUs this would differ:** a batch must also be copied to the GPU. The host runs
# ahead of the GPU, so waits show up later. This course was not yet run on several GPUs.

# %% [markdown] beat="aside"
# ### Does the amount of data matter?
#
# One dataset has 300 elements that take no time to read. The other has 12 that take 60 ms
# each. A step takes 4 ms. Before you run the cell: with which of the two do more steps wait
# for their element?

# %% key="much"
for n, seconds, step in ((300, 0.0, 0.004), (12, 0.06, 0.004)):
    run = time_dataset(broken_dataset, n, read=seconds, step=step)
    print(f"{n} elements, {seconds} s each: {steps_that_waited(run)} steps waited")

# %% [markdown]
# <details><summary>What this means (open it after the run)</summary>
#
# The number of elements does not matter. What counts is how long **one** read takes, compared
# with one step.
#
# If `read` computes in Python, more threads do not help: only one thread can run Python code
# at a time. While one waits for a store, a file or the network, others can run.
#
# </details>

# %% [markdown] role="claims"

# %% [markdown] beat="aside"
# ### Probe for work
#
# Plain Python. Replace `for batch in dataset:` with `for batch in waits(dataset, times):`, and
# print `times` after some hundred steps. If "wait" is not small compared with "step", the
# input is the bottleneck. On a GPU, read the loss at the end of each step while you measure;
# otherwise the step seems to take no time.

# %% key="probe"
import time

def waits(dataset, times):
    """Yield the elements; add up the seconds spent waiting for them, and on steps."""
    elements = iter(dataset)
    while True:
        asked = time.perf_counter()
        try:
            element = next(elements)
        except StopIteration:
            return
        came = time.perf_counter()
        yield element
        times["wait"] = times.get("wait", 0) + came - asked
        times["step"] = times.get("step", 0) + time.perf_counter() - came

# %% [markdown] role="elsewhere"

# %% [markdown] beat="aside"
# ### The probe at work
#
# The same loop, with a step of 20 ms, reads from two inputs.

# %% key="use-probe"
def slow(i):
    time.sleep(0.06)
    return i

numbers = tf.data.Dataset.range(20)
read = numbers.map(lambda i: tf.numpy_function(slow, [i], tf.int64))
for name, dataset in (("from memory", numbers), ("from a slow store", read)):
    times = {}
    for element in waits(dataset, times):
        time.sleep(0.02)
    print(f"{name}: waiting for {times['wait'] / sum(times.values()):.0%} of the time")

# %% [markdown] beat="further"
# ## Further 1 · Which line comes first? (10 minutes)
#
# Besides reading, a pipeline decodes, caches, shuffles, augments and makes batches. Here each
# of these is a function: `decode` turns file names into numbers (slow), `keep` is `cache()`,
# `mix` is `shuffle(n)`, `augment` changes an example at random, `batched` is `batch(size)`.
# The cell below chains the functions and runs two epochs:

# %% key="pieces"
def shown(pieces):
    came = run_pieces(pieces, examples=6, batch=2, seed=1)
    print(f"decoded: {came.decoded}, augmented: {came.augmented}")
    for number, epoch in enumerate(came.batches):
        print(f"epoch {number}:", [[int(value) for value in batch] for batch in epoch])

shown([decode, augment, batched, keep, mix])

# %% [markdown] beat="further"
# ### Put them in order
#
# There were six examples and two epochs. What is wrong in these lines? Make `my_order` return
# the functions in an order such that
#
# - each epoch has each example once, in batches of the given size,
# - each example is decoded once in **both epochs together**,
# - each example is augmented **again** in each epoch,
# - the second epoch puts **other** examples together into batches.
#
# Several orders are right. (`prefetch` belongs at the end, and TensorFlow adds it there.)

# %% role="broken" exercise="my_order"
def broken_order():
    return [decode, augment, batched, keep, mix]

# %% role="fix" exercise="my_order"
def my_order():
    return [decode, keep, mix, augment, batched]

# %% role="check" points=3
check("08/my_order", my_order)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# Functions before `keep` run in the first epoch only. Which of them should run again in the
# second epoch?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# Put what is slow and always gives the same result before `keep`, and what is random after
# it. `mix` shuffles elements, and after `batched`, an element is a whole batch.
#
# </details>
# <details><summary>Hint 3: a line with holes</summary>
#
# `return [decode, ____, mix, ____, ____]`
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** `decode` is slow and always gives the same result, so it goes before
# `keep`, which stores its results. What should be new in each epoch goes after it: `mix` on
# single examples, then `batched`. `augment` can be anywhere after `keep`.

# %% [markdown] beat="further"
# ## Further 2 · Break it so that the monitor sees nothing wrong (8 minutes)
#
# A monitor shows a step that waits. If no step waits, is the pipeline fine?
#
# `my_late` starts as a right pipeline. Its cell is folded, because it shows how to solve the
# core; click on the three dots. Break it:
#
# - each element is still read once, four at a time, after the loop asks for elements; the
#   loop still gets each element once, in order,
# - but the first step begins only when **all** `n` elements have been read.
#
# From then on no step waits, and the monitor shows no gap. But such a job takes longer, and
# it needs memory for all elements.

# %% role="broken" exercise="my_late" jupyter={"source_hidden": true}
def broken_late(read, n):
    options = tf.data.Options()
    options.threading.private_threadpool_size = 4
    dataset = tf.data.Dataset.range(n).map(read, num_parallel_calls=4)
    return dataset.prefetch(tf.data.AUTOTUNE).with_options(options)

# %% role="fix" exercise="my_late" jupyter={"source_hidden": true}
def my_late(read, n):
    options = tf.data.Options()
    options.threading.private_threadpool_size = 4
    dataset = tf.data.Dataset.range(n).map(read, num_parallel_calls=4)
    return dataset.batch(n).unbatch().with_options(options)

# %% role="check" points=3
check("08/my_late", my_late)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# Which part of a pipeline passes nothing on before it has all that it needs? (A prefetch
# buffer passes on elements before it is full.)
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# Add a part that needs all `n` elements before it gives its first one, and after it a part
# that takes them apart again.
#
# </details>
# <details><summary>Hint 3: a line with holes</summary>
#
# After the `map`: `dataset = dataset.____(n).____()`
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** The only batch is complete when the last read has ended. Real
# pipelines do the same by accident: with `shuffle` and a buffer as large as the data, the
# first step waits until the buffer is full. `prefetch(n)` does not: it passes on what it
# has. So measure a job from its start, not only once it runs.
