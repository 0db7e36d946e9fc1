"""The earlier of both."""

EXPECT = {"09/my_first_stall": "WRONG earlier_of_both"}


def my_first_stall(visits, slack):
    free, there = {}, {}
    for stage, micro, begin, end in visits:
        late = begin - min(free.get(stage, 0), there.get((stage - 1, micro), 0))
        if late > slack:
            return stage, micro, late
        free[stage] = there[stage, micro] = end
    return None
