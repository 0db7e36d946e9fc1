# ---
# course:
#   number: "08"
#   title: Busy, then idle, then busy again
#   part: 2
#   minutes: {core: 25, further: [10, 8]}
#   symptoms:
#     - "GPU utilization jumps between 0 % and 100 %, although the dataset has prefetch(AUTOTUNE)"
#     - "tf.data input pipeline is slow in a container and fast on my machine"
#     - "tf.data map with numpy_function or py_function reads one element at a time"
#     - "training waits for the input pipeline, and no CPU core is busy"
#   in_a_hurry:
#     cause: >-
#       Reading an element takes longer than a step, and one is read at a time. `prefetch`
#       lets reading and the step overlap; it makes reading no faster. And
#       `num_parallel_calls` gets no more threads than the process may use cores.
#     probe: >-
#       Measure how long the loop waits in `next()`, and how long it works on the element.
#     fix: >-
#       `map(read, num_parallel_calls=4)`, and as many threads for the dataset:
#       `options.threading.private_threadpool_size = 4`.
# ---

# %% [markdown] beat="symptom"
# ## 1 · Symptom
#
# The GPU's monitor jumps: busy, idle, busy, idle. Examples are read from a slow store, with
# a Python function. The advice was: `num_parallel_calls` for `map`, and
# `prefetch(tf.data.AUTOTUNE)` at the end. Both are there, and the monitor still jumps.
#
# In TensorFlow [issue 61084](https://github.com/tensorflow/tensorflow/issues/61084),
# somebody reads images from a cloud store, with `prefetch(tf.data.AUTOTUNE)`, and sees the
# GPU at 0 % for a large part of the time.
#
# You will see what waits for what, find the stage that limits a pipeline, and repair one.

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
# `read(i)` gives element `i`. Inside, it is a Python function (`tf.numpy_function`) that
# waits for a store, which can serve four reads at a time. To make time visible, a read is a
# **wait** of 60 ms. Then comes the training step, a wait of 20 ms.
#
# Everything runs as on a machine with one core, as many containers have: so you see the
# same everywhere. A wait needs no core.

# %% role="broken" exercise="my_dataset"
def broken_dataset(read, n):
    dataset = tf.data.Dataset.range(n).map(read, num_parallel_calls=4)
    return dataset.prefetch(tf.data.AUTOTUNE)

# %% key="ask"
predict("08")

# %% [markdown] beat="observe"
# ## 3 · Observe
#
# Each bar is one read, or one step, of the element with that number. Dotted boxes: nothing
# to do.
# The waits are ours; what overlaps is TensorFlow's.

# %% key="run-broken"
broken = time_dataset(broken_dataset)
goal = time_four_at_once()
show(busy_lanes(broken, goal), prediction="08")

# %% [markdown] beat="aside"
# ### Why one by one?
#
# Which knobs give the step less to wait for, and which do nothing? A read needs no core: why
# do the cores matter? What does one slow read hold up, with the order kept and without?
# (Point at a bar: it says what it is. On more cores, it runs as it would there.)

# %% key="play"
from course.lessons.n08_busy_then_idle import who_waits_for_whom

who_waits_for_whom()

# %% [markdown]
# <details><summary>What this means (open it when you have played)</summary>
#
# - `num_parallel_calls` is how many elements `map` may have in work. Each call needs a
#   thread, too, and a dataset has as many as the process may use cores: on one core, one. A
#   read that waits needs no core, but it keeps its thread.
# - TensorFlow puts a `prefetch` at the end of a dataset by itself, so yours changes nothing.
#   With its own improvements off ("nothing"), reads and steps take turns. But `prefetch`
#   saves at most the shorter of the two times.
# - One slow element holds up all that come behind it, unless the order is free.
#
# </details>

# %% [markdown] beat="locate"
# ## 4 · Locate
#
# Before you repair a pipeline: which stage limits it? Here is a real one, with three
# stages. 0: read, with three threads. 1: decode, with one. 2: the step. Some stages wait
# for others.

# %% key="stages" thumbnail="0 0 100 100"
stages = run_stages()
said = "Each bar is one element: in one of three readers, the decoder, or a step."
show(busy_lanes(stages, sentence=said))

# %% [markdown] beat="aside"
# ### Which stage limits?
#
# `spans` are all `(stage, thread, element, begin, end)` of a run, in order of begin, times
# in ms. Stages count from 0; the last one is the step.
# Make `my_limit` return `(stage, waited)`:
#
# - the stage that limits: the one that, if it never had to wait, would hand on the fewest
#   elements in a second, in a long run of such elements,
# - how many ms the step waited, between its first begin and its last end.
#
# The function below names the wrong stage. (The check uses other pipelines. To try yours:
# `my_limit(spans_of(stages))`.)

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
# readers hand on in the time of one read? And the decoder in the same time?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# Add up the lengths of **all** spans of a stage, and divide by the number of **its**
# threads (each appears in `spans`). The largest result limits. The second number that is
# returned is right already.
#
# </details>
# <details><summary>Hint 3: a line with holes</summary>
#
# With two dictionaries by stage, its work and the set of its threads:
# `max(work, key=lambda stage: work[stage] / ____)`
#
# </details>

# %% [markdown] beat="fix"
# ## 5 · Fix
#
# In `broken_dataset`, reading limits. Make `my_dataset` return a `tf.data.Dataset` of what
# `read(i)` gives for `0` to `n - 1`, each once, in order. And:
#
# - at least four reads (all, if there are fewer) go on at the same time, **also on a machine
#   with one core**. (The check runs your dataset as on such a machine.)
# - while a step runs, later elements are read; the first step begins before all is read,
# - nothing is read before somebody asks for elements.
#
# What a dataset can be told about how it runs, `help(tf.data.Options)` lists. (Where reads do
# not meet, the check waits for them, up to ten seconds.)

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
# call need? How can a dataset have more of it?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# Two numbers must allow four: the parallel calls of `map`, and the threads of the dataset.
# By default, a dataset has as many threads as the process may use cores. A read that waits
# needs no core, but it keeps its thread. `tf.data.Options` has a part `threading`.
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# `options = tf.data.Options()`, then `options.threading.____ = ____`; the map gets
# `num_parallel_calls=____`, and the dataset at the end `.with_options(____)`.
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** `num_parallel_calls` is how many elements `map` may have in work;
# the pool is how many threads there are to work on them. In a container with one core, the
# pool is one thread, unless it is set. A read that waits needs no core, but it keeps its
# thread. The order is kept all the same. `prefetch` may be
# left out: TensorFlow adds it. An `interleave` over shards, with `num_parallel_calls` and a
# pool, is right too, and so is a generator with four threads of its own.

# %% [markdown] beat="confirm"
# ## 6 · Confirm
#
# Before and after. Before you run the cell: what will limit then?

# %% key="run-mine" tags=["raises-exception"]
mine = time_dataset(my_dataset)
show(busy_lanes(broken, mine))

# %% [markdown]
# <details><summary>What this means (open it after the run)</summary>
#
# The step: four reads in 60 ms are one in 15 ms, and a step takes 20 ms. More reads at a time
# would gain nothing now.
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
# No: `fit` takes a dataset as it is, with too few threads or enough, and a generator has one.
# A `keras.utils.PyDataset` with `workers` reads several elements at once.
#
# </details>
#
# **On real GPUs this would differ:** a batch must also be copied to the GPU, and the host
# goes ahead of it, so that waits show up later. This course was not yet run on several GPUs.

# %% [markdown] beat="aside"
# ### Is it a matter of much data?
#
# 300 elements that need no time to read, and 12 that need 60 ms each; the step needs 4 ms.
# Before you run the cell: in which of the two do more steps wait for their element?

# %% key="much"
for n, seconds, step in ((300, 0.0, 0.004), (12, 0.06, 0.004)):
    run = time_dataset(broken_dataset, n, read=seconds, step=step)
    print(f"{n} elements, {seconds} s each: {steps_that_waited(run)} steps waited")

# %% [markdown]
# <details><summary>What this means (open it after the run)</summary>
#
# The number of elements does not matter. What counts is how long **one** takes to read,
# beside how long one step takes.
#
# And if `read` computes in Python, more threads do not help: only one of them can run
# Python code at a time. While it waits for a store, a file or the network, others can.
#
# </details>

# %% [markdown] role="claims"

# %% [markdown] beat="aside"
# ### Probe for work
#
# Plain Python. Replace `for batch in dataset:` by `for batch in waits(dataset, times):`, and
# print `times` after some hundred steps. If "wait" is not small beside "step", the input
# limits. (On a GPU, read the loss at the end of each step while you measure: else the step
# seems to take no time.)

# %% key="probe"
import time

def waits(dataset, times):
    """Yield the elements; add up seconds spent on waiting for them, and on steps."""
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
# A plain job, whose step takes 20 ms, with two inputs.

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
# Besides reading, a pipeline decodes, keeps, mixes, augments and makes batches. Here each
# is a piece: `decode` turns file names into numbers (slow), `keep` is `cache()`, `mix` is
# `shuffle(n)`, `augment` changes an example at random, `batched` is `batch(size)`. The
# pieces below are put behind each other, and run for two epochs:

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
# Six examples, two epochs: what is wrong in these lines? Make `my_order` return the pieces in
# an order with which
#
# - each example comes once in an epoch, in batches of the asked size,
# - each example is decoded once, in **both epochs together**,
# - each example is augmented **anew** in each epoch,
# - the second epoch puts **other** examples together into batches.
#
# Several orders are right. (Where is `prefetch`? It belongs at the end, and TensorFlow puts
# one there.)

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
# What comes before `keep` happens in the first epoch only. Which pieces should happen in
# the second epoch again?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# What is slow and always the same comes before `keep`. What is random comes after it. What
# is mixed are elements: after `batched`, these are whole batches.
#
# </details>
# <details><summary>Hint 3: a line with holes</summary>
#
# `return [decode, ____, mix, ____, ____]`
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** `decode` is slow and always gives the same, so it comes before
# `keep`, which remembers its results. What should be new in each epoch comes after: `mix`
# on single examples, then `batched`. `augment` may stand anywhere behind `keep`.

# %% [markdown] beat="further"
# ## Further 2 · Break it so that the monitor is content (8 minutes)
#
# A step that waits shows in a monitor. Does a step that never waits show that all is well?
#
# `my_late` starts as a right pipeline (folded, as it shows how the core is solved: click on
# the three dots). Break it:
#
# - each element still comes once, in order, and is read once, four at a time, when somebody
#   asks for elements,
# - but the first step begins only when **all** elements have been read.
#
# From then on no step waits, and the monitor shows no gap. Yet such a job takes longer, and
# needs all elements in memory.

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
# Which piece of a pipeline hands nothing on before it has all it needs? (A buffer does not
# need to be full.)
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# Put a piece there that needs all `n` elements for its first one, and another behind it that
# takes them apart again.
#
# </details>
# <details><summary>Hint 3: a line with holes</summary>
#
# `dataset = dataset.____(n).____()`, behind the map.
#
# </details>

# %% [markdown] solution_only=true
# **Why this is what was asked.** The only batch is complete when the last read has ended.
# Real pipelines do the same by accident: with `shuffle` and a buffer as large as the data,
# the first step waits until the buffer is full. `prefetch(n)` does not: it hands on what it
# has. So measure a job from its start, too, not only once it runs.
