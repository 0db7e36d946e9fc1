"""One order, kept in a cache."""

EXPECT = {"01/my_shards": "WRONG same_order_every_epoch"}


def my_shards(data, rows, replicas):
    mixed = data.shuffle(rows).cache()
    return [mixed.shard(replicas, i) for i in range(replicas)]
