"""The texts are handed out backwards."""

import json

EXPECT = {"12/my_tf_configs": "WRONG reversed_texts"}


def my_tf_configs(hosts):
    texts = []
    for k in reversed(range(len(hosts))):
        config = {"cluster": {"worker": hosts}}
        config["task"] = {"type": "worker", "index": k}
        texts.append(json.dumps(config))
    return texts
