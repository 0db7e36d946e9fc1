"""Wrong answers to 19/my_restore: each is the mistake of its name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import tensorflow as tf

from course.checks.exercises import wrong_answers
from course.lessons.n19_restored_but_wrong.checkpoint_files import COUNTER, read
from course.lessons.n19_restored_but_wrong.restore_files import fits
from course.lessons.n19_restored_but_wrong.wrong_finds import (
    FINDS,
    Held,
    Variables,
    assign_all,
    faults,
    newest,
    opened,
    refuse,
    unlike,
)

CONSUMED, EXISTING = "assert_consumed", "assert_existing_objects_matched"
OF_TENSORFLOW = (ValueError, AssertionError, IndexError, tf.errors.OpError)


def _if_all_fit(held: Held, variables: Variables) -> None:
    """Write what was read, unless something does not fit."""
    refuse(faults(held, variables))
    assign_all(held, variables)


def _by_tensorflow(folder: str, variables: Variables, ask: str) -> None:
    """Let TensorFlow restore, then ask its status object."""
    path = tf.train.latest_checkpoint(folder)
    status = tf.train.Checkpoint(**variables).restore(path)
    try:
        getattr(status, ask)()
    finally:
        status.expect_partial()


def _named_too_late(folder: str, variables: Variables, ask: str) -> None:
    """Let TensorFlow restore, and then name the faults that it noticed."""
    newest(folder)
    try:
        _by_tensorflow(folder, variables, ask)
    except OF_TENSORFLOW:
        wrong = faults(opened(folder), variables)
        raise ValueError(f"not restored: {wrong}") from None


def silent(folder: str, variables: Variables) -> None:
    """What can be joined by name is restored, and of the rest nothing is said; where
    there is no checkpoint, nothing is restored.
    """
    _by_tensorflow(folder, variables, "expect_partial")


def asked_afterwards(folder: str, variables: Variables) -> None:
    """Assert_consumed is asked after the restore: it notices other names, but the
    others have been written by then. And its error is no ValueError.
    """
    _by_tensorflow(folder, variables, CONSUMED)


def existing_only(folder: str, variables: Variables) -> None:
    """Assert_existing_objects_matched looks at the program's variables only: what the
    file has more goes unnoticed. And it is asked after the restore.
    """
    _by_tensorflow(folder, variables, EXISTING)


def refused_too_late(folder: str, variables: Variables) -> None:
    """The refusal comes too late: TensorFlow had written some variables when it noticed
    the fault. Look at everything first, then write.
    """
    _named_too_late(folder, variables, CONSUMED)


def existing_too_late(folder: str, variables: Variables) -> None:
    """What the file has more goes unnoticed, and the refusals come after some variables
    were written.
    """
    _named_too_late(folder, variables, EXISTING)


def written_while_looking(folder: str, variables: Variables) -> None:
    """The healthy variables were written before it refused. Look at everything first,
    then write.
    """
    held = opened(folder)
    wrong = faults(held, variables)
    assign_all({n: v for n, v in held.items() if n not in wrong}, variables)
    refuse(wrong)


def up_to_the_fault(folder: str, variables: Variables) -> None:
    """One loop looks and writes: what came before the fault is written when it refuses,
    and later faults are not named.
    """
    held = opened(folder)
    wrong = faults(held, variables)
    for name, variable in variables.items():
        refuse([n for n in wrong if n == name])
        variable.assign(held[name])
    refuse(wrong[:1])


def swallowed(folder: str, variables: Variables) -> None:
    """It leaves all variables alone where something is wrong, but tells nobody: an
    except that returns makes a refusal silent.
    """
    try:
        _if_all_fit(opened(folder), variables)
    except ValueError:
        return


def begins_anew(folder: str, variables: Variables) -> None:
    """Where there is no checkpoint it returns in silence: the training would begin
    anew, and nobody would know.
    """
    if tf.train.latest_checkpoint(folder) is not None:
        _if_all_fit(opened(folder), variables)


def read_uncaught(folder: str, variables: Variables) -> None:
    """Where there is no folder or its index is damaged, it stops with an error of
    TensorFlow's: a tf.errors.OpError has to be caught, too.
    """
    _if_all_fit(read(folder), variables)


def index_uncaught(folder: str, variables: Variables) -> None:
    """A damaged index stops it with an error of TensorFlow's: read_all's own errors are
    not caught. A ValueError with the folder is asked for.
    """
    _if_all_fit(read(newest(folder)), variables)


def damage_in_other_words(folder: str, variables: Variables) -> None:
    """Damaged files stop it with an error of TensorFlow's, which names no variable. A
    ValueError is asked for.
    """
    reader = tf.train.load_checkpoint(newest(folder))
    for key in reader.get_variable_to_shape_map():
        reader.get_tensor(key)
    _if_all_fit(read(folder), variables)


def by_order(folder: str, variables: Variables) -> None:
    """Arrays and variables are joined by their order, not by name."""
    held = opened(folder)
    values = [value for name, value in held.items() if name != COUNTER]
    for name, value in zip(sorted(variables), values, strict=False):
        if fits(value, variables[name].numpy()):
            variables[name].assign(value)


def oldest(folder: str, variables: Variables) -> None:
    """An older checkpoint was restored, not the newest in the folder."""
    refuse(faults(opened(folder), variables))
    first = min(Path(folder).glob("*.index"))
    assign_all(read(str(first).removesuffix(".index")), variables)


def sizes(folder: str, variables: Variables) -> None:
    """Numbers of elements are compared. An array of another shape was reshaped, and its
    numbers stand in other places now.
    """

    def alike(one: np.ndarray, two: np.ndarray) -> bool:
        return (one.dtype, one.size) == (two.dtype, two.size)

    held = opened(folder)
    refuse(unlike(held, variables, alike))
    for name, variable in variables.items():
        variable.assign(held[name].reshape(variable.shape))


def nan_refused(folder: str, variables: Variables) -> None:
    """A sound checkpoint is refused, because NaN is not equal to NaN."""
    held = opened(folder)
    _if_all_fit(held, variables)
    refuse([n for n, v in variables.items() if not np.array_equal(v.numpy(), held[n])])


def nothing(folder: str, variables: Variables) -> None:
    """It does nothing."""


def _reworded(ask: str, says: str, back: bool) -> Callable:
    """Return the restore that makes a ValueError of the status object's error.

    says: the message; {folder} and {error} are put in.
    back: whether all variables get their old values before.
    """

    def restore(folder: str, variables: Variables) -> None:
        before = {name: variable.numpy() for name, variable in variables.items()}
        try:
            _by_tensorflow(folder, variables, ask)
        except OF_TENSORFLOW as error:
            if back:
                assign_all(before, variables)
            raise ValueError(says.format(folder=folder, error=error)) from None

    words = says.replace("{", "").replace("}", "").replace(": ", "_")
    restore.__name__ = f"{ask}_{words}" + "_put_back" * back
    restore.__doc__ = (
        f"the error of {ask} became a ValueError, whose message does not have the "
        "names of all that do not fit, or not the folder."
        + " What the file has more goes unnoticed." * (ask == EXISTING)
        + " And some variables have been written by then." * (not back)
    )
    return restore


MISTAKES = (
    *wrong_answers(__name__),
    *FINDS,
    *(
        _reworded(ask, says, back)
        for ask in (CONSUMED, EXISTING)
        for says in ("{folder}", "{error}", "{folder}: {error}")
        for back in (False, True)
        # with the folder alone, and all put back, it only lacks the names: nobody_named
        if (ask, says, back) != (CONSUMED, "{folder}", True)
    ),
)
