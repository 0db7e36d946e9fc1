# ---
# course:
#   number: "12"
#   title: Out of memory, although half the batch ran
#   part: 2
#   minutes: {core: 25, further: [10, 10, 10]}
#   symptoms:
#     - "ResourceExhaustedError: OOM when allocating tensor with shape"
#     - "out of memory with a larger batch size, although model and data are small"
#     - "memory monitor shows free memory, and the training job dies"
#     - "memory grows from epoch to epoch until the job is killed"
#   in_a_hurry:
#     cause: >-
#       The tape keeps every layer's output until the backward pass has used it. That
#       grows with the rows that go through the network in one call, not with the weights.
#     probe: >-
#       Halve the number of rows until the step runs; the error names the tensor that
#       did not fit.
#     fix: >-
#       Cut the batch into micro-batches, one `tf.GradientTape` each; add up gradients of
#       SUMS over rows; divide once by the number of all rows.
# ---

# %% [markdown] beat="symptom"
# ## 1 · Symptom
#
# A training step ran well with a batch of 30,000 rows. With 60,000 rows it stops:
# `ResourceExhaustedError: OOM when allocating tensor with shape[60000,64]`. The data are in
# memory already, and the model is small.
#
# Several training processes (**workers**) on one machine have the same problem sooner:
# they share its memory. Here the step runs in a process of its own, which may take only
# 80 MB more than it has at the start (this needs Linux). Your kernel is not limited. (1 MB is 2**20
# bytes in this notebook.)

# %% role="start"
from course import check, mirrored, predict, show, virtual_devices
import tensorflow as tf
devices = virtual_devices(4)

# %% role="setup" key="tools"
import psutil

from course.learner.predictions import ticks
from course.lessons.n12_out_of_memory import (
    QUESTION, HeldMemory, make_ready, memory_curve, run_step, tick_table,
)

LIMIT = 80  # MB more than at the start
make_ready()  # what the steps' processes need is imported while you read

# %% [markdown] beat="predict"
# ## 2 · Predict
#
# A network of eight layers; each computes 64 numbers for every row: `tf.matmul`, then
# `tf.tanh`. `row_losses(x, y)` sends rows through it and returns one loss for each row.
# `weights` is the list of the eight variables, and the function returns one gradient for
# each. (`most` comes later.)

# %% role="broken" exercise="my_gradients"
def broken_gradients(weights, x, y, row_losses, most):
    """Return the gradients of the mean loss over all rows, one for each weight."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(row_losses(x, y))
    return tape.gradient(loss, weights)

# %% [markdown] beat="aside"
# ### Other steps on the same rows
#
# The first two are there for the losses only, the third one for the gradient of layer 8
# (`weights[-1]`).

# %% key="other-steps"
def no_tape(weights, x, y, row_losses, most):
    return row_losses(x, y)

def no_gradient(weights, x, y, row_losses, most):
    with tf.GradientTape():
        loss = tf.reduce_mean(row_losses(x, y))
    return loss

def last_gradient(weights, x, y, row_losses, most):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(row_losses(x, y))
    return tape.gradient(loss, weights[-1])

# %% [markdown] beat="aside"
# ### Watch one variable, or try again
#
# A **watched** variable is one that a tape can give the gradient of: `watched(-1)` is a step
# that watches that of layer 8, `watched(0)` that of layer 1. And `retry` falls back to 5,000
# rows, where 30,000 have run.

# %% key="retries"
def watched(number):
    def gradient(weights, x, y, row_losses, most):
        with tf.GradientTape(watch_accessed_variables=False) as tape:
            tape.watch(weights[number])
            loss = tf.reduce_mean(row_losses(x, y))
        return tape.gradient(loss, weights[number])
    return gradient

def retry(weights, x, y, row_losses, most):
    try:
        return broken_gradients(weights, x, y, row_losses, most)
    except tf.errors.ResourceExhaustedError:
        return broken_gradients(weights, x[:5_000], y[:5_000], row_losses, most)

# %% key="ask"
predict("12")

# %% [markdown] beat="observe"
# ## 3 · Observe
#
# Each step in a process of its own, with 80 MB. The memory is that of the real process,
# read after every operation forward and every layer backward.

# %% key="run-steps"
steps = {
    "no_tape": no_tape, "no_gradient": no_gradient, "last_gradient": last_gradient,
    "watched(-1)": watched(-1), "watched(0)": watched(0), "retry": retry,
}
observed = {}
for name, step in steps.items():
    run = run_step(step, limit=LIMIT)
    observed[name] = (not run.error,)
    print(f"{name}: {run.peak:.0f} MB at most{', stopped' * bool(run.error)}")
show(tick_table(QUESTION, observed, ticks("12")), prediction="12")

# %% [markdown]
# <details><summary>The reasons (open it after the run)</summary>
#
# - The tape keeps what a backward pass **may** need: the output of every layer from the first
#   watched variable to the loss. It watches all trainable variables, unless it is told not
#   to. It can't know which gradient you will ask for, or whether you will.
# - Without a watched variable before it, an output is let go when the next one is there.
#   Layers that are not trained, below those that are, cost nothing.
# - The error knows where it was raised, and so holds the calls that led there, with their
#   tapes and tensors, until the `except` block ends. **After** that block, 20,000 rows fit.
#
# </details>

# %% [markdown] beat="aside"
# ### Where the memory goes
#
# Turn the knobs, move through the operations, point at the bars.
#
# - At which operation is most in use?
# - Half the rows and twice the layers (60,000 and 4, then 30,000 and 8): what becomes of the
#   largest amount?
# - In 2 or 4 parts, one after the other: what becomes of the largest amount?
# - With 80 MB: from how many rows on does `last_gradient` stop? And `watched(-1)`?
# - 60,000 rows and 4 layers: without a limit, no bar reaches 80 MB. Does the step come to its
#   end with 80?

# %% key="play"
from course.lessons.n12_out_of_memory import memory_of_a_step

memory_of_a_step({"broken_gradients": broken_gradients, **steps})

# %% [markdown]
# <details><summary>About the last question (open it afterwards)</summary>
#
# A bar is what is in use **after** an operation. While it runs, it needs room for its result
# and sometimes for more: the first gradient of the backward pass did not fit. A monitor that
# reads now and then sees even less (Further 1).
#
# </details>

# %% [markdown] beat="aside"
# ### The step without a limit, and with 80 MB
#
# Both are kept for the next section. Below the figure: how `events` begins.

# %% key="run-broken"
whole = run_step(broken_gradients)
broken = run_step(broken_gradients, limit=LIMIT)
show(memory_curve(whole, broken))
for name, change in whole.events[:4]:
    print(f"{name}: {change:+.1f} MB")

# %% [markdown] beat="locate"
# ## 4 · Locate
#
# `events` is what a step did **without** a limit: a list of `(name, change)` in order, with
# the MB taken (positive) or given back (negative). The function below should say where a
# process with a `limit` stops; it does not. Make `my_first_failure` return
# `(index, missing)`:
#
# - the index of the **first** event that does not fit,
# - how many MB are missing there (do not round).
#
# Exactly the limit still fits. Where all fits, `None`. (To try yours: take the index from
# `my_first_failure(whole.events, LIMIT)`, print `whole.events[index]`, and compare with the
# place named under the figure. The amount alone can be right by chance. The check uses
# other recordings.)

# %% role="broken" exercise="my_first_failure"
def broken_first_failure(events, limit):
    taken = 0
    for index, (name, change) in enumerate(events):
        taken += max(change, 0)
        if taken > limit:
            return index, taken - limit
    return None

# %% role="fix" exercise="my_first_failure"
def my_first_failure(events, limit):
    taken = 0
    for index, (name, change) in enumerate(events):
        taken += change
        if taken > limit:
            return index, taken - limit
    return None

# %% role="check" points=3
check("12/my_first_failure", my_first_failure)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# In the figure, the line goes up twice and down once for each layer. Which of these three
# does the shipped function see?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# What must be below the limit is what is in use **at this moment**: all that was taken,
# less all that was given back.
#
# </details>
# <details><summary>Hint 3: a line with holes</summary>
#
# For **every** event: `taken += ____`, and then the comparison.
#
# </details>

# %% [markdown] beat="fix"
# ## 5 · Fix
#
# Fix `my_gradients`: it returns the gradients of the mean loss over **all** rows, as
# before. But the activations (what the layers computed) of at most `most` rows are alive at
# the same time. Each row goes through `row_losses` once, in as few calls as that allows (a
# call gets a *micro-batch*). Leave the weights as they are.
#
# Below, `most` is 16,000. (30,000 rows alone take 66 of the 80 MB; and a slice `x[8:16]` is a
# copy, which needs memory beside `x`.) `len(x)` is the number of rows; `tf.zeros_like(w)`
# gives zeros in the shape of `w`.
#
# (The check uses a smaller network, and records how long the activations are alive.)

# %% role="fix" exercise="my_gradients"
def my_gradients(weights, x, y, row_losses, most):
    """Return the gradients of the mean loss over all rows, one for each weight."""
    total = [tf.zeros_like(w) for w in weights]
    for start in range(0, len(x), most):
        with tf.GradientTape() as tape:
            part = slice(start, start + most)
            loss = tf.reduce_sum(row_losses(x[part], y[part])) / len(x)
        gradients = tape.gradient(loss, weights)
        total = [t + g for t, g in zip(total, gradients, strict=True)]
    return total

# %% role="check" points=4
check("12/my_gradients", my_gradients)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# When can TensorFlow free what the layers computed: when the forward pass ends, or when
# the backward pass has used it? So what must be over before the next rows go in?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# Gradients of **sums** can be added up, over any parts of the batch. Each part needs a tape
# of its own, and its gradient before the next part. Divide by the number of rows of the
# **whole** batch: the last part may be smaller than the others.
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# `for start in range(0, ____, most):`, and in it, under a tape,
# `loss = tf.reduce_sum(row_losses(x[start:____], y[start:____])) / ____`; then add
# `tape.gradient(loss, weights)` to what you have, weight by weight.
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** The gradient of a sum is the sum of the gradients, so the parts may
# be computed one after the other. A tape that is not persistent lets go of its activations
# when its gradient is taken. What stays is one gradient for each weight, which is small.
# Each row is divided by the same number, so an uneven last part does no harm. The weights
# move only afterwards: all parts see the same ones.

# %% [markdown] beat="confirm"
# ## 6 · Confirm
#
# Before and after, with the same limit of 80 MB:

# %% key="run-mine" tags=["raises-exception"]
mine = run_step(my_gradients, limit=LIMIT)
show(memory_curve(whole, broken, mine))

# %% [markdown]
# **Would `model.fit` have saved you?** No: it sends a whole batch through the network, and
# stops with the same error. `gradient_accumulation_steps` of a Keras optimizer adds up
# several smaller batches. But each batch counts the same there, also an uneven last one.
#
# **On real GPUs this would differ (not run here):** TensorFlow takes nearly all memory of a
# GPU at its start. A second process then finds none, and `nvidia-smi` shows what is
# reserved, not what is used. With `tf.config.experimental.set_memory_growth` it takes more
# only when it needs it. Free memory can be in pieces that are too small.

# %% [markdown] role="claims"

# %% [markdown] beat="aside"
# ### Probe for work
#
# Plain TensorFlow, to paste into your own job. `step(rows)` runs one training step on that
# many rows. On a GPU, that is all. On a CPU, a **container**'s limit ends the process before
# TensorFlow can raise an error: so set one of your own below it, on Linux, in a process made
# for this. After a small step:
# `resource.setrlimit(resource.RLIMIT_AS, (psutil.Process().memory_info().vms + extra, -1))`
# allows `extra` bytes more. (It counts addresses, hence `vms`.) If a library takes it badly,
# and the process ends with signal 11 or 6, the rows did not fit either.

# %% key="probe"
def rows_that_fit(step, rows):
    """Halve `rows` until step(rows) runs; return the number, 0 if none does."""
    while rows > 0:
        try:
            step(rows)
            return rows
        except tf.errors.ResourceExhaustedError as error:
            oom = [each for each in error.message.splitlines() if "OOM when" in each]
            print(rows, "rows do not fit:", *(oom[:1] or [error.message]))
        rows //= 2  # outside of `except`: there, the error still holds its tensors
    return 0

# %% [markdown] role="elsewhere"

# %% [markdown] beat="aside"
# ### The probe on a job
#
# One layer of 256, and 300 MB: a tensor of 100,000 rows takes 98. How many rows do you expect
# to fit? Read at the end of each line which operation asked for memory. (TensorFlow has one
# thread here: with more, each needs buffers of its own.)

# %% key="use-probe"
from course.lessons.n12_out_of_memory import print_limited

def job():
    w = tf.Variable(tf.ones((256, 256)))

    def step(rows):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.tanh(tf.matmul(tf.ones((rows, 256)), w)))
        return tape.gradient(loss, w)

    print("fits:", rows_that_fit(step, rows=400_000))

print_limited(job, 300)

# %% [markdown]
# <details><summary>What this means (open it after the run)</summary>
#
# With 100,000 rows, the three tensors of the forward pass fit: what goes in, the product and
# its `tanh`. The first one of the backward pass does not.
#
# </details>

# %% [markdown] beat="further"
# ## Further 1 · A peak that no monitor sees (10 minutes)
#
# A log says how many rows each call of `row_losses` got; a monitor reads the memory before
# and after each step. Both look right, and the job runs out of memory.
#
# `my_hidden_peak` starts as a right step (folded, as it shows how the core is solved: click
# on the three dots). Break it:
#
# - Gradients, calls and their rows stay as they are: at most `most` rows in a call, each row
#   once, in the fewest calls.
# - When it has returned, no activations are alive, as before.
# - But at some moment in between, those of **all** rows are.

# %% role="broken" exercise="my_hidden_peak" jupyter={"source_hidden": true}
def broken_hidden_peak(weights, x, y, row_losses, most):
    total = [tf.zeros_like(w) for w in weights]
    for start in range(0, len(x), most):
        part = slice(start, start + most)
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(row_losses(x[part], y[part])) / len(x)
        gradients = tape.gradient(loss, weights)
        total = [t + g for t, g in zip(total, gradients, strict=True)]
    return total

# %% role="fix" exercise="my_hidden_peak" jupyter={"source_hidden": true}
def my_hidden_peak(weights, x, y, row_losses, most):
    total, kept = [tf.zeros_like(w) for w in weights], []
    for start in range(0, len(x), most):
        part = slice(start, start + most)
        with tf.GradientTape(persistent=True) as tape:
            loss = tf.reduce_sum(row_losses(x[part], y[part])) / len(x)
        gradients = tape.gradient(loss, weights)
        total = [t + g for t, g in zip(total, gradients, strict=True)]
        kept.append(tape)  # "for a log": alive until the function returns
    return total

# %% role="check" points=4
check("12/my_hidden_peak", my_hidden_peak)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# What holds the activations of a micro-batch, and until when? What would have to be the
# same, or still there, when the last micro-batch goes forward?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# The tape holds them, until its gradient is taken, or, where it is persistent, until nobody
# knows the tape any more. A tensor such as the loss holds its own numbers only.
#
# </details>
# <details><summary>Hint 3: a line with holes</summary>
#
# Before the loop, `with tf.GradientTape() as ____:`, and the gradient of the added losses
# after it. Or: `tf.GradientTape(____=True)`, and `kept.append(____)`.
#
# </details>

# %% [markdown] solution_only=true
# **Why this is what was asked.** A persistent tape keeps its activations after its gradient
# was taken, and the list keeps the tapes until the function returns. So the peak is that of
# the whole batch, and afterwards it is gone. One tape around the loop does the same. What
# sees it: a reading while the last micro-batch goes forward, as in the figure.

# %% key="hidden" tags=["raises-exception"]
show(memory_curve(whole, broken, run_step(my_hidden_peak, limit=LIMIT)))

# %% [markdown] beat="further"
# ## Further 2 · A monitor that measures what it says (10 minutes)
#
# One of the five texts (at the end of Confirm) prints this number as "GPU utilization". A
# job takes 100 MB and writes to them; then a process that has nothing to do with it takes
# 300. Before you run the cell: by how much does the number grow, each time?

# %% role="broken" exercise="my_monitor"
def broken_monitor(pid):
    return psutil.virtual_memory().percent

# %% key="monitor"
with HeldMemory() as job, HeldMemory() as other:
    readings = [broken_monitor(job.pid)]
    job.take(100)
    readings.append(broken_monitor(job.pid))
    other.take(300)
    readings.append(broken_monitor(job.pid))
    print("at the start, with 100 MB of the job, with 300 MB of another:", readings)
    ram = psutil.virtual_memory().total / 2**20
    print(f"100 MB of {ram:.0f} MB are {100 * 100 / ram:.2f} %.")
    print("first cpu_percent() of the job:", psutil.Process(job.pid).cpu_percent())

# %% [markdown]
# <details><summary>What this means (open it after the run)</summary>
#
# It is the RAM of the whole machine, in percent: no GPU, no utilization, and not of this job.
# It follows whoever takes most. (What else runs here may change it, too.) And the first
# `cpu_percent()` of a process is always 0.0: it tells the time since the call before, and
# there was none.
#
# </details>

# %% [markdown] beat="further"
# ### Write the monitor
#
# Make `my_monitor(pid)` return the RAM that the job `pid` holds **now**, in MB of 2**20
# bytes: its own process and all that it has started, directly or not. Memory that is only
# reserved and was never written to does not count. (The check runs a real job, and asks
# your monitor after each thing that it does.)

# %% role="fix" exercise="my_monitor"
def my_monitor(pid):
    job = psutil.Process(pid)
    processes = [job, *job.children(recursive=True)]
    return sum(p.memory_info().rss for p in processes) / 2**20

# %% role="check" points=4
check("12/my_monitor", my_monitor)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# Does the shipped function use `pid` at all? Whose memory does it read?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# `psutil.Process(pid)` is one process; its `memory_info()` has `rss` (what is in RAM) and
# `vms` (all addresses), in bytes. Its `children()` are processes too.
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# `job = psutil.Process(____)`; the others are `job.children(recursive=____)`. Add up
# `p.memory_info().____` of all, and divide by `____`.
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** The resident memory (`rss`) is what is in RAM now; what was only
# reserved is not in it. Processes that the job has started hold memory of their own, and
# `children(recursive=True)` finds them, also those of its children. Nothing of it depends
# on what the monitor itself uses.

# %% [markdown] beat="further"
# ## Further 3 · Memory that grows with every epoch (10 minutes)
#
# A job runs for hours and is killed in epoch 40. Each epoch alone fits. Below is its loop:
# `step(batch)` returns a loss and the outputs; an epoch is the first `steps` batches.
# The dataset reads four batches of 2 MB ahead (`prefetch(4)`).
#
# Eight epochs of three steps in a process of their own; its memory is read where each epoch
# begins. Before you run the cell: how many MB more does each epoch take?

# %% role="broken" exercise="my_epochs"
def broken_epochs(dataset, step, epochs, steps):
    """Return the mean loss of each epoch, as floats."""
    batches, results = [], []
    for _ in range(epochs):
        batches.append(iter(dataset))
        results.append([step(next(batches[-1])) for _ in range(steps)])
    return [sum(float(loss) for loss, _ in each) / steps for each in results]

# %% key="epochs"
from course.lessons.n12_out_of_memory import epoch_curve, run_epochs

growing = run_epochs(broken_epochs)
show(epoch_curve(growing))

# %% [markdown]
# <details><summary>What this means (open it after the run)</summary>
#
# Two kinds of things stay. The outputs of a step are as large as its batch: 2 MB, three times
# an epoch. And an iterator holds what it has read ahead and nobody took. That is the larger
# part here: about 17 MB an epoch. The losses are small; but who keeps a pair keeps both of it.
#
# </details>

# %% [markdown] beat="further"
# ### The same numbers, and nothing stays
#
# Make `my_epochs` return the same means. Where an epoch begins, nothing may be left of those
# before the last one: no iterator, no outputs. (The check's dataset and step are small ones
# that know which of their objects are still there.)

# %% role="fix" exercise="my_epochs"
def my_epochs(dataset, step, epochs, steps):
    """Return the mean loss of each epoch, as floats."""
    means = []
    for _ in range(epochs):
        batches, total = iter(dataset), 0.0
        for _ in range(steps):
            loss, _outputs = step(next(batches))
            total += float(loss)
        means.append(total / steps)
    return means

# %% role="check" points=3
check("12/my_epochs", my_epochs)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# Which names and lists still lead to the iterator of epoch 0 when epoch 5 begins? Which to
# the outputs of its first step?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# What no name and no list leads to is let go. Read the number out of a tensor as soon as it is
# there, and keep the number. A name that is set anew lets go of what it meant before.
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# In the loop over epochs: `batches, total = iter(____), 0.0`; in the loop over steps
# `loss, _ = step(____)` and `total += ____(loss)`; after it `means.append(____)`.
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** Of each epoch a float stays. `batches` is set anew: the iterator before
# is let go, and its buffer with it. An iterator for all epochs would be flat, too; but then an
# epoch goes on where the last one stopped.

# %% key="epochs-mine" tags=["raises-exception"] thumbnail="0 0 100 100"
show(epoch_curve(growing, run_epochs(my_epochs)))

# %% [markdown] beat="aside"
# ### The end of Part 2
#
# Two broken jobs without a label, 15 to 25 minutes: write `!course practice 2` into a new
# cell, run it, and open the notebook that it names, in the folder
# `notebooks/practice`. (In a terminal: `.venv/bin/course practice 2`.) Add `--seed 2` for
# others.
#
# Part 3 begins with notebook 13: many workers, each a process of its own.
