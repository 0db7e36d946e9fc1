"""json.dumps twice."""

import json

EXPECT = {"12/my_tf_configs": "WRONG twice_json"}


def my_tf_configs(hosts):
    texts = []
    for k in range(len(hosts)):
        config = {"cluster": {"worker": hosts}}
        config["task"] = {"type": "worker", "index": k}
        texts.append(json.dumps(json.dumps(config)))
    return texts
