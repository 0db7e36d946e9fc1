"""One text with commas."""

import json

EXPECT = {"12/my_tf_configs": "WRONG one_long_address"}


def my_tf_configs(hosts):
    texts = []
    for k in range(len(hosts)):
        config = {"cluster": {"worker": ",".join(hosts)}}
        config["task"] = {"type": "worker", "index": k}
        texts.append(json.dumps(config))
    return texts
