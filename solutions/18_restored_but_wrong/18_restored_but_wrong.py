# ---
# course:
#   number: "18"
#   title: Restored without an error, and as good as untrained
#   part: 3
#   minutes: {core: 35, further: [20, 10]}
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
# A training ended after step 40. It goes on in a program that somebody has tidied up. The
# checkpoint is restored without an error, and the step counter says 40. But the loss is
# that of an untrained model.
#
# On many workers this costs more: one of them restores, another does not, and both train
# on. You will see that, too, with two real processes.

# %% role="start"
from course import check, mirrored, predict, show, virtual_devices
import tensorflow as tf
devices = virtual_devices(4)

# %% role="setup" key="tools"
import hashlib
import json
import shutil
import tempfile

import numpy as np

from course.runs.cluster import run_workers
from course.lessons.n18_restored_but_wrong import (
    encoding_errors, name_joins, restored_by,
)
from course.runs.sequential import train_sequentially
from course.runs.worker_steps import step_over_workers
from course.runs.workloads import regression

# %% [markdown] beat="predict"
# ## 2 · Predict
#
# The old program saves its two weights and its step counter. Their names are those that
# `tf.train.Checkpoint` is called with; the variables' own `name` plays no part. This is what
# the file then has:

# %% key="save"
rows, folder = regression(22), tempfile.mkdtemp()
trained = train_sequentially(rows, 22, 40).copies[-1, 0]  # two weights, after 40 steps
w, step = tf.Variable(trained, dtype=tf.float32), tf.Variable(40)
path = tf.train.Checkpoint(w=w, step=step).save(f"{folder}/run")
print(*[name for name, shape in tf.train.list_variables(path)], sep="\n")

# %% [markdown]
# The new program has `variables = {"weights": ..., "step": ...}`, with initial values, and
# calls:

# %% role="broken" exercise="my_restore"
def broken_restore(folder, variables):
    """Set all variables from the newest checkpoint in the folder, or none of them."""
    path = tf.train.latest_checkpoint(folder)
    tf.train.Checkpoint(**variables).restore(path).expect_partial()

# %% key="ask"
predict("18")

# %% [markdown] beat="observe"
# ## 3 · Observe
#
# Left, the names in the file and in the program after the restore; a line joins what was
# restored, and a cross ends what was not. Right, the loss of the weights.

# %% key="run-broken"
def begin(name):
    return {name: tf.Variable([0.0, 0.0]), "step": tf.Variable(0)}

broken = restored_by(broken_restore, folder, begin("weights"), rows)
show(name_joins(broken), prediction="18")

# %% [markdown] beat="aside"
# ### Who would have told you?
#
# `restore` returns a status object that can be asked. Three programs: another name; a
# folder without a checkpoint, for which `latest_checkpoint` returns `None`; and a program
# that has less than the file.

# %% key="ways"
for ask in "expect_partial", "assert_existing_objects_matched", "assert_consumed":
    said = []
    for program, where in (begin("weights"), path), (begin("w"), None), ({}, path):
        status = tf.train.Checkpoint(**program).restore(where)
        try:
            getattr(status, ask)()
            said.append("silent")
        except AssertionError:
            said.append("error")
    print(f"{ask:32} other name: {said[0]}, None: {said[1]}, less: {said[2]}")

# %% [markdown]
# By itself, TensorFlow logs a warning that names what the file has and the program has
# not, when the status object is deleted, often at the end of the program; for `None`,
# nothing. `expect_partial` stops that, too. (This course shows errors only.)

# %% [markdown] beat="aside"
# ### And another shape, or another dtype?
#
# TensorFlow does compare shapes and dtypes. Look at `step` after each error.

# %% key="shapes"
for wrong in tf.zeros([3]), tf.zeros([2], tf.float64):
    program = {"w": tf.Variable(wrong), "step": tf.Variable(0)}
    checkpoint = tf.train.Checkpoint(**program)
    try:
        checkpoint.restore(path).expect_partial()
    except (ValueError, tf.errors.InvalidArgumentError) as error:
        print(f"{type(error).__name__}:", str(error).split("}} ")[-1])
    print("step is now", program["step"].numpy(), "\n")

# %% [markdown]
# With another dtype, the error came before anything was written. With another shape it came
# in the middle, when `step` had been written (what is written first depends on the names): a
# program that catches it goes on with half a checkpoint.

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
# Nobody stopped. As in notebook 14, both add the same sums to different values, so they
# never meet.

# %% [markdown] beat="locate"
# ## 4 · Locate
#
# Which variables did not come from the file? `before`, `after` and `stored` are
# dictionaries, name -> NumPy array: the program's values before and after a restore, and
# what the file has. (In `stored` there may be more, such as `save_counter`, TensorFlow's
# own.)
#
# Make `my_not_restored` return the set of the program's names whose value is not, in every
# digit, the one that the file has under their name. NaN is equal to NaN.
#
# (To try it: `my_not_restored(broken.before, broken.after, broken.stored)` is
# `{"weights"}`. The check uses other recordings.)

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
check("18/my_not_restored", my_not_restored)

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
# Fix `my_restore`. Either **all** variables get the file's values, bit by bit. Or it raises
# a `ValueError`, and **no** variable has changed. It refuses
#
# - other, missing or surplus names, other dtypes and shapes, arrays that can't be read: the
#   message has the names of all those variables, and of no others (of a renamed one both
#   names, of a surplus one the file's name);
# - a folder in which `latest_checkpoint` finds nothing, even if only the small file is
#   missing, or one with a damaged index: the message has the folder.
#
# The function below reads the newest checkpoint of a folder. Where there is none, or its
# index is damaged, it raises a `ValueError` or a `tf.errors.OpError`.

# %% role="setup" key="read"
END = "/.ATTRIBUTES/VARIABLE_VALUE"

def read_all(folder):
    """Return what a checkpoint holds: name -> array, or None where it is damaged."""
    reader, stored = tf.train.load_checkpoint(folder), {}
    for key in reader.get_variable_to_shape_map():
        if key.endswith(END):  # the rest describes the objects
            try:
                stored[key.removesuffix(END)] = np.asarray(reader.get_tensor(key))
            except (tf.errors.OpError, IndexError):
                stored[key.removesuffix(END)] = None
    return stored

# %% [markdown] beat="aside"
# ### Your function
#
# `read_all(folder)` also has `save_counter`, which `save` adds to every checkpoint: it is no
# fault, and is passed over. An array's
# `dtype` is to be compared with `variable.dtype.as_numpy_dtype`; both have a `shape`.
# `variable.assign(array)` casts without an error.
#
# (The check has 16 folders, two of them sound; its variables have names of their own.)

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
check("18/my_restore", my_restore)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# In the cell on shapes, `step` was 40 after the error. In which order would you have to look
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
# The same program, and then with the name mended. Above the figure, two refusals are
# printed: that of the other name, and that of worker 1's folder.

# %% key="run-mine" tags=["raises-exception"]
refused = restored_by(my_restore, folder, begin("weights"), rows)
mine = restored_by(my_restore, folder, begin("w"), rows)
print(refused.refusal or "not refused")
print(restored_by(my_restore, copies[1], begin("w")).refusal or "not refused")
show(name_joins(refused, mine))

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
# the others. Let all workers compare what they have read before step 1, as in notebook 14.

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

# %% [markdown] beat="aside"
# ### The probe, on the shipped function

# %% key="probe-use"
program = begin("weights")
print(not_from_the_file(lambda: broken_restore(folder, program), program))

# %% [markdown] beat="further"
# ## Further 1 · Gradients as bytes (20 minutes)
#
# Whoever sends gradients over a link of their own has to write them as bytes. Here are four
# ways to write a number, and the largest relative error, for numbers of each size.
# Gradients are often small: which ways would you use for numbers of about 1e-6?

# %% key="encodings"
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
# Where the message is damaged in any way, it raises a `ValueError`. Every byte of the
# message counts, also those around the content.
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
check("18/my_packing", my_packing)

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
# ## Further 2 · float32 weights, float16 model (10 minutes)
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
# ### What may be cast
#
# `weights` is a dictionary, name -> float32 array. Make `my_half` return all of them as
# float16 arrays; or raise a `ValueError` that names every array, and no other, in which some
# number would change by more than 0.1 % of itself. Infinity and NaN that were there before
# stay as they are.

# %% role="broken" exercise="my_half"
def broken_half(weights):
    return {name: value.astype("float16") for name, value in weights.items()}

# %% role="fix" exercise="my_half"
def my_half(weights):
    cast = {name: value.astype("float16") for name, value in weights.items()}
    near = {
        name: np.allclose(cast[name], value, rtol=1e-3, atol=0, equal_nan=True)
        for name, value in weights.items()
    }
    wrong = [name for name, good in near.items() if not good]
    if wrong:
        raise ValueError(f"these change by more than 0.1 %: {wrong}")
    return cast

# %% role="check" points=3
check("18/my_half", my_half)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# In the cell above, 1.5e-7 became another number. How many per cent of 1.5e-7 is the
# difference? And how many per cent of 65510 is its difference from 65504, float16's largest?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# Do not compare with the limits of a dtype: cast, cast back, and compare each number with
# what it was. A difference that is allowed for 1.0 is too much for 1e-8.
#
# </details>
# <details><summary>Hint 3: a line with holes</summary>
#
# `np.allclose(cast[name], value, rtol=____, atol=____, equal_nan=True)`
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** To see what a cast does, cast, and look. `allclose` with `atol=0`
# measures each number by itself, so it finds what is too large, and what is too small to
# keep its digits. All names are collected before anything is said, and nothing is
# returned where one is wrong.

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

# %% [markdown] beat="aside"
# ### The end of Part 3
#
# Two broken jobs without a label, 15 to 25 minutes: write `!course practice 3` into a new
# cell, run it, and open the notebook that it names, in the folder
# `notebooks/practice`. (In a terminal: `.venv/bin/course practice 3`.) Add `--seed 2` for
# others.
#
# Notebook 19 comes last: six jobs from all parts, without a label.
