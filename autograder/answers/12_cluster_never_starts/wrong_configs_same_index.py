"""The lists are mended, the index is not."""

import json

EXPECT = {"12/my_tf_configs": "WRONG same_index"}


def my_tf_configs(hosts):
    texts = []
    for _ in hosts:
        config = {"cluster": {"worker": hosts}}
        config["task"] = {"type": "worker", "index": 0}
        texts.append(json.dumps(config))
    return texts
