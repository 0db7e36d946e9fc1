"""The index is mended, the lists are not."""

import json

EXPECT = {"12/my_tf_configs": "WRONG itself_first"}


def my_tf_configs(hosts):
    texts = []
    for k in range(len(hosts)):
        config = {"cluster": {"worker": [hosts[k], *hosts[:k], *hosts[k + 1 :]]}}
        config["task"] = {"type": "worker", "index": k}
        texts.append(json.dumps(config))
    return texts
