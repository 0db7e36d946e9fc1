"""Wrong answers to 12/my_tf_configs: each is the mistake of its name."""

from __future__ import annotations

import json

from course.checks.exercises import wrong_answers
from course.lessons.n12_cluster_never_starts.starts import config, right


def _dicts(hosts: list[str]) -> list[dict]:
    return [json.loads(text) for text in right(hosts)]


def _indexed(hosts: list[str], *indices: object) -> list[str]:
    """The same addresses everywhere, and these indices."""
    return [config(hosts, index) for index in indices]


def _without(hosts: list[str], name: str) -> list[str]:
    """A part of the task is missing."""
    found = _dicts(hosts)
    for each in found:
        del each["task"][name]
    return [json.dumps(each) for each in found]


def itself_first_index_0(hosts: list[str]) -> list[str]:
    """Every worker puts its own address first and takes index 0, so each is worker 0
    and waits for the others to call. Nobody calls. All lists must be the same, and the
    index tells them apart.
    """
    return [config([own, *(h for h in hosts if h != own)], 0) for own in hosts]


def itself_first(hosts: list[str]) -> list[str]:
    """The lists differ: every worker puts its own address first. Entry k is the address
    of worker k, in every worker's list, so worker k with its own list takes another's
    address for its own.
    """
    return [
        config([own, *(h for h in hosts if h != own)], k) for k, own in enumerate(hosts)
    ]


def turned_index_0(hosts: list[str]) -> list[str]:
    """Every worker's list begins with itself and goes on in a circle, and every index
    is 0. All lists must be the same, and the index tells the workers apart.
    """
    return [config(hosts[k:] + hosts[:k], 0) for k in range(len(hosts))]


def same_index(hosts: list[str]) -> list[str]:
    """The lists are the same, and so is the index: all workers say that they are worker
    0.
    """
    return _indexed(hosts, *[0] * len(hosts))


def index_from_one(hosts: list[str]) -> list[str]:
    """The index begins with 1: nobody is worker 0, and the last index is beyond the
    list. It counts from 0.
    """
    return _indexed(hosts, *range(1, len(hosts) + 1))


def all_last(hosts: list[str]) -> list[str]:
    """All workers have the last index."""
    return _indexed(hosts, *[len(hosts) - 1] * len(hosts))


def number_of_workers(hosts: list[str]) -> list[str]:
    """The index is the number of workers for all. It says which of them this one is,
    from 0.
    """
    return _indexed(hosts, *[len(hosts)] * len(hosts))


def address_as_index(hosts: list[str]) -> list[str]:
    """The index is an address. It is a position in the list of addresses."""
    return _indexed(hosts, *hosts)


def own_host_only(hosts: list[str]) -> list[str]:
    """Each cluster has one worker: itself. All start, train alone, and report
    success.
    """
    return [config([own], 0) for own in hosts]


def own_host_only_with_index(hosts: list[str]) -> list[str]:
    """Each list has one address, the worker's own, but the index counts on: only worker
    0 starts, alone.
    """
    return [config([own], k) for k, own in enumerate(hosts)]


def others_only(hosts: list[str]) -> list[str]:
    """A worker's own address is missing in its list. Each list has all of them."""
    return [config(hosts[:k] + hosts[k + 1 :], k) for k in range(len(hosts))]


def up_to_itself(hosts: list[str]) -> list[str]:
    """Each list ends with the worker's own address: only the last worker knows them
    all.
    """
    return [config(hosts[: k + 1], k) for k in range(len(hosts))]


def sorted_hosts(hosts: list[str]) -> list[str]:
    """The addresses are sorted, but the index counts them as they were given: worker k
    takes another's address for its own.
    """
    return _indexed(sorted(hosts), *range(len(hosts)))


def reversed_hosts(hosts: list[str]) -> list[str]:
    """The list is the same everywhere, but backwards: entry k must be the address of
    worker k.
    """
    return _indexed(hosts[::-1], *range(len(hosts)))


def reversed_texts(hosts: list[str]) -> list[str]:
    """The texts are right, in the wrong order: text k is for the worker at hosts[k]."""
    return right(hosts)[::-1]


def empty(hosts: list[str]) -> list[str]:
    """A TF_CONFIG that is empty, or has no "cluster", starts without a message, and
    every worker trains alone.
    """
    return ["{}" for _ in hosts]


def no_json(hosts: list[str]) -> list[str]:
    """This is no JSON. str() of a dictionary, for one, has single quotes; json.dumps
    writes JSON.
    """
    return [str(each) for each in _dicts(hosts)]


def no_text(hosts: list[str]) -> list[dict]:
    """These are dictionaries. TF_CONFIG is an environment variable, so it must be a
    text: json.dumps makes one.
    """
    return _dicts(hosts)


def twice_json(hosts: list[str]) -> list[str]:
    """Json.dumps was used twice: a text of a text comes out."""
    return [json.dumps(text) for text in right(hosts)]


def no_task(hosts: list[str]) -> list[str]:
    """The task is missing: a worker can't know which address is its own."""
    return [json.dumps({"cluster": each["cluster"]}) for each in _dicts(hosts)]


def no_index(hosts: list[str]) -> list[str]:
    """The task has no index: a worker can't know which address is its own."""
    return _without(hosts, "index")


def no_type(hosts: list[str]) -> list[str]:
    """The task has no type."""
    return _without(hosts, "type")


def workers(hosts: list[str]) -> list[str]:
    """The type is called "worker", written just so, and the task's type must be one
    that the cluster has a list for.
    """
    return [text.replace('"worker"', '"workers"') for text in right(hosts)]


def chief_counts(hosts: list[str]) -> list[str]:
    """Worker 0 is called chief, and the rest does not fit to that: a chief needs a list
    of its own in the cluster, and the workers count from 0 again in theirs.
    """
    cluster = {"chief": hosts[:1], "worker": hosts[1:]}
    tasks = [
        {"type": "worker" if k else "chief", "index": k} for k in range(len(hosts))
    ]
    return [json.dumps({"cluster": cluster, "task": task}) for task in tasks]


def no_ports(hosts: list[str]) -> list[str]:
    """The ports are lost: TensorFlow needs host:port."""
    return _indexed([host.split(":")[0] for host in hosts], *range(len(hosts)))


def one_long_address(hosts: list[str]) -> list[str]:
    """The addresses must be a list under a type's name, such as {"worker": [..., ...]},
    not one text or a bare list.
    """
    cluster = {"worker": ",".join(hosts)}
    return [json.dumps({**each, "cluster": cluster}) for each in _dicts(hosts)]


MISTAKES = wrong_answers(__name__)
