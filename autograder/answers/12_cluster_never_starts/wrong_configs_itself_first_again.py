"""Other words for the same: itself first, index 0."""

import json

EXPECT = {"12/my_tf_configs": "WRONG itself_first_index_0"}


def my_tf_configs(hosts):
    texts = []
    for k in range(len(hosts)):
        config = {"cluster": {"worker": [hosts[k], *hosts[:k], *hosts[k + 1 :]]}}
        config["task"] = {"type": "worker", "index": 0}
        texts.append(json.dumps(config))
    return texts
