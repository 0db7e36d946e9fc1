"""Filter by the row number, then shuffle with seeds that differ."""

EXPECT = {"01/my_shards": "RIGHT"}


def my_shards(data, rows, replicas):
    def own(i):
        return data.filter(lambda row: row % replicas == i)

    return [own(i).shuffle(rows, seed=i) for i in range(replicas)]
