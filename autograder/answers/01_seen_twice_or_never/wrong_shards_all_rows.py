"""All rows for everybody."""

EXPECT = {"01/my_shards": "WRONG all_rows_in_each"}


def my_shards(data, rows, replicas):
    return [data.shuffle(rows, seed=i) for i in range(replicas)]
