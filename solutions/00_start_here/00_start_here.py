# ---
# course:
#   number: "00"
#   title: "Start here: is it the same model on four devices?"
#   part: 0
#   minutes: {core: 25, further: [5, 8]}
#   symptoms:
#     - "model.fit with MirroredStrategy logs the same loss as on one GPU: is it the same model?"
#     - "weights depend on the number of GPUs"
#   in_a_hurry:
#     cause: >-
#       The last batch did not divide by the number of replicas: some got fewer rows than
#       others, or none, and `fit` gives every replica the same weight.
#     probe: Compare the weights, not the logged loss.
#     fix: >-
#       A row count that divides; or, better, a step that counts rows: notebook 03.
# ---

# %% [markdown] beat="symptom"
# ## One model, trained three times
#
# Keras `fit` trains two weights on the same 22 rows in the same order, in batches of 8,
# for one epoch: on one device, on two, and on four. (The devices are virtual: parts of
# the processor, or of one GPU, that TensorFlow treats as separate devices.)
# `mirrored(devices)` makes a `tf.distribute.MirroredStrategy` on these devices: one copy of
# the model, a **replica**, on each.
#
# The log says that nothing changed. Is it the same model, then?
#
# Run the cells: **Shift + Enter**.

# %% role="start"
from course import check, mirrored, predict, show, virtual_devices
import tensorflow as tf
devices = virtual_devices(4)

# %% role="setup" key="fit"
import numpy as np

from course.runs.workloads import LEARNING_RATE, regression

def fit_on(n, rows):
    with mirrored(devices[:n]).scope():
        layer = tf.keras.layers.Dense(1, use_bias=False, kernel_initializer="zeros")
        model = tf.keras.Sequential([tf.keras.Input((2,)), layer])
        model.compile(tf.keras.optimizers.SGD(LEARNING_RATE), loss="mse")
    log = model.fit(rows.x, rows.y, batch_size=8, epochs=1, shuffle=False, verbose=0)
    return log.history["loss"][0], layer.kernel.numpy().ravel()

# %% key="three-runs"
runs = {n: fit_on(n, regression(22)) for n in (1, 2, 4)}
for n, (loss, weights) in runs.items():
    print(f"devices: {n}  logged loss: {loss:.5f}")

# %% [markdown] beat="predict"
# ## Which runs end with other weights?
#
# You have run 22 rows and seen the logged loss, not the weights. The table asks about the
# weights of these runs, and of the same runs with 18, 20 and 23 rows. Say what you think
# **before** you look: being wrong here costs nothing and teaches most.

# %% key="ask"
predict("00")

# %% [markdown] beat="observe"
# ## Look at the weights

# %% key="weights"
# three more numbers of rows, beside the 22
from course.learner.predictions import ticks
from course.lessons.n00_start_here import compare_row_counts, ends_apart

found = compare_row_counts((18, 20, 22, 23))
show(ends_apart(found, ticks("00")), prediction="00")

# %% [markdown]
# In every run, the logged loss matches that of one device. The weights often do not.

# %% [markdown] beat="aside"
# ## Which rows, which devices?
#
# The same `fit` for three epochs (0, 1 and 2: this course counts from 0), on one device and
# on more. Look at 22 rows first: do the weights match on 2 devices, and on 4? In which epoch
# does the logged loss first differ? Then look for other numbers of rows that match.

# %% key="play"
from course.lessons.n00_start_here.playing import fit_on_more_devices

fit_on_more_devices()

# %% [markdown]
# <details><summary>What you should have seen</summary>
#
# With 22 rows in batches of 8, the weights match on 2 devices. On 4 devices they differ from
# epoch 0 on, but the logged loss of epoch 0 is the same. It first differs in epoch 1: 3.879
# instead of 3.753. With 20 rows, everything matches on 2 and on 4 devices.
#
# </details>

# %% [markdown] beat="locate"
# ## Your first graded exercise
#
# Predict how a run will end before you run it. `fit` trains on `rows` rows in batches of
# `batch`, the **global batch** of all replicas together. `batch` divides by `devices`, and
# is not larger than `rows`.
#
# Make `my_agrees` return `True` where `fit` ends with the weights of one device (up to
# rounding), and `False` where it does not. The function below says what many people
# believe. The check asks about runs that you have not seen, some of them on three devices.
# To try yours: `my_agrees(22, 8, 4)`; the instrument above shows what is right.

# %% role="broken" exercise="my_agrees"
def broken_agrees(rows, batch, devices):
    return rows % batch == 0

# %% role="fix" exercise="my_agrees"
def my_agrees(rows, batch, devices):
    return rows % batch % devices == 0

# %% role="check" points=3
check("00/my_agrees", my_agrees)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# 20 rows in batches of 8, and 22 rows in batches of 8: how many rows are in the last batch
# of each? Split them among four replicas. What differs?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# Every replica averages over its own rows, and `fit` gives each replica the same weight. So
# a step is right if all replicas have the same number of rows.
#
# </details>
# <details><summary>Hint 3: a line with holes</summary>
#
# `left_over = ____`, then `return left_over ____ devices == 0`
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** `rows % batch` rows are left for the last batch; they must be
# split evenly. As `batch` divides by `devices`, `rows % devices == 0` says the same:
# the batch does not matter.

# %% [markdown] beat="aside"
# ### Why? (Open it after you have looked for the rule.)
#
# <details><summary>What happens in the last batch, and why the log is silent</summary>
#
# 23 rows make batches of 8, 8 and 7. `MirroredStrategy` gives each replica the rounded-up
# share until no row is left: 2 + 2 + 2 + 1, and the single row weighs as much as two others.
# 22 rows end with 2 + 2 + 2 + 0, and 18 with 1 + 1 + 0 + 0. Notebook 03 shows what replicas
# without a row do.
#
# The loss of a batch is measured **before** its step. This step is the last one of the
# epoch, so only the next epoch can show what it did.
#
# Real data rarely divide evenly, so the fix belongs in the step itself: notebook 03.
#
# </details>

# %% key="last-batches"
for rows_left in (6, 7):
    last = regression(24).take(range(rows_left))
    print(rows_left, "rows on 4 replicas:", [len(shard) for shard in last.shards(4)])

# %% [markdown] beat="aside"
# ## Inside `fit`: a step on one device
#
# The whole of training is a few lines: predict, measure the loss, ask the tape for its
# **gradient**, and go a little way against it. Here is the gradient for the first batch
# of 8 rows. This is the **sequential run**: one device, one batch after the other. It is
# the **ground truth** of every notebook.

# %% key="one-device"
def gradient_step(w, x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
    return tape.gradient(loss, w)

rows = regression(24)
w = tf.Variable([0.0, 0.0])
print(gradient_step(w, rows.x[:8], rows.y[:8]).numpy())

# %% [markdown] beat="aside"
# ## The same lines on four replicas
#
# `strategy.run` calls the same function once in every **replica**. Each gets its own
# **shard** of the batch, so the result is four gradients: one **per-replica value**.
# `strategy.experimental_local_results` lists them.

# %% key="four-replicas"
strategy = mirrored(devices)
with strategy.scope():
    w = tf.Variable([0.0, 0.0])
data = tf.data.Dataset.from_tensor_slices((rows.x, rows.y)).batch(8)
x, y = next(iter(strategy.experimental_distribute_dataset(data)))
gradients = strategy.run(tf.function(gradient_step), args=(w, x, y))
each = [g.numpy() for g in strategy.experimental_local_results(gradients)]
print(np.array(each))

# %% [markdown]
# Notebook 02 shows how they become the one gradient above.

# %% [markdown] beat="aside"
# ## The runner of all notebooks
#
# You will write small functions, such as `my_step(w, x, y)`. This runner calls them on
# every replica and records **all** copies of the weights after each step. (The other
# functions that it calls count rows, watch the time, and turn errors into sentences.)

# %% key="runner"
import inspect

from course.runs.replicas import train_on_replicas

print(inspect.getsource(train_on_replicas))

# %% [markdown] beat="aside"
# ## How the notebooks work
#
# - Steps, epochs, rows and replicas are counted **from 0**: step 0 is the first.
# - **Predict**, then run. You will see your prediction again under the figure.
# - **Locate** where the failure begins, then **fix** it. **Further** exercises follow; they
#   are graded and counted separately.
# - **Check** cells say RIGHT, WRONG, CRASHED or NOT ATTEMPTED, and what was expected. The
#   second time you make a mistake, the check names it; `check(..., why=True)`, in a new
#   cell, names it at once.
# - **Hints** are folded: a question, the rule, a line with holes. *In a hurry*, at the end,
#   holds cause, probe and fix.

# %% [markdown] beat="aside"
# ### If something is odd
#
# - A failed check does not stop *Run All*.
# - A cell that shows no number in its brackets has not run: wait until the kernel, top
#   right, is idle, and run it again.
# - If a cell runs too long: *Kernel > Interrupt*. If all else fails: *Kernel > Restart*.

# %% key="machine"
from course.learner.machine import self_test

self_test(devices)

# %% [markdown] beat="aside"
# ### Probe for work
#
# Each notebook leaves a few lines of plain TensorFlow for your own job. This first one
# compares runs. Call it before the loop with 0 steps, and after each of the first ten steps.
#
# Run your job **without** a strategy first, then with one replica, then with all, with the
# same seeds and global batch. Less than 1e-5 is rounding. (To start again, delete the folder
# `first-run`.)

# %% key="probe"
from pathlib import Path
import numpy as np

def compare_runs(steps, variables, folder="first-run"):
    """Keep the weights after so many steps; in a later run, print how far off."""
    file, now = Path(folder, f"{steps}.npz"), [v.numpy() for v in variables]
    if not file.exists():
        file.parent.mkdir(exist_ok=True)
        np.savez(file, *now)
        return
    with np.load(file) as first:
        gaps = [np.abs(first[f"arr_{i}"] - each).max() for i, each in enumerate(now)]
    print(f"after {steps} steps: at most {max(gaps):.0e} from the first run")

# %% [markdown] role="elsewhere"

# %% [markdown] beat="aside"
# ### The probe on the three runs
#
# The weights after the last step, on one device (kept), on two, and on four:

# %% key="probe-use"
import tempfile

with tempfile.TemporaryDirectory() as folder:
    for n, (_, weights) in runs.items():
        print("devices:", n)
        compare_runs(3, [tf.constant(weights)], folder)

# %% [markdown] beat="further"
# ## Further · How far apart are the replicas? (5 minutes)
#
# `copies` is an array of shape (replicas, weights): what every replica holds. Make
# `my_spread` return the largest difference in one weight between two replicas. The function
# below is right for some arrays only. Yours is the first probe for a job that behaves
# oddly.

# %% role="broken" exercise="my_spread"
def broken_spread(copies):
    return np.abs(copies[0] - copies[-1]).max()

# %% role="fix" exercise="my_spread"
def my_spread(copies):
    return np.ptp(copies, axis=0).max()

# %% role="check" points=2
check("00/my_spread", my_spread)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# With four replicas, how many pairs are there? How many of them does the function look at?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# Compare every copy with every other, weight by weight, and keep the largest difference.
# Or: for one weight, the two copies that are furthest apart are the largest and the
# smallest.
#
# </details>
# <details><summary>Hint 3: a line with holes</summary>
#
# `for one in copies:`, in it `for ____ in copies:`, and there
# `largest = max(largest, ____)`
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** `np.ptp` is largest minus smallest ("peak to peak") along axis 0,
# the replicas. Taking the largest over the weights keeps one bad weight visible.

# %% [markdown] beat="aside"
# ## Further · Before you go on: eight questions (8 minutes)
#
# They are about jobs at work, not about this notebook, and some may be new to you: a guess
# is fine, and you can say that it is one. After notebook 21 there are eight others, and you
# see what changed and which answers were right. Your answers stay on this computer.
#
# Leave them out if you only want to look around. (Without a mouse: `ask("A", "ABCDABCD")`
# keeps a letter for each.)

# %% key="form-a"
from course.widgets.questions import ask

ask("A")

# %% [markdown] beat="confirm"
# ## The map of the course
#
# Run this cell whenever you come back. Progress is kept on this computer. On Binder and
# Colab, which forget, save it to a file and load it next time.

# %% key="map"
from course.learner.course_map import course_map, keep_progress

course_map()
keep_progress()

# %% [markdown] role="claims"
