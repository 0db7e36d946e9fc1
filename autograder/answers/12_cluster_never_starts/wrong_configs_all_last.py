"""The index of the last worker for all."""

import json

EXPECT = {"12/my_tf_configs": "WRONG all_last"}


def my_tf_configs(hosts):
    texts = []
    for _ in hosts:
        config = {"cluster": {"worker": hosts}}
        config["task"] = {"type": "worker", "index": len(hosts) - 1}
        texts.append(json.dumps(config))
    return texts
