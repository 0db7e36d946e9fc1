"""One dataset instead of a list."""

EXPECT = {"01/my_shards": "CRASHED"}


def my_shards(data, rows, replicas):
    return data.shard(replicas, 0).shuffle(rows)
