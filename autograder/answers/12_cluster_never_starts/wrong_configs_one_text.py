"""One text for all."""

import json

EXPECT = {"12/my_tf_configs": "CRASHED"}


def my_tf_configs(hosts):
    task = {"type": "worker", "index": 0}
    return json.dumps({"cluster": {"worker": hosts}, "task": task})
