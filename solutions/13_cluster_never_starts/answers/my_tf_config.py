"""Answers to 13/my_tf_config, right and wrong, and what the check says of each."""

import json

import tensorflow as tf

from autograder.answers import right, wrong


@right
def backwards(own, others):
    """The list is sorted backwards everywhere."""
    plan = sorted({own, *others}, reverse=True)
    task = {"type": "worker", "index": plan.index(own)}
    return json.dumps({"cluster": {"worker": plan}, "task": task})


@right
def by_hand(own, others):
    """A text with holes; the index is a text, which TensorFlow reads as a number."""
    hosts = sorted([*others, own])
    listed = ", ".join(f'"{host}"' for host in hosts)
    text = '{"cluster": {"worker": [LISTED]}, "task": {"type": "worker", "index": "K"}}'
    return text.replace("LISTED", listed).replace("K", str(hosts.index(own)))


@right
def chief(own, others):
    """The first host is a chief, in a list of its own."""
    first, *rest = sorted([own, *others])
    cluster = {"chief": [first], "worker": rest}
    task = {"type": "chief", "index": 0}
    if own != first:
        task = {"type": "worker", "index": rest.index(own)}
    return json.dumps({"cluster": cluster, "task": task})


@right
def by_number(own, others):
    """A dictionary from address to number, made of copies."""
    numbers = {f"{host}": k for k, host in enumerate(sorted([own, *others]))}
    task = {"type": "worker", "index": numbers[own]}
    return json.dumps({"cluster": {"worker": [*numbers]}, "task": task})


@right
def cluster_spec(own, others):
    """TensorFlow's ClusterSpec writes the cluster."""
    hosts = sorted([own, *others])
    cluster = tf.train.ClusterSpec({"worker": hosts}).as_dict()
    task = {"index": cluster["worker"].index(own), "type": "worker"}
    return json.dumps({"task": task, "cluster": cluster})


@right
def counted(own, others):
    """The index is how many come before."""
    hosts = [own, *others]
    hosts.sort(key=lambda host: (int(host.rsplit(":", 1)[1]), host))
    index = sum(host != own for host in hosts[: hosts.index(own)])
    config = {"cluster": {"worker": hosts}, "task": {"type": "worker", "index": index}}
    return json.dumps(config)


@wrong("chief_counts")
def chief_missing(own, others):
    """The first task is a chief that the cluster does not have."""
    hosts = sorted([own, *others])
    k = hosts.index(own)
    task = {"type": "worker" if k else "chief", "index": k}
    return json.dumps({"cluster": {"worker": hosts}, "task": task})


@wrong
def nothing(own, others):
    """The result is not returned."""
    json.dumps({"cluster": {"worker": sorted([own, *others])}})


@wrong("one_long_address")
def one_address(own, others):
    """One text with commas."""
    hosts = sorted([own, *others])
    config = {"cluster": {"worker": ",".join(hosts)}}
    config["task"] = {"type": "worker", "index": hosts.index(own)}
    return json.dumps(config)


@wrong
def rpc_layer(own, others):
    """The texts look right, but no worker has this way of talking."""
    hosts = sorted([own, *others])
    config = {"cluster": {"worker": hosts}}
    config["task"] = {"type": "worker", "index": hosts.index(own)}
    config["rpc_layer"] = "grpc+verbs"
    return json.dumps(config)


@wrong("workers")
def workers(own, others):
    """Both are called workers."""
    hosts = sorted([own, *others])
    task = {"type": "workers", "index": hosts.index(own)}
    return json.dumps({"cluster": {"workers": hosts}, "task": task})


@wrong("order_of_a_set")
def one_set(own, others):
    """The order of a set, counted in it."""
    hosts = list(set([*others, own]))
    task = {"type": "worker", "index": hosts.index(own)}
    return json.dumps({"cluster": {"worker": hosts}, "task": task})


@wrong("sorted_by_port")
def by_port(own, others):
    """Sorted by the ports alone."""
    hosts = sorted([own, *others], key=lambda host: host.split(":")[1])
    config = {"cluster": {"worker": hosts}}
    config["task"] = {"type": "worker", "index": hosts.index(own)}
    return json.dumps(config)
