# ---
# course:
#   number: "20"
#   title: It hangs, or breaks, when it saves
#   part: 3
#   minutes: {core: 25, further: [8]}
#   symptoms:
#     - "several workers: saving the model hangs, or fails"
#     - "multi-worker training hangs after a checkpoint, with EarlyStopping, or with a callback on the chief only"
#     - "the checkpoint is there, but it is damaged, or its numbers make no sense"
#     - "several workers: saving fails, because a temporary file is gone"
#   in_a_hurry:
#     cause: >-
#       Some variables are summed over all workers when they are read, so that to save them
#       is something that all must do together. A worker that saves alone meets the others
#       in another call. And a file that is written in place is lost by a kill.
#     probe: >-
#       Print which of your variables are summed when they are read; compare, worker by
#       worker, after which step each saves, evaluates and stops.
#     fix: >-
#       All workers save after the same step, each to a path of its own; worker 0 gives its
#       file the final name when it is whole, and the others remove theirs.
# ---

# %% [markdown] beat="symptom"
# ## 1 · Symptom
#
# A job on two workers is tested for a day. Then somebody adds a line that saves a checkpoint,
# and starts it in the evening. In the morning it stands still, in a step as good as any other;
# in the next job there is an error; and one ends as if nothing had been added.
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
# equal. And each worker counts the rows that it has seen, by class, in its own copy of `seen`.
# Who reads `seen` gets the sum over all workers:

# %% key="seen"
def counter():
    return tf.Variable(
        tf.zeros(3),
        synchronization=tf.VariableSynchronization.ON_READ,
        aggregation=tf.VariableAggregation.SUM,
    )

# %% [markdown]
# (Keras' metrics are such variables, too.) They save with `tf.train.Checkpoint(...).write(path)`.
# "One path": both write to the same one, and in this job after every step; "a path each": each
# to its own. "By its own clock": worker 1's clock is late, so that it saves after step 13, and
# worker 0 after step 12. "One evaluates": after the last save, worker 0 adds up a number over
# all workers.

# %% key="ask"
predict("20")

# %% [markdown] beat="observe"
# ## 3 · Observe
#
# Six pairs of workers, at the same time. Where a worker waits for ever, a watchdog of this
# course ends the run.

# %% key="run-ways"
show(tick_table(QUESTIONS, observe_ways(), ticks("20")), prediction="20")

# %% [markdown] beat="aside"
# ### One of them, step by step
#
# `write(path)` reads `w` and `seen`, and writes them into one file. Both workers call the
# function below after the steps 1 and 3, of 0 to 3:

# %% role="broken" exercise="my_save"
def broken_save(write, folder, worker):
    """Save into `folder`; each worker calls this after the same steps."""
    if worker == 0:
        write(f"{folder}/weights")

# %% key="run-broken" thumbnail="0 0 51 66"
broken = train_and_save(broken_save)
show(meetings(broken))

# %% [markdown]
# Each box is something that needs both workers, in the order in which each of them came to it.
# Two boxes above each other are what TensorFlow joined. Both add up three numbers, and
# TensorFlow compares no more than that: nobody gets an error. With other numbers of elements, a
# worker does.

# %% [markdown] beat="aside"
# ### The control panel
#
# Choose, and press Start. While the workers run, you can halt one, let it go on, kill it, or
# cut its link. A run ends after 45 seconds, or with the next cell.

# %% key="play"
control_panel({"broken_save": broken_save}, broken)

# %% [markdown]
# * Worker 0 is killed in the middle of its write: what is in the folder then?
# * Worker 1 is killed, or halted: who hears of it, and when?
# * In which step does the picture begin to be wrong, and in which does a worker wait?
#
# (When you have mended the function, it stands beside the other one: run the cell again.)
#
# <details><summary>What came here (open it after playing)</summary>
#
# Killed in its second write, worker 0 leaves half a file, and the save before is lost: it had
# the same name. Worker 1 goes on to its end: in its last steps it met the other's saves.
#
# If worker 1 is killed or halted, worker 0 gets an error ten seconds later. If worker 0 is
# killed, worker 1 gets it at once. The picture is wrong from the first save on, step 1; worker 0
# waits only when worker 1 has no steps left.
#
# </details>

# %% [markdown] beat="locate"
# ## 4 · Locate
#
# `broken.calls()` has a list for each worker, of entries `(step, name)` in order. A `"log"` is
# something that a worker does alone, and so is a `"file"`. All else needs the other worker:
# `"step"`, `"save"`, `"evaluate"`.
#
# Make `my_first_meeting` return `(i, j)`, the indices of the first two entries that met
# although they differ, in step or name: entry `i` of the first list, entry `j` of the second.
# Where one list has ended, its index is the length of that list. `None` where all that met was
# equal. (The check uses other recordings.)

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
# Print both lists of `broken`. Which of worker 0's entries does worker 1 not have, and yet
# nobody waits for it?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# What a worker does alone meets nothing. Of the rest, the first of one worker meets the first
# of the other, the second the second, and so on, whatever their names and steps are.
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
# Fix `my_save`. In the end, both workers have come out of it, and `folder` holds **one** file,
# `weights`, with what the last save was to hold.
#
# And a worker can be killed at any moment. Then `weights` must be there and whole: that of this
# save, or that of the save before. (What else lies there after a kill does not matter.)
#
# All workers see the same `folder`. `write(path)` takes a while: it opens the file, writes a
# part, and then the rest.
#
# (The check runs it on two and on three workers, and kills workers in their second save: within
# `write`, and after each thing that changes the folder.)

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
# Who must call `write`? And if worker 0 is killed when it has written half of `weights`: where
# is then what the save before had written?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# All workers write, each to a path that nobody else writes to, and that is not the one which
# must always be whole. Then one file gets its name, in a single operation of the file system
# that takes the place of the old one. The other files go.
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# `beside = f"{folder}/beside_{____}"`, then `write(____)`. On worker 0
# `os.____(beside, f"{folder}/weights")`, which takes the place of a file of that name; on the
# others `os.remove(____)`.
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** The read in `write` is an all-reduce, so all workers enter it, after
# the same step. No two write to one path. `os.replace` renames a file within a file system, and
# either it has happened or it has not: at each moment, `weights` names one whole file. (A
# machine that loses its power is another matter: there, `os.fsync` before the rename makes sure
# that the bytes are on the disk.)

# %% [markdown] beat="confirm"
# ## 6 · Confirm
#
# Before and after:

# %% key="run-mine" tags=["raises-exception"]
mine = train_and_save(my_save)
show(meetings(broken, mine))

# %% [markdown]
# **Would `model.fit` have saved you?** That of Keras 3 does not run in a cluster (notebook 13).
# That of tf_keras 2.21 does. On two workers, its `ModelCheckpoint` saved on both, worker 1 into a
# temporary folder, and `EarlyStopping` stopped both, by the loss of both. But a callback that set
# `model.stop_training` on one worker left the other waiting, and so did `save_weights` on one:
# BatchNormalization has variables like `seen` there.
#
# **On real machines this would differ:** the folder is on a network, where a rename is safe only
# if its maker says so.

# %% [markdown] beat="aside"
# ### The six ways again
#
# * `w` alone: each worker has all of it.
# * `w` and `seen`, on worker 0: its read meets a step, and in the end worker 0 waits.
# * One path: one moves the other's temporary file away.
# * By its own clock: worker 0's read meets a step, and a step later worker 1's read meets
#   another. Both have as many calls, so both come to the end; all sums in between are wrong.
# * One evaluates: the last sum meets nobody, after all is saved.
#
# With TensorFlow's own means: `tf.train.CheckpointManager` writes beside and renames. Give worker
# 0's the real folder and the others' a temporary one, and let all of them save.

# %% [markdown] beat="aside"
# ### Probe for work
#
# May worker 0 save alone? Not if this prints a name. With Keras, pass `model.variables`,
# `optimizer.variables` and those of the metrics, whatever goes into the file.

# %% key="probe"
def read_together(variables):
    """Return the names of variables that all workers must read, and save, together."""
    names = [getattr(each, "path", each.name) for each in variables]
    how = [str(each.synchronization).lower() for each in variables]
    pairs = zip(names, how, strict=True)
    return [name for name, said in pairs if "on_read" in said]

# %% key="probe-use"
print(read_together([tf.Variable(0.0, name="w"), *tf.keras.metrics.Mean().variables]))

# %% [markdown] role="elsewhere"

# %% [markdown] beat="further"
# ## Further 1 · Who stops, stops alone (8 minutes)
#
# To stop is a decision, too. After each epoch, each worker calls the function below. `losses`
# is its own list, of pairs for all epochs so far: the sum of the losses of its rows, and how
# many rows these were (they differ from epoch to epoch). `total(number)` is a collective: it returns, on all workers, the sum of
# what they hand in.
#
# Make `my_stop` answer, on **all** workers, what one device with all the rows would: stop
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
# Worker 0's loss falls, that of worker 1 rises. Who makes the next step, and with whom?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# Equal answers need equal numbers, so all compare what was added up over all of them. A mean of
# means is not the mean of all rows: add up sums and numbers of rows apart.
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# `before = total(____) / total(float(____))`, the same for now, and all workers compare the two.
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** Whether `total` is called depends on the number of epochs only, which is
# the same everywhere. All compare the same two numbers. "Stop if one of us wants to", the sum of
# a flag, would keep the workers together as well; it stops earlier than one device.
