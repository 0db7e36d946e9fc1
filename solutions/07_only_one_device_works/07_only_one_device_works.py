# ---
# course:
#   number: "07"
#   title: More devices, and no faster
#   part: 2
#   minutes: {core: 30, further: [10, 10]}
#   symptoms:
#     - "nvidia-smi: only GPU 0 works, the others are idle, with MirroredStrategy"
#     - "custom training loop in strategy.scope() is as fast on four GPUs as on one"
#     - "is tf.device ignored? the GPU does not exist, and there is no error"
#     - "num_replicas_in_sync is right, but all work is done by one device"
#   in_a_hurry:
#     cause: >-
#       A `tf.device` block in the replica function (or in something it calls) overrides
#       the replica's own device. What runs outside `strategy.run`, or asks for a device
#       that does not exist, also goes to one device. The weights are right, and there is
#       no error.
#     probe: >-
#       Count the MatMul and convolution operations of your step's graph by the device
#       they ask for: equal counts, and no device that is not in
#       `tf.config.list_logical_devices()`.
#     fix: >-
#       Call the step with `strategy.run` in a `tf.function`, on a distributed dataset.
#       Remove `tf.device` from it. At the start, compare the strategy's devices with
#       those that exist.
# ---

# %% [markdown] beat="symptom"
# ## 1 · Symptom
#
# You added a `MirroredStrategy` to a training script, and it now has four devices instead of
# one. A step is no faster than before.
#
# When code looks parallel and gains nothing, first ask: **which device computes what?**
# TensorFlow decides it for each operation. This is called *placement*. Then ask: do the
# weights still match those of one device?
#
# You will see what each of four devices does in a step, find misplaced operations in a
# table, and write a training loop that shares the work.

# %% role="start"
from course import check, mirrored, predict, show, virtual_devices
import tensorflow as tf
devices = virtual_devices(4)

# %% role="setup" key="tools"
from course.lessons.n07_only_one_device_works import device_rows, train_placed
from course.runs.placement import what_ran
from course.runs.sequential import train_sequentially
from course.runs.workloads import LEARNING_RATE, regression

rows = regression(48)

# %% role="setup" key="gradient"
def gradient_of(w, x, y):
    value = tf.convert_to_tensor(w)
    with tf.GradientTape() as tape:
        tape.watch(value)
        loss = tf.reduce_mean((tf.linalg.matvec(x, value) - y) ** 2)
    return tape.gradient(loss, value)

# %% [markdown] beat="predict"
# ## 2 · Predict
#
# `gradient_of`, above, returns the gradient of the mean squared error of some rows. It makes
# two matrix multiplications of these rows: one forward, one backward. `batches` is a
# `tf.data.Dataset` with 16 rows in each batch.
#
# `w` is a **mirrored variable**: it has a copy on each device. `strategy.run` calls
# `replica_step` once for each of the four replicas.

# %% role="broken" exercise="my_train"
def broken_train(devices, batches):
    strategy = mirrored(devices)
    with strategy.scope():
        w = tf.Variable([0.0, 0.0])

    def replica_step(x, y):
        with tf.device("CPU:0"):  # the batches come from there
            gradient = gradient_of(w, x, y)
        context = tf.distribute.get_replica_context()
        w.assign_sub(LEARNING_RATE * context.all_reduce("MEAN", gradient))

    step = tf.function(lambda x, y: strategy.run(replica_step, args=(x, y)))
    for x, y in batches:
        step(x, y)
    return w

# %% key="ask"
predict("07")

# %% [markdown] beat="observe"
# ## 3 · Observe
#
# Each box is one matrix multiplication; its length is its number of rows. TensorFlow itself
# reports where each one **ran**. On the left you see what four devices should do with a
# batch of 16 rows.

# %% key="run-broken"
sequential = train_sequentially(rows, batch=16, steps=3)
broken = train_placed(broken_train, rows, 16, devices, label="broken_train")
show(device_rows(sequential, broken), prediction="07")

# %% [markdown]
# <details><summary>What this means (open it after the run)</summary>
#
# There are two faults. The `tf.device` block moves the work of all four replicas to `CPU:0`.
# And each replica multiplied all 16 rows: 4 x 16 = 64 forward, and 64 for the gradient. One
# device alone needs 16 and 16.
#
# The weights do not show it, because the mean of four equal gradients is right.
#
# </details>

# %% [markdown] beat="aside"
# ### Other circumstances
#
# The same training with 12 rows in a step, on a machine with four devices. Take `tf.device`
# away: is the work shared now? Do you get an error if you ask for more devices than there
# are? Which settings make the weights wrong?
#
# (Point at a box to see what it is.)

# %% key="play"
from course.lessons.n07_only_one_device_works import who_multiplies

who_multiplies()

# %% [markdown]
# <details><summary>What you should have seen (open it when you have played)</summary>
#
# - Without `tf.device`, all devices work, but each multiplies all 12 rows, so nothing is
#   gained.
# - The scope decides how variables are **created**: one copy on each device. It moves no
#   computation. A plain loop in it computes one gradient and applies it to all copies.
# - A replica on a device that does not exist gives no error. It runs on the first device, and
#   its copy of `w` is there too. TensorFlow refuses only if *soft placement* is off.
# - A `w` made before the scope has one copy, and every replica updates it. Then the weights
#   are wrong.
#
# </details>

# %% [markdown] beat="locate"
# ## 4 · Locate
#
# Another job calls its layers once for each replica. Its table has a line for each matrix
# multiplication: the replica, the device it **asked** for, the device it **ran** on, its
# rows. If an operation asks for a device that does not exist, TensorFlow runs it on one that
# does, without an error.

# %% key="table"
strategy = mirrored(devices)

def two_layers(x):
    me = tf.distribute.get_replica_context().replica_id_in_sync_group
    x += tf.cast(me, tf.float32)
    with tf.device("CPU:9"):
        hidden = tf.matmul(x, tf.ones([2, 2]))
    return tf.matmul(hidden, tf.ones([2, 2]))

job = tf.function(lambda x: strategy.run(two_layers, args=(x,)))
operations = what_ran(job, tf.ones([6, 2]))
for line in operations:
    print(line)

# %% [markdown] beat="aside"
# ### Which lines are misplaced?
#
# `devices[r]` is the device of replica `r`. The function below is wrong. Make
# `my_misplaced` return `(index, rows)`:
#
# - the index of the first multiplication that did not run on its replica's device,
# - the number of rows of **all** such multiplications together.
#
# If there is no such line, return `None`. The check uses tables of other jobs. To try yours,
# run `my_misplaced(operations, devices)`.

# %% role="broken" exercise="my_misplaced"
def broken_misplaced(operations, devices):
    for index, (replica, asked, ran, rows) in enumerate(operations):
        if ran != asked:
            return index, rows
    return None

# %% role="fix" exercise="my_misplaced"
def my_misplaced(operations, devices):
    wrong = [
        index for index, (replica, asked, ran, rows) in enumerate(operations)
        if ran != devices[replica]
    ]
    return (wrong[0], sum(operations[i][3] for i in wrong)) if wrong else None

# %% role="check" points=3
check("07/my_misplaced", my_misplaced)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# In the table above, line 0 asks for a device that does not exist. Did it run on the device
# of replica 0? And the first line of replica 1: did it run on the device of replica 1?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# An operation does not always run where it asks to. Compare the **third** entry of each line
# with the device of its replica. Collect all lines where they differ, and then answer.
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# Collect every index where `____ != devices[replica]`; then return the first of them, and
# the `sum` of `operations[i][____]` over all of them.
#
# </details>

# %% [markdown] beat="fix"
# ## 5 · Fix
#
# Make `my_train` share the work: in every step, each device computes the gradient of its
# **own share** of the batch, and of no other rows. At the end, all copies of `w` equal the
# sequential run.
#
# Keep the loop over the batches in Python. The check uses two, three or four devices, in any
# order. All shares have the same size.

# %% role="fix" exercise="my_train"
def my_train(devices, batches):
    strategy = mirrored(devices)
    with strategy.scope():
        w = tf.Variable([0.0, 0.0])

    def replica_step(x, y):
        gradient = gradient_of(w, x, y)
        context = tf.distribute.get_replica_context()
        w.assign_sub(LEARNING_RATE * context.all_reduce("MEAN", gradient))

    step = tf.function(lambda x, y: strategy.run(replica_step, args=(x, y)))
    for x, y in strategy.experimental_distribute_dataset(batches):
        step(x, y)
    return w

# %% role="check" points=4
check("07/my_train", my_train)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# Which line of `broken_train` decides where a gradient is computed? And which one decides
# how many rows of a batch a replica gets?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# `strategy.run` calls each replica's function under that replica's device, so leave the
# choice to it. It does not split its arguments: all replicas get a plain tensor as it is.
# Only an element of a distributed dataset holds a share for each replica;
# `strategy.experimental_distribute_dataset` makes such a dataset.
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# `gradient = gradient_of(w, x, y)` under no ____ of your own, and
# `for x, y in strategy.____(batches):`.
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** `strategy.run` calls the function once for each replica, each time
# under a `tf.device` block of that replica, so its operations ask for that device. The
# distributed dataset gives each replica its share. The all-reduce takes the mean over the
# shares, which is the mean over the batch if all shares are equal. (Notebook 03 shows what to
# do if not.)
#
# Your own loop with `with tf.device(device):` around each share is also right. So is a call
# of `strategy.run` without `tf.function`, but it is slower (notebook 09).

# %% [markdown] beat="confirm"
# ## 6 · Confirm
#
# Before and after, on the same rows:

# %% key="run-mine" tags=["raises-exception"] thumbnail="0 0 37 100"
mine = train_placed(my_train, rows, 16, devices, label="my_train")
show(device_rows(sequential, broken, mine))

# %% [markdown]
# **Would `model.fit` have saved you?** Only in part. `fit` itself calls `strategy.run` on
# shares of each batch. But a `tf.device` block in a layer overrides the replica's device in
# `fit` too, and a strategy on devices that do not exist gives no error there either.
#
# **On real GPUs this would differ:** an operation that asks for no device runs on `GPU:0`.
# (This course was not yet run on several GPUs.) A public case is TensorFlow's
# [issue 26020](https://github.com/tensorflow/tensorflow/issues/26020), "MirroredStrategy
# doesn't use GPUs".

# %% [markdown] role="claims"

# %% [markdown] beat="aside"
# ### The usual tape, and a variable outside the scope
#
# Most scripts use `w` itself on the tape; `gradient_of` makes a tensor of it first. Before
# you run the cell: what does the usual way do in the scope, outside of `strategy.run`? And
# each of four replicas adds 1 to two counters: what are their values then?

# %% key="refused"
with strategy.scope():
    w, counter = tf.Variable([0.0, 0.0]), tf.Variable(0.0)
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(w ** 2)
    try:
        tape.gradient(loss, w)
    except ValueError as error:
        print(error)

other = tf.Variable(0.0)  # outside the scope
strategy.run(tf.function(lambda: [v.assign_add(1.0) for v in (counter, other)]))
print("in the scope:", [(copy.device[-5:], float(copy)) for copy in counter.values])
print("outside:", (other.device[-5:], float(other)))

# %% [markdown]
# <details><summary>What this means (open it after the run)</summary>
#
# The tape refuses, because it can't choose one of four copies. You are lucky to get an error:
# code that reads `w` first, like `gradient_of`, runs on without one.
#
# The counter made in the scope has a copy on each device, and each replica updates its own.
# The other counter exists once, and four replicas update it: 4.
#
# </details>

# %% [markdown] beat="aside"
# ### Probe for work
#
# Plain TensorFlow, to paste into your own job. Give it the graph of your step,
# `step.get_concrete_function(x, y)`. Replicas do equal work: all devices that should work
# must have **equal counts**, and every name must exist.
#
# An operation under `""` asks for no device: it runs where its function is called, or on the
# first device. The probe counts operations, not rows, so it does not see that a batch is not
# split.
#
# Do not use `.device` of what a replica returns. It is right for **eager** operations only;
# a graph may have computed the tensor elsewhere.

# %% key="probe"
def places_of_work(concrete):
    """Count heavy operations by the device they ask for; list those that exist."""
    heavy = ("MatMul", "BatchMatMul", "Conv2D", "Conv3D", "Einsum", "DepthwiseConv2d")
    graph = concrete.graph.as_graph_def()
    nodes = list(graph.node)
    for function in graph.library.function:
        nodes += function.node_def
    asked = [n.device.split("device:")[-1] for n in nodes if n.op.startswith(heavy)]
    exist = [d.name.split("device:")[-1] for d in tf.config.list_logical_devices()]
    return {name: asked.count(name) for name in sorted(set(asked))}, exist

print(places_of_work(job.get_concrete_function(tf.ones([6, 2]))))

# %% [markdown] role="elsewhere"

# %% [markdown] beat="further"
# ## Further 1 · Asked for, and run (10 minutes)
#
# You know where `CPU:9` runs. `gpu:O` has a letter instead of a digit, and `CPU1` has no
# colon. Before you run the cell: which of these names can TensorFlow not even read? And what
# happens to `CPU:9` after the line with `False`?

# %% key="names"
def try_names(*names):
    for name in names:
        try:
            with tf.device(name):
                print(f"{name}: ran on", tf.matmul([[1.0]], [[1.0]]).device[-5:])
        except (ValueError, tf.errors.InvalidArgumentError) as error:
            print(f"{name}: {type(error).__name__}")

try_names("CPU:3", "cpu:2", "CPU:9", "gpu:O", "CPU1")
tf.config.set_soft_device_placement(False)
try_names("CPU:9")
tf.config.set_soft_device_placement(True)

# %% [markdown]
# <details><summary>What this means (open it after the run)</summary>
#
# A name that TensorFlow can't read (a letter O for a zero, a missing colon) raises
# `ValueError`. A readable name of a device that does not exist is accepted: *soft placement*,
# which is on by default, runs the operation on a device that exists. If you turn it off at
# the start of a job, such a name raises `InvalidArgumentError`.
#
# </details>

# %% [markdown] beat="further"
# ### Read it from the graph
#
# In a graph, `op.device` is only what an operation **asks** for. Make `my_report` return a
# dict: for **each** device that exists on the machine, such as `"CPU:0"`, the number of
# `MatMul` operations that run there, even if it is 0. Don't write the names down: they differ
# from machine to machine.
#
# (The check has run each of its graphs. On a machine with GPUs, the first of our `devices` is
# the first GPU, and the CPU may be in the dict too.)

# %% role="broken" exercise="my_report"
def broken_report(concrete):
    operations = [op for op in concrete.graph.get_operations() if op.type == "MatMul"]
    asked = [op.device.split("device:")[-1] for op in operations]
    return {name: asked.count(name) for name in asked}

# %% role="fix" exercise="my_report"
def my_report(concrete):
    operations = [op for op in concrete.graph.get_operations() if op.type == "MatMul"]
    asked = [op.device.split("device:")[-1] for op in operations]
    exist = [d.name.split("device:")[-1] for d in tf.config.list_logical_devices()]
    ran = [name if name in exist else devices[0] for name in asked]
    return {name: ran.count(name) for name in exist}

# %% role="check" points=3
check("07/my_report", my_report)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# Does the report name a device that no operation asks for? That is the device you look for.
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# First replace each name that an operation asks for by the device that really runs it: does
# a device with this name exist? Then count for every device that exists.
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# `ran = [name if name in exist else ____ for name in ____]`, then
# `{name: ran.count(name) for name in ____}`.
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** What counts is where operations **run**. An operation that asks for a
# device that exists runs there; any other runs on the first device (a GPU comes before the
# CPU). A device that no operation asks for gets its 0 only from the list of existing
# devices.

# %% [markdown] beat="further"
# ### What a process decides once
#
# A process decides once which GPUs it sees, into how many devices they are split, and which
# strategy owns its variables. The three calls below are too late. Before you run the cell:
# which of them does TensorFlow refuse?

# %% key="too-late"
processor = tf.config.list_physical_devices("CPU")[0]  # a GPU would say the same
cut = [tf.config.LogicalDeviceConfiguration()] * 2

def of_another_strategy():
    with mirrored(devices[:2]).scope():
        w.assign([1.0, 2.0])

for text, late in {
    "see fewer": lambda: tf.config.set_visible_devices([], "CPU"),
    "cut anew": lambda: tf.config.set_logical_device_configuration(processor, cut),
    "a second strategy": of_another_strategy,
}.items():
    try:
        late()
    except RuntimeError as error:
        print(f"{text}: {str(error)[:60]}")

# %% [markdown]
# <details><summary>What this means (open it after the run)</summary>
#
# All three. Set devices before anything of TensorFlow runs, and make one strategy for model,
# optimizer and metrics.
#
# With real GPUs, TensorFlow's [guide](https://www.tensorflow.org/guide/gpu) says, a process
# takes the memory of **all** GPUs that it sees, whatever the strategy uses. If you set
# `CUDA_VISIBLE_DEVICES=5,6` before the start, the process sees only these two, as `GPU:0` and
# `GPU:1`. (Not run here.)
#
# </details>

# %% [markdown] beat="further"
# ## Further 2 · Break it so that the probe sees nothing wrong (10 minutes)
#
# The probe counts operations, and finds equal counts on all devices. Is the work shared then?
#
# `my_lopsided` starts as a right training: `hand_out` splits a tensor into shares of given
# sizes. Its cells are folded, because they show how to solve the core; click on the three
# dots. Break it:
#
# - in every step, `devices[0]` multiplies nearly the whole batch: each other device has
#   exactly **three** rows,
# - the weights stay those of one device,
# - each device still has as many multiplications as any other: the probe sees nothing.
#
# Such a job is hardly faster than one device. (The check uses two, three or four devices.)

# %% role="setup" key="hand-out" jupyter={"source_hidden": true}
def hand_out(strategy, tensor, sizes):
    """Cut a tensor into shares of these sizes, one for each replica."""
    shares = tf.split(tensor, sizes)
    return strategy.experimental_distribute_values_from_function(
        lambda context: shares[context.replica_id_in_sync_group]
    )

# %% role="broken" exercise="my_lopsided" jupyter={"source_hidden": true}
def broken_lopsided(devices, batches):
    strategy = mirrored(devices)
    with strategy.scope():
        w = tf.Variable([0.0, 0.0])

    def replica_step(x, y):
        gradient = gradient_of(w, x, y)
        context = tf.distribute.get_replica_context()
        w.assign_sub(LEARNING_RATE * context.all_reduce("MEAN", gradient))

    step = tf.function(lambda x, y: strategy.run(replica_step, args=(x, y)))
    for x, y in batches:
        sizes = [len(x) // len(devices)] * len(devices)
        step(hand_out(strategy, x, sizes), hand_out(strategy, y, sizes))
    return w

# %% role="fix" exercise="my_lopsided" jupyter={"source_hidden": true}
def my_lopsided(devices, batches):
    strategy = mirrored(devices)
    with strategy.scope():
        w = tf.Variable([0.0, 0.0])

    def replica_step(x, y, batch):
        gradient = gradient_of(w, x, y) * x.shape[0] / batch
        context = tf.distribute.get_replica_context()
        w.assign_sub(LEARNING_RATE * context.all_reduce("SUM", gradient))

    step = tf.function(lambda x, y, n: strategy.run(replica_step, args=(x, y, n)))
    for x, y in batches:
        few = [3] * (len(devices) - 1)
        sizes = [len(x) - sum(few), *few]
        step(hand_out(strategy, x, sizes), hand_out(strategy, y, sizes), len(x))
    return w

# %% role="check" points=4
check("07/my_lopsided", my_lopsided)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# With other `sizes`, the rows are where they should be. How much does the mean of 39 rows
# count in the step now, and how much the mean of three?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# A mean of means is right for equal shares only. Weight each replica's gradient by its share
# of the batch, and add them up.
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# `sizes = [len(x) - ____, *[3] * ____]`. In the replica,
# `gradient = gradient_of(w, x, y) * ____ / ____`, and then `context.all_reduce("____", ____)`.
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** Each replica has its own device, with one multiplication forward and
# one backward, so the counts are equal. The gradients are weighted by their rows, so the
# weights are those of one device. Only the numbers of rows differ: a step takes as long as
# the device with the most rows. Equal counts show that all devices take part, not that they
# share the work.
