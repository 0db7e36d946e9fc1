"""Counts from 1."""

EXPECT = {"09/my_first_stall": "WRONG from_one"}


def my_first_stall(visits, slack):
    free, there = {}, {}
    for stage, micro, begin, end in visits:
        late = begin - max(free.get(stage, 0), there.get((stage - 1, micro), 0))
        if late > slack:
            return stage + 1, micro + 1, late
        free[stage] = there[stage, micro] = end
