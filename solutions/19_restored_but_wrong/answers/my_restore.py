"""Answers to 19/my_restore, right and wrong, and what the check says of each."""

import tensorflow as tf

from autograder.answers import changed, crashed, right, wrong


class RestoreError(ValueError):
    """A checkpoint that does not fit."""


@right
def by_tensorflow(folder, variables):
    """Compared first; then TensorFlow restores."""
    path = tf.train.latest_checkpoint(folder)
    if not path:
        raise RestoreError(f"nothing to restore in {folder}")
    try:
        stored = read_all(path)
    except Exception as error:
        raise RestoreError(f"nothing to restore in {folder}") from error
    wrong = set(variables) ^ (set(stored) - {"save_counter"})
    for name in set(variables) & set(stored):
        value, variable = stored[name], variables[name]
        if value is None or (tf.as_dtype(value.dtype), value.shape) != (
            variable.dtype,
            variable.shape,
        ):
            wrong.add(name)
    if wrong:
        raise RestoreError(f"do not fit: {wrong}")
    status = tf.train.Checkpoint(**variables).restore(path)
    status.assert_existing_objects_matched().expect_partial()


@right
def fixed(folder, variables):
    """Read, compare, write."""
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


@right
def by_kinds(folder, variables):
    """All names and their kinds, as they are stored and as they are needed."""
    try:
        stored = read_all(folder)
    except (ValueError, tf.errors.OpError) as error:
        raise ValueError(f"no checkpoint in {folder}") from error
    stored.pop("save_counter", None)
    kinds = {n: (v.dtype.name, v.shape) for n, v in stored.items() if v is not None}
    own = {n: (v.dtype.name, tuple(v.shape)) for n, v in variables.items()}
    wrong = [n for n in {*stored, *own} if kinds.get(n) != own.get(n, 0)]
    if wrong:
        raise ValueError(f"wrong: {sorted(wrong)}")
    for name, variable in variables.items():
        variable.assign(stored[name])


def faults(path, variables):
    try:
        stored = read_all(path)
    except Exception:
        return "can not be read"
    stored.pop("save_counter", None)
    kinds = {n: (str(v.dtype), v.shape) for n, v in stored.items() if v is not None}
    own = {n: (v.dtype.name, tuple(v.shape)) for n, v in variables.items()}
    return [n for n in stored.keys() | own.keys() if kinds.get(n) != own.get(n, 0)]


@right
def rolled_back(folder, variables):
    """TensorFlow restores; a fault puts all values back."""
    before = {name: variable.numpy() for name, variable in variables.items()}
    path = tf.train.latest_checkpoint(folder)
    status = None
    try:
        status = tf.train.Checkpoint(**variables).restore(path)
        status.assert_consumed()
    except Exception as error:
        if status is not None:
            status.expect_partial()
        for name, value in before.items():
            variables[name].assign(value)
        raise ValueError(f"{folder} {faults(path, variables)}") from error


@right
def words(folder, variables):
    """A word for each fault, in a list."""
    path = tf.train.latest_checkpoint(folder)
    if path is None:
        raise ValueError("No checkpoint was found in " + str(folder))
    try:
        stored = read_all(path)
    except tf.errors.OpError as error:
        raise ValueError(f"{path}: the index can not be read ({error})") from None
    stored.pop("save_counter", None)
    faults = []
    for name in sorted(set(stored) | set(variables)):
        if name not in variables:
            faults.append(f"{name}: only in the file")
        elif name not in stored:
            faults.append(f"{name}: only in the program")
        elif stored[name] is None:
            faults.append(f"{name}: damaged")
        elif stored[name].dtype != variables[name].dtype.as_numpy_dtype:
            faults.append(f"{name}: stored as {stored[name].dtype}")
        elif stored[name].shape != tuple(variables[name].shape):
            faults.append(f"{name}: stored with shape {stored[name].shape}")
    if faults:
        raise ValueError("; ".join(faults))
    for name in variables:
        variables[name].assign(stored[name])


@wrong
def another_error(folder, variables):
    """A KeyError for what is missing."""
    try:
        stored = read_all(folder)
    except (ValueError, tf.errors.OpError) as error:
        raise ValueError(f"no checkpoint in {folder}") from error
    for name, variable in variables.items():
        value = stored[name]
        if value is None or value.dtype != variable.dtype.as_numpy_dtype:
            raise ValueError(f"{name} does not fit")
    for name, variable in variables.items():
        variable.assign(stored[name])


@wrong
@changed(
    by_kinds,
    ("(v.dtype.name, v.shape)", "(v.dtype.itemsize, v.shape)"),
    ("(v.dtype.name, tuple(v.shape))", "(v.dtype.size, tuple(v.shape))"),
)
def by_size():
    """The size of a dtype stands for the dtype."""


@crashed
def crash(folder, variables):
    """A folder without a checkpoint ends it."""
    path = tf.train.latest_checkpoint(folder)
    stored = read_all(path)
    stored.pop("save_counter", None)
    if set(stored) != set(variables):
        raise ValueError(f"wrong: {set(stored) ^ set(variables)}")
    for name, variable in variables.items():
        variable.assign(stored[name])


@wrong
@changed(
    by_kinds,
    (
        "stored = read_all(folder)",
        """
        first = min(tf.io.gfile.glob(f"{folder}/*.index"))
        stored = read_all(first.removesuffix(".index"))
        """,
    ),
)
def oldest():
    """The first file in the folder."""


@wrong
def up_to_fault(folder, variables):
    """It stops at the first fault, with half written."""
    try:
        stored = read_all(folder)
    except (ValueError, tf.errors.OpError) as error:
        raise ValueError(f"no checkpoint in {folder}") from error
    for name, variable in variables.items():
        value = stored.get(name)
        if value is None or value.dtype != variable.dtype.as_numpy_dtype:
            raise ValueError(f"{name} does not fit")
        if value.shape != variable.shape:
            raise ValueError(f"{name} does not fit")
        variable.assign(value)
