# ---
# course:
#   number: "19"
#   title: Restored without an error, and as good as untrained
#   part: 3
#   minutes: {core: 40, further: [20, 15]}
#   symptoms:
#     - "checkpoint restored without an error, but the loss is that of an untrained model"
#     - "weights keep their initial values after tf.train.Checkpoint.restore"
#     - "float32 weights loaded into a float16 model: inf, zeros, other predictions"
#   in_a_hurry:
#     cause: >-
#       A checkpoint joins its arrays to variables by name. What finds no partner keeps its
#       initial value, and where `latest_checkpoint` finds nothing, `restore(None)` does
#       nothing: both without an error. `expect_partial` also stops the warnings.
#     probe: >-
#       Restore twice, from two different starting values. A variable that has two
#       different values after the two restores did not come from the file.
#     fix: >-
#       Read the file first, compare all names, dtypes and shapes with the program's, and
#       refuse with the names of those that do not fit. Only then write.
# ---

# %% [markdown] beat="symptom"
# ## 1 · Symptom
#
# A training was stopped at step 40, and its checkpoint is there. It goes on in a program
# that somebody has tidied up. The loss there is not what it was, or there is an error.
# Which of these, and why?
#
# On many workers this costs more: one restores, another does not, and both train on. You
# will see it with two real processes.

# %% role="start"
from course import check, mirrored, predict, show, virtual_devices
import tensorflow as tf
devices = virtual_devices(4)

# %% role="setup" key="tools"
import shutil
import tempfile

import numpy as np

from course.learner.predictions import ticks
from course.runs.cluster import run_workers
from course.lessons.n19_restored_but_wrong import (
    QUESTIONS, encoding_errors, name_joins, observe_programs, restored_by, tick_table,
    what_is_joined,
)
from course.runs.sequential import train_sequentially
from course.runs.worker_steps import step_over_workers
from course.runs.workloads import regression

# %% [markdown] beat="predict"
# ## 2 · Predict
#
# The old program saves its two weights `w`, the mean of all weights so far, and its step
# counter. The names in the file are those that `tf.train.Checkpoint` is called with; the
# variables' own `name` plays no part.

# %% key="save"
rows, folder = regression(22), tempfile.mkdtemp()
path = train_sequentially(rows, 22, 40).copies[:, 0].astype("float32")
saved = {"w": path[-1], "mean": path.mean(axis=0), "step": np.int32(40)}
old = tf.train.Checkpoint(**{name: tf.Variable(saved[name]) for name in saved})
print(old.save(f"{folder}/run"))

# %% [markdown]
# A new program has a dictionary of variables, with zeros, and calls `broken_restore`:

# %% key="begin"
def begin(name):
    zeros = {name: [0.0, 0.0], "mean": [0.0, 0.0], "step": 0}
    return {name: tf.Variable(zeros[name]) for name in zeros}

# %% role="broken" exercise="my_restore"
def broken_restore(folder, variables):
    """Set all variables from the newest checkpoint in the folder, or none of them."""
    path = tf.train.latest_checkpoint(folder)
    tf.train.Checkpoint(**variables).restore(path).expect_partial()

# %% [markdown]
# Six new programs have the same names, shapes and dtypes as the file, but for one thing:
# the weights are called `weights`; what should be `w` is called `mean`, and the mean `w`;
# there is no mean; `w` has three numbers; `w` is float64; or nothing was saved in the
# folder.

# %% key="ask"
predict("19")

# %% [markdown] beat="observe"
# ## 3 · Observe

# %% key="run-programs"
observed = observe_programs(broken_restore, folder)
show(tick_table(QUESTIONS, observed, ticks("19")), prediction="19")

# %% [markdown]
# ### What comes from the file?
#
# Left, the names in the file and in the program; a line joins what was restored, and a cross
# ends what was not. Right, the loss. The last knob asks the object that `restore` returns.

# %% key="play"
what_is_joined(saved, rows)

# %% [markdown]
# * Find a program in which everything is joined, no call complains, and the loss is wrong.
# * Another shape or dtype: what does the program hold after the error?
# * Which calls notice that there is no mean? Another name?
# * What happens without the file `checkpoint`, and which calls say so?
#
# <details><summary>What you should have seen</summary>
#
# * The weights are called `mean`, and the mean `w`. Every name finds a partner of the right
#   shape and dtype, so all three calls accept it.
# * With another shape, the mean and the step come from the file, but the weights are still
#   zeros. With another dtype, nothing comes from the file.
# * Only `assert_consumed` notices that there is no mean. Both asserts notice another name.
# * Nothing comes from the file. Both asserts raise an error, but `expect_partial` does not.
#
# </details>
#
# By itself, TensorFlow only logs a warning of names that found no partner, when this object
# is deleted, often at the program's end; without a checkpoint, nothing.

# %% [markdown] beat="aside"
# ### On two workers
#
# Each worker restores from its own disk. The folder of worker 1 was copied without the
# small file that is called `checkpoint`, in which TensorFlow looks for the newest one.

# %% key="workers"
copies = [shutil.copytree(folder, f"{tempfile.mkdtemp()}/own") for worker in range(2)]
tf.io.gfile.remove(f"{copies[1]}/checkpoint")

def go_on(copies):
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    worker = strategy.cluster_resolver.task_id
    with strategy.scope():
        variables = begin("w")
    broken_restore(copies[worker], variables)
    train = step_over_workers(strategy, variables["w"])
    first = variables["w"].numpy()
    for _ in range(10):
        train(rows.x[worker::2], rows.y[worker::2])
    return f"worker {worker} began with {first}, has {variables['w'].numpy()}"

print(*run_workers(go_on, copies).values(), sep="\n")

# %% [markdown]
# No worker stopped. As in notebook 15, both add the same sums to different values, so they
# never agree.

# %% [markdown] beat="locate"
# ## 4 · Locate
#
# Which variables did not come from the file? `before`, `after` and `stored` are
# dictionaries, name -> NumPy array: the program's values before and after a restore, and
# what the file has. (In `stored` there may be more, such as `save_counter`, TensorFlow's
# own.)
#
# Make `my_not_restored` return the set of the program's names whose value is not exactly the
# one that the file has under their name. NaN is equal to NaN.
#
# (Try it: `run = restored_by(broken_restore, folder, begin("weights"))`. Then
# `my_not_restored(run.before, run.after, run.stored)` is `{"weights"}`.)

# %% role="broken" exercise="my_not_restored"
def broken_not_restored(before, after, stored):
    found = set()
    for name, value in after.items():
        if np.array_equal(value, before[name], equal_nan=True):
            found.add(name)
    return found

# %% role="fix" exercise="my_not_restored"
def my_not_restored(before, after, stored):
    found = set()
    for name, value in after.items():
        there = name in stored
        if not there or not np.array_equal(value, stored[name], equal_nan=True):
            found.add(name)
    return found

# %% role="check" points=3
check("19/my_not_restored", my_not_restored)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# A bias is often zero before a training, and can be zero in the file. What does the shipped
# function say of it? And what of a variable that something else has changed?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# What a variable was before says nothing. It came from the file if the file has its name,
# and if its value is the one that stands there.
#
# </details>
# <details><summary>Hint 3: a line with holes</summary>
#
# `if name not in ____ or not np.array_equal(value, ____[name], equal_nan=True):`
#
# </details>

# %% [markdown] beat="fix"
# ## 5 · Fix
#
# Fix `my_restore`. Either **all** variables get the file's values, bit by bit; or it
# raises a `ValueError` whose message says what does not fit, and **no** variable has
# changed. What fits has the same name on both sides, the same dtype and the same shape.
#
# The message names each array and each variable that does not fit, and no others. If nothing
# can be read in the folder, it names the folder. The function below reads the newest
# checkpoint of a folder. Where there is none, or its index is damaged, it raises a
# `ValueError` or a `tf.errors.OpError`.

# %% role="setup" key="read"
END = "/.ATTRIBUTES/VARIABLE_VALUE"

def read_all(folder):
    """Return what a checkpoint holds: name -> array, or None where it is damaged."""
    reader, stored = tf.train.load_checkpoint(folder), {}
    for key in reader.get_variable_to_shape_map():
        if key.endswith(END):  # the rest describes the objects
            try:
                stored[key.removesuffix(END)] = np.asarray(reader.get_tensor(key))
            except (tf.errors.OpError, IndexError):  # of a file that was cut
                stored[key.removesuffix(END)] = None
    return stored

# %% [markdown] beat="aside"
# ### Your function
#
# `read_all` also finds `save_counter`, which `save` adds to every checkpoint: that is no
# fault. An array's `dtype` can be compared with `variable.dtype.as_numpy_dtype`.
# `variable.assign(array)` casts without an error.
#
# (The check has sound folders and faulty ones, and names of its own.)

# %% role="fix" exercise="my_restore"
def my_restore(folder, variables):
    """Set all variables from the newest checkpoint in the folder, or none of them."""
    try:
        stored = read_all(folder)
    except (ValueError, tf.errors.OpError) as error:
        raise ValueError(f"no checkpoint in {folder} can be read") from error
    own = {n: (v.dtype.as_numpy_dtype, v.shape) for n, v in variables.items()}
    kinds = {n: (v.dtype, v.shape) for n, v in stored.items() if v is not None}
    names = {*stored, *own} - {"save_counter"}
    wrong = sorted(n for n in names if n not in kinds or kinds[n] != own.get(n))
    if wrong:
        raise ValueError(f"nothing is restored; these do not fit: {', '.join(wrong)}")
    for name, variable in variables.items():
        variable.assign(stored[name])

# %% role="check" points=4
check("19/my_restore", my_restore)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# With three numbers, `step` was 40 after the error. In which order would you have to look
# and to write, so that it is 0? And what should happen where there is no checkpoint?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# Three stages. Read: what can't be read at all is refused with the folder. Compare: over the
# names of **both** sides, collect each that is missing on one, is `None`, or has another
# dtype or shape. Write: only if nothing was collected.
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# `for name in {*stored, *variables} - {"____"}:` collect the name if it is not in both; if
# `stored[name] is ____`; or if `stored[name].dtype != variables[name].dtype.as_numpy_dtype`
# or `stored[name].shape != variables[name].____`. Behind that loop:
# `if wrong: raise ValueError(____)`, and then the loop that assigns.
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** Nothing is written before everything has been compared, so a refusal
# leaves the program as it was. A renamed variable shows as two names, which tells the reader
# what happened. What can't be read is `None` and fits nothing.

# %% [markdown] beat="confirm"
# ## 6 · Confirm
#
# A program with another name, before and after your fix. Above the figure you see what your
# function says of it, and of worker 1's folder.

# %% key="run-mine" tags=["raises-exception"]
broken = restored_by(broken_restore, folder, begin("weights"), rows)
mine = restored_by(my_restore, folder, begin("weights"), rows)
print(mine.error or "no error")
print(restored_by(my_restore, copies[1], begin("w")).error or "no error")
show(name_joins(broken, mine))

# %% [markdown] beat="aside"
# ### Would Keras have saved you?
#
# In part. For a Sequential model, `load_weights` joins a `.weights.h5` file by the order of
# the layers of each class: other names change nothing, and a layer less in the program goes
# unnoticed. Other shapes are refused, unless `skip_mismatch=True`. The file has no checksums:
# a weight with a wrong bit is loaded. A checkpoint of TensorFlow has them: with one wrong bit
# it is refused, or, if nothing needs that bit, loaded with the right values.
#
# **On real machines this would differ:** a folder's copy may lack a file, or be older than
# the others. Let all workers compare what they have read before step 1, as in notebook 15.

# %% [markdown] role="claims"

# %% [markdown] beat="aside"
# ### Probe for work
#
# Plain TensorFlow, for any way to restore: `restore` is a function without arguments,
# `variables` a dictionary, name -> variable (of numbers or bool). It restores from zeros,
# then from ones: a variable that has two different values after the two restores was not
# restored, or not wholly, and gets its old value back.

# %% key="probe"
def not_from_the_file(restore, variables):
    """Call `restore()` twice; return the names that it does not set."""
    before = {name: tf.identity(v) for name, v in variables.items()}
    seen, missed = [], list(variables)
    try:
        for fill in (tf.zeros_like, tf.ones_like):
            for variable in variables.values():
                variable.assign(fill(variable))
            restore()
            seen.append({name: v.numpy().tobytes() for name, v in variables.items()})
        missed = [name for name in variables if seen[0][name] != seen[1][name]]
    finally:  # all of them, where `restore` raises
        for name in missed:
            variables[name].assign(before[name])
    return missed

# %% [markdown] role="elsewhere"

# %% [markdown] beat="aside"
# ### The probe, on two programs

# %% key="probe-use"
for program in begin("weights"), begin("w"):
    print(not_from_the_file(lambda p=program: broken_restore(folder, p), program))

# %% [markdown]
# It knows nothing of the file. So it can't see two names that were exchanged: only a number
# that you know, such as the loss when it was saved, can.

# %% [markdown] beat="further"
# ## Further 1 · Gradients as bytes (20 minutes)
#
# Whoever sends gradients over a link of their own has to write them as bytes. Here are four
# ways to write a number, and the largest relative error, for numbers of each size.
# Gradients are often small: which ways would you use for numbers of about 1e-6?

# %% key="encodings" thumbnail="0 0 100 100"
ways = {
    "float16": lambda numbers: numbers.astype("float16"),
    "bfloat16": lambda numbers: tf.cast(numbers, tf.bfloat16).numpy(),
    'f"{number:f}"': lambda numbers: [float(f"{number:f}") for number in numbers],
    "int8, one scale": lambda numbers: np.round(numbers / 8e3).astype("int8") * 8e3,
}
show(encoding_errors(ways))

# %% [markdown] beat="further"
# ### Bit by bit, or not at all
#
# Two functions, one for each end of the link. The ones below lose dtypes, the shapes of
# arrays without numbers, and the bits of a NaN; and what do they make of a message with one
# turned bit?

# %% role="setup" key="bytes"
import hashlib
import json

# %% role="broken" exercise="my_packing"
def broken_packing():
    def pack(gradients):
        return json.dumps([each.tolist() for each in gradients]).encode()

    def unpack(message):
        return [np.array(each, "float32") for each in json.loads(message)]

    return pack, unpack

# %% [markdown] beat="further"
# ### Your functions
#
# Make `my_packing` return two functions. `pack(gradients)` makes bytes of a list of NumPy
# arrays, of any dtypes (bfloat16 and bool, too; all in this machine's byte order) and shapes.
# `unpack(message)` makes the list of them: same dtypes, same shapes, same bits. It is called
# on another machine, and has nothing but the message: `pack` and `unpack` come from **two
# calls** of `my_packing`.
# Where the message is damaged in any way, it raises a `ValueError`. A change of any
# byte must be noticed, also of those around the content.
#
# `tf.as_dtype("bfloat16").as_numpy_dtype` is a NumPy dtype; `array.tobytes()` and
# `np.frombuffer(part, dtype)` are exact; `hashlib.sha256(part).digest()` has
# 32 bytes.

# %% role="fix" exercise="my_packing"
def my_packing():
    def pack(gradients):
        parts = [(g.dtype.name, g.shape, g.tobytes().hex()) for g in gradients]
        text = json.dumps(parts).encode()
        return hashlib.sha256(text).digest() + text

    def unpack(message):
        if hashlib.sha256(message[32:]).digest() != message[:32]:
            raise ValueError("the message is damaged: its checksum is another")
        found = []
        for name, shape, part in json.loads(message[32:]):
            numbers = np.frombuffer(bytes.fromhex(part), np.dtype(name))
            found.append(numbers.reshape(shape))
        return found

    return pack, unpack

# %% role="check" points=3
check("19/my_packing", my_packing)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# What does `unpack` have to know of each array, besides its numbers? And how can it see that
# one bit is another?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# For each array send the name of its dtype, its shape and its raw bytes. Compute a checksum
# over **all** of that, put it in front, and compare it before anything is read.
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# `parts = [(g.dtype.____, g.shape, g.tobytes().hex()) for g in gradients]`, then
# `text = json.dumps(parts).encode()`, and return `hashlib.sha256(____).digest() + text`. In
# `unpack`, compare `message[:32]` with the checksum of `message[32:]`, and read each part with
# `np.frombuffer(bytes.fromhex(part), np.dtype(name)).reshape(____)`.
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** JSON holds names, shapes and hexadecimal digits exactly; the bits
# of a number, of a NaN too, are never turned into another notation. The checksum is over
# dtypes and shapes as well, and it is compared before anything is read, so a damaged
# message is refused whole.

# %% [markdown] beat="further"
# ### float32 weights, float16 model
#
# Keras casts what it loads to the model's dtype. Two Dense layers, the first with large
# weights, the second with small ones. (A warning of NumPy's is switched off here.)

# %% key="cast"
import warnings

def model(dtype):
    dense = [tf.keras.layers.Dense(2, use_bias=False, dtype=dtype) for _ in range(2)]
    return tf.keras.Sequential([tf.keras.Input((2,)), *dense])

large = model("float32")
large.set_weights([np.full((2, 2), 7e4), np.full((2, 2), [1e-8, 1.5e-7])])
large.save_weights(f"{folder}/large.weights.h5")
half = model("float16")
with warnings.catch_warnings(action="ignore"):
    half.load_weights(f"{folder}/large.weights.h5")
for one, other in zip(large.get_weights(), half.get_weights(), strict=True):
    print(one[0].tolist(), "became", other[0].tolist())

# %% [markdown] beat="further"
# ### Gradients: scale first
#
# The gradients of a float16 model are float16, too. A factor on the loss is a factor on all
# gradients: they are cast when they are large, and divided in float32 afterwards. The cell
# tries three factors on 1000 gradients of about 1e-8.

# %% key="scaled"
gradients = (np.random.default_rng(1).normal(size=1000) * 1e-8).astype("float32")
for scale in 1, 2**10, 2**15:
    sent = (gradients * scale).astype("float16")
    back = sent.astype("float32") / scale
    off = np.median(np.abs(back / gradients - 1))
    print(f"scale {scale:5}: {np.sum(sent == 0):3} are zero, median error {off:.2%}")

# %% [markdown] beat="further"
# ## Further 2 · The same loss, another training (15 minutes)
#
# "Right after the restore, the loss is the old one to the last digit. So nothing is
# missing." Break it: what can be left out of a checkpoint, so that this is true and the
# training is another one all the same?
#
# Make `my_hidden` return the set of names of which **each alone** could be left out: the loss
# right after the restore is as it was, but at least one of the ten losses that follow is
# another.

# %% role="broken" exercise="my_hidden"
def broken_hidden(variables, initial, loss, step):
    whole, found = loss(), set()
    for name, variable in variables.items():
        stored = variable.numpy()
        variable.assign(initial[name])
        if loss() == whole:
            found.add(name)
        variable.assign(stored)
    return found

# %% [markdown] beat="further"
# ### Your function
#
# A job stands at the step at which it is saved. `variables` is all that it has, name ->
# variable; `initial[name]` is what a new program begins with, and what a variable has there
# that was left out. `loss()` is the loss now; `step()` makes one step, in which every
# variable may change. The check has six jobs with optimizers of Keras: plain ones, with
# momentum, with averages, with a schedule, one that takes its batches in order, and Adam.
# How the variables are left in the end does not matter.

# %% role="fix" exercise="my_hidden"
def my_hidden(variables, initial, loss, step):
    stored = {name: variable.numpy() for name, variable in variables.items()}

    def losses(left_out):
        for name, variable in variables.items():
            variable.assign(initial[name] if name == left_out else stored[name])
        seen = [loss()]
        for _ in range(10):
            step()
            seen.append(loss())
        return seen

    whole, tried = losses(None), {name: losses(name) for name in variables}
    return {n for n, seen in tried.items() if seen[0] == whole[0] and seen != whole}

# %% role="check" points=3
check("19/my_hidden", my_hidden)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# The loss right after the restore is computed from the weights. Which of the job's
# variables can change it? So what does the shipped function return for every job?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# Let the job go ten steps once with everything, and once for each name without it. Before
# each of these, put back **all** variables, as `step` changes several of them.
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# `def losses(left_out):` first assigns every variable
# `initial[name] if name == ____ else stored[name]`, and then returns `loss()` and the losses
# after each of ten steps. A name is hidden if `losses(name)[0]` is equal to ____, and
# `losses(name)` is not.
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** The loss shows the weights only. What decides the next steps is the
# rest of the state: momentum, Adam's means and its count of steps, a learning rate that
# was changed, the place in the data. A schedule's count of steps shows itself steps later.
# In plain SGD the same count decides nothing. Save all of it, and compare a step, not a loss.

# %% [markdown] beat="aside"
# ### The end of Part 3
#
# Two broken jobs without a label, 20 to 30 minutes: write `!course practice 3` into a new
# cell, run it, and open the notebook that it names, in the folder
# `notebooks/practice`. (In a terminal: `.venv/bin/course practice 3`.) Add `--seed 2` for
# others.
#
# Notebook 21 comes last: six jobs from all parts, without a label.
