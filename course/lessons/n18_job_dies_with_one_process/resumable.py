"""Core exercise: a training that can be killed at any moment and started again."""

from __future__ import annotations

from course.checks.exercises import Exercise
from course.lessons.n18_job_dies_with_one_process.resumable_case import (
    compare,
    draw,
    expect,
    mistake,
    observe,
)

_IN_PIECES = (
    "a kill between the two leaves files that do not belong together. Put all in one "
    "checkpoint, or let the last write say which files count."
)
_STATE_FIRST = (
    f"weights and momentum are saved first, the step after them: {_IN_PIECES}"
)
_STEP_FIRST = f"the step is saved before weights and momentum: {_IN_PIECES}"

MY_RESUMABLE = Exercise(
    name="18/my_resumable",
    cases=draw,
    observe=observe,
    expect=expect,
    compare=compare,
    mistakes=(
        mistake(
            "weights_only",
            "only the weights come back. The steps are counted from 0, so trained "
            "weights get all batches again, and the momentum is lost.",
            back="w",
        ),
        mistake(
            "never_restored",
            "each start begins at step 0 with fresh values. What was saved is never "
            "read, or read under other names: then TensorFlow restores nothing, "
            "silently. The end is right, but all the work was done again.",
            back="",
        ),
        mistake(
            "never_saved",
            "nothing is saved in the folder, so that each start begins at step 0. The "
            "end is right, but all the work was done again.",
            files=(),
            writes=(),
        ),
        mistake(
            "saved_at_the_end",
            "it saves only when all steps are made. A kill before that loses "
            "everything.",
            every=0,
        ),
        mistake(
            "step_lost",
            "weights and momentum come back, but the steps are counted from 0 again.",
            back="wm",
        ),
        mistake(
            "momentum_lost",
            "the weights and the step come back, but not the momentum: it starts at 0 "
            "again. An optimizer's own variables belong in the checkpoint.",
            back="wk",
        ),
        mistake(
            "weights_lost",
            "the step and the momentum come back, but the weights do not.",
            back="mk",
        ),
        mistake(
            "step_only",
            "only the step comes back; weights and momentum start at 0 again. They are "
            "not in the checkpoint, or not under the names with which it is read.",
            back="k",
        ),
        mistake(
            "one_step_twice",
            "the step saved is the one just made, and that one is made again. What "
            "has to be saved is the next one, k + 1.",
            number=0,
        ),
        mistake(
            "one_step_left_out",
            "after a start, it goes on one step too late: that step is never made.",
            begins=1,
        ),
        mistake(
            "saved_before_the_step",
            "it saves before the step, but as if the step were made. After a start, "
            "that step is left out.",
            before=True,
        ),
        mistake(
            "every_second_time",
            "it saves at every second interval only, so that a kill loses more than "
            "one interval of steps.",
            every=2,
        ),
        mistake(
            "batches_from_the_first",
            "the steps go on from where they were, but the batches start with the "
            "first one again.",
            first_batches=True,
        ),
        mistake(
            "counted_anew",
            "after a start, the steps are counted from 0, and that number is saved: "
            "the next start goes on too early.",
            anew=True,
        ),
        mistake("state_then_step", _STATE_FIRST, files=("wm", "k"), writes=(1, 1)),
        mistake("step_then_state", _STEP_FIRST, files=("k", "wm"), writes=(1, 1)),
        mistake(
            "state_then_step_in_1_line",
            _STATE_FIRST,
            files=("wm", "k"),
            writes=(1, 1),
            one_line=True,
        ),
        mistake(
            "state_then_step_in_2_lines", _STATE_FIRST, files=("wm", "k"), writes=(1, 2)
        ),
        mistake(
            "state_then_step_in_3_lines", _STATE_FIRST, files=("wm", "k"), writes=(1, 3)
        ),
        mistake(
            "state_in_2_lines_then_step", _STATE_FIRST, files=("wm", "k"), writes=(2, 2)
        ),
        mistake(
            "step_in_2_lines_then_state", _STEP_FIRST, files=("k", "wm"), writes=(2, 1)
        ),
        mistake(
            "step_in_3_lines_then_state", _STEP_FIRST, files=("k", "wm"), writes=(3, 1)
        ),
        mistake(
            "weights_then_the_rest",
            f"the weights are saved first, the rest after them: {_IN_PIECES}",
            files=("w", "m", "k"),
            writes=(1, 1, 1),
        ),
    ),
    right="After each kill it went on from its last checkpoint, and it ends with the "
    "weights and the momentum of the run without failure.",
    locate="18/my_fall_back",
)
