"""The share, for ever."""

EXPECT = {"01/my_input": "WRONG never_ends"}


def my_input(context, data, batch):
    return data.batch(batch // context.num_replicas_in_sync).repeat()
