"""Answers to 18/my_restore, right and wrong, and what the check says of each."""

import glob

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


@wrong("all_named")
@changed(
    by_kinds,
    (
        'raise ValueError(f"wrong: {sorted(wrong)}")',
        """
        raise ValueError(
            f"wrong: {sorted(wrong)} of {sorted(stored)} and {sorted(own)}"
        )
        """,
    ),
)
def all_named():
    """All names stand in the message."""


@wrong("always_refused")
@changed(
    by_kinds,
    (
        "wrong = [n for n in {*stored, *own} if kinds.get(n) != own.get(n, 0)]",
        """
        wrong = [n for n in {*stored, *own} if kinds.get(n) != own.get(n, 0)]
        wrong = wrong or sorted(variables)
        """,
    ),
)
def always():
    """It refuses everything."""


@wrong("begins_anew")
@changed(
    by_kinds,
    (
        "try:",
        """
        if tf.train.latest_checkpoint(folder) is None:
            return
        try:
        """,
    ),
)
def anew():
    """Without a checkpoint it begins anew."""


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


@wrong("all_named_if_names_differ")
def both_sides(folder, variables):
    """All names of both sides are printed where they differ."""
    try:
        stored = read_all(folder)
    except (ValueError, tf.errors.OpError) as error:
        raise ValueError(f"no checkpoint in {folder}") from error
    stored.pop("save_counter", None)
    if set(stored) != set(variables):
        raise ValueError(f"{sorted(stored)} are not {sorted(variables)}")
    wrong = [
        n
        for n, v in variables.items()
        if stored[n] is None
        or (stored[n].dtype, stored[n].shape) != (v.dtype.as_numpy_dtype, v.shape)
    ]
    if wrong:
        raise ValueError(f"wrong: {wrong}")
    for name, variable in variables.items():
        variable.assign(stored[name])


@wrong("by_order")
def by_order(folder, variables):
    """By order, where kinds are equal."""
    try:
        stored = read_all(folder)
    except (ValueError, tf.errors.OpError) as error:
        raise ValueError(f"no checkpoint in {folder}") from error
    stored.pop("save_counter", None)
    names = sorted(variables)
    for name, value in zip(names, (stored[n] for n in sorted(stored)), strict=False):
        own = variables[name]
        if value is None or value.dtype != own.dtype.as_numpy_dtype:
            continue
        if value.shape == own.shape:
            own.assign(value)


END = "/.ATTRIBUTES/VARIABLE_VALUE"


@wrong
def by_size(folder, variables):
    """The size of a dtype stands for the dtype."""
    try:
        stored = read_all(folder)  # noqa: F821
    except (ValueError, tf.errors.OpError) as error:
        raise ValueError(f"no checkpoint in {folder}") from error
    stored.pop("save_counter", None)
    wrong = {*stored} ^ {*variables}
    for name in {*stored} & {*variables}:
        value, variable = stored[name], variables[name]
        sizes = (value.dtype.itemsize, variable.dtype.size) if value is not None else ()
        if not sizes or value.shape != variable.shape or sizes[0] != sizes[1]:
            wrong.add(name)
    if wrong:
        raise ValueError(f"these do not fit: {sorted(wrong)}")
    for name, variable in variables.items():
        variable.assign(stored[name])


@wrong("no_names")
@changed(
    by_kinds,
    (
        "[n for n in {*stored, *own} if kinds.get(n) != own.get(n, 0)]",
        "[n for n in {*stored} & {*own} if kinds.get(n) != own[n]]",
    ),
    (
        "variable.assign(stored[name])",
        "if name in stored:\n    variable.assign(stored[name])",
    ),
)
def common():
    """Only what both have."""


@wrong("asked_afterwards")
def consumed(folder, variables):
    """assert_consumed alone."""
    path = tf.train.latest_checkpoint(folder)
    tf.train.Checkpoint(**variables).restore(path).assert_consumed()


@wrong("assert_consumed_folder")
def consumed_folder(folder, variables):
    """assert_consumed's error becomes a ValueError without names."""
    path = tf.train.latest_checkpoint(folder)
    try:
        tf.train.Checkpoint(**variables).restore(path).assert_consumed()
    except Exception as error:
        raise ValueError(f"{folder} can't be restored") from error


@wrong("assert_consumed_folder_error")
def consumed_words(folder, variables):
    """assert_consumed's error becomes a ValueError with its words."""
    path = tf.train.latest_checkpoint(folder)
    try:
        tf.train.Checkpoint(**variables).restore(path).assert_consumed()
    except Exception as error:
        raise ValueError(f"{folder}: {error}") from error


@wrong("counter_refused")
@changed(by_kinds, ('stored.pop("save_counter", None)', ""))
def counter():
    """save_counter is taken for a fault."""


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


@wrong("damage_passed")
def damage_passed(folder, variables):
    """A damaged array is passed over."""
    try:
        stored = read_all(folder)
    except (ValueError, tf.errors.OpError) as error:
        raise ValueError(f"no checkpoint in {folder}") from error
    stored.pop("save_counter", None)
    kinds = {n: (v.dtype.name, v.shape) for n, v in stored.items() if v is not None}
    own = {n: (v.dtype.name, tuple(v.shape)) for n, v in variables.items()}
    wrong = [
        n
        for n in {*stored, *own}
        if kinds.get(n) != own.get(n, 0) and stored.get(n, 0) is not None
    ]
    if wrong:
        raise ValueError(f"wrong: {sorted(wrong)}")
    for name, variable in variables.items():
        if stored[name] is not None:
            variable.assign(stored[name])


@wrong("everything_refused")
def dtype_is(folder, variables):
    """A dtype is never the class that makes its numbers."""
    try:
        stored = read_all(folder)
    except (ValueError, tf.errors.OpError) as error:
        raise ValueError(f"no checkpoint in {folder}") from error
    stored.pop("save_counter", None)
    wrong = []
    for name in set(stored) | set(variables):
        value, variable = stored.get(name), variables.get(name)
        if (
            value is None
            or variable is None
            or value.dtype is not variable.dtype.as_numpy_dtype
            or value.shape != variable.shape
        ):
            wrong.append(name)
    if wrong:
        raise ValueError(f"wrong: {wrong}")
    for name, variable in variables.items():
        variable.assign(stored[name])


@wrong("existing_only")
def existing(folder, variables):
    """assert_existing_objects_matched alone."""
    path = tf.train.latest_checkpoint(folder)
    status = tf.train.Checkpoint(**variables).restore(path)
    status.assert_existing_objects_matched()


@wrong("assert_existing_objects_matched_error_put_back")
def existing_put_back(folder, variables):
    """The error's words, and all old values put back."""
    before = {name: variable.numpy() for name, variable in variables.items()}
    path = tf.train.latest_checkpoint(folder)
    try:
        status = tf.train.Checkpoint(**variables).restore(path)
        status.assert_existing_objects_matched()
    except Exception as error:
        for name, variable in variables.items():
            variable.assign(before[name])
        raise ValueError(str(error)) from error


@wrong("file_may_have_more")
@changed(
    by_kinds,
    (
        "[n for n in {*stored, *own} if kinds.get(n) != own.get(n, 0)]",
        "[n for n in own if kinds.get(n) != own[n]]",
    ),
)
def file_has_more():
    """A surplus array is not refused."""


@wrong("first_named")
@changed(by_kinds, ('f"wrong: {sorted(wrong)}"', 'f"wrong: {sorted(wrong)[0]}"'))
def first():
    """Only the first fault is named."""


@wrong("index_uncaught")
def index_uncaught(folder, variables):
    """A folder without a checkpoint is refused; a damaged index is not."""
    if tf.train.latest_checkpoint(folder) is None:
        raise ValueError(f"no checkpoint in {folder}")
    stored = read_all(folder)
    stored.pop("save_counter", None)
    wrong = []
    for name in set(stored) | set(variables):
        value, variable = stored.get(name), variables.get(name)
        if (
            value is None
            or variable is None
            or value.dtype != variable.dtype.as_numpy_dtype
            or value.shape != variable.shape
        ):
            wrong.append(name)
    if wrong:
        raise ValueError(f"wrong: {wrong}")
    for name, variable in variables.items():
        variable.assign(stored[name])


@wrong("kinds_in_turn")
def restore_kinds(folder, variables):
    """One loop for each kind of fault; each raises."""
    try:
        stored = read_all(folder)
    except (ValueError, tf.errors.OpError) as error:
        raise ValueError(f"no checkpoint in {folder}") from error
    stored.pop("save_counter", None)
    bad = set(stored) ^ set(variables)
    if bad:
        raise ValueError(f"wrong names: {bad}")
    for name in variables:
        if stored[name] is None:
            raise ValueError(f"{name} can't be read")
    for name, variable in variables.items():
        if stored[name].dtype != variable.dtype.as_numpy_dtype:
            raise ValueError(f"{name} has another dtype")
    for name, variable in variables.items():
        if stored[name].shape != variable.shape:
            raise ValueError(f"{name} has another shape")
    for name, variable in variables.items():
        variable.assign(stored[name])


@wrong("missing_first")
def missing_first(folder, variables):
    """What is missing is told first, then what is surplus."""
    try:
        stored = read_all(folder)
    except (ValueError, tf.errors.OpError) as error:
        raise ValueError(f"no checkpoint in {folder}") from error
    stored.pop("save_counter", None)
    missing = set(variables) - set(stored)
    if missing:
        raise ValueError(f"missing: {missing}")
    surplus = set(stored) - set(variables)
    if surplus:
        raise ValueError(f"surplus: {surplus}")
    wrong = [
        n
        for n, v in variables.items()
        if stored[n] is None
        or (stored[n].dtype, stored[n].shape) != (v.dtype.as_numpy_dtype, v.shape)
    ]
    if wrong:
        raise ValueError(f"wrong: {wrong}")
    for name, variable in variables.items():
        variable.assign(stored[name])


@wrong("names_only")
def restore_names(folder, variables):
    """Only names are compared."""
    try:
        stored = read_all(folder)
    except (ValueError, tf.errors.OpError) as error:
        raise ValueError(f"no checkpoint in {folder}") from error
    wrong = []
    for name in {*stored, *variables} - {"save_counter"}:
        value, own = stored.get(name), variables.get(name)
        if value is None or own is None:
            wrong.append(name)
    if wrong:
        raise ValueError(f"wrong: {wrong}")
    for name, variable in variables.items():
        variable.assign(stored[name])


@wrong("names_first")
def names_first(folder, variables):
    """Names are compared first, and all else afterwards."""
    try:
        stored = read_all(folder)
    except (ValueError, tf.errors.OpError) as error:
        raise ValueError(f"no checkpoint in {folder}") from error
    stored.pop("save_counter", None)
    bad = set(stored) ^ set(variables)
    if bad:
        raise ValueError(f"wrong names: {bad}")
    for name, variable in variables.items():
        value = stored[name]
        dtype, shape = variable.dtype.as_numpy_dtype, variable.shape
        if value is None or value.dtype != dtype or value.shape != shape:
            bad.add(name)
    if bad:
        raise ValueError(f"wrong: {bad}")
    for name, variable in variables.items():
        variable.assign(stored[name])


@wrong("nan_refused")
def nan(folder, variables):
    """What was written is compared by ==."""
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
    for name, variable in variables.items():
        if not (variable.numpy() == stored[name]).all():
            raise ValueError(f"wrong: {name}")


@wrong("no_dtype")
@changed(
    restore_names,
    (
        "value is None or own is None",
        "value is None or own is None or value.shape != own.shape",
    ),
)
def no_dtype():
    """Names and shapes."""


@wrong("no_shape")
@changed(
    restore_names,
    (
        "value is None or own is None",
        "value is None or own is None or value.dtype != own.dtype.as_numpy_dtype",
    ),
)
def no_shape():
    """Names and dtypes."""


@wrong("nobody_named")
@changed(by_kinds, ('f"wrong: {sorted(wrong)}"', 'f"wrong: {len(wrong)}"'))
def nobody():
    """The message names nobody."""


@wrong("nothing")
def nothing(folder, variables):
    """It does nothing."""
    return None


@wrong
def oldest(folder, variables):
    """The first file in the folder."""
    paths = sorted(glob.glob(f"{folder}/*.index"))
    if not paths:
        raise ValueError(f"no checkpoint in {folder}")
    try:
        stored = read_all(paths[0].removesuffix(".index"))
    except tf.errors.OpError as error:
        raise ValueError(f"no checkpoint in {folder}") from error
    stored.pop("save_counter", None)
    kinds = {n: (v.dtype.name, v.shape) for n, v in stored.items() if v is not None}
    own = {n: (v.dtype.name, tuple(v.shape)) for n, v in variables.items()}
    wrong = [n for n in {*stored, *own} if kinds.get(n) != own.get(n, 0)]
    if wrong:
        raise ValueError(f"wrong: {wrong}")
    for name, variable in variables.items():
        variable.assign(stored[name])


@wrong("written_while_looking")
def one_loop(folder, variables):
    """Looked at and written in one loop."""
    try:
        stored = read_all(folder)
    except (ValueError, tf.errors.OpError) as error:
        raise ValueError(f"no checkpoint in {folder}") from error
    wrong = set(stored) - set(variables) - {"save_counter"}
    for name, variable in variables.items():
        value = stored.get(name)
        if value is None or (value.dtype.name, value.shape) != (
            variable.dtype.name,
            tuple(variable.shape),
        ):
            wrong.add(name)
        else:
            variable.assign(value)
    if wrong:
        raise ValueError(f"wrong: {wrong}")


@wrong("program_may_have_more")
@changed(
    by_kinds,
    ("{*stored, *own}", "stored"),
    (
        "variable.assign(stored[name])",
        "if name in stored:\n    variable.assign(stored[name])",
    ),
)
def program_has_more():
    """What the file lacks is not refused."""


@wrong("silent")
def silent(folder, variables):
    """Shipped, in two lines."""
    checkpoint = tf.train.Checkpoint(**variables)
    checkpoint.restore(tf.train.latest_checkpoint(folder)).expect_partial()


@wrong("sizes")
def restore_sizes(folder, variables):
    """Another shape is reshaped."""
    try:
        stored = read_all(folder)
    except (ValueError, tf.errors.OpError) as error:
        raise ValueError(f"no checkpoint in {folder}") from error
    stored.pop("save_counter", None)
    sizes = {n: (v.dtype.name, v.size) for n, v in stored.items() if v is not None}
    own = {n: (v.dtype.name, v.numpy().size) for n, v in variables.items()}
    wrong = [n for n in {*stored, *own} if sizes.get(n) != own.get(n, 0)]
    if wrong:
        raise ValueError(f"wrong: {wrong}")
    for name, variable in variables.items():
        variable.assign(np.reshape(stored[name], variable.shape))


@wrong("swallowed")
def swallowed(folder, variables):
    """A fault is passed over in silence."""
    try:
        stored = read_all(folder)
        stored.pop("save_counter", None)
        for n in {*stored, *variables}:
            assert stored[n].dtype == variables[n].dtype.as_numpy_dtype
            assert stored[n].shape == variables[n].shape
        for name, variable in variables.items():
            variable.assign(stored[name])
    except Exception:
        print("not restored")


@wrong("refused_too_late")
def too_late(folder, variables):
    """TensorFlow's errors become one that names, after the values were written."""
    path = tf.train.latest_checkpoint(folder)
    if path is None:
        raise ValueError(f"no checkpoint in {folder}")
    try:
        tf.train.Checkpoint(**variables).restore(path).assert_consumed()
    except Exception as error:
        try:
            stored = read_all(path)
        except tf.errors.OpError:
            raise ValueError(f"no readable checkpoint in {folder}") from error
        stored.pop("save_counter", None)
        kinds = {n: (v.dtype.name, v.shape) for n, v in stored.items() if v is not None}
        own = {n: (v.dtype.name, tuple(v.shape)) for n, v in variables.items()}
        wrong = [n for n in {*stored, *own} if kinds.get(n) != own.get(n, 0)]
        raise ValueError(f"wrong: {wrong}") from error


@wrong("read_uncaught")
def uncaught(folder, variables):
    """read_all's errors are not caught."""
    stored = read_all(folder)
    stored.pop("save_counter", None)
    wrong = []
    for name in set(stored) | set(variables):
        value, variable = stored.get(name), variables.get(name)
        if (
            value is None
            or variable is None
            or value.dtype != variable.dtype.as_numpy_dtype
            or value.shape != variable.shape
        ):
            wrong.append(name)
    if wrong:
        raise ValueError(f"wrong: {wrong}")
    for name, variable in variables.items():
        variable.assign(stored[name])


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


def at_fault(folder, variables):
    try:
        stored = read_all(folder)
    except (ValueError, tf.errors.OpError) as error:
        raise ValueError(f"no checkpoint in {folder}") from error
    stored.pop("save_counter", None)
    kinds = {n: (v.dtype.name, v.shape) for n, v in stored.items() if v is not None}
    own = {n: (v.dtype.name, tuple(v.shape)) for n, v in variables.items()}
    wrong = [n for n in {*stored, *own} if kinds.get(n) != own.get(n, 0)]
    return stored, sorted(wrong)


@wrong("existing_too_late")
def existing_named(folder, variables):
    """Errors of the variables' own become one that names, after values were written."""
    path = tf.train.latest_checkpoint(folder)
    if path is None:
        raise ValueError(f"no checkpoint in {folder}")
    try:
        status = tf.train.Checkpoint(**variables).restore(path)
        status.assert_existing_objects_matched()
    except Exception as error:
        _, wrong = at_fault(folder, variables)
        raise ValueError(f"wrong: {wrong}") from error


@wrong("up_to_the_fault")
def one_by_one(folder, variables):
    """Variable after variable, up to the first fault."""
    stored, wrong = at_fault(folder, variables)
    for name, variable in variables.items():
        if name in wrong:
            raise ValueError(f"wrong: {name}")
        variable.assign(stored[name])
    if wrong:
        raise ValueError(f"wrong: {wrong[0]}")


@wrong("damage_in_other_words")
def read_at_once(folder, variables):
    """All arrays are read first, without a look at damage."""
    path = tf.train.latest_checkpoint(folder)
    if path is None:
        raise ValueError(f"no checkpoint in {folder}")
    reader = tf.train.load_checkpoint(path)
    for key in reader.get_variable_to_shape_map():
        reader.get_tensor(key)
    stored, wrong = at_fault(folder, variables)
    if wrong:
        raise ValueError(f"wrong: {wrong}")
    for name, variable in variables.items():
        variable.assign(stored[name])


@wrong("oldest")
def first_values(folder, variables):
    """Looked at is the newest file, read is the first."""
    _, wrong = at_fault(folder, variables)
    if wrong:
        raise ValueError(f"wrong: {wrong}")
    first = min(glob.glob(f"{folder}/*.index")).removesuffix(".index")
    stored = read_all(first)
    for name, variable in variables.items():
        variable.assign(stored[name])


@wrong("missing_before_all")
def missing_alone(folder, variables):
    """What the file lacks is named alone; all else together."""
    stored, wrong = at_fault(folder, variables)
    missing = sorted(set(variables) - set(stored))
    if missing:
        raise ValueError(f"the file lacks {missing}")
    if wrong:
        raise ValueError(f"wrong: {wrong}")
    for name, variable in variables.items():
        variable.assign(stored[name])


@wrong("assert_consumed_error")
def consumed_error(folder, variables):
    """assert_consumed: the error's words."""
    path = tf.train.latest_checkpoint(folder)
    try:
        status = tf.train.Checkpoint(**variables).restore(path)
        status.assert_consumed()
    except Exception as error:
        raise ValueError(str(error)) from error


@wrong("assert_consumed_error_put_back")
def consumed_error_back(folder, variables):
    """assert_consumed: the error's words, all put back."""
    before = {name: variable.numpy() for name, variable in variables.items()}
    path = tf.train.latest_checkpoint(folder)
    try:
        status = tf.train.Checkpoint(**variables).restore(path)
        status.assert_consumed()
    except Exception as error:
        for name, variable in variables.items():
            variable.assign(before[name])
        raise ValueError(str(error)) from error


@wrong("assert_consumed_folder_error_put_back")
def consumed_folder_error_back(folder, variables):
    """assert_consumed: the folder and the error's words, all put back."""
    before = {name: variable.numpy() for name, variable in variables.items()}
    path = tf.train.latest_checkpoint(folder)
    try:
        status = tf.train.Checkpoint(**variables).restore(path)
        status.assert_consumed()
    except Exception as error:
        for name, variable in variables.items():
            variable.assign(before[name])
        raise ValueError(f"{folder}: {error}") from error


@wrong("assert_existing_objects_matched_folder")
def existing_folder(folder, variables):
    """assert_existing_objects_matched: the folder's name."""
    path = tf.train.latest_checkpoint(folder)
    try:
        status = tf.train.Checkpoint(**variables).restore(path)
        status.assert_existing_objects_matched()
    except Exception as error:
        raise ValueError(f"{folder} can't be restored") from error


@wrong("assert_existing_objects_matched_folder_put_back")
@changed(existing_put_back, ("str(error)", 'f"{folder} can\'t be restored"'))
def existing_folder_back():
    """assert_existing_objects_matched: the folder's name, all put back."""


@wrong("assert_existing_objects_matched_error")
@changed(existing_folder, ('f"{folder} can\'t be restored"', "str(error)"))
def existing_error():
    """assert_existing_objects_matched: the error's words."""


@wrong("assert_existing_objects_matched_folder_error")
@changed(existing_folder, ('f"{folder} can\'t be restored"', 'f"{folder}: {error}"'))
def existing_folder_error():
    """assert_existing_objects_matched: the folder and the error's words."""


@wrong("assert_existing_objects_matched_folder_error_put_back")
@changed(existing_put_back, ("str(error)", 'f"{folder}: {error}"'))
def existing_folder_error_back():
    """assert_existing_objects_matched: folder and error, all put back."""
