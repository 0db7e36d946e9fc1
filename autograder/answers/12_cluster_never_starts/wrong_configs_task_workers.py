"""The task's type is not in the cluster."""

import json

EXPECT = {"12/my_tf_configs": "WRONG workers"}


def my_tf_configs(hosts):
    texts = []
    for k in range(len(hosts)):
        config = {"cluster": {"worker": hosts}}
        config["task"] = {"type": "workers", "index": k}
        texts.append(json.dumps(config))
    return texts
