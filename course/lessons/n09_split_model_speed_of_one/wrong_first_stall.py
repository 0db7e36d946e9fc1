"""Wrong answers to 09/my_first_stall: names are codes, docstrings causes."""

from __future__ import annotations


def stage_only(visits, slack):
    """It asks only since when the stage was free. While the first micro-batch is on
    its way, later stages have nothing to do: that is no fault.
    """
    free, there = {}, {}
    for stage, micro, begin, end in visits:
        late = begin - free.get(stage, 0)
        if late > slack:
            return stage, micro, late
        free[stage] = there[stage, micro] = end
    return None


def first_visits_skipped(visits, slack):
    """It asks only since when the stage was free, and skips each stage's first
    visit. Later visits wait for their micro-batch, too.
    """
    free = {}
    for stage, micro, begin, end in visits:
        late = begin - free.get(stage, begin)
        if late > slack:
            return stage, micro, late
        free[stage] = end


def ten_always(visits, slack):
    """It takes 10 ms, whatever slack it is given."""
    free, there = {}, {}
    for stage, micro, begin, end in visits:
        late = begin - max(free.get(stage, 0), there.get((stage - 1, micro), 0))
        if late > 10:
            return stage, micro, late
        free[stage] = there[stage, micro] = end


def micro_batch_only(visits, slack):
    """It asks only since when the micro-batch was there. While the stage works on
    another one, it has to wait: that is no fault.
    """
    free, there = {}, {}
    for stage, micro, begin, end in visits:
        late = begin - there.get((stage - 1, micro), 0)
        if late > slack:
            return stage, micro, late
        free[stage] = there[stage, micro] = end
    return None


def earlier_of_both(visits, slack):
    """It takes the EARLIER of the two times. A visit needs both: the later one
    counts.
    """
    free, there = {}, {}
    for stage, micro, begin, end in visits:
        late = begin - min(free.get(stage, 0), there.get((stage - 1, micro), 0))
        if late > slack:
            return stage, micro, late
        free[stage] = there[stage, micro] = end
    return None


def first_stage_forgotten(visits, slack):
    """It never looks at stage 0, which has no stage before. Its micro-batches are
    there from time 0.
    """
    free, there = {}, {}
    for stage, micro, begin, end in visits:
        late = begin - max(free.get(stage, 0), there.get((stage - 1, micro), 0))
        if stage and late > slack:
            return stage, micro, late
        free[stage] = there[stage, micro] = end
    return None


def any_micro_batch(visits, slack):
    """It asks when the stage before ended its LAST visit. That may be another
    micro-batch: look up this one.
    """
    free, there = {}, {}
    for stage, micro, begin, end in visits:
        late = begin - max(free.get(stage, 0), free.get(stage - 1, 0))
        if late > slack:
            return stage, micro, late
        free[stage] = there[stage, micro] = end
    return None


def largest(visits, slack):
    """It returns the visit that is late the most. Asked is the FIRST."""
    free, there, found = {}, {}, []
    for stage, micro, begin, end in visits:
        late = begin - max(free.get(stage, 0), there.get((stage - 1, micro), 0))
        if late > slack:
            found.append((late, -len(found), stage, micro))
        free[stage] = there[stage, micro] = end
    return (*max(found)[2:], max(found)[0]) if found else None


def last(visits, slack):
    """It returns the last visit that is late. Asked is the first."""
    free, there, found = {}, {}, []
    for stage, micro, begin, end in visits:
        late = begin - max(free.get(stage, 0), there.get((stage - 1, micro), 0))
        if late > slack:
            found.append((stage, micro, late))
        free[stage] = there[stage, micro] = end
    return found[-1] if found else None


def slack_taken_off(visits, slack):
    """The visit is right, but the slack is taken off. Asked is the whole delay."""
    free, there = {}, {}
    for stage, micro, begin, end in visits:
        late = begin - max(free.get(stage, 0), there.get((stage - 1, micro), 0))
        if late > slack:
            return stage, micro, late - slack
        free[stage] = there[stage, micro] = end
    return None


def moment(visits, slack):
    """The visit is right, but the number is when it began. Asked is how much too
    late.
    """
    free, there = {}, {}
    for stage, micro, begin, end in visits:
        late = begin - max(free.get(stage, 0), there.get((stage - 1, micro), 0))
        if late > slack:
            return stage, micro, begin
        free[stage] = there[stage, micro] = end
    return None


def total(visits, slack):
    """The visit is right, but the delays of all visits are added up. Asked is this
    one's.
    """
    free, there, found = {}, {}, []
    for stage, micro, begin, end in visits:
        late = begin - max(free.get(stage, 0), there.get((stage - 1, micro), 0))
        if late > slack:
            found.append((stage, micro, late))
        free[stage] = there[stage, micro] = end
    return (*found[0][:2], sum(f[2] for f in found)) if found else None


def slack_itself(visits, slack):
    """It takes a delay that is equal to the slack. Asked is MORE than that."""
    free, there = {}, {}
    for stage, micro, begin, end in visits:
        late = begin - max(free.get(stage, 0), there.get((stage - 1, micro), 0))
        if late >= slack:
            return stage, micro, late
        free[stage] = there[stage, micro] = end
    return None


MISTAKES = (
    stage_only,
    first_visits_skipped,
    ten_always,
    micro_batch_only,
    earlier_of_both,
    first_stage_forgotten,
    any_micro_batch,
    largest,
    last,
    slack_taken_off,
    moment,
    total,
    slack_itself,
)
