"""Each worker knows itself only, but counts on."""

import json

EXPECT = {"12/my_tf_configs": "WRONG own_host_only_with_index"}


def my_tf_configs(hosts):
    texts = []
    for k in range(len(hosts)):
        config = {"cluster": {"worker": [hosts[k]]}}
        config["task"] = {"type": "worker", "index": k}
        texts.append(json.dumps(config))
    return texts
