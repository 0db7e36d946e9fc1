"""Shards, not shuffled."""

EXPECT = {"01/my_shards": "WRONG not_shuffled"}


def my_shards(data, rows, replicas):
    return [data.shard(replicas, i) for i in range(replicas)]
