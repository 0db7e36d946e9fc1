"""The last visit of the stage before, whichever."""

EXPECT = {"09/my_first_stall": "WRONG any_micro_batch"}


def my_first_stall(visits, slack):
    free, there = {}, {}
    for stage, micro, begin, end in visits:
        late = begin - max(free.get(stage, 0), free.get(stage - 1, 0))
        if late > slack:
            return stage, micro, late
        free[stage] = there[stage, micro] = end
    return None
