"""With a chief, the workers count on."""

import json

EXPECT = {"12/my_tf_configs": "WRONG chief_counts"}


def my_tf_configs(hosts):
    texts = []
    for k in range(len(hosts)):
        config = {"cluster": {"worker": hosts}}
        config["task"] = {"type": "worker", "index": k}
        config["cluster"] = {"chief": hosts[:1], "worker": hosts[1:]}
        config["task"]["type"] = "worker" if k else "chief"
        texts.append(json.dumps(config))
    return texts
