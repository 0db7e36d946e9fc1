"""The stage only, in another way."""

EXPECT = {"09/my_first_stall": "WRONG stage_only"}


def my_first_stall(visits, slack):
    free, there = {}, {}
    for stage, micro, begin, end in visits:
        late = begin - free.get(stage, 0)
        if late > slack:
            return stage, micro, late
        free[stage] = there[stage, micro] = end
    return None
