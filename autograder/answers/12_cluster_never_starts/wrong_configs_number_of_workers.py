"""The number of workers as index."""

import json

EXPECT = {"12/my_tf_configs": "WRONG number_of_workers"}


def my_tf_configs(hosts):
    texts = []
    for _ in hosts:
        config = {"cluster": {"worker": hosts}}
        config["task"] = {"type": "worker", "index": len(hosts)}
        texts.append(json.dumps(config))
    return texts
