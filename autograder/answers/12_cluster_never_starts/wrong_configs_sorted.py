"""The addresses are sorted."""

import json

EXPECT = {"12/my_tf_configs": "WRONG sorted_hosts"}


def my_tf_configs(hosts):
    texts = []
    for k in range(len(hosts)):
        config = {"cluster": {"worker": sorted(hosts)}}
        config["task"] = {"type": "worker", "index": k}
        texts.append(json.dumps(config))
    return texts
