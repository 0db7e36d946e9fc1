"""Further exercise: how many workers, with how many threads each, are allowed?"""

from __future__ import annotations

from collections.abc import Callable

from course.checks.exercises import Difference, Exercise, Observation, shown_by
from course.checks.places import Place
from course.lessons.n11_out_of_memory.allowance import MB, Machine
from course.lessons.n11_out_of_memory.machines import Site, draw
from course.lessons.n11_out_of_memory.wrong_plan import MISTAKES

PLACE = Place(("workers", "threads"), nothing=False)


def _cores(machine: Machine) -> int:
    quota, period = machine.cpu_max.split()
    if quota == "max":
        return machine.affinity
    return min(machine.affinity, max(1, int(quota) // int(period)))


def _memory(machine: Machine) -> int:
    if machine.memory_max == "max":
        return machine.ram_mb
    return min(machine.ram_mb, int(machine.memory_max) // MB)


def _plan(site: Site) -> tuple[int, int]:
    cores = _cores(site.machine)
    workers = min(cores, _memory(site.machine) // site.worker_mb)
    return (workers, cores // workers) if workers else (0, 0)


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
