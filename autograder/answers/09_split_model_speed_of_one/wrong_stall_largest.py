"""The largest delay."""

EXPECT = {"09/my_first_stall": "WRONG largest"}


def my_first_stall(visits, slack):
    free, there, found = {}, {}, []
    for stage, micro, begin, end in visits:
        late = begin - max(free.get(stage, 0), there.get((stage - 1, micro), 0))
        if late > slack:
            found.append((late, -len(found), stage, micro))
        free[stage] = there[stage, micro] = end
    return (*max(found)[2:], max(found)[0]) if found else None
