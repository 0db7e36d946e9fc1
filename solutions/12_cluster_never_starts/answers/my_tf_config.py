"""Answers to 12/my_tf_configs, right and wrong, and what the check says of each."""

import json

import tensorflow as tf

from autograder.answers import crashed, right, wrong


@right
def backwards(hosts):
    """The list is backwards everywhere, and so are the indices."""
    plan = hosts[::-1]
    return [
        json.dumps(
            {"cluster": {"worker": plan}, "task": {"type": "worker", "index": k}}
        )
        for k in reversed(range(len(plan)))
    ]


@right
def by_hand(hosts):
    """A text with holes; the index is a text, which TensorFlow reads as a number."""
    listed = ", ".join(f'"{host}"' for host in hosts)
    text = '{"cluster": {"worker": [LISTED]}, "task": {"type": "worker", "index": "K"}}'
    return [
        text.replace("LISTED", listed).replace("K", str(k)) for k in range(len(hosts))
    ]


@right
def chief(hosts):
    """The first host is a chief, in a list of its own."""
    cluster = {"chief": hosts[:1], "worker": hosts[1:]}
    tasks = [{"type": "chief", "index": 0}]
    tasks += [{"type": "worker", "index": k} for k in range(len(hosts) - 1)]
    return [json.dumps({"cluster": cluster, "task": task}) for task in tasks]


@right
def cluster_spec(hosts):
    """TensorFlow's ClusterSpec writes the cluster."""
    cluster = tf.train.ClusterSpec({"worker": hosts}).as_dict()
    return [
        json.dumps({"task": {"index": k, "type": "worker"}, "cluster": cluster})
        for k in range(len(hosts))
    ]


@right
def configs_enumerate(hosts):
    """One text for each host, in a comprehension."""
    return [
        json.dumps(
            {"cluster": {"worker": hosts}, "task": {"type": "worker", "index": k}}
        )
        for k, _ in enumerate(hosts)
    ]


@right
def index_of(hosts):
    """Each host looks itself up."""
    texts = ()
    for own in hosts:
        task = {"type": "worker", "index": hosts.index(own)}
        texts += (json.dumps({"cluster": {"worker": hosts}, "task": task}),)
    return texts


@wrong("chief_counts")
def chief_missing(hosts):
    """The first task is a chief that the cluster does not have."""
    texts = []
    for k in range(len(hosts)):
        config = {"cluster": {"worker": hosts}}
        config["task"] = {"type": "worker", "index": k}
        config["task"]["type"] = "worker" if k else "chief"
        texts.append(json.dumps(config))
    return texts


@crashed
def nothing(hosts):
    """The result is not returned."""
    [json.dumps({"cluster": {"worker": hosts}}) for _ in hosts]


@wrong("one_long_address")
def one_address(hosts):
    """One text with commas."""
    texts = []
    for k in range(len(hosts)):
        config = {"cluster": {"worker": ",".join(hosts)}}
        config["task"] = {"type": "worker", "index": k}
        texts.append(json.dumps(config))
    return texts


@crashed
def one_text(hosts):
    """One text for all."""
    task = {"type": "worker", "index": 0}
    return json.dumps({"cluster": {"worker": hosts}, "task": task})


@wrong
def rpc_layer(hosts):
    """The texts look right, but no worker has this way of talking."""
    texts = []
    for k in range(len(hosts)):
        config = {"cluster": {"worker": hosts}}
        config["task"] = {"type": "worker", "index": k}
        config["rpc_layer"] = "grpc+verbs"
        texts.append(json.dumps(config))
    return texts


@wrong("workers")
def workers(hosts):
    """Both are called workers."""
    texts = []
    for k in range(len(hosts)):
        config = {"cluster": {"worker": hosts}}
        config["task"] = {"type": "workers", "index": k}
        config["cluster"] = {"workers": hosts}
        texts.append(json.dumps(config))
    return texts
