"""Batch, take apart, batch by the share: a detour that is right."""

EXPECT = {"01/my_stages": "RIGHT"}


def apart(data, strategy, batch):
    return data.unbatch()


def my_stages():
    stages = [batch_rows]
    stages.append(apart)
    stages += [batch_share, from_function]
    return tuple(stages)
