"""Core exercise: all variables from the file, or a refusal and none of them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from course.checks.exercises import Exercise, Mistake
from course.lessons.n18_restored_but_wrong import restore_finds as finds
from course.lessons.n18_restored_but_wrong import restore_ways as ways
from course.lessons.n18_restored_but_wrong.checkpoint_files import read
from course.lessons.n18_restored_but_wrong.restore_files import draw
from course.lessons.n18_restored_but_wrong.restore_seen import (
    compare,
    expect,
    observe,
)


def _mistake(code: str, restore: Callable, cause: str) -> Mistake:
    return Mistake(code, cause, lambda case: observe(restore, case))


def _asked(ask: str, says: str, back: bool) -> Mistake:
    """Return the mistake of who makes a ValueError of the status object's error."""
    notices = {
        "assert_consumed": "",
        "assert_existing_objects_matched": " What the file has more goes unnoticed.",
    }
    late = "" if back else " And some variables have been written by then."
    cause = (
        f"the error of {ask} became a ValueError, whose message does not have the "
        f"names of all that do not fit, or not the folder.{notices[ask]}{late}"
    )
    words = says.replace("{", "").replace("}", "").replace(": ", "_")
    code = f"{ask}_{words}" + "_put_back" * back
    return _mistake(code, ways.asked(ask, says, back), cause)


ASKED = tuple(
    _asked(ask, says, back)
    for ask in ("assert_consumed", "assert_existing_objects_matched")
    for says in ("{folder}", "{error}", "{folder}: {error}")
    for back in (False, True)
    # with the folder alone, and all put back, it only lacks the names: nobody_named
    if (ask, says, back) != ("assert_consumed", "{folder}", True)
)

ALWAYS = (
    "a sound checkpoint is refused: one of the comparisons finds every variable at "
    "fault. Print both of its sides for one variable."
)

FIRST_KIND = (
    "where there are faults of two kinds, only those of the first kind are named. "
    "Collect the faults of all kinds, and raise once: "
)

MY_RESTORE = Exercise(
    name="18/my_restore",
    cases=draw,
    observe=observe,
    expect=expect,
    compare=compare,
    mistakes=(
        _mistake(
            "silent",
            ways.status("expect_partial"),
            "what can be joined by name is restored, and of the rest nothing is said; "
            "where there is no checkpoint, nothing is restored.",
        ),
        _mistake(
            "asked_afterwards",
            ways.status("assert_consumed"),
            "assert_consumed is asked after the restore: it notices other names, but "
            "the others have been written by then. And its error is no ValueError.",
        ),
        _mistake(
            "existing_only",
            ways.status("assert_existing_objects_matched"),
            "assert_existing_objects_matched looks at the program's variables only: "
            "what the file has more goes unnoticed. And it is asked after the restore.",
        ),
        _mistake(
            "refused_too_late",
            ways.status("assert_consumed", ways.LATE),
            "the refusal comes too late: TensorFlow had written some variables when "
            "it noticed the fault. Look at everything first, then write.",
        ),
        _mistake(
            "existing_too_late",
            ways.status("assert_existing_objects_matched", ways.LATE),
            "what the file has more goes unnoticed, and the refusals come after some "
            "variables were written.",
        ),
        _mistake(
            "written_while_looking",
            ways.in_one_loop,
            "the healthy variables were written before it refused. Look at everything "
            "first, then write.",
        ),
        _mistake(
            "up_to_the_fault",
            ways.up_to_the_fault,
            "one loop looks and writes: what came before the fault is written when it "
            "refuses, and later faults are not named.",
        ),
        _mistake(
            "swallowed",
            ways.swallowed,
            "it leaves all variables alone where something is wrong, but tells nobody: "
            "an except that returns makes a refusal silent.",
        ),
        _mistake(
            "begins_anew",
            ways.anew,
            "where there is no checkpoint it returns in silence: the training would "
            "begin anew, and nobody would know.",
        ),
        _mistake(
            "no_dtype",
            ways.restoring(finds.unlike(np.shape)),
            "dtypes are not compared: assign casts a NumPy array in silence.",
        ),
        _mistake(
            "no_shape",
            ways.restoring(finds.unlike(lambda value: value.dtype)),
            "shapes are not compared: assign refuses another shape in its own words, "
            "when other variables have been written already.",
        ),
        _mistake(
            "names_only",
            ways.restoring(finds.unlike(lambda value: 0)),
            "only names are compared, and no shapes or dtypes.",
        ),
        _mistake(
            "sizes",
            ways.restoring(finds.unlike(lambda v: (v.dtype, v.size)), ways.reshaped),
            "numbers of elements are compared. An array of another shape was reshaped, "
            "and its numbers stand in other places now.",
        ),
        _mistake(
            "no_names",
            ways.restoring(finds.no_names),
            "a name that only the file or only the program has is passed over.",
        ),
        _mistake(
            "file_may_have_more",
            ways.restoring(finds.only_if(2)),
            "names that only the file has are not named. They are half of a renamed "
            "variable, or a part of the model that is missing.",
        ),
        _mistake(
            "program_may_have_more",
            ways.restoring(finds.only_if(1)),
            "names that only the program has are not named: such a variable keeps its "
            "initial value.",
        ),
        _mistake(
            "damage_passed",
            ways.restoring(finds.damage_passed),
            "an array that can't be read is passed over, and its variable keeps its "
            "initial value.",
        ),
        _mistake(
            "read_uncaught",
            ways.restoring(opens=read),
            "where there is no folder or its index is damaged, it stops with an error "
            "of TensorFlow's: a tf.errors.OpError has to be caught, too.",
        ),
        _mistake(
            "index_uncaught",
            ways.restoring(opens=ways.uncaught),
            "a damaged index stops it with an error of TensorFlow's: read_all's own "
            "errors are not caught. A ValueError with the folder is asked for.",
        ),
        _mistake(
            "damage_in_other_words",
            ways.restoring(opens=ways.raw),
            "damaged files stop it with an error of TensorFlow's, which names no "
            "variable. A ValueError is asked for.",
        ),
        _mistake(
            "by_order",
            ways.by_order,
            "arrays and variables are joined by their order, not by name.",
        ),
        _mistake(
            "oldest",
            ways.restoring(opens=ways.oldest),
            "an older checkpoint was restored, not the newest in the folder.",
        ),
        _mistake(
            "counter_refused",
            ways.restoring(finds.with_counter),
            "a sound checkpoint is refused: save_counter is TensorFlow's own, and in "
            "every file that save() writes.",
        ),
        _mistake(
            "nan_refused",
            ways.compared_after,
            "a sound checkpoint is refused, because NaN is not equal to NaN.",
        ),
        _mistake(
            "first_named",
            ways.restoring(finds.first_named),
            "only the first fault is named. Collect them all: a renamed variable is "
            "two names.",
        ),
        _mistake(
            "names_first",
            ways.restoring(finds.in_turn(finds.either_side, finds.no_names)),
            FIRST_KIND + "beside another name there can be another dtype.",
        ),
        _mistake(
            "kinds_in_turn",
            ways.restoring(finds.in_turn(finds.either_side, finds.first_of_both)),
            FIRST_KIND + "beside another name or dtype there can be another shape.",
        ),
        _mistake(
            "missing_first",
            ways.restoring(finds.in_turn(finds.missing, finds.surplus, finds.no_names)),
            FIRST_KIND + "a renamed variable is missing under one name, and surplus "
            "under another.",
        ),
        _mistake(
            "missing_before_all",
            ways.restoring(finds.in_turn(finds.missing, finds.faults)),
            FIRST_KIND + "a renamed variable is missing under one name, and surplus "
            "under another.",
        ),
        _mistake(
            "all_named_if_names_differ",
            ways.restoring(finds.in_turn(finds.all_if_names_differ, finds.no_names)),
            "where names differ, the message has all names of both sides. Who reads it "
            "wants to know which are wrong: those that only one side has.",
        ),
        _mistake(
            "all_named",
            ways.restoring(finds.all_named),
            "the message names healthy variables, too. Who reads it wants to know "
            "which are wrong.",
        ),
        _mistake(
            "nobody_named",
            ways.restoring(finds.nobody_named),
            "it refuses where it should, but its message does not name the variables.",
        ),
        _mistake(
            "always_refused",
            ways.restoring(finds.always),
            ALWAYS,
        ),
        _mistake("everything_refused", ways.restoring(finds.everything), ALWAYS),
        *ASKED,
        _mistake("nothing", ways.nothing, "it does nothing."),
    ),
    right="Two sound checkpoints came back bit by bit; fourteen faulty ones were "
    "refused with the names at fault, and no variable was touched.",
    locate="18/my_not_restored",
)
