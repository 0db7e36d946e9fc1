"""All delays in one generator, then the first large one."""

EXPECT = {"09/my_first_stall": "RIGHT"}


def delays(visits):
    ends = {}
    for stage, micro, begin, end in visits:
        yield (
            stage,
            micro,
            begin - max(ends.get(stage, 0), ends.get((stage - 1, micro), 0)),
        )
        ends[stage] = ends[stage, micro] = end


def my_first_stall(visits, slack):
    return next((visit for visit in delays(visits) if visit[2] > slack), None)
