"""Wrong answers to 13/my_tf_config: each is the mistake of its name."""

from __future__ import annotations

import json

from course.checks.exercises import wrong_answers
from course.lessons.n13_cluster_never_starts.starts import config

Hosts = list[str]


def _all(own: str, others: Hosts) -> tuple[Hosts, int]:
    """Return the list that is the same on all workers, and the worker's index in it."""
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
    """Every worker puts its own address first and takes index 0, so each is worker 0
    and waits for the others to call. Nobody calls. All lists must be the same, and the
    index tells them apart.
    """
    return config([own, *others], 0)


def itself_first(own: str, others: Hosts) -> str:
    """The lists differ: every worker puts its own address first. Entry k is the address
    of worker k, in every worker's list, so worker k with its own list takes another's
    address for its own.
    """
    return config([own, *others], _all(own, others)[1])


def itself_first_others_sorted(own: str, others: Hosts) -> str:
    """The others are sorted, but every worker is still the first in its own list, and
    takes index 0. All lists must be the same.
    """
    return config([own, *sorted(others)], 0)


def sorted_by_port(own: str, others: Hosts) -> str:
    """The addresses are sorted by their ports alone. Several hosts can have the same
    port: then each worker begins with itself. Sort whole addresses.
    """
    hosts = sorted([own, *others], key=lambda host: int(host.rpartition(":")[2]))
    return config(hosts, hosts.index(own))


def itself_last(own: str, others: Hosts) -> str:
    """The lists differ: every worker puts its own address last. Nobody is worker 0 in
    its own list, so all call another, and nobody waits to be called.
    """
    return config([*others, own], len(others))


def itself_last_others_sorted(own: str, others: Hosts) -> str:
    """The others are sorted, but every worker is the last in its own list: nobody is
    worker 0. All lists must be the same.
    """
    return config([*sorted(others), own], len(others))


def itself_last_index_0(own: str, others: Hosts) -> str:
    """Every worker puts its own address last and takes index 0, which is another's
    address.
    """
    return config([*others, own], 0)


def order_of_a_set(own: str, others: Hosts) -> str:
    """The list is in the order of a set. That is another one in each process, as Python
    hashes texts anew each time; in one process it seems to agree.
    """
    hosts = list({own, *others})
    return config(hosts, hosts.index(own))


def same_index(own: str, others: Hosts) -> str:
    """The lists are the same, and so is the index: all workers say that they are worker
    0.
    """
    return config(_all(own, others)[0], 0)


def index_from_one(own: str, others: Hosts) -> str:
    """The index begins with 1: nobody is worker 0, and the last index is beyond the
    list. It counts from 0.
    """
    hosts, index = _all(own, others)
    return config(hosts, index + 1)


def all_last(own: str, others: Hosts) -> str:
    """All workers have the last index."""
    return config(_all(own, others)[0], len(others))


def number_of_workers(own: str, others: Hosts) -> str:
    """The index is the number of workers for all. It says which of them this one is,
    from 0.
    """
    return config(_all(own, others)[0], len(others) + 1)


def address_as_index(own: str, others: Hosts) -> str:
    """The index is an address. It is a position in the list of addresses."""
    return config(_all(own, others)[0], own)


def own_host_only(own: str, others: Hosts) -> str:
    """Each cluster has one worker: itself. All start, train alone, and report
    success.
    """
    return config([own], 0)


def own_host_only_with_index(own: str, others: Hosts) -> str:
    """Each list has one address, the worker's own, but the index counts on: only worker
    0 starts, alone.
    """
    return config([own], _all(own, others)[1])


def others_only(own: str, others: Hosts) -> str:
    """A worker's own address is missing in its list. Each list has all of them."""
    return config(sorted(others), _all(own, others)[1])


def up_to_itself(own: str, others: Hosts) -> str:
    """Each list ends with the worker's own address: only the last worker knows them
    all.
    """
    hosts, index = _all(own, others)
    return config(hosts[: index + 1], index)


def place_of_another_order(own: str, others: Hosts) -> str:
    """The index counts the sorted list, and the list is backwards: entry k must be the
    address of worker k.
    """
    hosts, index = _all(own, others)
    return config(hosts[::-1], index)


def empty(own: str, others: Hosts) -> str:
    """A TF_CONFIG that is empty, or has no "cluster", starts without a message, and
    every worker trains alone.
    """
    return "{}"


def no_json(own: str, others: Hosts) -> str:
    """This is no JSON. str() of a dictionary, for one, has single quotes; json.dumps
    writes JSON.
    """
    return str(_dict(own, others))


def no_text(own: str, others: Hosts) -> dict:
    """This is a dictionary. TF_CONFIG is an environment variable, so it must be a
    text: json.dumps makes one.
    """
    return _dict(own, others)


def twice_json(own: str, others: Hosts) -> str:
    """Json.dumps was used twice: a text of a text comes out."""
    return json.dumps(config(*_all(own, others)))


def no_task(own: str, others: Hosts) -> str:
    """The task is missing: a worker can't know which address is its own."""
    return json.dumps({"cluster": _dict(own, others)["cluster"]})


def no_index(own: str, others: Hosts) -> str:
    """The task has no index: a worker can't know which address is its own."""
    return _without(own, others, "index")


def no_type(own: str, others: Hosts) -> str:
    """The task has no type."""
    return _without(own, others, "type")


def workers(own: str, others: Hosts) -> str:
    """The type is called "worker", written just so, and the task's type must be one
    that the cluster has a list for.
    """
    return config(*_all(own, others)).replace('"worker"', '"workers"')


def chief_counts(own: str, others: Hosts) -> str:
    """Worker 0 is called chief, and the rest does not fit to that: a chief needs a list
    of its own in the cluster, and the workers count from 0 again in theirs.
    """
    hosts, index = _all(own, others)
    cluster = {"chief": hosts[:1], "worker": hosts[1:]}
    task = {"type": "worker" if index else "chief", "index": index}
    return json.dumps({"cluster": cluster, "task": task})


def no_ports(own: str, others: Hosts) -> str:
    """The ports are lost: TensorFlow needs host:port."""
    hosts, index = _all(own, others)
    return config([host.split(":")[0] for host in hosts], index)


def one_long_address(own: str, others: Hosts) -> str:
    """The addresses must be a list under a type's name, such as {"worker": [..., ...]},
    not one text or a bare list.
    """
    cluster = {"worker": ",".join(_all(own, others)[0])}
    return json.dumps({**_dict(own, others), "cluster": cluster})


MISTAKES = wrong_answers(__name__)
