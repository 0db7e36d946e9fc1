# ---
# course:
#   number: "12"
#   title: Out of memory, although half the batch ran
#   part: 2
#   minutes: {core: 30, further: [10, 8, 8]}
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
# A training step ran well with 30,000 rows. With 60,000 rows it stops:
# `ResourceExhaustedError: OOM when allocating tensor with shape[60000,64]`. The model is
# small, and the data are in memory already. Several training processes (**workers**) on
# one machine run into this sooner, because they share its memory.
#
# Here each step runs in a process of its own, which may take only 80 MB more than it has
# at the start (this needs Linux). Your kernel has no such limit. (1 MB is 2**20 bytes
# here.)

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
# A network has eight layers. Each computes 64 numbers for every row: `tf.matmul`, then
# `tf.tanh`. `row_losses(x, y)` sends rows through the network and returns one loss for
# each. `weights` is the list of its eight variables. (`most` is for section 5.)

# %% role="broken" exercise="my_gradients"
def broken_gradients(weights, x, y, row_losses, most):
    """Return the gradients of the mean loss over all rows, one for each weight."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(row_losses(x, y))
    return tape.gradient(loss, weights)

# %% [markdown] beat="aside"
# ### Five other steps on the same 60,000 rows
#
# Each differs little from `broken_gradients`. (Their code is folded. To open it,
# click on the three dots.)
#
# - `no_tape` returns `row_losses(x, y)`, without a tape.
# - `no_gradient` returns the loss and asks for no gradient.
# - `last_gradient` asks for one gradient only, that of layer 8 (`weights[-1]`).
# - `watched(-1)` asks for the same one, and its tape **watches** only that variable: it
#   could give no other gradient.
# - `watched(0)` does this for layer 1.

# %% key="other-steps" jupyter={"source_hidden": true}
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

def watched(number):
    def gradient(weights, x, y, row_losses, most):
        with tf.GradientTape(watch_accessed_variables=False) as tape:
            tape.watch(weights[number])
            loss = tf.reduce_mean(row_losses(x, y))
        return tape.gradient(loss, weights[number])
    return gradient

steps = {
    "no_tape": no_tape, "no_gradient": no_gradient, "last_gradient": last_gradient,
    "watched(-1)": watched(-1), "watched(0)": watched(0),
}

# %% key="ask"
predict("12")

# %% [markdown] beat="observe"
# ## 3 · Observe
#
# Each step runs in a process of its own, with 80 MB. The memory of that process is read
# after every operation forward and after every layer backward.

# %% key="run-steps"
observed = {}
for name, step in steps.items():
    run = run_step(step, limit=LIMIT)
    observed[name] = (not run.error,)
    print(f"{name}: {run.peak:.0f} MB at most{', stopped' * bool(run.error)}")
show(tick_table(QUESTION, observed, ticks("12")), prediction="12")

# %% [markdown]
# <details><summary>The reasons (open it after the run)</summary>
#
# - The tape keeps what a backward pass **may** need: the output of every layer from the
#   first watched variable to the loss. By default, it watches all trainable variables. It
#   can't know which gradient you will ask for, or whether you will.
# - An output that no watched variable leads to is freed as soon as the next one exists.
#   So frozen layers cost nothing if they are below the trained ones. (`no_tape` and
#   `watched(-1)` still take 44 MB: a layer's input, its product and its `tanh` exist at
#   the same time, three tensors of 14.6 MB.)
#
# </details>

# %% [markdown] beat="aside"
# ### Where the memory goes
#
# Turn the knobs, move through the operations, point at the bars.
#
# 1. After which operation is the peak, the largest amount in use?
# 2. 60,000 rows and 4 layers, then 30,000 and 8: how does the peak change?
# 3. How does it change in 2 or 4 parts, one after the other?
# 4. With 80 MB: from how many rows on does `last_gradient` stop? And `watched(-1)`?
# 5. With 60,000 rows, 4 layers and no limit, no bar reaches 80 MB. Does the step run to
#    the end with 80?

# %% key="play"
from course.lessons.n12_out_of_memory import memory_of_a_step

memory_of_a_step({"broken_gradients": broken_gradients, **steps})

# %% [markdown]
# <details><summary>What you should have seen</summary>
#
# 1. After the `tanh` of layer 8, where the forward pass ends. The outputs of all eight
#    layers are alive there, and one product: 9 tensors of 14.6 MB each.
# 2. It changes little: 73 MB, then 66. Both keep 240,000 rows of outputs (60,000 times 4,
#    30,000 times 8). One product is alive beside them, and it has half as many rows.
# 3. It falls to about a half, and to about a quarter.
# 4. `last_gradient` runs with 30,000 rows and stops from 40,000 on. `watched(-1)` runs
#    even with 60,000.
# 5. No. A bar shows what is in use **after** an operation. While it runs, it needs room
#    for its result and sometimes for more: the first gradient of the backward pass does
#    not fit. A monitor that reads now and then sees even less (Further 1).
#
# </details>

# %% [markdown] beat="aside"
# ### The step without a limit, and with 80 MB
#
# The next section needs both. Below the figure, you see the first four `events`.

# %% key="run-broken"
whole = run_step(broken_gradients)
broken = run_step(broken_gradients, limit=LIMIT)
show(memory_curve(whole, broken))
for name, change in whole.events[:4]:
    print(f"{name}: {change:+.1f} MB")

# %% [markdown] beat="locate"
# ## 4 · Locate
#
# `whole.events` says what the step did **without** a limit: a list of `(name, change)`, in
# order, with the MB taken (positive) or given back (negative). The function below should
# say where a process with a `limit` would stop, but it is wrong. Make `my_first_failure`
# return `(index, missing)`:
#
# - the index of the **first** event that does not fit,
# - how many MB are missing there (with decimals).
#
# Exactly the limit still fits. If everything fits, return `None`. The last cell before the
# check tries your function on `whole.events`. Compare with the sentence under the figure
# above. The check uses other recordings.

# %% role="broken" exercise="my_first_failure" jupyter={"source_hidden": true}
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

# %% key="try-first-failure" tags=["raises-exception"]
index, missing = my_first_failure(whole.events, LIMIT)
print(whole.events[index], f"{missing:.1f} MB are missing")

# %% [markdown]
# <details><summary>Why does the shipped function print the same amount?</summary>
#
# The sixth tensor of 14.6 MB is one too many, whether you count those in use or all that
# were ever taken. But it comes at another event: the shipped function names an earlier one.
#
# </details>

# %% role="check" points=3
check("12/my_first_failure", my_first_failure)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# In the figure, the line goes up twice and down once for each layer. Which of these three
# moves does the shipped function see?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# Compare the limit with what is in use **at this moment**: all that was taken, minus all
# that was given back.
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
# Fix `my_gradients`. It must return the gradients of the mean loss over **all** rows, as
# before. But the activations (what the layers compute) of at most `most` rows may be alive
# at the same time. Send each row through `row_losses` once, in as few calls as that allows
# (one call gets a *micro-batch*). Do not change the weights.
#
# Below, `most` is 16,000. `len(x)` is the number of rows, and `tf.zeros_like(w)` gives
# zeros in the shape of `w`. (The check uses a smaller network, and counts the rows whose
# activations are alive.)

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
# the backward pass has used it? So what must be done before the next rows go in?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# Gradients of **sums** can be added up, over any parts of the batch. Each part needs its
# own tape, and its gradient before the next part starts. Divide by the number of rows of
# the **whole** batch, because the last part may be smaller than the others.
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
# be computed one after the other. A tape that is not persistent frees its activations once
# it has given its gradient. Only one gradient for each weight stays, which is small. Each
# row is divided by the same number, so an uneven last part does no harm. All parts see the
# same weights.

# %% [markdown] beat="confirm"
# ## 6 · Confirm
#
# Before and after, with the same limit of 80 MB:

# %% key="run-mine" tags=["raises-exception"]
mine = run_step(my_gradients, limit=LIMIT)
show(memory_curve(whole, broken, mine))

# %% [markdown]
# **Would `model.fit` have saved you?** No. It sends a whole batch through the network, and
# stops with the same error. `gradient_accumulation_steps` of a Keras optimizer adds up
# several smaller batches, but counts each batch the same, even an uneven last one.
#
# **On real GPUs this would differ (not run here):** TensorFlow takes nearly all memory of a
# GPU at its start. A second process finds none, and `nvidia-smi` shows what is reserved,
# not what is used. With `tf.config.experimental.set_memory_growth` it takes only what it
# needs. Free memory can be in pieces that are too small.

# %% [markdown] role="claims"

# %% [markdown] beat="aside"
# ### Probe for work
#
# Plain TensorFlow, to paste into your own job. `step(rows)` runs one training step on that
# many rows.

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

# %% [markdown]
# <details><summary>On a CPU, set a limit first</summary>
#
# A **container**'s limit ends the process before TensorFlow can raise an error. So set your
# own limit below it, on Linux, in a process made for this, after a small step:
# `resource.setrlimit(resource.RLIMIT_AS, (psutil.Process().memory_info().vms + extra, -1))`
# allows `extra` bytes more. (It counts addresses, hence `vms`.) If the process then ends
# with signal 11 or 6, the rows did not fit either.
#
# </details>
# <details><summary>Why are the rows halved after the <code>except</code> block?</summary>
#
# The error knows where it was raised. So it holds the calls that led there, with their
# tapes and tensors, until the `except` block ends. Inside that block, even 5,000 of our
# 60,000 rows do not fit into 80 MB. After it, 30,000 do.
#
# </details>

# %% [markdown] role="elsewhere"

# %% [markdown] beat="aside"
# ### The probe on a job
#
# The job (folded) has one layer of 256 numbers and may take 300 MB. A tensor of 100,000
# rows takes 98. How many rows do you expect to fit? Each line ends with the operation that
# asked for memory.

# %% key="use-probe" jupyter={"source_hidden": true}
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
# 50,000 rows fit. With 100,000 rows, the three tensors of the forward pass fit: the rows,
# the product and its `tanh`. The first one of the backward pass does not.
#
# </details>

# %% [markdown] beat="further"
# ## Further 1 · A peak that no monitor sees (10 minutes)
#
# A log says how many rows each call of `row_losses` got. A monitor reads the memory before
# and after each step. Both look fine, but the job runs out of memory.
#
# `my_hidden_peak` starts as a right step. (It is folded, because it shows how the core is
# solved: click on the three dots.) Break it:
#
# - Gradients and calls stay the same: at most `most` rows in a call, each row once, in the
#   fewest calls.
# - After it has returned, no activations are alive, as before.
# - But at one moment in between, those of **all** rows are.

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
# What holds the activations of a micro-batch, and until when? What would still have to be
# there when the last micro-batch goes forward?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# The tape holds them until it has given its gradient. A persistent tape holds them until no
# name and no list leads to it. A tensor such as the loss holds its own numbers only.
#
# </details>
# <details><summary>Hint 3: a line with holes</summary>
#
# Before the loop, `with tf.GradientTape() as ____:`, and the gradient of the added losses
# after it. Or: `tf.GradientTape(____=True)`, and `kept.append(____)`.
#
# </details>

# %% [markdown] solution_only=true
# **Why this is what was asked.** A persistent tape keeps its activations after it has given
# its gradient, and the list keeps the tapes until the function returns. So the peak is that
# of the whole batch, and after the step it is gone. One tape around the loop does the same.
# You see the peak only if you read the memory while the last micro-batch goes forward, as
# the figure does.

# %% key="hidden" tags=["raises-exception"]
show(memory_curve(whole, broken, run_step(my_hidden_peak, limit=LIMIT)))

# %% [markdown] beat="further"
# ## Further 2 · A monitor that measures what it says (8 minutes)
#
# One of the five texts (at the end of Confirm) prints this number as "GPU utilization". A
# job takes 100 MB and writes to them. Then a process that has nothing to do with it takes
# 300 MB. Before you run the cell: by how much does the number grow each time?

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
# It is the share of the whole machine's RAM in use: no GPU, no utilization, not this job.
# The 100 MB may be lost in what the rest of the machine does, and that is the point. The
# first `cpu_percent()` of a process is always 0.0, because it measures since the call
# before, and there was none.
#
# </details>

# %% [markdown] beat="further"
# ### Write the monitor
#
# Make `my_monitor(pid)` return the RAM that the job `pid` holds **now**, in MB of 2**20
# bytes: its own process and all processes below it. Memory that is only reserved and was
# never written to does not count. (The check runs a real job, and calls your monitor after
# each thing that the job does.)

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
# `psutil.Process(pid)` is one process. Its `memory_info()` has `rss` (what is in RAM) and
# `vms` (all addresses), in bytes. Its `children()` are processes, too.
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# `job = psutil.Process(____)`; the others are `job.children(recursive=____)`. Add up
# `p.memory_info().____` of all, and divide by `____`.
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** The resident memory (`rss`) is what is in RAM now, without what is
# only reserved. Processes that the job has started hold memory of their own, and
# `children(recursive=True)` finds all of them, even children of children. The monitor's
# own memory is not in it.

# %% [markdown] beat="further"
# ## Further 3 · Memory that grows with every epoch (8 minutes)
#
# A job runs for hours and is killed in epoch 40. Each epoch alone fits. Below is its loop:
# `step(batch)` returns a loss and the outputs. An epoch is the first `steps` batches of a
# `tf.data` dataset that reads ahead (`prefetch(4)`). A batch has 2 MB.
#
# The cell runs eight epochs of three steps in a process of their own. It reads the memory
# in the first step of each epoch. How many MB more will each epoch take?

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
# Two kinds of things stay. The outputs of a step are as large as its batch: 2 MB in each of
# three steps, so 6 MB an epoch. A loss is small, but a list of `(loss, outputs)` pairs keeps
# both. And an iterator holds what it has read ahead and no step has taken. A loop that keeps
# only the iterators grows by about 17 MB an epoch here: eight batches, not only the four
# that `prefetch(4)` asks for, and a little more.
#
# Together that is 23 MB. The figure says 22 to 25, because a single reading can be some MB
# off.
#
# </details>

# %% [markdown] beat="further"
# ### The same numbers, and nothing stays
#
# Make `my_epochs` return the same means. But in every step, only the epoch that has just
# ended may still have objects alive, beside the present one: no older iterator, batch or
# outputs. (The check has a small `tf.data` dataset, and looks at what is alive in each
# step.)

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
# Which names and lists still lead to the iterator of epoch 0 when epoch 5 begins? Which
# lead to the outputs of its first step?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# An object is freed when no name and no list leads to it. Turn a loss into a float at once,
# and keep the float. If you set a name again, it no longer leads to the old object.
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# In the loop over epochs: `batches, total = iter(____), 0.0`; in the loop over steps
# `loss, _ = step(____)` and `total += ____(loss)`; after it `means.append(____)`.
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** Only a float of each epoch stays. `batches` is set again in each
# epoch, so the old iterator is freed with its buffer. One iterator for all epochs would not
# grow either, but each epoch would go on where the last one stopped.

# %% key="epochs-mine" tags=["raises-exception"] thumbnail="0 0 100 100"
show(epoch_curve(growing, run_epochs(my_epochs)))

# %% [markdown] beat="aside"
# ### The end of Part 2
#
# Practice on two broken jobs without a label, 20 to 30 minutes: run `!course practice 2` in
# a new cell, and open the notebook that it names, in the folder `notebooks/practice`. (In a
# terminal: `.venv/bin/course practice 2`.) Add `--seed 2` for others.
#
# Part 3 begins with notebook 13: many workers, each a process of its own.
