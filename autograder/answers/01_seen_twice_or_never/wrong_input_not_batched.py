"""Single rows."""

EXPECT = {"01/my_input": "WRONG not_batched"}


def my_input(context, data, batch):
    return data
