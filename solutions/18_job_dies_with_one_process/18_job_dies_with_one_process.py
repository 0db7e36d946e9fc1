# ---
# course:
#   number: "18"
#   title: One process dies, and the whole job with it
#   part: 3
#   minutes: {core: 25, further: [8, 8, 10]}
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
# At four in the morning, one of a job's machines is gone. The log ends with
# `UnavailableError: ... Connection reset by peer`. In the morning, somebody starts the job
# again. It finds its checkpoint, says so, and trains. But the loss has jumped, and in the
# end the model is another one than last time.
#
# In this notebook, processes are killed for real: workers and parameter servers, each a
# process of its own on this machine.

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
# `w` and `momentum` are variables of two numbers. `step(x, y)` makes one step with
# momentum: it changes both. Who makes it differs from job to job:
#
# - **servers**: `w` and `momentum` live on a parameter server. A chief, here a process of its
#   own, runs the function below; in each step, one of two workers computes.
# - **mirrored**: two workers of `MultiWorkerMirroredStrategy` both have `w` and `momentum`,
#   both run the function, and an all-reduce sums their gradients.

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
# Forty steps, counted from 0, a checkpoint every ten. The cross is the kill, in step 28. (The
# line is flat where a step takes longer: the first, and one with a checkpoint.)

# %% key="run-broken"
lost_worker = with_servers(broken_resumable, "worker 1", label="(1) servers")
lost_server = with_servers(broken_resumable, "ps 0", label="(2) servers")
lost_mirror = with_mirrors(broken_resumable, "worker 0", label="(3) mirrored")
show(step_counter(lost_worker, lost_server, lost_mirror), prediction="18")

# %% [markdown]
# Worker 0 is the first of the mirrored workers; the other one hears of it at once. If worker 1
# is killed instead, worker 0 stops about nine seconds later: until then it waits for a sign
# of life.
#
# We found no setting that makes TensorFlow keep a **second copy** of a parameter server.
# Of two servers, each has other variables, and the loss of one ends the job. What remains
# of the weights is the checkpoint.

# %% [markdown] beat="aside"
# ### A step made twice
#
# In job (1), the worker was lost before its update. TensorFlow promises that a scheduled
# step is made **at least** once: if a worker is lost after its update and before it says
# so, another makes that step again, and the weights are wrong without an error.

# %% [markdown] beat="aside"
# ### Started again
#
# The same job (2), and this time somebody starts **all** its processes again, in the same
# folder. Hatched: steps that are begun a second time.

# %% key="run-again"
again = with_servers(broken_resumable, "ps 0", lives=2, label="broken_resumable")
show(step_counter(again))

# %% [markdown] beat="aside"
# ### The control panel
#
# The job with servers: press Start, and kill, halt or cut off a process while it runs. Start
# it again: the folder is as it was left. Beside the buttons stands the line in which a process
# is. A run ends after 45 seconds, or with the next cell.

# %% key="play"
control_panel({"broken_resumable": broken_resumable}, again)

# %% [markdown]
# * Kill a worker: what does the counter do? And if both are killed?
# * Kill the server, and start again: how many steps are made again? Are the weights right?
# * Halt the server: does anybody get an error? Let it go on again.
#
# <details><summary>What came here (open it after playing)</summary>
#
# One worker killed: the other makes all steps, and the weights are right. Both: the counter
# stands, and nobody gets an error. The server: an error at once; started again, the job makes
# all of its steps again that it had begun, and the weights are wrong.
#
# The server halted: nobody gets an error. (In notebook 17, a halted worker is noticed: mirrored
# workers tell a service that they are alive. A job with parameter servers has none.)
#
# </details>

# %% [markdown] beat="locate"
# ## 4 · Locate
#
# `again.log` is a list of `(seconds, step)`, an entry for each step that was begun. At
# work, such a log is often all there is.
#
# Make `my_fall_back` return `(step, count)` for the **first** time that a job fell back:
# the step that it went back to, and how many of the steps from there on it had begun before.
# `None` where no step was begun a second time. The function below looks for a pause. (The
# check uses other logs.)

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
# Print `again.log` around the fall. What do the steps do there? And how long would the
# pause be if the new processes were there in a tenth of a second?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# The steps tell, not the seconds. As long as nothing is lost, each entry's step is one
# more than the step before it. In a fall, it is not.
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
# Fix `my_resumable`. However often its process is killed and started again in the same
# folder: in the end, `w` **and** `momentum` must be those of a run without failure, and
# after a kill at most `every` steps may be made again.
#
# At each start, `w` and `momentum` are zeros, and the process knows nothing but what is in
# `folder`. `batches` is a list of pairs `(x, y)`.
#
# (The check really kills processes: in a step, before and after its update, and while the
# function saves. You can use TensorFlow's checkpoints, or files of your own.)

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
# All that the next step depends on belongs in one checkpoint: the weights, the
# optimizer's own variables, and which step is next. The loop begins with that step. The
# variable that holds it must be right **before** the checkpoint is saved.
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
# batch on the step's number. All three are written in one checkpoint, which a kill can
# leave out, but not cut: `CheckpointManager` names a checkpoint as the latest only when it
# is whole. (`Checkpoint.write`, always to one name, replaces two files, one after the other; a
# kill between them, which this check can't time, leaves a checkpoint that can't be read.) A
# `tf.Variable` holds the number, so that it is saved and restored like the
# weights.

# %% [markdown] beat="confirm"
# ## 6 · Confirm
#
# The parameter server is killed again, and all processes are started again:

# %% key="run-mine" tags=["raises-exception"] thumbnail="53 0 100 100"
mine = with_servers(my_resumable, "ps 0", lives=2, label="my_resumable")
show(step_counter(again, mine))

# %% [markdown]
# **Would `model.fit` have saved you?** In part: the callback `BackupAndRestore` saves and
# restores the weights, the optimizer and the epoch. But the `fit` of Keras 3 does not run in
# a cluster (notebook 13).
#
# **On real machines this would differ:** somebody must start the processes again, such as
# a cluster manager, and the folder must outlive each machine. The order of the data must
# come back, too: here it is a list.

# %% [markdown] role="claims"

# %% [markdown] beat="aside"
# ### What to watch: the age of the counter
#
# The server is halted, as on a machine that is too busy to go on. No error comes, since
# nobody asks it whether it is alive; and all processes are there:

# %% key="halted"
halted = with_servers(broken_resumable, "ps 0", halt=True)
life = halted.lives[-1]
at, step = life.begun[-1]
print("there are still:", ", ".join(life.alive))
print(f"step {step} began {life.until - at:.1f} s ago")

# %% [markdown] beat="aside"
# ### Probe for work
#
# Let each process that runs your loop do `Path(folder, name).touch()`, in a folder that all
# see, before its first step
# and after each step (with parameter servers, that is the chief). From outside, this tells
# whose counter stands still, whether the process lives or not.

# %% key="probe"
import time
from pathlib import Path

def late(folder, seconds=60):
    """Return name -> age, of those who have not made a step for so long."""
    now = time.time()
    files = sorted(Path(folder).iterdir())
    ages = {file.name: round(now - file.stat().st_mtime) for file in files}
    return {name: age for name, age in ages.items() if age > seconds}

# %% key="probe-use"
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
# Would a test that kills a training in many steps have found every mistake? Break a right
# program so that it would not: make `my_fragile`, with the arguments of `my_resumable`, such
# that
#
# - after a kill in **any** step, before or after its update, it ends as without failure, and
#   at most `every` steps are made again;
# - after a kill **between two lines that save**, it ends with other weights or another
#   momentum, and no error tells.

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
# Save twice, one after the other: a kill between the two leaves new weights with an old step,
# or an old step's weights with a new one. Neither file is damaged, so nobody complains.
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# Two managers need two folders, such as `f"{folder}/a"`. The one saves
# `tf.train.Checkpoint(w=w, ____=momentum)`, the other `tf.train.Checkpoint(done=____)`.
#
# </details>

# %% [markdown] solution_only=true
# **Why it is dangerous.** Both files are whole, and each is what somebody meant to save. At
# work, the two are a file of weights and a file with the epoch, or with the place in the
# data. A test has to kill in the save itself, or, better, there is nothing between two
# writes because there is only one.

# %% [markdown] beat="further"
# ## Further 2 · Which errors are worth a new start? (8 minutes)
#
# Whatever starts jobs again must not do so for ever after a mistake in the program. Here
# are errors, raised in a process beside a server. (One is made by hand: that of two dtypes.
# Notebook 17 has a real one.)

# %% key="errors"
for seen in errors_seen():
    print(f"{seen.how:29} {seen.kind:24} RuntimeError? {seen.runtime}")

# %% [markdown] beat="further"
# ### Two are not enough
#
# The function below is what one of the five texts proposes. Make `my_retryable` return
# `True` where a process was lost, or did not answer in time: then it helps to start **all**
# processes again. `False` for all else. (The check raises some that are not in the list.)
#
# To repeat the operation in the same process does not help, by the way: the server that
# came back is empty, and its clients get `AbortedError` each time.

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
# Which lines of the list tell of something that another process did, or failed to do? And
# what would a new start change about a folder in place of a file?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# Three of TensorFlow's errors come from lost or late processes. None of them is a
# `RuntimeError`, and all the rest stays as it is after a new start.
#
# </details>
# <details><summary>Hint 3: a line with holes</summary>
#
# `return isinstance(error, (tf.errors.UnavailableError, tf.errors.A____, tf.errors.D____))`
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** A process that is gone, or a server that came back empty, or an
# answer that came too late: a new start of all processes changes that. A wrong shape, a
# missing file or an error of the program's own is the same after each new start.

# %% [markdown] beat="further"
# ## Further 3 · Two workers, and the weights of one device (10 minutes)
#
# With parameter servers, workers need not wait for each other. `gradient(k, first, last)`
# puts work into a queue and returns at once; a free worker takes it, reads the weights, and
# computes the mean gradient of the rows `first` to `last - 1` of batch k. `.fetch()` waits for
# the result, a NumPy array; `update(gradient)` makes a step with it on the server.
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
# The weights are not those of one device that makes the steps 0, 1, 2, ... Make `my_train`
# end with these, and keep **both** workers busy all the same: as few rows as possible may be
# computed one after the other. (Batches have at least two rows.)

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
# `one` and `other` are computed on the same weights. For which rows is that right, and for
# which is it not?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# The rows of one batch must see the same weights; the rows of the next batch must not. And a
# mean over more rows counts more.
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# For each `k`: `one, other = gradient(k, 0, half), gradient(k, ____, ____)`, then an
# `update` with `(half * one.fetch() + ____ * other.fetch()) / ____`.
#
# </details>

# %% [markdown] solution_only=true
# **What it costs.** Now each step waits for both workers, as in `MultiWorkerMirroredStrategy`:
# the slower one decides. The loop as it was shipped waits less. Its weights are not those of
# one device, and in a real cluster, where chance decides who reads when, they differ from run
# to run.
