"""The first host is a chief, in a list of its own."""

import json

EXPECT = {"12/my_tf_configs": "RIGHT"}


def my_tf_configs(hosts):
    cluster = {"chief": hosts[:1], "worker": hosts[1:]}
    tasks = [{"type": "chief", "index": 0}]
    tasks += [{"type": "worker", "index": k} for k in range(len(hosts) - 1)]
    return [json.dumps({"cluster": cluster, "task": task}) for task in tasks]
