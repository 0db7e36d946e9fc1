"""For each shard an order of its own, drawn once."""

EXPECT = {"01/my_shards": "WRONG own_order_kept"}


def my_shards(data, rows, replicas):
    return [
        data.shuffle(rows, reshuffle_each_iteration=False).shard(replicas, i)
        for i in range(replicas)
    ]
