"""Answers to 00/my_agrees, right and wrong, and what the check says of each."""

from autograder.answers import right, wrong


@right
def what_is_left_over(rows, batch, devices):
    """The last batch is shared out evenly."""
    return rows % batch % devices == 0


@right
def rows_alone(rows, batch, devices):
    """As the batch divides by the devices, the rows must."""
    return not rows % devices


@right
def deals_out(rows, batch, devices):
    """Deal every batch out, and compare the shares."""
    while rows > 0:
        here = min(rows, batch)
        shares = [0] * devices
        for row in range(here):
            shares[row % devices] += 1
        if len(set(shares)) > 1:
            return False
        rows -= here
    return True


@wrong
def left_over(rows, batch, devices):
    """A number instead of True or False."""
    return rows % devices


@wrong
def nothing(rows, batch, devices):
    """Forget to return."""
    print(rows % devices == 0)


@wrong("batch_must_divide")
def no_rest(rows, batch, devices):
    """Other code, the shipped result."""
    return rows // batch * batch == rows


@wrong("share_must_divide")
def full_shares(rows, batch, devices):
    """Nobody has a share that is not full; but somebody may have none."""
    share = batch // devices
    return rows % batch % share == 0


@wrong("a_row_for_each")
def nobody_is_left_out(rows, batch, devices):
    """A last batch of fewer rows than devices is the only trouble."""
    last = rows % batch or batch
    return last >= devices


@wrong("fewer_than_devices")
def the_last_batch_is_too_small(rows, batch, devices):
    """Enough rows in the last batch."""
    return not rows % batch < devices


@wrong("even_last_batch")
def an_even_last_batch(rows, batch, devices):
    """The last batch can be halved."""
    last = rows - rows // batch * batch
    return not last % 2


@wrong("even_rows")
def no_odd_rows(rows, batch, devices):
    """Odd numbers of rows go wrong."""
    return not rows & 1


@wrong("turned_round")
def asks_for_the_others(rows, batch, devices):
    """True where it goes wrong."""
    return bool(rows % batch % devices)


@wrong("always")
def the_log_is_right(rows, batch, devices):
    """The same loss, the same weights."""
    return rows > 0


@wrong("batches_must_divide")
def batches_in_turn(rows, batch, devices):
    """Each replica takes a batch."""
    batches = (rows + batch - 1) // batch
    return batches % devices == 0


@wrong
def more_than_one_left_over(rows, batch, devices):
    """One row alone goes wrong: no known mistake."""
    return rows % batch != 1
