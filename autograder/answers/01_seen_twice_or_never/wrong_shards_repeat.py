"""Repeat before the shard."""

EXPECT = {"01/my_shards": "WRONG never_ends"}


def my_shards(data, rows, replicas):
    return [data.repeat().shard(replicas, i).shuffle(rows) for i in range(replicas)]
