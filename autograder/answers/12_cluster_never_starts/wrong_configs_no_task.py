"""The task is taken out."""

import json

EXPECT = {"12/my_tf_configs": "WRONG no_task"}


def my_tf_configs(hosts):
    texts = []
    for k in range(len(hosts)):
        config = {"cluster": {"worker": hosts}}
        config["task"] = {"type": "worker", "index": k}
        del config["task"]
        texts.append(json.dumps(config))
    return texts
