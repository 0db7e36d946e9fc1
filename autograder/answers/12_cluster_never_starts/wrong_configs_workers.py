"""Both are called workers."""

import json

EXPECT = {"12/my_tf_configs": "WRONG workers"}


def my_tf_configs(hosts):
    texts = []
    for k in range(len(hosts)):
        config = {"cluster": {"worker": hosts}}
        config["task"] = {"type": "workers", "index": k}
        config["cluster"] = {"workers": hosts}
        texts.append(json.dumps(config))
    return texts
