# ---
# course:
#   number: "14"
#   title: The same numbers, and the same errors, on every worker
#   part: 3
#   minutes: {core: 40, further: [15, 6]}
#   symptoms:
#     - "MultiWorkerMirroredStrategy: the same loss and the same errors on every worker"
#     - "two workers train no better than one, although all weights agree"
#     - "DataLossError: corrupted record at the same offset on all workers"
#   in_a_hurry:
#     cause: >-
#       Synchronous workers apply the same summed gradient, so their weights always
#       agree, whatever they read. With `distribute_datasets_from_function`, nobody
#       shards: each worker reads what its function returns.
#     probe: >-
#       Let each worker write down the ids of an epoch; then count how often each row was
#       read over all workers. Do not compare weights.
#     fix: >-
#       Shuffle with the SAME seed on all workers, then
#       `shard(context.num_input_pipelines, context.input_pipeline_id)`, then batch with
#       `context.get_per_replica_batch_size(...)`.
# ---

# %% [markdown] beat="symptom"
# ## 1 · Symptom
#
# A job runs on two workers with `MultiWorkerMirroredStrategy`. The dashboard looks
# perfect: after every step, both workers report the same loss and the same weights. Is it
# the model that one device trains from the same data?
#
# Here the workers are two real processes on this machine, which talk over TCP. You will
# look at what each of them reads, and make the two equal one device.

# %% role="start"
from course import check, mirrored, predict, show, virtual_devices
import tensorflow as tf
devices = virtual_devices(4)

# %% role="setup" key="tools"
import os
import tempfile
from pathlib import Path

from course.learner.predictions import ticks
from course.runs.cluster import run_workers
from course.lessons.n14_identical_on_every_worker import (
    QUESTIONS, Shard, observe_ways, read_from_service, tick_table, train_workers,
    who_read, who_reads_which_row,
)
from course.runs.workloads import regression

data = regression(24)

# %% [markdown] beat="predict"
# ## 2 · Predict
#
# 24 rows `(id, x, y)` lie in three files that both workers read; the global batch is 6.
# One device takes `rows.shuffle(len(rows), seed=5).batch(6)`. The gradient of a step is the
# sum over all rows that the workers read in it, divided by their number.
#
# * **A function** of yours, passed to `strategy.distribute_datasets_from_function`, is
#   called once on each worker. `broken_dataset` is one. A second one gives each worker
#   every second row of the files first, and then shuffles these.
# * Or **the strategy** takes the dataset of one device, in
#   `experimental_distribute_dataset`, and shares it out by a policy: `OFF`, `FILE` (whole
#   files), `DATA` (rows).
#
# Except in the last way, all workers shuffle with the same seed.

# %% role="broken" exercise="my_dataset"
def broken_dataset(context, rows, batch, seed):
    """Return this worker's dataset for one epoch: batches for one replica."""
    rows = rows.shuffle(len(rows), seed=seed)
    return rows.batch(context.get_per_replica_batch_size(batch))

# %% key="ask"
predict("14")

# %% [markdown] beat="observe"
# ## 3 · Observe
#
# Two real workers train in each of the ways, one after the other.

# %% key="run-ways"
show(tick_table(QUESTIONS, observe_ways(), ticks("14")), prediction="14")

# %% [markdown] beat="aside"
# ### Who reads which row?
#
# Each box is a row that a worker reads; the number in it is the step. **Filled**: one
# device reads the row in the same step. **Hatched**: it was read before in this epoch.
# **A cross**: nobody reads it. Below: how far the workers' weights are from each other and
# from one device.

# %% key="play"
who_reads_which_row()

# %% [markdown]
# * In which ways do the workers come apart **from each other**?
# * Policy `DATA` gives the weights of one device; a function in which each worker takes
#   its own rows and shuffles them does not. Which rows does a step have in each?
# * `FILE`: how many steps has an epoch with three files, and who runs out of rows? What
#   happens with one file?
#
# <details><summary>What you should have seen</summary>
#
# * In none. All workers apply the same sum of gradients, so they stay equal, right or wrong.
# * With `DATA`, each step has the same six rows as on one device, three on each worker. With
#   the function, each worker shuffles its own twelve rows, so no step has the same six rows
#   as on one device.
# * Six instead of four. Worker 0 reads two files, worker 1 only one. In steps 3 to 5, worker
#   1 has no rows left, but it still takes part. With one file, TensorFlow raises an
#   error, because the second worker would have no file.
#
# </details>

# %% [markdown] beat="aside"
# ### Does a NaN stay on the worker that made it?

# %% key="nan"
def sum_over_workers():
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    bad = strategy.cluster_resolver.task_id == 1
    gradient = tf.constant([1.0, float("nan") if bad else 2.0])
    def step():
        return tf.distribute.get_replica_context().all_reduce("SUM", gradient)
    return strategy.run(step).numpy().tolist()

for worker, total in enumerate(run_workers(sum_over_workers).values()):
    print(f"worker {worker} receives {total}")

# %% [markdown]
# One bad gradient on worker 1, and both workers get it, in the same step. An error that is
# identical everywhere does **not** say that model and data are without fault.

# %% [markdown] beat="locate"
# ## 4 · Locate
#
# The weights tell us nothing, so look at the rows, and without a cluster: an input function
# can be called here, as each of the workers would. The monitor below misses faults. Make
# `my_first_wrong` return `(step, row)`: the **first** step of the epoch in which the workers
# together do not read exactly the rows of one device, each once; and of the rows that are
# missing in it, or read too often, the smallest id. `None` if there is no such step.

# %% role="broken" exercise="my_first_wrong"
def broken_first_wrong(make, rows, batch, seed, workers):
    one_device = rows.shuffle(len(rows), seed=seed).batch(batch)
    worker = make(tf.distribute.InputContext(workers, 0, workers), rows, batch, seed)
    both = tf.data.Dataset.zip(one_device, worker)
    for step, (wanted, came) in enumerate(both):
        strange = set(came[0].numpy()) - set(wanted[0].numpy())
        if strange:
            return step, min(strange)

# %% [markdown] beat="aside"
# ### Your monitor
#
# A context is `tf.distribute.InputContext(workers, index, replicas of all workers)`; here each
# worker has one replica. The check calls it for six input functions, with 2 and 3 workers.

# %% role="fix" exercise="my_first_wrong"
from collections import Counter
from itertools import chain, zip_longest

def my_first_wrong(make, rows, batch, seed, workers):
    one_device = rows.shuffle(len(rows), seed=seed).batch(batch)
    contexts = [tf.distribute.InputContext(workers, w, workers) for w in range(workers)]
    every = [make(context, rows, batch, seed) for context in contexts]
    for step, read in enumerate(zip_longest(one_device, *every, fillvalue=([],))):
        wanted, *came = [[int(row) for row in batch[0]] for batch in read]
        wanted, came = Counter(wanted), Counter(chain(*came))
        wrong = (came - wanted) + (wanted - came)
        if wrong:
            return step, min(wrong)

# %% role="check" points=3
check("14/my_first_wrong", my_first_wrong)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# Set the instrument to "by nobody". In step 0, does worker 0 read any row that one device
# does not read in it? So what does a look at worker 0 alone never notice?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# Call `make` once for each worker, with its own context. In every step, count: how often is
# each row in the batch of one device, and how often in those of all workers together?
# Where one has ended, it reads nothing; a `zip` ends with the shortest.
#
# </details>
# <details><summary>Hint 3: a line with holes</summary>
#
# `came = Counter(____ of all workers in this step)`, and what differs is
# `(came - ____) + (____ - came)`. `itertools.zip_longest` goes on to the end of the longest.
#
# </details>

# %% [markdown] beat="fix"
# ## 5 · Fix
#
# You want to write the input function yourself (augmentation that depends on the worker, for
# one), and still the weights of one device. Fix `my_dataset`: in every step, the workers
# together read exactly the rows that one device has in its batch, each row once.
#
# The check draws other numbers of rows, 2 and 3 workers, and workers with two replicas, which
# each take a batch of their own from the worker's dataset. One of its cases runs in two real
# processes. You can try yours first: `my_first_wrong(my_dataset, ...)`.

# %% role="fix" exercise="my_dataset"
def my_dataset(context, rows, batch, seed):
    """Return this worker's dataset for one epoch: batches for one replica."""
    rows = rows.shuffle(len(rows), seed=seed)
    rows = rows.shard(context.num_input_pipelines, context.input_pipeline_id)
    return rows.batch(context.get_per_replica_batch_size(batch))

# %% role="check" points=4
check("14/my_dataset", my_dataset)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# In step 0, one device reads the first six rows of the shuffled order. How many of them did
# the two workers read together, by the function and by policy `DATA`? Does it matter which
# three of them worker 0 has?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# All workers must look at the **same** shuffled order, and each must take its own part of
# it. If they took parts of different orders, some rows would come twice and others never.
# If they took their parts before the shuffle, each row would come once, but not in the
# batch in which one device has it. A dataset has a method that keeps every n-th element.
#
# </details>
# <details><summary>Hint 3: a line with holes</summary>
#
# In its right place: `rows = rows.____(context.____, context.____)`
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** With the same seed, both workers have the same order in each epoch.
# `shard` gives worker 0 its even places and worker 1 its odd ones. The first 3 of each are
# the first 6 of the order: the batch of one device. This needs **equal** seeds before the
# shard. With a seed of its own, each worker would take its part of another order.

# %% [markdown] beat="confirm"
# ## 6 · Confirm
#
# The same picture for your function:

# %% key="run-mine" tags=["raises-exception"] thumbnail="0 0 100 100"
broken, mine = train_workers(broken_dataset, data), train_workers(my_dataset, data)
show(who_read(mine))

# %% [markdown]
# **Would `model.fit` have saved you?** The one of Keras 3 does not run in a cluster
# (notebook 13). A dataset that you hand to `strategy.experimental_distribute_dataset` is
# shared out by `AUTO`, which takes `FILE` for these files; what a function returns is not
# shared out at all.
#
# **On real machines this would differ:** each has its own disk, and reads its own copy
# of the files. Where these list their files in another order, or hold another version,
# equal seeds give different orders.

# %% [markdown] role="claims"

# %% [markdown] beat="aside"
# ### The policy that nobody chose
#
# Without an option, the policy is `AUTO`. Two workers read the numbers from 0 to 23 in
# batches of 6: from three files of eight, and from `range`. Which numbers does worker 0
# get? Decide before you run the cell.

# %% key="auto"
def read_both(folder):
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    names = [f"{folder}/{k}.txt" for k in range(3)]
    lines = tf.data.TextLineDataset(names).map(tf.strings.to_number)
    def own(numbers):
        shared = strategy.experimental_distribute_dataset(numbers.batch(6))
        parts = [strategy.experimental_local_results(batch)[0] for batch in shared]
        return [part.numpy().astype(int).tolist() for part in parts]
    return own(lines), own(tf.data.Dataset.range(24))

with tempfile.TemporaryDirectory() as folder:
    for k in range(3):
        text = "\n".join(map(str, range(8 * k, 8 * k + 8)))
        Path(folder, f"{k}.txt").write_text(text)
    files, numbers = run_workers(read_both, folder).values()[0]
print("files:", *files, "range:", *numbers, sep="\n")

# %% [markdown]
# <details><summary>What this means (open it after the run)</summary>
#
# `AUTO` is `FILE` where it sees files: files 0 and 2, and empty batches for worker 1 at the
# end. Else it is `DATA`. Older versions print "Found an unshardable source dataset" then: a
# warning, no harm. In one process all policies are the same: there is one reader.
#
# </details>

# %% [markdown] beat="aside"
# ### Probe for work
#
# Plain Python, to paste into your own job. Collect in each worker the ids of one epoch,
# save them, and bring the lists together. (No ids? Hash the bytes of each row.)

# %% key="probe"
from collections import Counter

def reads_over_workers(ids_of_workers, rows):
    """Print how often `rows` rows were read in an epoch: a list of ids per worker."""
    times = Counter(row for ids in ids_of_workers for row in ids)
    twice = sorted(row for row, count in times.items() if count > 1)
    print(f"{len(times)} of {rows} rows were read, {rows - len(times)} never;")
    print(f"{len(twice)} were read more than once:", twice[:10])

for run in (broken, mine):
    epoch = run.epochs()[0]
    both = [[row for step in epoch for row in step[worker]] for worker in (0, 1)]
    reads_over_workers(both, len(data))

# %% [markdown] role="elsewhere"

# %% [markdown] beat="aside"
# ### When the workers really share: the tf.data service
#
# A service of two processes reads the data, and hands batches out to whoever asks. Two
# workers read 48 rows from it, in three ways. Printed is how many rows each of them read.

# %% key="service"
once = "distributed_epoch"
for mode, job in (("parallel_epochs", None), (once, None), (once, "a")):
    one, other = read_from_service(mode, job)
    print(f"{mode}, job_name={job}: {len(one)} and {len(other)} reads,", end=" ")
    print(len({*one, *other}), "different rows")

# %% [markdown]
# In `parallel_epochs`, **each** process of the service reads all rows, and each worker gets
# what both have read: 96. In a `distributed_epoch`, the two share one pass over the rows,
# but a pass belongs to a job: only workers that name **the same job** share it. Who reads
# which is then settled by who asks first, and is another in each run: each row once, but
# not the sequential run's batches.

# %% [markdown] beat="further"
# ## Further 1 · One bad file, the same error everywhere (15 minutes)
#
# A file of 48 records has one wrong bit in record 9, and both workers read it. A second
# file was cut in the header of record 20, as when a copy runs out of disk space.

# %% key="bad-file"
def count_records(path):
    return sum(1 for _ in tf.data.TFRecordDataset(path))

with Shard((24,) * 48, "data", record=9, at=20).file() as path:
    for end in run_workers(count_records, path).ends:
        print(f"{end.name}: {end.sentences[0]}")
    ignoring = tf.data.TFRecordDataset(path).ignore_errors()
    print("with ignore_errors:", sum(1 for _ in ignoring), "of 48 records")
with Shard((24,) * 48, "cut in header", record=20, at=5).file() as path:
    print("cut, no error at all:", count_records(path), "of 48 records")

# %% [markdown] beat="further"
# ### Know it before the training
#
# Make `my_validate_shard(path)` return `(records, byte)`: how many good records stand
# before the first bad one, and the byte of the file at which that one begins (`None` if
# there is none).
#
# A record is: 8 bytes of length, 4 of a checksum, the data, 4 of a checksum. TensorFlow's
# reader verifies the checksums and raises `tf.errors.DataLossError`; the byte it names is
# where it noticed. `record.numpy()` is a record's data, `os.path.getsize(path)` the size
# of the file.

# %% role="broken" exercise="my_validate_shard"
def broken_validate_shard(path):
    records = tf.data.TFRecordDataset(path).ignore_errors()
    return sum(1 for _ in records), None

# %% role="fix" exercise="my_validate_shard"
def my_validate_shard(path):
    good, byte = 0, 0
    try:
        for record in tf.data.TFRecordDataset(path):
            good += 1
            byte += 16 + len(record.numpy())
    except tf.errors.DataLossError:
        pass
    return good, None if byte == os.path.getsize(path) else byte

# %% role="check" points=4
check("14/my_validate_shard", my_validate_shard)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# The cut file raised nothing. What do you know of a file besides the records in it, so
# that you can tell that something is missing?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# Add up the bytes of the records that were read: the data and what stands around them.
# Where that is the size of the file, all is well. Else the first bad record begins there,
# whether there was an error or not.
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# For each record: `good += 1` and `byte += ____ + len(record.numpy())`, all in a `try`
# with `except tf.errors.____`. At the end compare `byte` with `os.path.getsize(____)`.
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** A record is its data and 16 bytes around them, so the lengths of
# the good records say where the next one begins; the error names only where the reader
# noticed. A file that ends within a header may also end without an error: so the sum is
# compared with the size of the file.

# %% [markdown] beat="further"
# ## Further 2 · The weights of one device, for twice the price (6 minutes)
#
# Equal weights prove that the rows of a step are right. Do they prove that the workers
# shared the work? Break the job so that no weight shows it: make `my_waste` such that after
# every step all workers have the weights of one device, while **each** worker reads **all**
# rows, in as many steps as one device. (Each worker has one replica.)

# %% role="broken" exercise="my_waste"
def broken_waste(context, rows, batch, seed):
    rows = rows.shuffle(len(rows), seed=seed)
    return rows.batch(context.get_per_replica_batch_size(batch))

# %% role="fix" exercise="my_waste"
def my_waste(context, rows, batch, seed):
    return rows.shuffle(len(rows), seed=seed).batch(batch)

# %% role="check" points=3
check("14/my_waste", my_waste)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# A step adds the gradients of all rows that are read in it, and divides by their number.
# What is this if every row of the batch is read by both workers?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# The sum of two equal gradients, divided by twice the rows, is the gradient of one. So each
# worker may do the whole step of one device.
#
# </details>
# <details><summary>Hint 3: a question again</summary>
#
# In the shipped function each worker reads all rows, in twice as many steps as one device.
# What must be twice as large, so that there are as many?
#
# </details>

# %% [markdown] solution_only=true
# **Why this is a waste.** Both workers compute the same gradient, and the sum over both is
# divided by twice the rows. Weights, loss and number of steps are those of one device, and
# so is the time of a step. Only the rows tell: 48 reads of 24.
