"""All delays added up."""

EXPECT = {"09/my_first_stall": "WRONG total"}


def my_first_stall(visits, slack):
    free, there, found = {}, {}, []
    for stage, micro, begin, end in visits:
        late = begin - max(free.get(stage, 0), there.get((stage - 1, micro), 0))
        if late > slack:
            found.append((stage, micro, late))
        free[stage] = there[stage, micro] = end
    return (*found[0][:2], sum(f[2] for f in found)) if found else None
