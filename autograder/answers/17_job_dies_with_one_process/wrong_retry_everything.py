"""Everything."""

EXPECT = {"17/my_retryable": "WRONG everything"}


def my_retryable(error):
    return True
