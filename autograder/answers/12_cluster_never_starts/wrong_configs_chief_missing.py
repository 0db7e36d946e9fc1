"""The first task is a chief that the cluster does not have."""

import json

EXPECT = {"12/my_tf_configs": "WRONG chief_counts"}


def my_tf_configs(hosts):
    texts = []
    for k in range(len(hosts)):
        config = {"cluster": {"worker": hosts}}
        config["task"] = {"type": "worker", "index": k}
        config["task"]["type"] = "worker" if k else "chief"
        texts.append(json.dumps(config))
    return texts
