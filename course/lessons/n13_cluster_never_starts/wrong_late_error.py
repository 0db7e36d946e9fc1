"""Wrong answers to 13/my_late_error: each is the mistake of its name."""

from __future__ import annotations

from course.checks.exercises import wrong_answers
from course.lessons.n13_cluster_never_starts.starts import config, right


def _changed(hosts: list[str], worker: int, entry: int, address: str) -> list[str]:
    """The right texts, but for an entry of one of them."""
    texts = right(hosts)
    own = [*hosts[:entry], address, *hosts[entry + 1 :]]
    texts[worker] = config(own, worker)
    return texts


def late_error(hosts: list[str], nobody: str) -> list[str]:
    """Return texts in which the last process listens where no other looks for it."""
    return _changed(hosts, len(hosts) - 1, len(hosts) - 1, nobody)


def all_right(hosts: list[str], nobody: str) -> list[str]:
    """All texts are right, so the processes train."""
    return right(hosts)


def no_strategy(hosts: list[str], nobody: str) -> list[str]:
    """Process A waits for a call that is never made, because another process calls
    elsewhere, sends a different index, or stops. So none gets its strategy, and there
    is no all-reduce.
    """
    return _changed(hosts, 1, 0, nobody)


def names_the_wrong_address(hosts: list[str], nobody: str) -> list[str]:
    """The error names the address that you changed. Anybody who searches the texts for
    it finds the wrong one at once.
    """
    return _changed(hosts, 0, len(hosts) - 1, nobody)


def entry_1_of_worker_0(hosts: list[str], nobody: str) -> list[str]:
    """Process A has a wrong address for worker 1. With two processes, the error names
    that address. With more, A asks only the last one, and they train.
    """
    return _changed(hosts, 0, 1, nobody)


def same_in_all_texts(hosts: list[str], nobody: str) -> list[str]:
    """The same address is changed in all texts. So its process listens there, and all
    find it.
    """
    own = [*hosts[:-1], nobody]
    return [config(own, k) for k in range(len(hosts))]


def entry_that_nobody_uses(hosts: list[str], nobody: str) -> list[str]:
    """In an all-reduce of three, each process asks only the one before it. Your entry
    is never used, and they train.
    """
    return _changed(hosts, 1, (1 + 1) % len(hosts), nobody)


def one_alone(hosts: list[str], nobody: str) -> list[str]:
    """One process has no cluster and trains alone. All must count all replicas."""
    return ["{}" if k == 1 else text for k, text in enumerate(right(hosts))]


def one_more(hosts: list[str], nobody: str) -> list[str]:
    """One list is too long. Then all get an error that says so but names no address,
    and that process counts a different number of replicas.
    """
    texts = right(hosts)
    texts[1] = config([*hosts, nobody], 1)
    return texts


def one_less(hosts: list[str], nobody: str) -> list[str]:
    """One list is too short. Then all get an error that says so, or A waits."""
    texts = right(hosts)
    texts[1] = config(hosts[:-1], 1)
    return texts


MISTAKES = wrong_answers(__name__, late_error)
