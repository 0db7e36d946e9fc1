"""Answers to 13/my_missing_call, right and wrong, and what the check says of each."""

import json

import tensorflow as tf

from autograder.answers import changed, right, wrong


@right
def cluster_spec(texts):
    """TensorFlow's own objects; one set of callers for each address."""
    callers = {}
    specs = [json.loads(text) for text in texts]
    for config in specs:
        if "cluster" in config:
            spec = tf.train.ClusterSpec(config["cluster"])
            first = spec.task_address("worker", 0)
            callers.setdefault(first, set()).add(config["task"]["index"])
    for worker, config in enumerate(specs):
        if not config or config["task"]["index"] != 0:
            continue
        spec = tf.train.ClusterSpec(config["cluster"])
        wanted = set(spec.task_indices("worker"))
        missing = wanted - callers[spec.task_address("worker", 0)]
        if missing:
            return worker, min(missing)
    return None


@right
def loops(texts):
    """Every task of every waiting worker is looked for among all texts."""
    told = [read(text) for text in texts]
    for worker, (hosts, index) in enumerate(told):
        if index != 0:
            continue
        for task, _ in enumerate(hosts):
            if task == 0:
                continue
            calls = [own for own in told if own[0] and own[1] == task]
            if not any(own[0][0] == hosts[0] for own in calls):
                return worker, task
    return None


@right
def all_at_once(texts):
    """The smallest of all pairs."""
    told = [(w, *read(text)) for w, text in enumerate(texts)]
    calls = [(hosts[0], index) for _, hosts, index in told if hosts]
    waits = [
        (worker, task)
        for worker, hosts, index in told
        if hosts and not index
        for task in range(1, len(hosts))
        if (hosts[0], task) not in calls
    ]
    return min(waits, default=None)


@wrong("misses_itself")
@changed(
    all_at_once,
    ("in told if hosts]", "in told if index > 0]"),
    ("range(1, len(hosts))", "range(len(hosts))"),
)
def waits_for_itself():
    """The process with index 0 waits for its own call."""


@wrong("everybody_calls_everybody")
@changed(
    all_at_once,
    (
        "(hosts[0], index) for _, hosts, index in told if hosts",
        "(host, index) for _, hosts, index in told for host in hosts",
    ),
)
def all_addresses():
    """Each process calls all addresses of its list."""


@wrong("callers_also_wait")
@changed(
    all_at_once,
    ("if hosts and not index\n", ""),
    ("range(1, len(hosts))", "range(len(hosts))"),
)
def any_index():
    """Processes with any index wait to be called."""


@wrong("last_of_all")
@changed(all_at_once, ("return min(", "return max("))
def the_largest():
    """The largest of all pairs."""


@wrong
@changed(loops, ("return worker, task", "return worker, hosts[task]"))
def an_address():
    """The address instead of its number."""


@wrong("swapped")
@changed(loops, ("return worker, task", "return task, worker"))
def the_other_way_round():
    """First for whom, then who."""


@wrong("counted_by_place")
@changed(
    cluster_spec,
    ('.add(config["task"]["index"])', ".add(specs.index(config))"),
)
def numbers_of_texts():
    """A caller's number is the position of its text."""


@wrong("callers_by_address")
def who_listens(texts):
    """Who listens where the list says, and whom does it call?"""
    told = [read(text) for text in texts]
    there = {own[index]: own for own, index in told if own and index < len(own)}
    for worker, (hosts, index) in enumerate(told):
        if index != 0:
            continue
        for task, address in enumerate(hosts):
            if there.get(address, [None])[0] != hosts[0]:
                return worker, task
