# ---
# course:
#   number: "18"
#   title: One process dies, and the whole job with it
#   part: 3
#   minutes: {core: 35, further: [8, 8, 10]}
#   symptoms:
#     - "UnavailableError: Connection reset by peer, and the whole training stops"
#     - "a parameter server dies, and the job dies with it"
#     - "after a restart from the checkpoint the loss jumps, or training starts at step 0"
#   in_a_hurry:
#     cause: >-
#       A parameter server has the only copy of its weights, and mirrored workers need
#       each other: if one is lost, the job ends. Only with parameter servers can other
#       workers do the steps of a lost one.
#     probe: >-
#       Watch the age of the step counter, not whether the processes are there: a halted
#       server is there, too.
#     fix: >-
#       Start ALL processes again from a checkpoint that holds the weights, the
#       optimizer's own variables and the step, written in one piece.
# ---

# %% [markdown] beat="symptom"
# ## 1 · Symptom
#
# At four in the morning, a job loses one of its machines. The log ends with
# `UnavailableError: ... Connection reset by peer`. In the morning you start the job again. It
# finds its checkpoint and trains.
#
# But the loss has jumped, and the final model differs from the last one. In this notebook you kill real processes, on this machine.

# %% role="start"
from course import check, mirrored, predict, show, virtual_devices
import tensorflow as tf
devices = virtual_devices(4)

# %% role="setup" key="tools"
from course.lessons.n18_job_dies_with_one_process import (
    control_panel, errors_seen, step_counter, with_mirrors, with_servers,
)

# %% [markdown] beat="predict"
# ## 2 · Predict
#
# `w` and `momentum` are variables of two numbers. `step(x, y)` makes one step with momentum,
# and changes both. There are two kinds of jobs:
#
# - **servers**: `w` and `momentum` are on a parameter server. A chief process runs the
#   function below. In each step, one of two workers computes.
# - **mirrored**: two workers of `MultiWorkerMirroredStrategy` both have `w` and `momentum`
#   and both run the function. An all-reduce sums their gradients.

# %% role="broken" exercise="my_resumable"
def broken_resumable(folder, batches, w, momentum, step, every):
    """Make one step on each batch; started again in the same folder, go on."""
    checkpoint = tf.train.Checkpoint(w=w)
    manager = tf.train.CheckpointManager(checkpoint, folder, max_to_keep=2)
    checkpoint.restore(manager.latest_checkpoint)
    for k, (x, y) in enumerate(batches):
        step(x, y)
        if (k + 1) % every == 0:
            manager.save()

# %% key="ask"
predict("18")

# %% [markdown] beat="observe"
# ## 3 · Observe
#
# There are forty steps, counted from 0, and a checkpoint every ten. The cross is the kill, in
# step 28. (A line is flat where a step takes longer: the first, and each with a checkpoint.)

# %% key="run-broken"
lost_worker = with_servers(broken_resumable, "worker 1", label="(1) servers")
lost_server = with_servers(broken_resumable, "ps 0", label="(2) servers")
lost_mirror = with_mirrors(broken_resumable, "worker 0", label="(3) mirrored")
show(step_counter(lost_worker, lost_server, lost_mirror), prediction="18")

# %% [markdown]
# When mirrored worker 0 is killed, worker 1 stops at once. When worker 1 is killed, worker 0
# waits for a sign of life and stops about nine seconds later.
#
# We found no setting that makes TensorFlow keep a **second copy** of a parameter server. If
# there are two servers, each has different variables, and losing one ends the job. Only the
# checkpoint still has the weights.

# %% [markdown] beat="aside"
# ### Started again
#
# The same job (2), but all its processes start again, in the same folder.

# %% key="run-again"
again = with_servers(broken_resumable, "ps 0", lives=2, label="broken_resumable")
show(step_counter(again))

# %% [markdown] beat="aside"
# ### The control panel
#
# Start the job with servers, and kill, halt or cut off a process while it runs. Start it
# again: it finds the folder as it was. Next to its buttons you see the line that each
# process is at. A run ends after 45 seconds, or when you run the next cell.

# %% key="play"
control_panel({"broken_resumable": broken_resumable}, again)

# %% [markdown]
# * Kill a worker: what does the counter do? And if you kill both workers?
# * Kill the server, and start again: how many steps are made again? Are the weights right?
# * Halt the server: does any process get an error? Let it go on again.
#
# <details><summary>What you should have seen (open it after playing)</summary>
#
# If you kill one worker, the other makes all steps, and the weights are right. If you kill
# both, the counter stops, and no process gets an error. If you kill the server, the chief
# gets an error at once. When you start the job again, it makes all steps again that it had
# begun, and the weights are wrong.
#
# If you halt the server, no process gets an error. (In notebook 17, the other workers notice a
# halted one, because mirrored workers report to a service that they are alive. A job with
# parameter servers has no such service.)
#
# </details>

# %% [markdown] beat="locate"
# ## 4 · Locate
#
# `again.log` is a list of `(seconds, step)`, with an entry for each step that was begun. At
# work, such a log is often all that you have.
#
# Make `my_fall_back` return `(step, count)` for the **first** time that a job fell back:
# the step that it went back to, and how many of the steps from there on it had begun before.
# If no step was begun a second time, return `None`. The function below looks for a pause.

# %% role="broken" exercise="my_fall_back"
def broken_fall_back(log):
    for i in range(1, len(log)):
        (before, last), (after, step) = log[i - 1], log[i]
        if after - before > 1.0:
            return step, max(last - step + 1, 0)

# %% role="fix" exercise="my_fall_back"
def my_fall_back(log):
    for i in range(1, len(log)):
        (_, last), (_, step) = log[i - 1], log[i]
        if step <= last:
            return step, last - step + 1

# %% key="own-log" tags=["raises-exception"]
my_fall_back(again.log), my_fall_back(lost_worker.log)

# %% role="check" points=3
check("18/my_fall_back", my_fall_back)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# Print `again.log` where the job falls back. What do the steps do there? And how long would
# the pause be if the new processes started in a tenth of a second?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# Look at the steps, not at the seconds. As long as nothing is lost, the step of each entry is
# one more than the step before it. Where a job falls back, it is not.
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# For neighbours `last` and `step`: `if step ____ last:` then
# `return step, last - step + ____`. Think of a job that was killed in step 11 and begins
# again with step 11.
#
# </details>

# %% [markdown] beat="fix"
# ## 5 · Fix
#
# Fix `my_resumable`. Its process may be killed and started again in the same folder many
# times. In the end, `w` **and** `momentum` must equal those of a run without failure. After
# a kill, at most `every` steps may be made again.
#
# At each start, `w` and `momentum` are zeros, and the process knows only what is in
# `folder`. `batches` is a list of pairs `(x, y)`. You can use TensorFlow's checkpoints or
# your own files. (The check kills real processes: in a step, before and after its update,
# and while the function saves.)

# %% role="fix" exercise="my_resumable"
def my_resumable(folder, batches, w, momentum, step, every):
    """Make one step on each batch; started again in the same folder, go on."""
    done = tf.Variable(0)
    checkpoint = tf.train.Checkpoint(w=w, momentum=momentum, done=done)
    manager = tf.train.CheckpointManager(checkpoint, folder, max_to_keep=2)
    checkpoint.restore(manager.latest_checkpoint)
    for k in range(int(done), len(batches)):
        step(*batches[k])
        done.assign(k + 1)
        if (k + 1) % every == 0:
            manager.save()

# %% role="check" points=4
check("18/my_resumable", my_resumable)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# Which three things does a process have in its memory after step 20, without which step 21
# would come out differently? Which of them are in the checkpoint?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# Everything that the next step depends on belongs in one checkpoint: the weights, the
# optimizer's own variables, and the number of the next step. The loop begins with that step.
# Set the variable that holds it **before** you save the checkpoint.
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# `done = tf.Variable(0)`, then `tf.train.Checkpoint(w=w, ____=momentum, done=____)`. After
# the restore: `for k in range(int(____), len(batches)):`, and after each step
# `done.assign(____)`.
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** A step depends on the weights, the momentum and its batch, and the
# batch depends on the number of the step. One checkpoint holds all three. A kill can prevent
# a checkpoint, but it can't leave half of one: `CheckpointManager` names a checkpoint as the
# latest only when it is complete. A `tf.Variable` holds the number, so it is saved and
# restored like the weights.
#
# (`Checkpoint.write` to one name replaces two files, one after the other. A kill between them,
# which this check can't time, leaves a checkpoint that can't be read.)

# %% [markdown] beat="confirm"
# ## 6 · Confirm
#
# The parameter server is killed again, and all processes start again:

# %% key="run-mine" tags=["raises-exception"] thumbnail="53 0 100 100"
mine = with_servers(my_resumable, "ps 0", lives=2, label="my_resumable")
show(step_counter(again, mine))

# %% [markdown]
# **Would `model.fit` have saved you?** In part. The callback `BackupAndRestore` saves and
# restores the weights, the optimizer and the epoch. But Keras 3's `fit` does not run in a
# cluster (notebook 13).
#
# **On real machines this would differ:** something, such as a cluster manager, must start the
# processes again, and the folder must outlive each machine. The job must also restore the
# order of the data; here it is a list.

# %% [markdown] role="claims"

# %% [markdown] beat="aside"
# ### What to watch: the age of the counter
#
# Here the server is halted, as on a machine that is too busy to go on. No process asks it
# whether it is alive, so there is no error, and all processes still exist:

# %% key="halted"
halted = with_servers(broken_resumable, "ps 0", halt=True)
life = halted.lives[-1]
at, step = life.begun[-1]
print("there are still:", ", ".join(life.alive))
print(f"step {step} began {life.until - at:.1f} s ago")

# %% [markdown] beat="aside"
# ### Probe for work
#
# In each process that runs your loop (with parameter servers, the chief), call
# `Path(folder, name).touch()` before the first step and after each step, in a folder that all
# can read. The probe, run anywhere, lists the processes that have stopped making steps, alive
# or not.

# %% key="probe"
import time
from pathlib import Path

def late(folder, seconds=60):
    """Return name -> age of each process that made no step for `seconds`."""
    now = time.time()
    files = sorted(Path(folder).iterdir())
    ages = {file.name: round(now - file.stat().st_mtime) for file in files}
    return {name: age for name, age in ages.items() if age > seconds}

# %% key="probe-use" jupyter={"source_hidden": true}
import os
import tempfile

with tempfile.TemporaryDirectory() as folder:
    for name in ("worker 0", "worker 1"):
        Path(folder, name).touch()
    os.utime(Path(folder, "worker 1"), (0, time.time() - 90))
    print(late(folder))

# %% [markdown] role="elsewhere"

# %% [markdown] beat="further"
# ## Further 1 · Right after every kill but one (8 minutes)
#
# Does a test that kills a training in many steps find every mistake? Break a right program so
# that it does not. Make `my_fragile`, with the arguments of `my_resumable`, such that
#
# - after a kill in **any** step, before or after its update, it ends like a run without
#   failure, and at most `every` steps are made again;
# - after a kill **between two lines that save**, it ends with different weights or a different
#   momentum, and without an error.

# %% role="broken" exercise="my_fragile"
def broken_fragile(folder, batches, w, momentum, step, every):
    for x, y in batches:
        step(x, y)

# %% role="fix" exercise="my_fragile"
def my_fragile(folder, batches, w, momentum, step, every):
    done, managers = tf.Variable(0), []
    for name, parts in (("a", {"w": w, "momentum": momentum}), ("b", {"done": done})):
        own = tf.train.Checkpoint(**parts)
        managers.append(tf.train.CheckpointManager(own, f"{folder}/{name}", 2))
        own.restore(managers[-1].latest_checkpoint)
    for k in range(int(done), len(batches)):
        step(*batches[k])
        done.assign(k + 1)
        if (k + 1) % every == 0:
            [manager.save() for manager in managers]

# %% role="check" points=2
check("18/my_fragile", my_fragile)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# Your `my_resumable` survives that kill. Which property of its save makes it so?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# Save twice, one after the other. A kill between the two leaves new weights with an old step
# number, or old weights with a new step number. Neither file is damaged, so nothing raises
# an error.
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# Two managers need two folders, such as `f"{folder}/a"`. One saves
# `tf.train.Checkpoint(w=w, ____=momentum)`, the other `tf.train.Checkpoint(done=____)`.
#
# </details>

# %% [markdown] solution_only=true
# **Why it is dangerous.** Both files are complete, and each has what you meant to save. At
# work, these are a file of weights and a file with the epoch, or with the position in the
# data. A test has to kill the process during the save. It is better to write only once, so
# that no kill can fall between two writes.

# %% [markdown] beat="further"
# ## Further 2 · Which errors are worth a new start? (8 minutes)
#
# A script that restarts jobs must not restart one forever because of a bug in the program.
# Here are errors, raised in a process that uses a server. (The error of two dtypes is made by
# hand. Notebook 17 has a real one.)

# %% key="errors"
for seen in errors_seen():
    print(f"{seen.how:29} {seen.kind:24} RuntimeError? {seen.runtime}")

# %% [markdown] beat="further"
# ### Two are not enough
#
# The function below is what one of the five texts proposes. Make `my_retryable` return
# `True` if a process was lost or did not answer in time, because then it helps to start
# **all** processes again. Return `False` for everything else. (The check also raises errors
# that are not in the list.)
#
# It does not help to repeat the operation in the same process: the server that came back is
# empty, and its clients get `AbortedError` each time.

# %% role="broken" exercise="my_retryable"
def broken_retryable(error):
    return isinstance(error, (tf.errors.UnavailableError, RuntimeError))

# %% role="fix" exercise="my_retryable"
def my_retryable(error):
    lost = (
        tf.errors.UnavailableError,
        tf.errors.AbortedError,
        tf.errors.DeadlineExceededError,
    )
    return isinstance(error, lost)

# %% role="check" points=2
check("18/my_retryable", my_retryable)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# Which errors in the list are about something that another process did, or failed to do? And
# would a new start turn a folder into a file?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# Lost or late processes cause three of these errors. None of the three is a `RuntimeError`.
# A new start meets all other errors again.
#
# </details>
# <details><summary>Hint 3: a line with holes</summary>
#
# `return isinstance(error, (tf.errors.UnavailableError, tf.errors.A____, tf.errors.D____))`
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** A new start of all processes helps if a process is gone, if a server
# came back empty, or if an answer was late. A wrong shape, a missing file, a queue that the
# program closed or any other bug is the same after each new start.

# %% [markdown] beat="further"
# ## Further 3 · Two workers, and the weights of one device (10 minutes)
#
# With parameter servers, workers need not wait for each other. `gradient(k, first, last)`
# puts work into a queue and returns at once. A free worker takes it, reads the weights, and
# computes the mean gradient of the rows `first` to `last - 1` of batch k. `.fetch()` waits for
# the result, a NumPy array, and `update(gradient)` makes a step with it on the server.
#
# (In a cluster, chance decides when a worker begins. Here, work begins when two gradients are
# in the queue, or when one is fetched.)
#
# `sizes[k]` is the number of rows of batch k. Below, both workers are always busy:

# %% role="broken" exercise="my_train"
def broken_train(sizes, gradient, update):
    for k in range(0, len(sizes), 2):
        one = gradient(k, 0, sizes[k])
        other = gradient(k + 1, 0, sizes[k + 1])
        update(one.fetch())
        update(other.fetch())

# %% [markdown] beat="further"
# ### Busy, and equal to one device
#
# These weights differ from those of one device that makes the steps 0, 1, 2, ... Make
# `my_train` end with the weights of one device, and still keep **both** workers busy: compute
# as few rows as possible one after the other. (Batches have at least two rows.)
#
# (TensorFlow makes a scheduled step **at least** once. If a worker is lost after its update
# and before it says so, another worker makes that step again, and the weights are wrong
# without an error.)

# %% role="fix" exercise="my_train"
def my_train(sizes, gradient, update):
    for k, rows in enumerate(sizes):
        half = rows // 2
        one, other = gradient(k, 0, half), gradient(k, half, rows)
        update((half * one.fetch() + (rows - half) * other.fetch()) / rows)

# %% role="check" points=2
check("18/my_train", my_train)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# `one` and `other` are computed with the same weights. For which rows is that right, and for
# which rows is it wrong?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# The rows of one batch must use the same weights, and the next batch must use the updated
# ones. A mean over more rows counts more.
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# For each `k`: `one, other = gradient(k, 0, half), gradient(k, ____, ____)`, then an
# `update` with `(half * one.fetch() + ____ * other.fetch()) / ____`.
#
# </details>

# %% [markdown] solution_only=true
# **What it costs.** Now each step waits for both workers, as in `MultiWorkerMirroredStrategy`,
# so the slower worker sets the pace. The broken loop waits less. But its weights are not
# those of one device, and in a real cluster, where chance decides when a worker reads, they
# differ from run to run.
