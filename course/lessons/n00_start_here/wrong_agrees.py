"""Wrong answers to 00/my_agrees: names are codes, docstrings causes."""

from __future__ import annotations

from course.checks.exercises import wrong_answers


def batch_must_divide(rows, batch, devices):
    """It asks whether the rows divide by the batch. But a smaller last batch may be
    split evenly as well.
    """
    return rows % batch == 0


def share_must_divide(rows, batch, devices):
    """It asks whether the rows divide by the per-replica batch. But one replica may
    have a full share, and another no row.
    """
    return rows % (batch // devices) == 0


def even_rows(rows, batch, devices):
    """It asks whether the number of rows is even. That is enough for two devices, but
    not for four, and it says nothing about three.
    """
    return rows % 2 == 0


def for_four_devices(rows, batch, devices):
    """It gives the same answer for every number of devices. Try the same rows on two,
    on three and on four.
    """
    return rows % 4 == 0


def a_row_for_each(rows, batch, devices):
    """It asks whether each replica gets a row. The last batch can have a row for each
    replica, or more, and still not be split evenly.
    """
    return rows % batch == 0 or rows % batch >= devices


def fewer_than_devices(rows, batch, devices):
    """It says True only where the last, smaller batch has a row for each replica. With
    no row left over, there is no smaller batch; and a row for each is not the same
    number for each.
    """
    return rows % batch >= devices


def even_last_batch(rows, batch, devices):
    """It asks whether the rows of the last batch are an even number. That is enough for
    two devices, but four or three replicas need more than an even number.
    """
    return rows % batch % 2 == 0


def full_batches_must_divide(rows, batch, devices):
    """It counts the full batches. Replicas do not take whole batches in turn: each
    batch is split among them.
    """
    return rows // batch % devices == 0


def batches_must_divide(rows, batch, devices):
    """It counts the batches, including the last one. Replicas do not take whole
    batches in turn: each batch is split among them.
    """
    return -(-rows // batch) % devices == 0


def batch_for_each_device(rows, batch, devices):
    """It treats batch as the batch of one replica. fit splits each batch among the
    replicas.
    """
    return rows % (batch * devices) == 0


def always(rows, batch, devices):
    """It says that every run agrees. Some do not, although the log of one epoch is the
    same.
    """
    return True


def never(rows, batch, devices):
    """It says that no run agrees. Some do, up to rounding."""
    return False


def turned_round(rows, batch, devices):
    """It says True where the weights differ, and False where they are the same."""
    return rows % devices != 0


MISTAKES = wrong_answers(__name__)
