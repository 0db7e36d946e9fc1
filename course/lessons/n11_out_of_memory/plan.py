"""Further exercise: how many workers, with how many threads each, are allowed?"""

from __future__ import annotations

from collections.abc import Callable

from course.checks.exercises import Difference, Exercise, Observation, shown_by
from course.checks.places import Place
from course.lessons.n11_out_of_memory.machines import Site, draw, plan
from course.lessons.n11_out_of_memory.wrong_plan import MISTAKES

PLACE = Place(("workers", "threads"), nothing=False)


def _plan(site: Site) -> tuple[int, int]:
    return plan(site.machine, site.worker_mb)


def _observe(function: Callable, site: Site) -> Observation:
    return PLACE.observation(function(site.machine, site.worker_mb))


def _compare(site: Site, got: Observation, truth: Observation) -> Difference:
    workers, threads = _plan(site)
    m = site.machine
    return Difference(
        PLACE.came(got, truth),
        f"Expected workers {workers}, threads {threads}. The machine: "
        f"cpu_count {m.cpu_count}, affinity {m.affinity}, cpu_max {m.cpu_max!r}, "
        f"ram_mb {m.ram_mb}, memory_max {m.memory_max!r}.",
    )


MY_PLAN = Exercise(
    name="11/my_plan",
    cases=draw,
    observe=_observe,
    expect=lambda site: PLACE.observation(_plan(site)),
    compare=_compare,
    mistakes=shown_by(_observe, *MISTAKES),
    right="Right on eight machines: bound, limited in time or in memory, too small, "
    "and with limits larger than what they have.",
)
