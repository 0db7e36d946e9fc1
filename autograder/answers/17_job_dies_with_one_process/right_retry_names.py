"""By the names of the classes."""

EXPECT = {"17/my_retryable": "RIGHT"}


def my_retryable(error):
    lost = {"UnavailableError", "AbortedError", "DeadlineExceededError"}
    return type(error).__name__ in lost
