"""Workers are counted from 1."""

import json

EXPECT = {"12/my_tf_configs": "WRONG index_from_one"}


def my_tf_configs(hosts):
    texts = []
    for k in range(1, len(hosts) + 1):
        config = {"cluster": {"worker": hosts}}
        config["task"] = {"type": "worker", "index": k}
        texts.append(json.dumps(config))
    return texts
