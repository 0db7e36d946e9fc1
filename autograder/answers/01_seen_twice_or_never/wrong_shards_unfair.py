"""Nearly all rows in the last shard: no known mistake."""

EXPECT = {"01/my_shards": "WRONG"}


def my_shards(data, rows, replicas):
    small = [data.skip(i).take(1) for i in range(replicas - 1)]
    return [*small, data.skip(replicas - 1).shuffle(rows)]
