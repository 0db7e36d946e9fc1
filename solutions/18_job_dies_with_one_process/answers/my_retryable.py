"""Answers to 18/my_retryable, right and wrong, and what the check says of each."""

import tensorflow as tf

from autograder.answers import changed, crashed, right, wrong

LOST = (
    tf.errors.UnavailableError,
    tf.errors.AbortedError,
    tf.errors.DeadlineExceededError,
)


@right
def codes(error):
    """By TensorFlow's codes."""
    lost = {tf.errors.UNAVAILABLE, tf.errors.ABORTED, tf.errors.DEADLINE_EXCEEDED}
    return getattr(error, "error_code", None) in lost


@right
def names(error):
    """By the names of the classes."""
    lost = {"UnavailableError", "AbortedError", "DeadlineExceededError"}
    return type(error).__name__ in lost


@right
def raised(error):
    """It raises the error again, and catches what it knows."""
    try:
        raise error
    except LOST:
        return True
    except BaseException:
        return False


@right
def retry_tuple(error):
    """isinstance of three classes."""
    return isinstance(
        error,
        (
            tf.errors.AbortedError,
            tf.errors.DeadlineExceededError,
            tf.errors.UnavailableError,
        ),
    )


@wrong("all_of_tensorflow")
def all_tf(error):
    """All of TensorFlow."""
    return isinstance(error, tf.errors.OpError)


@wrong("with_data_loss")
def data_loss(error):
    """And damaged files."""
    return isinstance(error, (*LOST, tf.errors.DataLossError))


@wrong("everything")
def everything(error):
    """Everything."""
    return True


@wrong("all_but_exits")
def exceptions(error):
    """Every Exception."""
    return isinstance(error, Exception)


@wrong("with_internal")
@changed(data_loss, ("tf.errors.DataLossError", "tf.errors.InternalError"))
def internal():
    """And InternalError."""


@wrong("with_cancelled")
@changed(data_loss, ("tf.errors.DataLossError", "tf.errors.CancelledError"))
def cancelled():
    """And operations that were cancelled."""


@wrong("with_internal_and_resources")
def internal_resources(error):
    """And two more."""
    others = tf.errors.InternalError, tf.errors.ResourceExhaustedError
    return isinstance(error, (*LOST, *others))


@wrong("all_but_a_list")
def list_of_others(error):
    """All but what the notebook prints."""
    others = (
        tf.errors.InvalidArgumentError,
        tf.errors.NotFoundError,
        tf.errors.FailedPreconditionError,
        tf.errors.DataLossError,
        tf.errors.ResourceExhaustedError,
        tf.errors.InternalError,
        tf.errors.CancelledError,
        TypeError,
        ValueError,
        RuntimeError,
        SystemExit,
        KeyboardInterrupt,
    )
    return not isinstance(error, others)


@wrong("never")
def never(error):
    """Nothing."""
    return False


@wrong("no_aborted")
def no_aborted(error):
    """A server that came back is missing."""
    lost = tf.errors.UnavailableError, tf.errors.DeadlineExceededError
    return isinstance(error, lost)


@wrong("no_deadline")
def no_deadline(error):
    """Too late is missing."""
    return isinstance(error, (tf.errors.UnavailableError, tf.errors.AbortedError))


@wrong
def none(error):
    """Nothing is returned for other errors."""
    if isinstance(error, tf.errors.UnavailableError):
        return True


@wrong("with_os")
def os(error):
    """A lost connection is an OSError, in Python."""
    return isinstance(error, (*LOST, OSError))


@wrong("the_other_way")
def other_way(error):
    """The other way round."""
    return not isinstance(error, LOST)


@wrong("with_precondition")
@changed(data_loss, ("tf.errors.DataLossError", "tf.errors.FailedPreconditionError"))
def precondition():
    """And preconditions."""


@crashed
def raised_again(error):
    """An error is raised again to be looked at, and one is not caught."""
    try:
        raise error
    except LOST:
        return True
    except Exception:
        return False


@crashed
def raises(error):
    """It raises what it gets."""
    if not isinstance(error, tf.errors.UnavailableError):
        raise error
    return True


@wrong("with_runtime")
@changed(data_loss, ("tf.errors.DataLossError", "RuntimeError"))
def retry_runtime():
    """And RuntimeError."""


@wrong("the_documents_two")
def two(error):
    """The document's two, in another way."""
    runtime = isinstance(error, RuntimeError)
    return runtime or isinstance(error, tf.errors.UnavailableError)


@wrong("unavailable_only")
def unavailable(error):
    """UnavailableError only."""
    return isinstance(error, tf.errors.UnavailableError)


@wrong("with_resources")
@changed(data_loss, ("tf.errors.DataLossError", "tf.errors.ResourceExhaustedError"))
def resources():
    """And a full memory, which could be free the next time."""
