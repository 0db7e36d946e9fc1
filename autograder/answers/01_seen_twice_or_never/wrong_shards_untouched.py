"""The shipped code, with a comment."""

EXPECT = {"01/my_shards": "NOT ATTEMPTED"}


def my_shards(data, rows, replicas):
    mixed = data.shuffle(rows)
    # one shard for each replica
    return [mixed.shard(replicas, i) for i in range(replicas)]
