"""The shipped code, with a comment."""

EXPECT = {"09/my_first_stall": "NOT ATTEMPTED"}


def my_first_stall(visits, slack):
    free = {}
    for stage, micro, begin, end in visits:
        late = begin - free.get(stage, 0)
        if late > slack:  # too late
            return stage, micro, late
        free[stage] = end
