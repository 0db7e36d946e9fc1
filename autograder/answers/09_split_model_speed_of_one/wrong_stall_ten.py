"""10 ms, whatever the slack."""

EXPECT = {"09/my_first_stall": "WRONG ten_always"}


def my_first_stall(visits, slack):
    free, there = {}, {}
    for stage, micro, begin, end in visits:
        late = begin - max(free.get(stage, 0), there.get((stage - 1, micro), 0))
        if late > 10:
            return stage, micro, late
        free[stage] = there[stage, micro] = end
