"""The own address as index."""

import json

EXPECT = {"12/my_tf_configs": "WRONG address_as_index"}


def my_tf_configs(hosts):
    texts = []
    for k in hosts:
        config = {"cluster": {"worker": hosts}}
        config["task"] = {"type": "worker", "index": k}
        texts.append(json.dumps(config))
    return texts
