"""The ports are cut off."""

import json

EXPECT = {"12/my_tf_configs": "WRONG no_ports"}


def my_tf_configs(hosts):
    texts = []
    for k in range(len(hosts)):
        config = {"cluster": {"worker": [host.split(":")[0] for host in hosts]}}
        config["task"] = {"type": "worker", "index": k}
        texts.append(json.dumps(config))
    return texts
