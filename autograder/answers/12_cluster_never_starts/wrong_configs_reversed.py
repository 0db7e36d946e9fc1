"""The list is backwards."""

import json

EXPECT = {"12/my_tf_configs": "WRONG reversed_hosts"}


def my_tf_configs(hosts):
    texts = []
    for k in range(len(hosts)):
        config = {"cluster": {"worker": hosts[::-1]}}
        config["task"] = {"type": "worker", "index": k}
        texts.append(json.dumps(config))
    return texts
