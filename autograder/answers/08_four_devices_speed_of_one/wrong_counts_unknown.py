"""A mistake nobody knows."""

EXPECT = {"08/my_counts": "WRONG"}


def my_counts(events, replicas):
    return list(range(replicas))
