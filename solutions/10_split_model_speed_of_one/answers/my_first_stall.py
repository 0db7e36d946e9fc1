"""Answers to 10/my_first_stall, right and wrong, and what the check says of each."""

import numpy as np

from autograder.answers import changed, crashed, right, wrong


@right
def dictionaries(visits, slack):
    """Two dictionaries."""
    free, there = {}, {}
    for stage, micro, begin, end in visits:
        late = begin - max(free.get(stage, 0), there.get((stage - 1, micro), 0))
        if late > slack:
            return stage, micro, late
        free[stage] = there[stage, micro] = end
    return None


def delays(visits):
    ends = {}
    for stage, micro, begin, end in visits:
        yield (
            stage,
            micro,
            begin - max(ends.get(stage, 0), ends.get((stage - 1, micro), 0)),
        )
        ends[stage] = ends[stage, micro] = end


@right
def generator(visits, slack):
    """All delays in one generator, then the first large one."""
    return next((visit for visit in delays(visits) if visit[2] > slack), None)


@right
def numpy(visits, slack):
    """With NumPy arrays, one row for each stage."""
    table = np.array(visits)
    done = np.zeros((table[:, 0].max() + 1, table[:, 1].max() + 1))
    for stage, micro, begin, end in table:
        before = done[stage - 1, micro] if stage else 0
        late = begin - max(done[stage].max(), before)
        if late > slack:
            return np.array([stage, micro, late])
        done[stage, micro] = end


@right
def search(visits, slack):
    """Look for the two visits in the list, no state."""
    for i, (stage, micro, begin, _) in enumerate(visits):
        same = [e for s, _, _, e in visits[:i] if s == stage]
        before = [e for s, m, _, e in visits if s == stage - 1 and m == micro]
        late = begin - max([0, *same, *before])
        if late > slack:
            return [stage, micro, late]


@crashed
def endless(visits, slack):
    """A loop that never ends."""
    index = 0
    while index < len(visits):
        stage, micro, begin, end = visits[index]
        if end < begin:
            index += 1


@crashed
@changed(
    dictionaries,
    (
        "free.get(stage, 0), there.get((stage - 1, micro), 0)",
        "free[stage], there[stage - 1, micro]",
    ),
)
def key():
    """A dictionary without a first value."""


@wrong
@changed(dictionaries, ("stage, micro, late", 'f"stage {stage}", micro, late'))
def names():
    """Names instead of numbers."""


@wrong
@changed(dictionaries, ("return stage, micro, late", "return stage, micro"))
def place_only():
    """Without the delay."""


@wrong("first_visit_never_late")
def first_visit_skipped(visits, slack):
    """A stage that has done nothing yet is free whenever it begins."""
    free, there = {}, {}
    for stage, micro, begin, end in visits:
        late = begin - max(free.get(stage, begin), there.get((stage - 1, micro), 0))
        if late > slack:
            return stage, micro, late
        free[stage] = there[stage, micro] = end
    return None
