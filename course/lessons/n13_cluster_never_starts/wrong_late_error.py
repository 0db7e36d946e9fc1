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
    """Return texts in which the last worker listens where nobody looks for it."""
    return _changed(hosts, len(hosts) - 1, len(hosts) - 1, nobody)


def all_right(hosts: list[str], nobody: str) -> list[str]:
    """All texts are right, so the workers train."""
    return right(hosts)


def no_strategy(hosts: list[str], nobody: str) -> list[str]:
    """Worker 0 waits for a call that never comes: somebody calls elsewhere, or as
    another, or stops before. Then nobody gets its strategy, and there is no all-reduce.
    """
    return _changed(hosts, 1, 0, nobody)


def names_the_wrong_address(hosts: list[str], nobody: str) -> list[str]:
    """The error names the address that you changed: who reads it finds it in the wrong
    text at once.
    """
    return _changed(hosts, 0, len(hosts) - 1, nobody)


def entry_1_of_worker_0(hosts: list[str], nobody: str) -> list[str]:
    """Worker 0 has another address for worker 1. Of two workers, the error names that
    address; of more, worker 0 asks the last one only, and they train.
    """
    return _changed(hosts, 0, 1, nobody)


def same_in_all_texts(hosts: list[str], nobody: str) -> list[str]:
    """The same address is changed in all texts. Then its worker listens there, and all
    find it.
    """
    own = [*hosts[:-1], nobody]
    return [config(own, k) for k in range(len(hosts))]


def entry_that_nobody_uses(hosts: list[str], nobody: str) -> list[str]:
    """In an all-reduce of three, each worker asks only the one before it: your entry is
    never used, and they train.
    """
    return _changed(hosts, 1, (1 + 1) % len(hosts), nobody)


def one_alone(hosts: list[str], nobody: str) -> list[str]:
    """One worker has no cluster, and trains alone. All must count all replicas."""
    return ["{}" if k == 1 else text for k, text in enumerate(right(hosts))]


def one_more(hosts: list[str], nobody: str) -> list[str]:
    """One list has another length. All get an error then that says so, and names no
    address; and that worker counts other replicas.
    """
    texts = right(hosts)
    texts[1] = config([*hosts, nobody], 1)
    return texts


def one_less(hosts: list[str], nobody: str) -> list[str]:
    """One list is too short. All get an error that says so, or worker 0 waits."""
    texts = right(hosts)
    texts[1] = config(hosts[:-1], 1)
    return texts


MISTAKES = wrong_answers(__name__, late_error)
