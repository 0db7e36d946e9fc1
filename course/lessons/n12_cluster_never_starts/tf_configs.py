"""Core exercise: the TF_CONFIG of every worker, proven by real clusters."""

from __future__ import annotations

import json

from course.exercises import Exercise
from course.lessons.n12_cluster_never_starts.starts import (
    compare,
    config,
    draw,
    expect,
    mistake,
    observe,
    right,
)


def _itself_first(hosts: list[str], k: int) -> list[str]:
    return [hosts[k], *(host for host in hosts if host != hosts[k])]


def _turned(hosts: list[str], k: int) -> list[str]:
    return [*hosts[k:], *hosts[:k]]


def _names(hosts: list[str]) -> list[str]:
    return [host.rsplit(":", 1)[0] for host in hosts]


def _dicts(hosts: list[str]) -> list[dict]:
    return [json.loads(text) for text in right(hosts)]


def _chief(hosts: list[str], first: int) -> list[str]:
    """The first host is a chief; the workers' indices begin with `first`."""
    cluster = {"chief": hosts[:1], "worker": hosts[1:]}
    tasks = [{"type": "chief", "index": 0}]
    tasks += [{"type": "worker", "index": first + k} for k in range(len(hosts) - 1)]
    return [json.dumps({"cluster": cluster, "task": task}) for task in tasks]


def _without(hosts: list[str], *names: str) -> list[str]:
    """The task, or parts of it, are missing."""
    found = _dicts(hosts)
    for each in found:
        for name in names:
            part = each if name == "task" else each["task"]
            del part[name]
    return [json.dumps(each) for each in found]


def _each(text) -> object:
    """Return texts, one for each worker k: text(hosts, k)."""
    return lambda hosts: [text(hosts, k) for k in range(len(hosts))]


MY_TF_CONFIGS = Exercise(
    name="12/my_tf_configs",
    cases=draw,
    observe=observe,
    expect=expect,
    compare=compare,
    mistakes=(
        mistake(
            "itself_first_index_0",
            _each(lambda hosts, k: config(_itself_first(hosts, k), 0)),
            "every worker puts its own address first and takes index 0, so each is "
            "worker 0 and waits for the others to call. Nobody calls. All lists must "
            "be the same, and the index tells them apart.",
        ),
        mistake(
            "itself_first",
            _each(lambda hosts, k: config(_itself_first(hosts, k), k)),
            "the lists differ: every worker puts its own address first. Entry k is the "
            "address of worker k, in every worker's list, so worker k with its own "
            "list takes another's address for its own.",
        ),
        mistake(
            "turned_index_0",
            _each(lambda hosts, k: config(_turned(hosts, k), 0)),
            "every worker's list begins with itself and goes on in a circle, and every "
            "index is 0. All lists must be the same, and the index tells the workers "
            "apart.",
        ),
        mistake(
            "same_index",
            _each(lambda hosts, k: config(hosts, 0)),
            "the lists are the same, and so is the index: all workers say that they "
            "are worker 0.",
        ),
        mistake(
            "index_from_one",
            _each(lambda hosts, k: config(hosts, k + 1)),
            "the index begins with 1: nobody is worker 0, and the last index is beyond "
            "the list. It counts from 0.",
        ),
        mistake(
            "all_last",
            _each(lambda hosts, k: config(hosts, len(hosts) - 1)),
            "all workers have the last index.",
        ),
        mistake(
            "number_of_workers",
            _each(lambda hosts, k: config(hosts, len(hosts))),
            "the index is the number of workers for all. It says which of them this "
            "one is, from 0.",
        ),
        mistake(
            "address_as_index",
            _each(lambda hosts, k: config(hosts, hosts[k])),
            "the index is an address. It is a position in the list of addresses.",
        ),
        mistake(
            "own_host_only",
            _each(lambda hosts, k: config(hosts[k : k + 1], 0)),
            "each cluster has one worker: itself. All start, train alone, and report "
            "success.",
        ),
        mistake(
            "own_host_only_with_index",
            _each(lambda hosts, k: config(hosts[k : k + 1], k)),
            "each list has one address, the worker's own, but the index counts on: "
            "only worker 0 starts, alone.",
        ),
        mistake(
            "others_only",
            _each(lambda hosts, k: config([h for h in hosts if h != hosts[k]], k)),
            "a worker's own address is missing in its list. Each list has all of them.",
        ),
        mistake(
            "up_to_itself",
            _each(lambda hosts, k: config(hosts[: k + 1], k)),
            "each list ends with the worker's own address: only the last worker knows "
            "them all.",
        ),
        mistake(
            "sorted_hosts",
            _each(lambda hosts, k: config(sorted(hosts), k)),
            "the addresses are sorted, but the index counts them as they were given: "
            "worker k takes another's address for its own.",
        ),
        mistake(
            "reversed_hosts",
            _each(lambda hosts, k: config(hosts[::-1], k)),
            "the list is the same everywhere, but backwards: entry k must be the "
            "address of worker k.",
        ),
        mistake(
            "reversed_texts",
            lambda hosts: right(hosts)[::-1],
            "the texts are right, in the wrong order: text k is for the worker at "
            "hosts[k].",
        ),
        mistake(
            "empty",
            _each(lambda hosts, k: "{}"),
            'a TF_CONFIG that is empty, or has no "cluster", starts without a message, '
            "and every worker trains alone.",
        ),
        mistake(
            "no_json",
            lambda hosts: [str(each) for each in _dicts(hosts)],
            "this is no JSON. str() of a dictionary, for one, has single quotes; "
            "json.dumps writes JSON.",
        ),
        mistake(
            "no_text",
            _dicts,
            "these are dictionaries. TF_CONFIG is an environment variable, so it must "
            "be a text: json.dumps makes one.",
        ),
        mistake(
            "twice_json",
            lambda hosts: [json.dumps(text) for text in right(hosts)],
            "json.dumps was used twice: a text of a text comes out.",
        ),
        mistake(
            "no_task",
            lambda hosts: _without(hosts, "task"),
            "the task is missing: a worker can't know which address is its own.",
        ),
        mistake(
            "no_index",
            lambda hosts: _without(hosts, "index"),
            "the task has no index: a worker can't know which address is its own.",
        ),
        mistake(
            "no_type",
            lambda hosts: _without(hosts, "type"),
            "the task has no type.",
        ),
        mistake(
            "workers",
            lambda hosts: [
                text.replace('"worker"', '"workers"') for text in right(hosts)
            ],
            'the type is called "worker", written just so, and the task\'s type must '
            "be one that the cluster has a list for.",
        ),
        mistake(
            "chief_counts",
            lambda hosts: _chief(hosts, 1),
            "worker 0 is called chief, and the rest does not fit to that: a chief "
            "needs a list of its own in the cluster, and the workers count from 0 "
            "again in theirs.",
        ),
        mistake(
            "no_ports",
            _each(lambda hosts, k: config(_names(hosts), k)),
            "the ports are lost: TensorFlow needs host:port.",
        ),
        mistake(
            "one_long_address",
            _each(
                lambda hosts, k: json.dumps(
                    {
                        "cluster": {"worker": ",".join(hosts)},
                        "task": {"type": "worker", "index": k},
                    }
                )
            ),
            "the addresses must be a list under a type's name, such as "
            '{"worker": [..., ...]}, not one text or a bare list.',
        ),
    ),
    right="Two real clusters were started with it: every worker counted all replicas "
    "and got the sum over all of them.",
    locate="12/my_wrong_entry",
)
