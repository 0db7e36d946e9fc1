"""Wrong answers to 00/my_agrees: names are codes, docstrings causes."""

from __future__ import annotations

from course.checks.exercises import wrong_answers


def batch_must_divide(rows, batch, devices):
    """It asks whether the rows divide by the batch. A smaller last batch may be shared
    out evenly, too.
    """
    return rows % batch == 0


def share_must_divide(rows, batch, devices):
    """It asks whether the rows divide by the per-replica batch. A replica may have a
    full share, and another none.
    """
    return rows % (batch // devices) == 0


def even_rows(rows, batch, devices):
    """It asks whether the number of rows is even. That is enough for two devices, not
    for four, and means nothing for three.
    """
    return rows % 2 == 0


def for_four_devices(rows, batch, devices):
    """It asks the same for every number of devices. Try the same rows on two, on three
    and on four.
    """
    return rows % 4 == 0


def a_row_for_each(rows, batch, devices):
    """It asks whether each replica gets a row. The rows of the last batch may be as
    many as the replicas or more, and still not be shared out evenly.
    """
    return rows % batch == 0 or rows % batch >= devices


def full_batches_must_divide(rows, batch, devices):
    """It counts the full batches. Replicas do not take whole batches in turn: each
    batch is split among them.
    """
    return rows // batch % devices == 0


def batches_must_divide(rows, batch, devices):
    """It counts the batches, the last one among them. Replicas do not take whole
    batches in turn: each batch is split among them.
    """
    return -(-rows // batch) % devices == 0


def batch_for_each_device(rows, batch, devices):
    """It takes the batch for that of one replica. fit splits each batch among the
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
    """It says True where the weights are others, and False where they are the same."""
    return rows % devices != 0


MISTAKES = wrong_answers(__name__)
