"""A dictionary without a first value."""

EXPECT = {"09/my_first_stall": "CRASHED"}


def my_first_stall(visits, slack):
    free, there = {}, {}
    for stage, micro, begin, end in visits:
        late = begin - max(free[stage], there[stage - 1, micro])
        if late > slack:
            return stage, micro, late
        free[stage] = there[stage, micro] = end
    return None
