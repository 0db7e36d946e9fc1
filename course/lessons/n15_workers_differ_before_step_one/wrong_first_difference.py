"""Wrong answers to 15/my_first_difference: each is the mistake of its name."""

from __future__ import annotations

from course.checks.exercises import wrong_answers
from course.checks.places import Found
from course.lessons.n15_workers_differ_before_step_one.records import (
    SCOPE,
    Logs,
    first_difference,
    first_of,
    gaps_of,
    got,
    values_of,
)


def what_is_asked_for(logs: Logs) -> Found:
    """What the workers ask for is compared, and not what their variables then have."""
    for call, (chiefs, *others) in enumerate(zip(*logs, strict=True)):
        for _, variable, _, value in others:
            if value != chiefs[3]:
                return call, variable, abs(value - chiefs[3])
    return None


def nothing_is_sent(logs: Logs) -> Found:
    """Every worker is taken to have what it asked for. Look at the table: in one of the
    ways, own numbers were equal before step 1.
    """
    return first_difference(logs, lambda logs, call, worker: logs[worker][call][3])


def made_outside_is_sent(logs: Logs) -> Found:
    """What is made outside the scope is taken to be equal, too. The strategy does not
    know of it.
    """

    def sent(logs: Logs, call: int, worker: int) -> float:
        made = logs[worker][call][0] == "make"
        return logs[0][call][3] if made else got(logs, call, worker)

    return first_difference(logs, sent)


def assigned_in_scope_is_sent(logs: Logs) -> Found:
    """An assign in the scope is taken to reach all workers. Where an assign stands
    changes nothing.
    """

    def sent(logs: Logs, call: int, worker: int) -> float:
        scope = logs[worker][call][2] == SCOPE
        return logs[0][call][3] if scope else got(logs, call, worker)

    return first_difference(logs, sent)


def assigned_is_sent(logs: Logs) -> Found:
    """An assign is taken to reach all workers. It stays on its own."""

    def sent(logs: Logs, call: int, worker: int) -> float:
        assigned = logs[worker][call][0] == "assign"
        return logs[0][call][3] if assigned else got(logs, call, worker)

    return first_difference(logs, sent)


def sent_by_number(logs: Logs) -> Found:
    """A variable is taken to get the value of the chief's variable of the same number.
    What do the workers make together? The strategy knows no numbers or names.
    """

    def sent(logs: Logs, call: int, worker: int) -> float:
        what, variable, where, value = logs[worker][call]
        if (what, where) != ("make", SCOPE):
            return value
        return next(c[3] for c in logs[0] if c[:3] == ("make", variable, SCOPE))

    return first_difference(logs, sent)


def steps_left_out(logs: Logs) -> Found:
    """Steps are left out. They keep distances, but whether an assign changes anything
    depends on what is there.
    """
    return first_difference(logs, moves=False)


def two_workers_only(logs: Logs) -> Found:
    """Only workers 0 and 1 are compared. There may be more."""
    return first_difference(logs[:2])


def at_the_end(logs: Logs) -> Found:
    """Only the values after the last call are compared. Differences come and go."""
    found = first_of(gaps_of(values_of(logs))[-1:])
    return found and (len(logs[0]) - 1, *found[1:])


def variable_by_variable(logs: Logs) -> Found:
    """All calls are looked at for one variable, and then for the next. Asked for is the
    smallest call.
    """
    gaps = gaps_of(values_of(logs))
    for variable in gaps[-1]:
        own = [{n: g for n, g in each.items() if n == variable} for each in gaps]
        if found := first_of(own):
            return found
    return None


def worker_by_worker(logs: Logs) -> Found:
    """The first worker that differs is looked at, and no other. Another one may differ
    in a smaller variable, or by more.
    """
    gaps = [first_difference([logs[0], own]) for own in logs[1:]]
    known = [found for found in gaps if found]
    return min(known, key=lambda found: found[0]) if known else None


def largest_difference(logs: Logs) -> Found:
    """In the call, the variable with the largest distance is named. Asked for is the
    smallest one that differs.
    """
    for call, by_variable in enumerate(gaps_of(values_of(logs))):
        worst = {n: max(map(abs, found)) for n, found in by_variable.items() if found}
        if any(worst.values()):
            variable = max(worst, key=worst.__getitem__)
            return call, variable, worst[variable]
    return None


def missing_is_zero(logs: Logs) -> Found:
    """A variable that a worker has not made yet counts as 0. It must not count."""
    for call, workers in enumerate(values_of(logs)):
        for variable in sorted({name for own in workers for name in own}):
            chief, *others = (own.get(variable, 0.0) for own in workers)
            if any(value != chief for value in others):
                return call, variable, max(abs(value - chief) for value in others)
    return None


def with_a_sign(logs: Logs) -> Found:
    """The distance has a sign. Asked for is how far apart they are."""
    gaps = gaps_of(values_of(logs))
    found = first_of(gaps)
    if found is None:
        return None
    call, variable, _ = found
    return call, variable, max(gaps[call][variable], key=abs)


def distance_asked_for(logs: Logs) -> Found:
    """The place is right. The distance is that of the numbers in this call, and not of
    what the variables then have.
    """
    found = first_difference(logs)
    if found is None:
        return None
    call, variable, _ = found
    asked = [own[call][3] for own in logs]
    return call, variable, max(abs(value - asked[0]) for value in asked)


MISTAKES = wrong_answers(__name__)
