"""The result is not returned."""

import json

EXPECT = {"12/my_tf_configs": "CRASHED"}


def my_tf_configs(hosts):
    [json.dumps({"cluster": {"worker": hosts}}) for _ in hosts]
