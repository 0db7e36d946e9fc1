"""Further exercise: how many workers, with how many threads each, are allowed?"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from course.exercises import Difference, Exercise, Mistake, Observation
from course.jobs.allowance import MB, Machine
from course.lessons.n11_out_of_memory.machines import Site, draw
from course.places import Place

PLACE = Place(("workers", "threads"), nothing=False)


def _quota_cores(machine: Machine) -> float:
    quota, period = machine.cpu_max.split()
    return 1e9 if quota == "max" else int(quota) / int(period)


def _cores(machine: Machine) -> int:
    return int(min(machine.affinity, max(1, _quota_cores(machine) // 1)))


def _memory(machine: Machine) -> int:
    if machine.memory_max == "max":
        return machine.ram_mb
    return min(machine.ram_mb, int(machine.memory_max) // MB)


def _share(workers: int, cores: int) -> tuple[int, int]:
    return (workers, cores // workers) if workers else (0, 0)


def _plan(
    cores: Callable[[Machine], int] = _cores,
    memory: Callable[[Machine], int] = _memory,
) -> Callable[[Site], tuple[int, int]]:
    def plan(site: Site) -> tuple[int, int]:
        n = cores(site.machine)
        return _share(min(n, memory(site.machine) // site.worker_mb), n)

    return plan


RIGHT = _plan()


def _quota_alone(machine: Machine) -> int:
    """The quota takes the place of affinity."""
    limited = not machine.cpu_max.startswith("max")
    return int(max(1, _quota_cores(machine) // 1)) if limited else machine.affinity


def _limit_alone(machine: Machine) -> int:
    """memory_max takes the place of ram_mb."""
    limited = machine.memory_max != "max"
    return int(machine.memory_max) // MB if limited else machine.ram_mb


def _millions(machine: Machine) -> int:
    """memory_max in MB of 10**6 bytes."""
    limited = machine.memory_max != "max"
    given = int(machine.memory_max) // 10**6 if limited else machine.ram_mb
    return min(machine.ram_mb, given)


def _all_threads_each(site: Site) -> tuple[int, int]:
    workers = RIGHT(site)[0]
    return (workers, _cores(site.machine)) if workers else (0, 0)


def _one_thread_each(site: Site) -> tuple[int, int]:
    workers = RIGHT(site)[0]
    return workers, min(1, workers)


def _workers_by_memory(site: Site) -> tuple[int, int]:
    workers = _memory(site.machine) // site.worker_mb
    return (workers, max(1, _cores(site.machine) // workers)) if workers else (0, 0)


def _workers_by_cores(site: Site) -> tuple[int, int]:
    return _cores(site.machine), 1


def _at_least_one(site: Site) -> tuple[int, int]:
    workers, threads = RIGHT(site)
    return (workers, threads) if workers else (1, _cores(site.machine))


def _usual_period(machine: Machine) -> int:
    """The period is taken to be 100,000, whatever it is."""
    quota = machine.cpu_max.split()[0]
    cores = machine.affinity if quota == "max" else int(quota) // 100_000
    return min(machine.affinity, max(1, cores))


def _threads_of_affinity(site: Site) -> tuple[int, int]:
    workers = RIGHT(site)[0]
    return (workers, site.machine.affinity // workers) if workers else (0, 0)


def _rounded_up(machine: Machine) -> int:
    return int(min(machine.affinity, np.ceil(_quota_cores(machine))))


def _rounded_down(machine: Machine) -> int:
    return int(min(machine.affinity, _quota_cores(machine) // 1))


def _mistake(code: str, plan: Callable[[Site], tuple[int, int]], cause: str) -> Mistake:
    return PLACE.mistake(code, plan, cause)


def _compare(site: Site, got: Observation, truth: Observation) -> Difference:
    workers, threads = RIGHT(site)
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
    observe=lambda function, site: PLACE.observation(
        function(site.machine, site.worker_mb)
    ),
    expect=lambda site: PLACE.observation(RIGHT(site)),
    compare=_compare,
    mistakes=(
        _mistake(
            "the_host",
            _plan(lambda m: m.cpu_count, lambda m: m.ram_mb),
            "it plans with the host: cpu_count and ram_mb are what the machine HAS. A "
            "process may be allowed less of both.",
        ),
        _mistake(
            "affinity_only",
            _plan(lambda m: m.affinity, lambda m: m.ram_mb),
            "affinity is used, but not the container's two limits: cpu_max limits the "
            "time on all cores together, memory_max the memory.",
        ),
        _mistake(
            "quota_replaces_affinity",
            _plan(_quota_alone),
            "where cpu_max has a limit, affinity is no longer used. A process may be "
            "bound to fewer cores than its container may take: the smaller one counts.",
        ),
        _mistake(
            "limit_replaces_memory",
            _plan(_cores, _limit_alone),
            "where memory_max has a limit, ram_mb is no longer used. A limit may be "
            "larger than what the machine has: the smaller one counts.",
        ),
        _mistake(
            "limits_replace_both",
            _plan(_quota_alone, _limit_alone),
            "the container's limits take the place of affinity and ram_mb. A limit may "
            "be larger than what there is: the smaller one counts, for both.",
        ),
        _mistake(
            "millions_of_bytes",
            _plan(_cores, _millions),
            "memory_max is turned into MB of 10**6 bytes, which gives 5 % too many. "
            "Here 1 MB is 2**20 bytes.",
        ),
        _mistake(
            "affinity_ignored",
            _plan(
                lambda m: int(min(m.cpu_count, max(1, _quota_cores(m) // 1))), _memory
            ),
            "the process may run on fewer cores than the host has: that is affinity.",
        ),
        _mistake(
            "quota_ignored",
            _plan(lambda m: m.affinity),
            "the container's cpu_max is not used. It limits the TIME on all cores "
            "together, and neither cpu_count nor affinity shows it.",
        ),
        _mistake(
            "memory_limit_ignored",
            _plan(_cores, lambda m: m.ram_mb),
            "the container's memory_max has no effect. ram_mb is the host's; "
            "memory_max is in bytes.",
        ),
        _mistake(
            "cores_ignored",
            _plan(lambda m: m.cpu_count),
            "the memory is right, but the cores are those of the host.",
        ),
        _mistake(
            "rounded_up",
            _plan(_rounded_up),
            "part of a core is counted as a whole one. Round down, but not below 1.",
        ),
        _mistake(
            "usual_period",
            _plan(_usual_period),
            "the quota is divided by 100000. Divide by the period that stands beside "
            "it: not all have the usual one.",
        ),
        _mistake(
            "threads_of_affinity",
            _threads_of_affinity,
            "the workers are right; for the threads, the quota is forgotten.",
        ),
        _mistake(
            "no_core_left",
            _plan(_rounded_down),
            "less than one core is rounded down to none. One worker with one thread "
            "runs there too, only slowly.",
        ),
        _mistake(
            "all_threads_each",
            _all_threads_each,
            "each worker gets as many threads as there are cores, so that they are "
            "oversubscribed. Workers x threads must not be more than cores.",
        ),
        _mistake(
            "one_thread_each",
            _one_thread_each,
            "every worker gets one thread, although cores are left over where memory "
            "allows few workers.",
        ),
        _mistake(
            "workers_by_memory",
            _workers_by_memory,
            "the number of workers follows memory only. More workers than cores have "
            "to take turns.",
        ),
        _mistake(
            "workers_by_cores",
            _workers_by_cores,
            "the number of workers follows the cores only, whether their memory is "
            "there or not.",
        ),
        _mistake(
            "at_least_one",
            _at_least_one,
            "where not even one worker fits, one is planned. It would run out of "
            "memory: plan (0, 0).",
        ),
        _mistake(
            "swapped",
            lambda site: RIGHT(site)[::-1],
            "the two numbers are right, in the wrong order: first workers, then "
            "threads.",
        ),
    ),
    right="Right on eight machines: bound, limited in time or in memory, too small, "
    "and with limits larger than what they have.",
)
