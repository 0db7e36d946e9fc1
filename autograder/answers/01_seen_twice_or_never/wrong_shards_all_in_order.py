"""All rows for everybody, in order."""

EXPECT = {"01/my_shards": "WRONG all_rows_in_each_not_shuffled"}


def my_shards(data, rows, replicas):
    return [data.skip(0 * i) for i in range(replicas)]
