"""Items are compared as JSON."""

import json

EXPECT = {"14/my_preflight": "RIGHT"}


def my_preflight(reports):
    def texts(report):
        return {(item, json.dumps(value)) for item, value in report.items()}

    chief = texts(reports[0])
    found = set()
    for worker, own in enumerate(reports):
        for item, _ in texts(own) ^ chief:
            found.add((worker, item))
    return found
