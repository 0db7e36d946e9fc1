"""The cluster is a list."""

import json

EXPECT = {"12/my_tf_configs": "WRONG one_long_address"}


def my_tf_configs(hosts):
    texts = []
    for k in range(len(hosts)):
        config = {"cluster": {"worker": hosts}}
        config["task"] = {"type": "worker", "index": k}
        config["cluster"] = hosts
        texts.append(json.dumps(config))
    return texts
