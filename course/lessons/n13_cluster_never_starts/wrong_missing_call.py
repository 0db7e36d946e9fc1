"""Wrong answers to 13/my_missing_call: each is the mistake of its name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from course.checks.exercises import wrong_answers
from course.checks.places import Found
from course.lessons.n13_cluster_never_starts.foreseen import (
    Told,
    missing_call,
    read,
    waiting_for,
)

Texts = Sequence[str]
Calls = Iterable[tuple[str, int]]  # which address is called, and by which task


def _told(texts: Texts) -> list[Told]:
    return [read(text) for text in texts]


def _listens(told: Sequence[Told]) -> list[str]:
    return [hosts[index] if -1 < index < len(hosts) else "" for hosts, index in told]


def _missed(told: Sequence[Told], calls: Calls, workers: Iterable[int]) -> Found:
    """Return the first of these workers with index 0 that misses one of the calls."""
    made = set(calls)
    for worker in workers:
        hosts, index = told[worker]
        for task in range(len(hosts)) if index == 0 else ():
            if (hosts[0], task) not in made:
                return worker, task
    return None


def _calls(told: Sequence[Told]) -> Calls:
    return [(hosts[0], index) for hosts, index in told if hosts]


def nobody_listens(texts: Texts) -> Found:
    """It looks for an address at which nobody listens. Who waits for calls calls nobody
    itself, and lists that only lead to living workers may have no caller.
    """
    told = _told(texts)
    listens = _listens(told)
    for worker, (hosts, _) in enumerate(told):
        for task, address in enumerate(hosts):
            if address not in listens:
                return worker, task
    return None


def lists_compared(texts: Texts) -> Found:
    """Each list is compared with worker 0's. Lists may differ, and all calls come; or
    be the same, and one does not.
    """
    told = _told(texts)
    for worker, (hosts, _) in enumerate(told):
        for task, pair in enumerate(zip(hosts, told[0][0], strict=False)):
            if pair[0] != pair[1]:
                return worker, task
    return None


def first_worker_only(texts: Texts) -> Found:
    """Only the first worker is taken for the one that waits. Each with index 0 does,
    and only these.
    """
    told = _told(texts)
    return _missed(told, _calls(told), [0])


def counted_by_place(texts: Texts) -> Found:
    """A caller counts as the number of its text. It says which one it is: the index in
    its TF_CONFIG.
    """
    told = _told(texts)
    calls = [(hosts[0], worker) for worker, (hosts, _) in enumerate(told) if hosts]
    return _missed(told, calls, range(len(told)))


def called_by_the_own_list(texts: Texts) -> Found:
    """All workers are thought to call whoever waits. Each calls the first address of
    its own list, which may be another one.
    """
    told = _told(texts)
    for worker, (hosts, index) in enumerate(told):
        for task in range(len(hosts)) if index == 0 else ():
            if not any(own and number == task for own, number in told):
                return worker, task
    return None


def callers_must_be_found(texts: Texts) -> Found:
    """A caller counts only where it listens at its entry of the waiting worker's list.
    At the start it is the others that call; where they listen matters only later.
    """
    told = _told(texts)
    listens = _listens(told)
    for worker, (hosts, index) in enumerate(told):
        for task, address in enumerate(hosts) if index == 0 else ():
            came = any(
                own and (own[0], number) == (hosts[0], task) and listens[k] == address
                for k, (own, number) in enumerate(told)
            )
            if not came:
                return worker, task
    return None


def callers_by_address(texts: Texts) -> Found:
    """It looks at who listens at each address of the waiting worker's list. At the
    start, the others call; they say which number they are, and it does not matter where
    they listen.
    """
    told = _told(texts)
    listens = _listens(told)
    for worker, (hosts, index) in enumerate(told):
        for task, address in enumerate(hosts) if index == 0 else ():
            there = [own for k, (own, _) in enumerate(told) if listens[k] == address]
            if not any(own[0] == hosts[0] for own in there):
                return worker, task
    return None


def any_call_counts(texts: Texts) -> Found:
    """Calls are only counted, whoever they come from. The waiting worker wants one from
    each number in its own list.
    """
    told = _told(texts)
    for worker, (hosts, index) in enumerate(told):
        came = sum(own[:1] == hosts[:1] for own, _ in told if own)
        if index == 0 and came < len(hosts):
            return worker, came
    return None


def waits_to_reach_the_others(texts: Texts) -> Found:
    """Who has index 0 is thought to call the others, and to wait for one that it can't
    reach. It calls nobody at the start.
    """
    told = _told(texts)
    listens = _listens(told)
    for worker, (hosts, index) in enumerate(told):
        for task, address in enumerate(hosts) if index == 0 else ():
            if address not in listens:
                return worker, task
    return None


def who_calls_in_vain(texts: Texts) -> Found:
    """It returns who calls in vain, and whom. Asked for is who waits to be called, and
    the number that never calls.
    """
    told = _told(texts)
    listens = _listens(told)
    for worker, (hosts, _) in enumerate(told):
        if hosts and hosts[0] not in listens:
            return worker, 0
    return None


def first_worker_called(texts: Texts) -> Found:
    """All workers are thought to call the worker of text 0. Each calls the first
    address of its own list, and the one with index 0 may have another text.
    """
    told = _told(texts)
    listens = _listens(told)
    calls = [(listens[0], index) for hosts, index in told if hosts]
    own = [(hosts[0], 0) for hosts, index in told if index == 0]
    return _missed(told, [*calls, *own], range(len(told)))


def as_many_as_workers(texts: Texts) -> Found:
    """It looks for the number of each worker that was started. Waited for are the tasks
    of the waiting worker's own list, however many there are.
    """
    told = _told(texts)
    calls = set(_calls(told))
    for worker, (hosts, index) in enumerate(told):
        for task in range(len(told)) if index == 0 else ():
            if (hosts[0], task) not in calls:
                return worker, task
    return None


def last_missing(texts: Texts) -> Found:
    """The worker is right; of the numbers that never call, the smallest was wanted."""
    found = missing_call(texts)
    return found and max(each for each in waiting_for(texts) if each[0] == found[0])


def last_waiting(texts: Texts) -> Found:
    """Of several workers that wait, it is the last one. The first was asked for."""
    found = list(waiting_for(texts))
    return next((each for each in found if each[0] == found[-1][0]), None)


MISTAKES = wrong_answers(__name__)
