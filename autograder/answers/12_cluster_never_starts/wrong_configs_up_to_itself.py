"""The list grows from worker to worker."""

import json

EXPECT = {"12/my_tf_configs": "WRONG up_to_itself"}


def my_tf_configs(hosts):
    texts = []
    for k in range(len(hosts)):
        config = {"cluster": {"worker": hosts[: k + 1]}}
        config["task"] = {"type": "worker", "index": k}
        texts.append(json.dumps(config))
    return texts
