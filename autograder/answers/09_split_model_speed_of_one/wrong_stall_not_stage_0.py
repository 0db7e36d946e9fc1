"""Stage 0 is left out."""

EXPECT = {"09/my_first_stall": "WRONG first_stage_forgotten"}


def my_first_stall(visits, slack):
    free, there = {}, {}
    for stage, micro, begin, end in visits:
        late = begin - max(free.get(stage, 0), there.get((stage - 1, micro), 0))
        if stage and late > slack:
            return stage, micro, late
        free[stage] = there[stage, micro] = end
    return None
