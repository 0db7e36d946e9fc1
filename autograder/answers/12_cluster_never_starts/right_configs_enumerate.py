"""One text for each host, in a comprehension."""

import json

EXPECT = {"12/my_tf_configs": "RIGHT"}


def my_tf_configs(hosts):
    return [
        json.dumps(
            {"cluster": {"worker": hosts}, "task": {"type": "worker", "index": k}}
        )
        for k, _ in enumerate(hosts)
    ]
