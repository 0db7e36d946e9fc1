"""Wrong answers to 13/my_tf_config: each is the mistake of its name."""

from __future__ import annotations

import json

from course.checks.exercises import wrong_answers
from course.lessons.n13_cluster_never_starts.starts import config

Hosts = list[str]


def _all(own: str, others: Hosts) -> tuple[Hosts, int]:
    """Return the list that is the same everywhere, and the process's index in it."""
    hosts = sorted([own, *others])
    return hosts, hosts.index(own)


def _dict(own: str, others: Hosts) -> dict:
    return json.loads(config(*_all(own, others)))


def _without(own: str, others: Hosts, name: str) -> str:
    """A part of the task is missing."""
    found = _dict(own, others)
    del found["task"][name]
    return json.dumps(found)


def itself_first_index_0(own: str, others: Hosts) -> str:
    """Every process puts its own address first and takes index 0. So each says it is
    worker 0 and waits for the others to call, and none does. All lists must be the
    same; only the index differs.
    """
    return config([own, *others], 0)


def itself_first(own: str, others: Hosts) -> str:
    """The lists differ, because every process puts its own address first. Entry k must
    be the address of worker k in every list. Here a process takes another's address for
    its own.
    """
    return config([own, *others], _all(own, others)[1])


def itself_first_others_sorted(own: str, others: Hosts) -> str:
    """The others are sorted, but every process is still first in its own list and takes
    index 0. All lists must be the same.
    """
    return config([own, *sorted(others)], 0)


def sorted_by_port(own: str, others: Hosts) -> str:
    """The addresses are sorted by port only. If several hosts have the same port, each
    process is still first in its own list. Sort whole addresses.
    """
    hosts = sorted([own, *others], key=lambda host: int(host.rpartition(":")[2]))
    return config(hosts, hosts.index(own))


def itself_last(own: str, others: Hosts) -> str:
    """The lists differ, because every process puts its own address last. So none is
    worker 0: all call another one, and none waits to be called.
    """
    return config([*others, own], len(others))


def itself_last_index_1(own: str, others: Hosts) -> str:
    """Every process puts its own address last and takes index 1. So none is worker 0:
    all call another one, and none waits to be called.
    """
    return config([*others, own], 1)


def itself_last_others_sorted(own: str, others: Hosts) -> str:
    """The others are sorted, but every process is last in its own list, so none is
    worker 0. All lists must be the same.
    """
    return config([*sorted(others), own], len(others))


def itself_last_index_0(own: str, others: Hosts) -> str:
    """Every process puts its own address last and takes index 0, which is another
    process's address.
    """
    return config([*others, own], 0)


def order_of_a_set(own: str, others: Hosts) -> str:
    """The list has the order of a set. That order differs between processes, because
    each Python process hashes strings differently. Within one process it looks right.
    """
    hosts = list({own, *others})
    return config(hosts, hosts.index(own))


def same_index(own: str, others: Hosts) -> str:
    """The lists are the same, but so is the index: all processes say that they are
    worker 0.
    """
    return config(_all(own, others)[0], 0)


def index_from_one(own: str, others: Hosts) -> str:
    """The index starts at 1, so none is worker 0, and the last index is beyond the
    list. Count from 0.
    """
    hosts, index = _all(own, others)
    return config(hosts, index + 1)


def all_last(own: str, others: Hosts) -> str:
    """All processes have the last index."""
    return config(_all(own, others)[0], len(others))


def number_of_workers(own: str, others: Hosts) -> str:
    """The index is the number of workers. It must say which of them this one is, from
    0.
    """
    return config(_all(own, others)[0], len(others) + 1)


def address_as_index(own: str, others: Hosts) -> str:
    """The index is an address. It must be a position in the list of addresses."""
    return config(_all(own, others)[0], own)


def own_host_only(own: str, others: Hosts) -> str:
    """Each cluster has one worker: the process itself. All start, train alone, and
    report success.
    """
    return config([own], 0)


def own_host_only_with_index(own: str, others: Hosts) -> str:
    """Each list has only the process's own address, but the index counts on. Only the
    process with index 0 starts, alone.
    """
    return config([own], _all(own, others)[1])


def others_only(own: str, others: Hosts) -> str:
    """A process's own address is missing from its list. Each list must have all of
    them.
    """
    return config(sorted(others), _all(own, others)[1])


def up_to_itself(own: str, others: Hosts) -> str:
    """Each list ends with the process's own address, so only the last process knows
    all of them.
    """
    hosts, index = _all(own, others)
    return config(hosts[: index + 1], index)


def place_of_another_order(own: str, others: Hosts) -> str:
    """The index is a position in the sorted list, but the list is reversed. Entry k
    must be the address of worker k.
    """
    hosts, index = _all(own, others)
    return config(hosts[::-1], index)


def empty(own: str, others: Hosts) -> str:
    """The TF_CONFIG is empty or has no "cluster". There is no message, and every
    process trains alone.
    """
    return "{}"


def no_json(own: str, others: Hosts) -> str:
    """This is not JSON. For example, str() of a dictionary has single quotes. Use
    json.dumps.
    """
    return str(_dict(own, others))


def no_text(own: str, others: Hosts) -> dict:
    """This is a dictionary. TF_CONFIG is an environment variable, so it must be a
    string. json.dumps makes one.
    """
    return _dict(own, others)


def twice_json(own: str, others: Hosts) -> str:
    """json.dumps was called twice, so the result is a JSON string, not an object."""
    return json.dumps(config(*_all(own, others)))


def no_task(own: str, others: Hosts) -> str:
    """The task is missing, so a process can't know which address is its own."""
    return json.dumps({"cluster": _dict(own, others)["cluster"]})


def no_index(own: str, others: Hosts) -> str:
    """The task has no index, so a process can't know which address is its own."""
    return _without(own, others, "index")


def no_type(own: str, others: Hosts) -> str:
    """The task has no type."""
    return _without(own, others, "type")


def workers(own: str, others: Hosts) -> str:
    """The type must be spelled "worker", and the cluster must have a list for the
    task's type.
    """
    return config(*_all(own, others)).replace('"worker"', '"workers"')


def chief_counts(own: str, others: Hosts) -> str:
    """The first process is called chief, but the rest does not fit that. A chief needs
    its own list in the cluster, and the workers count from 0 again in theirs.
    """
    hosts, index = _all(own, others)
    cluster = {"chief": hosts[:1], "worker": hosts[1:]}
    task = {"type": "worker" if index else "chief", "index": index}
    return json.dumps({"cluster": cluster, "task": task})


def no_ports(own: str, others: Hosts) -> str:
    """The ports are missing. TensorFlow needs host:port."""
    hosts, index = _all(own, others)
    return config([host.split(":")[0] for host in hosts], index)


def one_long_address(own: str, others: Hosts) -> str:
    """The addresses must be a list under a type's name, such as {"worker": [..., ...]},
    not one string or a bare list.
    """
    cluster = {"worker": ",".join(_all(own, others)[0])}
    return json.dumps({**_dict(own, others), "cluster": cluster})


MISTAKES = wrong_answers(__name__)
