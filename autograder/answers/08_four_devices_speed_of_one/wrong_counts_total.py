"""All for each."""

EXPECT = {"08/my_counts": "WRONG all_on_each"}


def my_counts(events, replicas):
    total = sum(name.endswith(":MatMul") for _, name in events)
    return [total] * replicas
