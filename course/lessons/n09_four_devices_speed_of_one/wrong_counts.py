"""Wrong answers to 09/my_counts: each is the mistake of its name."""

import re
from collections import Counter

from course.checks.exercises import wrong_answers


def _multiplications(events):
    return [name for _, name in events if name.endswith(":MatMul")]


def _by_beginning(names, replicas):
    first = Counter(name.partition("/")[0] for name in names)
    others = [first[f"replica_{replica}"] for replica in range(1, replicas)]
    return [len(names) - sum(others), *others]


def threads(events, replicas):
    """It counts by thread. A row of a trace is a thread of the host, not a device:
    TensorFlow gives an operation to any thread that is free. The replica stands in the
    operation's name.
    """
    counts = Counter(thread for thread, name in events if name.endswith(":MatMul"))
    return [counts[thread] for thread in sorted(counts)]


def replica_0_missing(events, replicas):
    """Replica 0 gets nothing: the names of its operations begin without any
    replica_.
    """
    return [0, *replica_0_left_out(events, replicas)]


def replica_0_left_out(events, replicas):
    """Replica 0 is left out of the list: the names of its operations begin without any
    replica_.
    """
    return _by_beginning(_multiplications(events), replicas)[1:]


def replica_anywhere(events, replicas):
    """A name is counted for a replica that it does not BEGIN with. Only replica_1/,
    replica_2/ and so on at its very beginning tell the replica; all else is free text,
    also before the first /.
    """
    found = (re.search(r"replica_(\d+)", name) for name in _multiplications(events))
    owners = [int(each[1]) if each else 0 for each in found]
    return [owners.count(replica) for replica in range(replicas)]


def replica_contained(events, replicas):  # noqa: D103
    names = _multiplications(events)
    counts = [sum(f"replica_{r}" in name for name in names) for r in range(replicas)]
    return [sum("replica_" not in name for name in names), *counts[1:]]


def replica_contained_once(events, replicas):  # noqa: D103
    counts = [0] * replicas
    for name in _multiplications(events):
        contained = (r for r in range(1, replicas) if f"replica_{r}" in name)
        counts[next(contained, 0)] += 1
    return counts


# one cause for all three
replica_contained.__doc__ = replica_anywhere.__doc__
replica_contained_once.__doc__ = replica_anywhere.__doc__


def zeros_left_out(events, replicas):
    """A replica that multiplies nothing is left out of the list. It has a place in it,
    with 0.
    """
    return list(filter(None, _by_beginning(_multiplications(events), replicas)))


def by_name(events, replicas):
    """It looks for MatMul anywhere in the name. What an operation does is its type,
    after the colon.
    """
    return _by_beginning([name for _, name in events if "MatMul" in name], replicas)


def name_for_type(events, replicas):
    """It takes the operation's name for its type. A multiplication may have any name;
    what it does stands after the colon.
    """
    names = [n for _, n in events if re.search(r"(^|/)MatMul(_\d+)?:", n)]
    return _by_beginning(names, replicas)


def numbers_cut(events, replicas):
    """Replica 1 also gets what belongs to replicas 10 and 11, whose names begin like
    its own. Its names begin with replica_1/.
    """
    names = _multiplications(events)
    counts = [sum(n.startswith(f"replica_{r}") for n in names) for r in range(replicas)]
    return [sum(not n.startswith("replica_") for n in names), *counts[1:]]


def slash_ignored(events, replicas):
    """It gives replica 1 all names that begin with replica_1 and no further digit, also
    replica_1_head, a layer of replica 0. The names of replica 1 begin with replica_1/.
    """
    found = (re.match(r"replica_(\d+)", name) for name in _multiplications(events))
    owners = [int(each[1]) if each else 0 for each in found]
    return [owners.count(replica) for replica in range(replicas)]


def other_types(events, replicas):
    """It counts other types, too, whose names end in MatMul. The type is all that
    stands after the colon.
    """
    names = [name for _, name in events if name.endswith("MatMul")]
    return _by_beginning(names, replicas)


def names_once(events, replicas):
    """It counts each name once. The same operation runs again in every step."""
    return _by_beginning(set(_multiplications(events)), replicas)


def all_operations(events, replicas):
    """It counts all operations, not only multiplications."""
    return _by_beginning([name for _, name in events], replicas)


def all_events_by_thread(events, replicas):
    """It counts all operations of each thread. A row of a trace is a thread, not a
    device, and not every operation multiplies.
    """
    counts = Counter(thread for thread, _ in events)
    return [counts[thread] for thread in sorted(counts)]


def nothing(events, replicas):
    """It finds no multiplication at all."""
    names = [name for _, name in events if name.endswith(":matmul")]
    return _by_beginning(names, replicas)


def all_on_each(events, replicas):
    """Every replica gets the number of all multiplications."""
    return [len(_multiplications(events))] * replicas


MISTAKES = wrong_answers(__name__)
