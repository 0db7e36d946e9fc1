# ---
# course:
#   number: "20"
#   title: It hangs, or breaks, when it saves
#   part: 3
#   minutes: {core: 35, further: [8]}
#   symptoms:
#     - "several workers: saving the model hangs, or fails"
#     - "multi-worker training hangs after a checkpoint, with EarlyStopping, or with a callback on the chief only"
#     - "the checkpoint is there, but it is damaged, or its numbers make no sense"
#     - "several workers: saving fails, because a temporary file is gone"
#   in_a_hurry:
#     cause: >-
#       Some variables are summed over all workers when they are read, so all must save them
#       together. A worker that saves alone meets the others in another call. And a kill in
#       the middle of a write destroys a file that is written in place.
#     probe: >-
#       Print which of your variables are summed when they are read; compare, worker by
#       worker, after which step each saves, evaluates and stops.
#     fix: >-
#       All workers save after the same step, each to a path of its own. Worker 0 renames its
#       complete file to the final name, and the others remove theirs.
# ---

# %% [markdown] beat="symptom"
# ## 1 · Symptom
#
# A job on two workers is tested for a day. Then somebody adds a line that saves a checkpoint,
# and starts the job in the evening. In the morning it hangs, in a step like any other. The next
# job stops with an error. A third one runs to the end.
#
# Here, two real worker processes train two weights, and write real files.

# %% role="start"
from course import check, mirrored, predict, show, virtual_devices
import tensorflow as tf
devices = virtual_devices(4)

# %% role="setup" key="tools"
import os
from course.learner.predictions import ticks
from course.lessons.n20_hangs_when_it_saves import (
    QUESTIONS, control_panel, meetings, observe_ways, tick_table, train_and_save,
)

# %% [markdown] beat="predict"
# ## 2 · Predict
#
# Both workers hold the weights `w`, which are mirrored: an all-reduce in each step keeps them
# equal. Each worker also counts the rows it has read, by class, in its own copy of `seen`.
# Reading `seen` returns the sum over all workers:

# %% key="seen"
def counter():
    return tf.Variable(
        tf.zeros(3),
        synchronization=tf.VariableSynchronization.ON_READ,
        aggregation=tf.VariableAggregation.SUM,
    )

# %% [markdown]
# (Keras metrics are such variables, too.) The six jobs save with
# `tf.train.Checkpoint(...).write(path)`. Their names mean:
#
# * *one path*: both workers write to one path, in this job after every step;
# * *a path each*: each writes to its own path;
# * *by its own clock*: worker 0 saves after step 12, worker 1 after step 13, both again after
#   the last;
# * *one evaluates*: after the last save, worker 0 sums a number over both workers.

# %% key="ask"
predict("20")

# %% [markdown] beat="observe"
# ## 3 · Observe
#
# Six pairs of workers. If a worker waits forever, a watchdog of this course ends the run.

# %% key="run-ways"
show(tick_table(QUESTIONS, observe_ways(), ticks("20")), prediction="20")

# %% [markdown]
# ### The reasons
#
# <details><summary>Why each pair ended as it did (open it after Locate)</summary>
#
# * `w` alone: each worker has all of it, so worker 0 needs nobody.
# * `w` and `seen`, on worker 0: its read meets a step of worker 1, and at the end worker 0
#   waits.
# * One path: one worker moves the other's temporary file away.
# * A path each: both read `seen` after the same step, so the reads meet.
# * By its own clock: worker 0's read meets a step, and a step later worker 1's read meets
#   another. Both make the same number of calls, so both finish. All sums in between are wrong.
#   This is the third job of the symptom, and the most dangerous one.
# * One evaluates: all is saved, but the last sum meets nothing.
#
# </details>

# %% [markdown] beat="aside"
# ### One of them, step by step
#
# `write(path)` reads `w` and `seen`, and writes them into one file. The job makes the steps 0
# to 5. Both workers call the function below after steps 1, 3 and 5:

# %% role="broken" exercise="my_save"
def broken_save(write, folder, worker):
    """Save into `folder`; each worker calls this after the same steps."""
    if worker == 0:
        write(f"{folder}/weights")

# %% key="run-broken" thumbnail="0 0 51 66"
broken = train_and_save(broken_save)
show(meetings(broken))

# %% [markdown]
# Each box is a call that needs both workers, in the order in which each worker made it.
# TensorFlow joined the two boxes above each other. A step sums three numbers (two of the
# gradient, and the number of rows). A save sums the three counts of `seen`. TensorFlow compares
# only how many they are, so nobody gets an error, and a part of a gradient becomes a count.

# %% [markdown] beat="aside"
# ### The control panel
#
# The same job, with slower steps. Choose, and press Start. While the workers run, halt one,
# let it go on, kill it, or cut its link. A run ends after 45 seconds, or with the next cell.
# (Once `my_save` is right, choose it here, too.)

# %% key="play"
control_panel({"broken_save": broken_save}, broken)

# %% [markdown]
# * Choose that worker 0 is killed in the middle of its write. What does the folder contain?
# * In one run, press kill or halt for worker 1. In another, press kill for worker 0. When does
#   the other worker get an error?
# * Cut the link of worker 1. Who gets an error?
# * Press only Start. In which step does the picture begin to be wrong? In which step does a
#   worker wait?
#
# <details><summary>What you should have seen (open it after playing)</summary>
#
# * Half a file. The save before is lost, because it had the same name. Worker 1 finishes: its
#   last steps met worker 0's saves.
# * If worker 1 is killed or halted, worker 0 gets an error about ten seconds later. If worker 0
#   is killed, worker 1 gets it at once.
# * Worker 0, at once. Worker 1, the one that is cut off, waits until the panel ends the run.
# * The first save is wrong: worker 0's save after step 1 meets step 2 of worker 1. Worker 0
#   waits in step 4, when worker 1 has no steps left.
#
# </details>

# %% [markdown] beat="locate"
# ## 4 · Locate
#
# `broken.calls()` has a list for each worker, of entries `(step, name)` in order. `"log"` and
# `"file"` are things a worker does alone. The others need both workers: `"step"`, `"save"`,
# `"evaluate"`.
#
# Make `my_first_meeting` return `(i, j)`, the indices of the first two entries that met but
# differ in step or name: entry `i` of the first list, entry `j` of the second. If one list has
# ended, its index is the length of that list. If all entries that met are equal, return `None`.
# (The check uses other recordings.)

# %% role="broken" exercise="my_first_meeting"
def broken_first_meeting(calls_0, calls_1):
    for i in range(min(len(calls_0), len(calls_1))):
        if calls_0[i] != calls_1[i]:
            return i, i

# %% role="fix" exercise="my_first_meeting"
def my_first_meeting(calls_0, calls_1):
    at_0 = [i for i, (_, name) in enumerate(calls_0) if name not in ("log", "file")]
    at_1 = [j for j, (_, name) in enumerate(calls_1) if name not in ("log", "file")]
    longest = max(len(at_0), len(at_1))
    at_0 += [len(calls_0)] * (longest - len(at_0))
    at_1 += [len(calls_1)] * (longest - len(at_1))
    for i, j in zip(at_0, at_1, strict=True):
        if calls_0[i : i + 1] != calls_1[j : j + 1]:
            return i, j

# %% key="own-calls" tags=["raises-exception"]
my_first_meeting(*broken.calls())

# %% role="check" points=3
check("20/my_first_meeting", my_first_meeting)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# Print both lists of `broken`. Which of worker 0's entries does worker 1 not have, although
# nobody waits?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# An entry that a worker does alone meets nothing. Of the rest, the first entry of one worker
# meets the first of the other, the second meets the second, and so on, whatever their names
# and steps are.
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# Keep the indices: `at_0 = [i for i, call in enumerate(calls_0) if ____]`, and the same for
# the other list. Go through both lists of indices in pairs; the shorter one goes on with
# `len(____)`. Compare the entries at `i` and `j`.
#
# </details>

# %% [markdown] beat="fix"
# ## 5 · Fix
#
# Fix `my_save`. At the end, all workers have returned from it, and `folder` contains **one**
# file, `weights`, with what the last save should contain.
#
# A worker can be killed at any moment. Then `weights` must exist and be complete: from this save
# or from the one before. (What else is there after a kill does not matter.)
#
# All workers see the same `folder`. `write(path)` opens the file, writes one half, and then the
# other. In one save, no two workers may write to the same path, not even to `os.devnull`.
#
# (The check runs two and three workers. It kills workers in their second save: within `write`,
# and after each operation that changes the folder.)

# %% role="fix" exercise="my_save"
def my_save(write, folder, worker):
    """Save into `folder`; each worker calls this after the same steps."""
    beside = f"{folder}/beside_{worker}"
    write(beside)
    if worker == 0:
        os.replace(beside, f"{folder}/weights")
    else:
        os.remove(beside)

# %% role="check" points=4
check("20/my_save", my_save)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# Who must call `write`? And if worker 0 is killed when it has written half of `weights`, where
# is the save before?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# All workers write, each to its own path, and none of them to `weights`. Then worker 0 renames
# its file, in a single operation of the file system that replaces the old one. The others
# remove theirs.
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# `beside = f"{folder}/beside_{____}"`, then `write(____)`. On worker 0
# `os.____(beside, f"{folder}/weights")`, which replaces a file of that name. On the others
# `os.remove(____)`.
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** The read in `write` is an all-reduce, so all workers make it, after the
# same step. No two write to one path. `os.replace` renames a file in one atomic operation, so
# `weights` is a complete file at every moment. (To survive a power failure as well, call
# `os.fsync` before the rename: it makes sure that the bytes are on the disk.)

# %% [markdown] beat="confirm"
# ## 6 · Confirm
#
# Before and after:

# %% key="run-mine" tags=["raises-exception"]
mine = train_and_save(my_save)
show(meetings(broken, mine))

# %% [markdown]
# **Would `model.fit` have saved you?** Keras 3's `fit` does not run in a cluster (notebook 13).
# tf_keras 2.21's does. On two workers, its `ModelCheckpoint` saved on both, on worker 1 into a
# temporary folder, and `EarlyStopping` stopped both. But a callback that set
# `model.stop_training` on one worker left the other waiting, and so did `save_weights` on one:
# there, BatchNormalization has variables like `seen`.
#
# **With TensorFlow's own tools:** `tf.train.CheckpointManager` writes beside and renames. Give
# worker 0's manager the real folder and the others' a temporary one, and let all of them save.
#
# **On real machines this would differ:** the folder is on a network drive, where a rename is
# atomic only if its documentation says so.

# %% [markdown] beat="aside"
# ### Probe for work
#
# May worker 0 save alone? Not if this prints a name. Pass every variable that goes into the
# file: with Keras `model.variables`, `optimizer.variables` and those of the metrics.

# %% key="probe"
def read_together(variables):
    """Return the names of variables that all workers must read, and save, together."""
    names = [getattr(each, "path", each.name) for each in variables]
    how = [str(each.synchronization).lower() for each in variables]
    pairs = zip(names, how, strict=True)
    return [name for name, kind in pairs if "on_read" in kind]

# %% key="probe-use"
print(read_together([tf.Variable(0.0, name="w"), *tf.keras.metrics.Mean().variables]))

# %% [markdown] role="elsewhere"

# %% [markdown] beat="further"
# ## Further 1 · One worker stops early (8 minutes)
#
# All workers must stop together, too. After each epoch, each worker calls the function below.
# `losses` is its own list of pairs, one for each epoch so far: the sum of its rows' losses, and
# the number of these rows, which differs from epoch to epoch. `total(number)` is a collective:
# it returns, on all workers, the sum of their numbers.
#
# Make `my_stop` return, on **all** workers, what one device with all rows would decide: stop
# (`True`) after an epoch whose mean loss is not below that of the epoch before. (No worker may
# wait in `total` for another one.)

# %% role="broken" exercise="my_stop"
def broken_stop(losses, total):
    if len(losses) < 2:
        return False
    (sum_before, rows_before), (sum_now, rows_now) = losses[-2:]
    return sum_now / rows_now >= sum_before / rows_before

# %% role="fix" exercise="my_stop"
def my_stop(losses, total):
    if len(losses) < 2:
        return False
    (sum_before, rows_before), (sum_now, rows_now) = losses[-2:]
    before = total(sum_before) / total(float(rows_before))
    return bool(total(sum_now) / total(float(rows_now)) >= before)

# %% role="check" points=2
check("20/my_stop", my_stop)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# Worker 0's loss falls, and worker 1's rises. Who makes the next step, and with whom?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# Equal decisions need equal numbers, so all workers compare totals over all workers. A mean of
# means is not the mean over all rows, so total the losses and the rows separately.
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# `before = total(____) / total(float(____))`, the same for `now`, and compare the two.
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** Whether `total` is called depends only on the number of epochs, which is
# the same on all workers. All compare the same two numbers. To stop if any worker wants to, the
# sum of a flag, also keeps the workers together, but it stops earlier than one device would.
