"""Every Exception."""

EXPECT = {"17/my_retryable": "WRONG all_but_exits"}


def my_retryable(error):
    return isinstance(error, Exception)
