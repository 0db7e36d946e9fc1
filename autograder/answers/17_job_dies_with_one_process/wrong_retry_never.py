"""Nothing."""

EXPECT = {"17/my_retryable": "WRONG never"}


def my_retryable(error):
    return False
