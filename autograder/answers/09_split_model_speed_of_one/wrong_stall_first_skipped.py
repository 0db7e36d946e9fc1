"""Skips the first visit of each stage."""

EXPECT = {"09/my_first_stall": "WRONG first_visits_skipped"}


def my_first_stall(visits, slack):
    free = {}
    for stage, micro, begin, end in visits:
        late = begin - free.get(stage, begin)
        if late > slack:
            return stage, micro, late
        free[stage] = end
