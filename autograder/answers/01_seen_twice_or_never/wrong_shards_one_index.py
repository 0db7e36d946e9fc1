"""Shard 0 for everybody, shuffled."""

EXPECT = {"01/my_shards": "WRONG one_index_for_all"}


def my_shards(data, rows, replicas):
    return [data.shard(replicas, 0 * i).shuffle(rows) for i in range(replicas)]
