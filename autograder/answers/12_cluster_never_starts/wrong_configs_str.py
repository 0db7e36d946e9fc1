"""str() instead of json.dumps."""

EXPECT = {"12/my_tf_configs": "WRONG no_json"}


def my_tf_configs(hosts):
    texts = []
    for k in range(len(hosts)):
        config = {"cluster": {"worker": hosts}}
        config["task"] = {"type": "worker", "index": k}
        texts.append(str(config))
    return texts
