"""The micro-batch only."""

EXPECT = {"09/my_first_stall": "WRONG micro_batch_only"}


def my_first_stall(visits, slack):
    free, there = {}, {}
    for stage, micro, begin, end in visits:
        late = begin - there.get((stage - 1, micro), 0)
        if late > slack:
            return stage, micro, late
        free[stage] = there[stage, micro] = end
    return None
