# ---
# course:
#   number: "16"
#   title: More workers, slower steps
#   part: 3
#   minutes: {core: 35, further: [8, 8, 10]}
#   symptoms:
#     - "MultiWorkerMirroredStrategy is slower on two machines than on one"
#     - "one slow node slows down all workers"
#     - "the profile shows that most of a step is spent in CollectiveReduceV2 (all-reduce)"
#   in_a_hurry:
#     cause: >-
#       Each call of `all_reduce` sends its own messages, after those of the call before. And
#       in each call, all workers wait for the last one to arrive.
#     probe: >-
#       Count the collectives of one step in its graph. Then time the work and the waits of
#       every worker: the one that works longest and waits least holds up the others.
#     fix: >-
#       Send all gradients of a dtype in ONE all-reduce, in a `tf.function`. Add up several
#       micro-batches on the worker before you send.
# ---

# %% [markdown] beat="symptom"
# ## 1 · Symptom
#
# A training job moves from one machine to two, and a step takes much longer. Nothing
# fails, the loss is right, and processors and network are nearly idle.
#
# Here the workers are real processes on this machine. Each has a link that delays every
# byte by a time that we set, and counts messages. Between two workers, an all-reduce needs
# two messages at worker 1's link, one after the other. (This holds above 64 bytes, as for
# all tensors of this model.)

# %% role="start"
from course import check, mirrored, predict, show, virtual_devices
import tensorflow as tf
devices = virtual_devices(4)

# %% role="setup" key="tools" jupyter={"source_hidden": true}
from course.runs.cluster import run_workers
from course.lessons.n16_more_workers_slower_steps import (
    Circumstances, play_steps, step_lanes, step_latency, steps_over_links, time_workers,
    train_delayed,
)

# %% [markdown] beat="predict"
# ## 2 · Predict
#
# Each worker has computed the gradients of its own rows: a list with one tensor for each
# weight of the model. In every step, this function adds them up over the workers, inside a
# `tf.function`. `context` is the replica context.

# %% role="broken" exercise="my_all_reduce"
def broken_all_reduce(context, gradients):
    """Return the sums over all workers: a list, in the order of the gradients."""
    sums = []
    for gradient in gradients:
        sums.append(context.all_reduce("SUM", gradient))
    return sums

# %% key="ask"
predict("16")

# %% [markdown] beat="observe"
# ## 3 · Observe
#
# `train_delayed` starts two workers. They train a model of 6 layers, each with a kernel
# and a bias, while the links get slower: 0, 2.5, 5 and 10 ms. The figure shows the median
# time of a step and the messages at worker 1's link.

# %% key="run-broken"
broken = train_delayed(broken_all_reduce)
show(step_latency(broken), prediction="16")
print(f"largest difference from one device: {broken.off():.1g}")

# %% [markdown] beat="aside"
# ### Where does the time go?
#
# Real workers make three steps: own work, then the all-reduces. The lane "ideal" is a step
# with ONE all-reduce and no other cost. A lost piece is sent again 0.2 s later, as in TCP.

# %% key="play"
steps_over_links({"broken_all_reduce": broken_all_reduce})

# %% [markdown] beat="aside"
# ### Try it
#
# 1. Which costs more: five times the delay (10 ms), or twenty times the numbers (48,000)? And
#    at 300 kB a second?
# 2. With three workers, let worker 1 work longer. Whose all-reduces are shortest? Then let
#    only its link be slow, with 10 ms. Do the lanes show which link it is?
# 3. With two workers and 10 ms, each all-reduce waits 40 ms: two messages, each requested and
#    sent. How much of a step do 12 of them explain? What is left with 1 tensor?
#
# <details><summary>What you should have seen</summary>
#
# 1. The delay: 12 all-reduces then wait 480 ms instead of 96 ms. At 300 kB a second, the
#    numbers cost more: sending them takes 640 ms instead of 32 ms.
# 2. Worker 1's are shortest: it arrives last, so the others wait for it. If its link is slow,
#    the lanes don't show it, because all three wait equally long.
# 3. 480 ms, and 20 ms are own work. The rest is the work of your machine for the messages.
#    With 1 tensor, an all-reduce waits 40 ms.
#
# </details>

# %% [markdown] beat="locate"
# ## 4 · Locate
#
# A long all-reduce has two possible causes: many messages, or a slow worker that all others
# wait for. Fewer messages don't help against the second, so rule it out first.
#
# `steps` lists `(worker, step, began, entered, left)`: when the worker began its own work,
# entered the all-reduce, and left it. Each worker reads **its own clock**, and the clocks
# differ by minutes.
#
# Make `my_slow_one` return the worker whose own work takes at least **twice** as long as that
# of every other worker, in **more than half** of the steps. If there is none, return `None`.
# Try it on three real runs: `well, slow, link = time_workers()`, then
# `my_slow_one(slow.steps)`. The check draws its own times.

# %% role="broken" exercise="my_slow_one"
def broken_slow_one(steps):
    waits = {}
    for worker, _step, _began, entered, left in steps:
        waits[worker] = waits.get(worker, 0.0) + left - entered
    return max(waits, key=waits.get)

# %% role="fix" exercise="my_slow_one"
def my_slow_one(steps):
    own, slow = {}, []
    for worker, step, began, entered, _left in steps:
        own.setdefault(step, {})[worker] = entered - began
    for works in own.values():
        *_, second, first = sorted(works, key=works.get)
        slow.append(first if works[first] >= 2 * works[second] else None)
    worker = max(slow, key=slow.count)
    return worker if 2 * slow.count(worker) > len(slow) else None

# %% role="check" points=3
check("16/my_slow_one", my_slow_one)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# Print the own work of all workers, step by step, in a healthy run and in one with a slow
# worker. One worker's work is always the longest. What is true of the slow one only?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# Only differences between times of one worker mean something. In each step, compare the own
# work of all workers. Then count for each worker the steps in which it is slow. One long
# pause would spoil a sum or a mean over all steps.
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# `own.setdefault(step, {})[worker] = ____ - ____` collects the work of each step. Then, for
# the `works` of each step, use `*_, second, first = sorted(works, key=works.get)` and test
# `works[first] >= ____ * works[second]`.
#
# </details>

# %% [markdown] beat="fix"
# ## 5 · Fix
#
# Fix `my_all_reduce`: return the same sums, each with its gradient's shape and dtype, with
# only one all-reduce for each dtype. All workers must make them in the same order. (The order
# of a Python `set` of names differs between processes, but this check would not notice.)
#
# The check gives two real workers lists of gradients: of one dtype and of several mixed, with
# scalars and large tensors. It counts the messages at the link. `tensor.shape` is known.

# %% role="fix" exercise="my_all_reduce"
def my_all_reduce(context, gradients):
    """Return the sums over all workers: a list, in the order of the gradients."""
    sums = [None] * len(gradients)
    for dtype in dict.fromkeys(gradient.dtype for gradient in gradients):
        places = [i for i, g in enumerate(gradients) if g.dtype == dtype]
        packed = tf.concat([tf.reshape(gradients[i], [-1]) for i in places], axis=0)
        packed = context.all_reduce("SUM", packed)
        sizes = [gradients[i].shape.num_elements() for i in places]
        for i, part in zip(places, tf.split(packed, sizes), strict=True):
            sums[i] = tf.reshape(part, gradients[i].shape)
    return sums

# %% role="check" points=4
check("16/my_all_reduce", my_all_reduce)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# How many all-reduces did a step of `broken` need? And how many would it need if the model
# had one tensor with the same 2520 numbers?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# An all-reduce adds number by number, so it does not matter which tensor a number belongs to.
# For each dtype, join all its tensors to one vector, all-reduce it, and split it at the same
# places. Then put each sum where its gradient was.
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# For each dtype: `places = [i for i, g in enumerate(gradients) if g.dtype == ____]`, then
# one `all_reduce` of `tf.concat([tf.reshape(____, [-1]) for i in places], axis=0)`.
# `tf.split(____, sizes)` splits the sum.
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** The sum of two packed vectors is the packed vector of the sums.
# Nothing is cast, so nothing is lost. `dict.fromkeys` keeps the order of the gradients, so
# all workers send their packs in the **same** order.

# %% [markdown] beat="confirm"
# ## 6 · Confirm
#
# Before and after:

# %% key="run-mine" tags=["raises-exception"]
mine = train_delayed(my_all_reduce)
show(step_latency(broken, mine))
print(f"largest difference from one device: {mine.off():.1g}")

# %% [markdown]
# **Would `model.fit` have saved you?** Keras 3's `fit` does not run in a cluster (notebook
# 13). In your own loop, in a `tf.function`, a Keras optimizer's `apply` sends all gradients in
# one all-reduce. `all_reduce` also packs a list of one dtype there.
#
# **On real machines this would differ** (not measured here): in one building a message
# often takes less than 1 ms, between regions 10 to 100 ms. Large gradients also need
# bandwidth. Then a few packs can be better than one, because the first is sent while the
# rest is computed: see the argument `options` of `all_reduce`, a
# `tf.distribute.experimental.CommunicationOptions(bytes_per_pack=...)`.

# %% [markdown] role="claims"

# %% [markdown] beat="aside"
# ### Probe for work
#
# Paste this into your own job (plain TensorFlow). It counts the collectives in the graph of
# a step, by dtype, without running it. Call it on one worker, once the step exists:
# `print(messages_of(step, x, y))`. A healthy step has few, even if it has many layers.

# %% key="probe" jupyter={"source_hidden": true}
from collections import Counter

def messages_of(step, *arguments):
    """Count the collectives in one call of a tf.function, by kind and dtype."""
    graph = step.get_concrete_function(*arguments).graph.as_graph_def()
    nodes = list(graph.node)
    for function in graph.library.function:
        nodes += function.node_def
    sent = [node for node in nodes if node.op.startswith("Collective")]
    dtypes = [tf.as_dtype(node.attr["T"].type).name for node in sent]
    return Counter(f"{n.op} {d}" for n, d in zip(sent, dtypes, strict=True))

# %% [markdown] role="elsewhere"

# %% [markdown] beat="aside"
# ### The probe, before and after
#
# Three tensors of one dtype, in a real worker:

# %% key="probe-use" tags=["raises-exception"]
def count(functions):
    strategy, found = tf.distribute.MultiWorkerMirroredStrategy(), {}
    for reduce in functions:
        def replica_step(reduce=reduce):
            tensors = [tf.ones(3), tf.ones([]), tf.ones([2, 2])]
            return reduce(tf.distribute.get_replica_context(), tensors)
        step = tf.function(lambda: strategy.run(replica_step))
        found[reduce.__name__] = messages_of(step)
    return found

found = run_workers(count, [broken_all_reduce, my_all_reduce]).values()[0]
for name, messages in found.items():
    print(name, dict(messages))

# %% [markdown] beat="further"
# ## Further 1 · One all-reduce for several batches (8 minutes)
#
# If even one all-reduce a step is too slow, send less often: add up the gradients of several
# micro-batches **on the worker**, and send once. The result must be the step of one device
# with all these rows as one batch. `sums` returns the gradient of the summed squared errors,
# and the number of rows (a float32 tensor).

# %% role="setup" key="sums"
RATE = 0.1

def sums(w, x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((tf.linalg.matvec(x, w) - y) ** 2)
    return tape.gradient(loss, w), tf.cast(tf.shape(y)[0], tf.float32)

# %% [markdown] beat="further"
# ### Accumulate, then send
#
# `micro_batches` is this worker's list of `(x, y)`. They have different numbers of rows, but
# both workers have the same number of micro-batches. Make `my_accumulate` change `w` **once**,
# with **one** all-reduce, as one device with all rows of both workers would. (Its gradient is
# the mean over these rows.)

# %% role="broken" exercise="my_accumulate"
def broken_accumulate(context, w, micro_batches):
    for x, y in micro_batches:
        gradient, rows = context.all_reduce("SUM", list(sums(w, x, y)))
        w.assign_sub(RATE * gradient / rows)

# %% role="fix" exercise="my_accumulate"
def my_accumulate(context, w, micro_batches):
    gradient, rows = tf.zeros(2), tf.constant(0.0)
    for x, y in micro_batches:
        more_gradient, more_rows = sums(w, x, y)
        gradient, rows = gradient + more_gradient, rows + more_rows
    gradient, rows = context.all_reduce("SUM", [gradient, rows])
    w.assign_sub(RATE * gradient / rows)

# %% role="check" points=4
check("16/my_accumulate", my_accumulate)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# With three micro-batches, how often does the shipped function change `w`? How often would one
# device with one large batch change it?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# Sums of sums are right, means of means are not. Add up gradients and rows on the worker,
# then over the workers, and divide **once**, at the very end.
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# In the loop only `gradient, rows = gradient + ____, rows + ____`; after it
# `context.all_reduce("SUM", [____, ____])`, and `w.assign_sub(...)` as it was.
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** The gradient of a sum is the sum of the gradients, over
# micro-batches as over workers. All of them use the same `w`, because it changes only at the
# end. One division by the number of all rows gives the mean, for micro-batches of any sizes.

# %% [markdown] beat="further"
# ## Further 2 · No worker is slow, and all wait (8 minutes)
#
# `my_slow_one` finds a worker that is slow in most steps. Break a healthy job so that it finds
# none, and the job takes as long as possible.
#
# Make `my_turns` return the seconds of own work, `table[step][worker]`. In the shipped job
# each worker works `seconds` in each step. In yours, each worker still works
# `steps * seconds` in all, `my_slow_one` returns `None`, and the steps last as long as
# possible. (`steps` is a multiple of `workers`, and at least three times as large.)

# %% role="broken" exercise="my_turns"
def broken_turns(workers, steps, seconds):
    return [[seconds] * workers for step in range(steps)]

# %% role="fix" exercise="my_turns"
def my_turns(workers, steps, seconds):
    table = [[0.0] * workers for step in range(steps)]
    for step in range(steps):
        table[step][step % workers] = workers * seconds
    return table

# %% role="check" points=3
check("16/my_turns", my_turns)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# A step lasts as long as the longest work in it. How much time does the work of the others
# add?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# Work that happens at the same time adds nothing. The steps last longest in all if one worker
# works in each of them and the others wait.
#
# </details>
# <details><summary>Hint 3: a line with holes</summary>
#
# `table[step][step % ____] = ____ * seconds`, in a table of zeros.
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** In each step, one worker works as long as all together worked before,
# and the others wait. Each worker is slow in its turn, so none stands out.

# %% [markdown] beat="further"
# ### On real workers
#
# Three workers make six steps, first with the shipped table, then with yours:

# %% key="turns" tags=["raises-exception"]
for turns in broken_turns, my_turns:
    job = Circumstances(workers=3, tensors=1, table=turns(3, 6, 0.02))
    last = play_steps(broken_all_reduce, job)
    print(f"{turns.__name__}: {1000 * last.step:.0f} ms a step")
show(step_lanes(last))

# %% [markdown]
# <details><summary>What this means (open it after the run)</summary>
#
# If a worker pauses now and then, all workers wait each time. The more workers there are, the
# more often one of them pauses. A mean over the steps of each worker hides this. Compare the
# longest own work in each step with the mean.
#
# </details>

# %% [markdown] beat="further"
# ## Further 3 · What an embedding sends (10 minutes)
#
# The gradient of a lookup is sparse (`IndexedSlices`): the ids, and a row of numbers for each
# of them. The workers have different ids, so their rows are **gathered**, not added up. As a
# dense tensor, it is the whole table, in an all-reduce.
#
# Two real workers have a table of 1000 rows of 16 numbers. Some ids repeat. They send three
# forms: the rows as they are; each id once, after adding up its rows on the worker; the table
# (`tf.convert_to_tensor`). Guess before you run the cell: from how many ids on is the table
# smaller than the rows as they are?

# %% key="embedding" thumbnail="0 0 100 100"
from course.lessons.n16_more_workers_slower_steps import send_embedding, sparse_bytes

sent = send_embedding([100, 500, 1500])
show(sparse_bytes(sent))
for each in sent[:3]:
    print(f"{each.form}: {each.most} rows, {each.passed} bytes")

# %% [markdown]
# <details><summary>What this means (open it after the run)</summary>
#
# A row has 16 numbers of 4 bytes and an id of 8: 72 bytes. The rest, about 1 kB, is for the
# messages themselves. An optimizer gets all these rows and adds up those with the same id.
# Between two workers, the table costs 64,000 bytes, so it is smaller from 889 ids on.
#
# Some things make such a gradient dense without a word: a regularizer on the table, one-hot
# rows times the table, or a second use of the table (as output weights).
#
# </details>

# %% [markdown] beat="further"
# ### Which form is the smallest?
#
# `ids[worker]` lists the ids that a worker looks up, equally many on all. The table has
# `rows` rows of `width` numbers. Make `my_cheapest` return `(form, bytes)`: the form in which
# the fewest bytes pass over each link, and these bytes (without what a message itself
# costs). 0: the rows as they are. 1: each id once. 2: the table. Of equals, the first.
#
# With W workers, each gets the rows of the W - 1 others, 4 bytes a number and 8 an id. **All
# workers send as many rows as the one with most.** Of a dense tensor, 2 (W - 1) / W times its
# bytes pass over each link.

# %% role="broken" exercise="my_cheapest"
def broken_cheapest(ids, rows, width):
    others = len(ids) - 1
    return 0, others * len(ids[0]) * (4 * width + 8)

# %% role="fix" exercise="my_cheapest"
def my_cheapest(ids, rows, width):
    others, row = len(ids) - 1, 4 * width + 8
    once = max(len(set(own)) for own in ids)
    table = 2 * others / len(ids) * rows * 4 * width
    costs = [others * len(ids[0]) * row, others * once * row, table]
    return costs.index(min(costs)), min(costs)

# %% role="check" points=3
check("16/my_cheapest", my_cheapest)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# Three workers look up the same id ten times each. How many rows does each of them get, if all
# add up their own rows first?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# Count the different ids of each worker. The worker with most of them decides how many rows
# all send. An id that two workers look up still counts once for each.
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# `once = max(len(____) for own in ids)`. A row costs `4 * width + ____` bytes; the table
# costs `2 * others / len(ids) * ____`. Then take the least of the three.
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** Gathered rows grow with the workers and the ids; the table never costs
# more than twice its size. So with more workers, the table is smaller sooner. Adding up before
# sending never costs bytes, and saves some if ids repeat.
