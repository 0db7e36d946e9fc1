"""Shard 0 for everybody."""

EXPECT = {"01/my_shards": "WRONG one_index_for_all_not_shuffled"}


def my_shards(data, rows, replicas):
    return [data.shard(replicas, 0 * i) for i in range(replicas)]
