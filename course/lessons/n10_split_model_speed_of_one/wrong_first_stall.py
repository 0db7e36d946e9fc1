"""Wrong answers to 10/my_first_stall: names are codes, docstrings causes."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from course.checks.exercises import wrong_answers
from course.checks.places import Found

Visit = tuple[int, int, int, int]  # stage, micro-batch, begin, end
Delay = tuple[int, int, float]  # stage, micro-batch, how late
# since when a visit could begin, from ends (of stages, and of their micro-batches),
# stage and micro-batch
Since = Callable[[Mapping, int, int], float]


def _free(ends: Mapping, stage: int, micro: int) -> float:
    return ends.get(stage, 0)


def _there(ends: Mapping, stage: int, micro: int) -> float:
    return ends.get((stage - 1, micro), 0)


def _both(ends: Mapping, stage: int, micro: int) -> float:
    return max(_free(ends, stage, micro), _there(ends, stage, micro))


def delays(visits: Sequence[Visit], since: Since = _both) -> list[Delay]:
    """Return how late each visit begins."""
    ends, found = {}, []
    for stage, micro, begin, end in visits:
        found.append((stage, micro, begin - since(ends, stage, micro)))
        ends[stage] = ends[stage, micro] = end
    return found


def first_above(found: Sequence[Delay], slack: float) -> Found:
    """Return the first delay of more than the slack, or None."""
    return next((delay for delay in found if delay[2] > slack), None)


def stage_only(visits, slack):
    """It asks only since when the stage was free. While the first micro-batch is on
    its way, later stages have nothing to do: that is no fault.
    """
    return first_above(delays(visits, _free), slack)


def first_visits_skipped(visits, slack):
    """It asks only since when the stage was free, and skips each stage's first
    visit. Later visits wait for their micro-batch, too.
    """
    found = delays(visits, lambda ends, stage, micro: ends.get(stage, math.inf))
    return first_above(found, slack)


def first_visit_never_late(visits, slack):
    """It takes a stage's first visit for punctual, whenever it begins. The stage is
    free from time 0; the visit is late where its micro-batch is there before.
    """

    def since(ends, stage, micro):
        return max(ends.get(stage, math.inf), _there(ends, stage, micro))

    return first_above(delays(visits, since), slack)


def ten_always(visits, slack):
    """It takes 10 ms, whatever slack it is given."""
    return first_above(delays(visits), 10)


def micro_batch_only(visits, slack):
    """It asks only since when the micro-batch was there. While the stage works on
    another one, it has to wait: that is no fault.
    """
    return first_above(delays(visits, _there), slack)


def earlier_of_both(visits, slack):
    """It takes the EARLIER of the two times. A visit needs both: the later one
    counts.
    """
    return first_above(
        delays(visits, lambda *visit: min(_free(*visit), _there(*visit))), slack
    )


def first_stage_forgotten(visits, slack):
    """It never looks at stage 0, which has no stage before. Its micro-batches are
    there from time 0.
    """
    return first_above([delay for delay in delays(visits) if delay[0]], slack)


def any_micro_batch(visits, slack):
    """It asks when the stage before ended its LAST visit. That may be another
    micro-batch: look up this one.
    """

    def since(ends, stage, micro):
        return max(ends.get(stage, 0), ends.get(stage - 1, 0))

    return first_above(delays(visits, since), slack)


def largest(visits, slack):
    """It returns the visit that is late the most. Asked is the FIRST."""
    return first_above([max(delays(visits), key=lambda delay: delay[2])], slack)


def last(visits, slack):
    """It returns the last visit that is late. Asked is the first."""
    return first_above(delays(visits)[::-1], slack)


def slack_taken_off(visits, slack):
    """The visit is right, but the slack is taken off. Asked is the whole delay."""
    found = first_above(delays(visits), slack)
    return found and (*found[:2], found[2] - slack)


def moment(visits, slack):
    """The visit is right, but the number is when it began. Asked is how much too
    late.
    """
    found = first_above(delays(visits), slack)
    begins = {(stage, micro): begin for stage, micro, begin, _ in visits}
    return found and (*found[:2], begins[found[:2]])


def total(visits, slack):
    """The visit is right, but the delays of all visits are added up. Asked is this
    one's.
    """
    found = first_above(delays(visits), slack)
    late = (delay[2] for delay in delays(visits))
    return found and (*found[:2], sum(each for each in late if each > slack))


def slack_itself(visits, slack):
    """It takes a delay that is equal to the slack. Asked is MORE than that."""
    return next((delay for delay in delays(visits) if delay[2] >= slack), None)


MISTAKES = wrong_answers(__name__, delays, first_above)
