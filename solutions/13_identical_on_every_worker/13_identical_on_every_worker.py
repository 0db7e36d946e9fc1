# ---
# course:
#   number: "13"
#   title: The same numbers, and the same errors, on every worker
#   part: 3
#   minutes: {core: 25, further: [15, 10]}
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
# perfect: after every step, both workers report the same loss and the same weights. Nobody
# has looked further: is it the model that one device trains from the same data?
#
# Here the workers are two real processes on this machine, which talk over TCP. You will
# look at what each of them reads, and make the two equal one device.

# %% role="start"
from course import check, mirrored, predict, show, virtual_devices
import tensorflow as tf
devices = virtual_devices(4)

# %% role="setup" key="tools"
import os

from course.runs.cluster import run_workers
from course.lessons.n13_identical_on_every_worker import (
    Shard, read_files, read_from_service, train_workers, worker_reads,
)
from course.runs.workloads import regression

data = regression(48)

# %% [markdown] beat="predict"
# ## 2 · Predict
#
# `strategy.distribute_datasets_from_function` calls the function below once on each
# worker. `rows` is a `tf.data.Dataset` of 48 rows `(id, x, y)`, `batch` the global batch
# of 8, and `seed` the same number everywhere. `context` knows the worker:
# `num_input_pipelines` (2), `input_pipeline_id` (0 or 1).
#
# The gradient of a step is the sum over all rows that both workers read, divided by their
# number. One device does the same with `rows.shuffle(len(rows), seed=seed).batch(8)`.

# %% role="broken" exercise="my_dataset"
def broken_dataset(context, rows, batch, seed):
    """Return this worker's dataset for one epoch: batches for one replica."""
    rows = rows.shuffle(len(rows), seed=seed)
    return rows.batch(context.get_per_replica_batch_size(batch))

# %% key="ask"
predict("13")

# %% [markdown] beat="observe"
# ## 3 · Observe
#
# `train_workers` starts the two processes. Above: the rows that each of them read; hatched
# where, in one step, both read the same row. Below: the largest distance of a
# weight, between the two workers, and from one device.

# %% key="run-broken"
broken = train_workers(broken_dataset, data)
show(worker_reads(broken), prediction="13")

# %% [markdown]
# A dashboard that shows "all workers agree" plots the flat line. Synchronous training keeps
# it flat for right jobs and for wrong ones.

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
# The weights tell us nothing, so look at the rows. `reads` lists all that was read, in order:
# `(epoch, step, worker, row)`, counted from 0, step by step, and in a step worker 0 first.
# The monitor below misses real faults, and warns of healthy runs. Make `my_first_repeat`
# return `(epoch, step, row)` for the **first** row that was read before in the same epoch,
# by whichever worker. Where there is none, `None`. (To try it on this run:
# `my_first_repeat(broken.reads())`. The check uses other recordings, also of more
# workers.)

# %% role="broken" exercise="my_first_repeat"
def broken_first_repeat(reads):
    seen = set()
    for epoch, step, worker, row in reads:
        if (worker, row) in seen:
            return epoch, step, row
        seen.add((worker, row))
    return None

# %% role="fix" exercise="my_first_repeat"
def my_first_repeat(reads):
    seen = set()
    for epoch, step, worker, row in reads:
        if (epoch, row) in seen:
            return epoch, step, row
        seen.add((epoch, row))
    return None

# %% role="check" points=3
check("13/my_first_repeat", my_first_repeat)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# In the figure, did worker 0 alone read any row twice in these steps? Did the two
# together? And is it a fault when a row comes again in the next epoch? (An epoch of
# `reads` ends where the workers' datasets end: for `broken`, after 12 steps, not 6.)
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# An epoch should be one pass over the data by **all** workers together. What counts as
# read belongs to an epoch, not to a worker.
#
# </details>
# <details><summary>Hint 3: a line with holes</summary>
#
# `if (____, row) in seen:`, and the same pair in `seen.add`.
#
# </details>

# %% [markdown] beat="fix"
# ## 5 · Fix
#
# Fix `my_dataset`. In every step, the workers together must read exactly the rows that one
# device has in its batch, each row once; so both end with its weights.
#
# Worker `i` of `n` gets every n-th element of a dataset with `rows.shard(n, i)`, beginning
# with element `i`.
#
# (The check draws other numbers of rows, 2 and 3 workers, and workers with two replicas,
# which each take a batch of their own from the worker's dataset. One of its cases runs in
# two real processes.)

# %% role="fix" exercise="my_dataset"
def my_dataset(context, rows, batch, seed):
    """Return this worker's dataset for one epoch: batches for one replica."""
    rows = rows.shuffle(len(rows), seed=seed)
    rows = rows.shard(context.num_input_pipelines, context.input_pipeline_id)
    return rows.batch(context.get_per_replica_batch_size(batch))

# %% role="check" points=4
check("13/my_dataset", my_dataset)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# In the first step (`reads` calls it 0) one device reads the first eight rows of the
# shuffled order. How many of them did the two workers read together? Does it matter which
# four of them worker 0 has?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# All workers must look at the **same** shuffled order, and each must take its own part of
# it. If they took parts of different orders, some rows would come twice and others never.
# If they took their parts before the shuffle, each row would come once, but not in the
# batch in which one device has it.
#
# </details>
# <details><summary>Hint 3: a line with holes</summary>
#
# Between `shuffle` and `batch`: `rows = rows.shard(context.____, context.____)`
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** With the same seed, both workers have the same order in each epoch.
# `shard` gives worker 0 its even places and worker 1 its odd ones. The first 4 of each are
# the first 8 of the order: the batch of one device. This needs **equal** seeds before the
# shard. With a seed of its own, each worker would take its part of another order.

# %% [markdown] beat="confirm"
# ## 6 · Confirm
#
# Before and after, the first three steps and the distances:

# %% key="run-mine" tags=["raises-exception"]
mine = train_workers(my_dataset, data)
show(worker_reads(broken, mine))

# %% [markdown]
# **Would `model.fit` have saved you?** No: `fit` does not run in a cluster
# (notebook 12). A dataset that you hand to `strategy.experimental_distribute_dataset`
# is sharded for you; what a function returns is not.
#
# **On real machines this would differ:** each has its own disk, and reads its own copy
# of the files. Where these list their files in another order, or hold another version,
# equal seeds give different orders.

# %% [markdown] role="claims"

# %% [markdown] beat="aside"
# ### Probe for work
#
# Plain Python, to paste into your own job. Collect in each worker the ids of one epoch,
# save them, and bring the lists together. (No ids? Hash the bytes of each row.) Below, the
# whole first epoch of `broken` is counted: 12 steps, where the figure shows 6.

# %% key="probe"
from collections import Counter

def reads_over_workers(ids_of_workers, rows):
    """Print how often `rows` rows were read in an epoch: a list of ids per worker."""
    times = Counter(row for ids in ids_of_workers for row in ids)
    twice = sorted(row for row, count in times.items() if count > 1)
    print(f"{len(times)} of {rows} rows were read, {rows - len(times)} never;")
    print(f"{len(twice)} were read more than once:", twice[:10])

epoch = broken.epochs()[0]
both = [[row for step in epoch for row in step[worker]] for worker in (0, 1)]
reads_over_workers(both, len(data))

# %% [markdown] beat="aside"
# ### When the strategy shards for you
#
# `experimental_distribute_dataset` follows a policy: `FILE` gives each worker whole files,
# `DATA` every n-th row, `OFF` nothing. Here 48 rows are in 3 files, and the global batch is
# 8. Printed is how many rows a worker had in each step.

# %% key="policies"
found = read_files({"FILE": 3, "DATA": 3, "OFF": 3})
for policy, sizes in found.items():
    for worker, own in enumerate(sizes):
        print(f"{policy:4}  worker {worker}: {sum(own)} rows in an epoch, steps {own}")

# %% [markdown]
# `FILE` with 3 files on 2 workers: worker 1 has nothing to do in half of the steps. With
# one file, it is an error, and so is `AUTO`, the default: it takes `FILE`
# here. `OFF` shards nothing: 96 reads of 48 rows, as with your own function.

# %% [markdown] beat="aside"
# ### When the workers really share: the tf.data service
#
# A process of its own reads the data, and hands batches out to whoever asks. Two workers
# read 48 rows from it, in three ways. Printed is how many rows each of them read.

# %% key="service"
once = "distributed_epoch"
for mode, job in (("parallel_epochs", None), (once, None), (once, "a")):
    one, other = read_from_service(mode, job)
    print(f"{mode}, job_name={job}: {len(one)} and {len(other)} reads,", end=" ")
    print(len({*one, *other}), "different rows")

# %% [markdown]
# Only workers that name **the same job** in a `distributed_epoch` share one pass over the
# rows. Who reads which is then settled by who asks first, and is another in each run: each
# row once, but not the sequential run's batches.

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
check("13/my_validate_shard", my_validate_shard)

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
# ## Further 2 · The same word, another id (10 minutes)
#
# Each worker turns words into ids with a vocabulary: a list of words, whose places are the
# ids. Shards hold different words. If each worker makes its own list, the shapes fit, the
# weights agree, and row 3 of the embedding is two words.
#
# `shards` are the word counts of **all** shards, such as `{"oak": 5, "fir": 2}`, but each
# worker lists its own shard first. Make `my_vocabulary(shards, size)` return, on every
# worker, the list that one process would make of all the data: at most `size` words, the
# most frequent first, equal counts by the alphabet.

# %% role="broken" exercise="my_vocabulary"
def broken_vocabulary(shards, size):
    counts = shards[0]
    return sorted(counts, key=lambda word: (-counts[word], word))[:size]

# %% role="fix" exercise="my_vocabulary"
def my_vocabulary(shards, size):
    counts = {}
    for shard in shards:
        for word, count in shard.items():
            counts[word] = counts.get(word, 0) + count
    return sorted(counts, key=lambda word: (-counts[word], word))[:size]

# %% role="check" points=4
check("13/my_vocabulary", my_vocabulary)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# `shards[0]` is another shard on each worker. Which words does worker 0 never see in it?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# First add up, then cut. And nothing in the result may depend on the order in which the
# shards are listed: neither counts nor ties.
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# `counts = {}`; for each `word, count` of each shard:
# `counts[word] = counts.get(word, 0) + ____`; then the sorted line as it is.
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** The counts of all shards are added up before anything is chosen,
# so the order of the shards plays no part. Equal counts need a rule of their own, too:
# without the alphabet, the first one seen would win, and that is another word on each
# worker.
