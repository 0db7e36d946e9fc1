"""Further exercise: break a right pipeline so that a monitor sees nothing wrong."""

from __future__ import annotations

from course.checks.exercises import Difference, Exercise, Mistake, Observation, Sign
from course.lessons.n08_busy_then_idle.dataset import HOW_IT_IS_READ, WHAT_COMES
from course.lessons.n08_busy_then_idle.runs import Case, compare, draw, expect, observe

# these counts are 0 wherever something else is wrong, too
ALL_FIRST, MOST_FIRST = "all first", "most first"


def _expect(case: Case) -> Observation:
    """Each element once, four at a time, and all of them before the first step."""
    return expect(case).changed(**{ALL_FIRST: int(case.meets)})


def _compare(case: Case, got: Observation, truth: Observation) -> Difference:
    wrong = {name for name in truth.counts if got.counts[name] != truth.counts[name]}
    if ALL_FIRST in wrong <= {ALL_FIRST, MOST_FIRST} and (got.values == 1).all():
        return Difference(
            "The loop got each element once, in order, and four reads ran at once. But "
            "the first step began while later elements were still to be read.",
            "Expected: no step before the last read has ended.",
        )
    return compare(case, got, truth)


def _mistake(code: str, cause: str, **counts: int) -> Mistake:
    """The mistake that shows in these counts where reads meet."""
    return Mistake(
        code,
        cause,
        lambda case: (
            _expect(case).changed(**{ALL_FIRST: 0} | counts)
            if case.meets
            else _expect(case)
        ),
    )


def _as_mistake(sign: Sign) -> Mistake:
    """A fault that the core knows, too."""
    return Mistake(
        sign.code,
        sign.cause,
        lambda case: sign.change(case, expect(case)),
    )


MY_LATE = Exercise(
    name="08/my_late",
    cases=draw,
    observe=observe,
    expect=_expect,
    compare=_compare,
    mistakes=(
        _mistake(
            "nothing_broken",
            "the first step begins as soon as the first few elements are there. A "
            "buffer, however large, passes on what is ready before it is full. And a "
            "batch of four elements needs only four.",
        ),
        _mistake(
            "not_all",
            "the first step waits for most of the elements, but not for all n of them: "
            "the last one is read later.",
            **{MOST_FIRST: 1},
        ),
        _mistake(
            "alternates",
            "reading stops while a step runs. That is another fault, and a monitor "
            "shows it.",
            alternates=1,
        ),
        Mistake(
            "read_while_made",
            "the elements are read while the function builds the dataset, before the "
            "loop asks for them.",
            lambda case: expect(case).changed(early=1),
        ),
        *map(_as_mistake, (*WHAT_COMES, *HOW_IT_IS_READ)),
    ),
    right="Each element was read once, four at a time, and the loop got them in "
    "order. The first step waited for all of them. No later step waits, so a monitor "
    "sees nothing wrong.",
)
