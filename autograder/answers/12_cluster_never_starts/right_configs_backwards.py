"""The list is backwards everywhere, and so are the indices."""

import json

EXPECT = {"12/my_tf_configs": "RIGHT"}


def my_tf_configs(hosts):
    plan = hosts[::-1]
    return [
        json.dumps(
            {"cluster": {"worker": plan}, "task": {"type": "worker", "index": k}}
        )
        for k in reversed(range(len(plan)))
    ]
