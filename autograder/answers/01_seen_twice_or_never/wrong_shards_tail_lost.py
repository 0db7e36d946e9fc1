"""Blocks of equal size; the rest is in none."""

EXPECT = {"01/my_shards": "WRONG rows_lost"}


def my_shards(data, rows, replicas):
    share = rows // replicas
    return [data.skip(share * i).take(share).shuffle(share) for i in range(replicas)]
