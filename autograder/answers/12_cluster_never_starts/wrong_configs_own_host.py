"""Each worker knows itself only."""

import json

EXPECT = {"12/my_tf_configs": "WRONG own_host_only"}


def my_tf_configs(hosts):
    texts = []
    for k in hosts:
        config = {"cluster": {"worker": [k]}}
        config["task"] = {"type": "worker", "index": 0}
        texts.append(json.dumps(config))
    return texts
