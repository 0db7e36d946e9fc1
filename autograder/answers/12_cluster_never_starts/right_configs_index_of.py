"""Each host looks itself up."""

import json

EXPECT = {"12/my_tf_configs": "RIGHT"}


def my_tf_configs(hosts):
    texts = ()
    for own in hosts:
        task = {"type": "worker", "index": hosts.index(own)}
        texts += (json.dumps({"cluster": {"worker": hosts}, "task": task}),)
    return texts
