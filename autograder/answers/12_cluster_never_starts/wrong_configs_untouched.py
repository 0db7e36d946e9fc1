"""The shipped code under its new name."""

import json

EXPECT = {"12/my_tf_configs": "NOT ATTEMPTED"}


def my_tf_configs(hosts):
    texts = []
    for own in hosts:
        others = [host for host in hosts if host != own]
        config = {"cluster": {"worker": [own, *others]}}
        config["task"] = {"type": "worker", "index": 0}
        texts.append(json.dumps(config))
    return texts
