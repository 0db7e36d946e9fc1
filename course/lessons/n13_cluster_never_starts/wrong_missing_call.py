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


def _missed(told: Sequence[Told], calls: Calls, processes: Iterable[int]) -> Found:
    """Return the first of these processes with index 0 that misses one of the calls."""
    made = set(calls)
    for process in processes:
        hosts, index = told[process]
        for task in range(len(hosts)) if index == 0 else ():
            if (hosts[0], task) not in made:
                return process, task
    return None


def _calls(told: Sequence[Told]) -> Calls:
    return [(hosts[0], index) for hosts, index in told if hosts]


def nobody_listens(texts: Texts) -> Found:
    """It looks for an address where nobody listens. But a process that waits to be
    called calls nobody. It can wait forever although somebody listens at every address.
    """
    told = _told(texts)
    listens = _listens(told)
    for process, (hosts, _) in enumerate(told):
        for task, address in enumerate(hosts):
            if address not in listens:
                return process, task
    return None


def lists_compared(texts: Texts) -> Found:
    """It compares each list with process A's. Lists can differ although every call is
    made, and a call can be missing although all lists are the same.
    """
    told = _told(texts)
    for process, (hosts, _) in enumerate(told):
        for task, pair in enumerate(zip(hosts, told[0][0], strict=False)):
            if pair[0] != pair[1]:
                return process, task
    return None


def first_process_only(texts: Texts) -> Found:
    """It looks at process A only. Every process with index 0 waits to be called, and no
    other does.
    """
    told = _told(texts)
    return _missed(told, _calls(told), [0])


def counted_by_place(texts: Texts) -> Found:
    """It takes the position of the caller's text for the caller's task. A caller sends
    the index in its TF_CONFIG.
    """
    told = _told(texts)
    calls = [(hosts[0], process) for process, (hosts, _) in enumerate(told) if hosts]
    return _missed(told, calls, range(len(told)))


def called_by_the_own_list(texts: Texts) -> Found:
    """It counts every process as a caller of the one that waits. But each process calls
    the first address of its own list, which can be a different one.
    """
    told = _told(texts)
    for process, (hosts, index) in enumerate(told):
        for task in range(len(hosts)) if index == 0 else ():
            if not any(own and number == task for own, number in told):
                return process, task
    return None


def everybody_calls_everybody(texts: Texts) -> Found:
    """It lets every process call all addresses in its list. At the start, each process
    calls only the first one.
    """
    told = _told(texts)
    calls = [(host, index) for hosts, index in told for host in hosts]
    return _missed(told, calls, range(len(told)))


def misses_itself(texts: Texts) -> Found:
    """It waits for the waiting process's own call. Task 0 in its list is that process
    itself, so only the other tasks have to call.
    """
    told = _told(texts)
    calls = [(hosts[0], index) for hosts, index in told if hosts and index != 0]
    return _missed(told, calls, range(len(told)))


def callers_also_wait(texts: Texts) -> Found:
    """It lets processes with any index wait to be called. Only a process with index 0
    does; all others call.
    """
    told = _told(texts)
    calls = set(_calls(told))
    for process, (hosts, _) in enumerate(told):
        for task in range(len(hosts)):
            if (hosts[0], task) not in calls:
                return process, task
    return None


def callers_must_be_found(texts: Texts) -> Found:
    """It counts a caller only if that listens where the waiting process's list says. At
    the start the others call; where they listen matters later.
    """
    told = _told(texts)
    listens = _listens(told)
    for process, (hosts, index) in enumerate(told):
        for task, address in enumerate(hosts) if index == 0 else ():
            called = any(
                own and (own[0], number) == (hosts[0], task) and listens[k] == address
                for k, (own, number) in enumerate(told)
            )
            if not called:
                return process, task
    return None


def callers_by_address(texts: Texts) -> Found:
    """It looks at which process listens at each address of the waiting process's list.
    At the start the others call and send their index; where they listen matters later.
    """
    told = _told(texts)
    listens = _listens(told)
    for process, (hosts, index) in enumerate(told):
        for task, address in enumerate(hosts) if index == 0 else ():
            there = [own for k, (own, _) in enumerate(told) if listens[k] == address]
            if not any(own[0] == hosts[0] for own in there):
                return process, task
    return None


def same_list_expected(texts: Texts) -> Found:
    """It expects each caller to have the same list as the process that waits. A caller
    only needs the right first address and its own index.
    """
    told = _told(texts)
    for process, (hosts, index) in enumerate(told):
        for task in range(len(hosts)) if index == 0 else ():
            if (hosts, task) not in told:
                return process, task
    return None


def listeners_counted(texts: Texts) -> Found:
    """It looks for a process that listens where the list says. At the start the others
    call and send their index; where they listen matters later.
    """
    told = _told(texts)
    there = set(zip(_listens(told), (index for _, index in told), strict=True))
    for process, (hosts, index) in enumerate(told):
        for task, address in enumerate(hosts) if index == 0 else ():
            if (address, task) not in there:
                return process, task
    return None


def same_index_twice(texts: Texts) -> Found:
    """It looks for two processes with the same index. A call can be missing although
    all indices differ, and two processes can have one index in two clusters.
    """
    told = _told(texts)
    indices = [index for _, index in told]
    for process, index in enumerate(indices):
        if index >= 0 and indices.count(index) > 1:
            return process, index
    return None


def any_call_counts(texts: Texts) -> Found:
    """It only counts the calls. The waiting process needs a call from each task in its
    own list, so it matters which tasks call.
    """
    told = _told(texts)
    for process, (hosts, index) in enumerate(told):
        calls = sum(own[:1] == hosts[:1] for own, _ in told if own)
        if index == 0 and calls < len(hosts):
            return process, calls
    return None


def waits_to_reach_the_others(texts: Texts) -> Found:
    """It lets a process with index 0 call the others, and wait for one that it can't
    reach. At the start, that process calls nobody.
    """
    told = _told(texts)
    listens = _listens(told)
    for process, (hosts, index) in enumerate(told):
        for task, address in enumerate(hosts) if index == 0 else ():
            if address not in listens:
                return process, task
    return None


def who_calls_in_vain(texts: Texts) -> Found:
    """It returns a process that calls in vain, and whom it calls. Return the process
    that waits to be called, and the task that never calls it.
    """
    told = _told(texts)
    listens = _listens(told)
    for process, (hosts, _) in enumerate(told):
        if hosts and hosts[0] not in listens:
            return process, 0
    return None


def first_process_called(texts: Texts) -> Found:
    """It lets all processes call process A. Each calls the first address of its own
    list, and the process with index 0 can be a different one.
    """
    told = _told(texts)
    listens = _listens(told)
    calls = [(listens[0], index) for hosts, index in told if hosts]
    own = [(hosts[0], 0) for hosts, index in told if index == 0]
    return _missed(told, [*calls, *own], range(len(told)))


def as_many_as_processes(texts: Texts) -> Found:
    """It expects one call from each process that was started. The waiting process needs
    a call from each task in its own list, which can be longer or shorter.
    """
    told = _told(texts)
    calls = set(_calls(told))
    for process, (hosts, index) in enumerate(told):
        for task in range(len(told)) if index == 0 else ():
            if (hosts[0], task) not in calls:
                return process, task
    return None


def last_missing(texts: Texts) -> Found:
    """The process is right, but the task is the largest that never calls it. Return the
    smallest.
    """
    found = missing_call(texts)
    return found and max(each for each in waiting_for(texts) if each[0] == found[0])


def last_waiting(texts: Texts) -> Found:
    """If several processes wait, it returns the last of them. Return the first."""
    found = list(waiting_for(texts))
    return next((each for each in found if each[0] == found[-1][0]), None)


def last_of_all(texts: Texts) -> Found:
    """It returns the last pair: the last process that waits, and the largest task that
    never calls it. Return the first process and the smallest task.
    """
    return max(waiting_for(texts), default=None)


MISTAKES = wrong_answers(__name__)
