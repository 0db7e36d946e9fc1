"""The texts look right, but no worker has this way of talking."""

import json

EXPECT = {"12/my_tf_configs": "WRONG"}


def my_tf_configs(hosts):
    texts = []
    for k in range(len(hosts)):
        config = {"cluster": {"worker": hosts}}
        config["task"] = {"type": "worker", "index": k}
        config["rpc_layer"] = "grpc+verbs"
        texts.append(json.dumps(config))
    return texts
