"""A circle that begins with itself, index 0."""

import json

EXPECT = {"12/my_tf_configs": "WRONG turned_index_0"}


def my_tf_configs(hosts):
    texts = []
    for k in range(len(hosts)):
        config = {"cluster": {"worker": hosts[k:] + hosts[:k]}}
        config["task"] = {"type": "worker", "index": 0}
        texts.append(json.dumps(config))
    return texts
