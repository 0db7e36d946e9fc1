"""Answers to 20/my_stop, right and wrong, and what the check says of each."""

from autograder.answers import changed, crashed, right, wrong


@right
def all_epochs(losses, total):
    """The means of all epochs, from the first on."""
    means = [total(own) / total(float(rows)) for own, rows in losses]
    return len(means) > 1 and bool(means[-1] >= means[-2])


@right
def one_sum(losses, total):
    """Four numbers in one sum."""
    if len(losses) == 1:
        return False
    numbers = total([float(n) for pair in losses[-2:] for n in pair])
    before, rows_before, now, rows_now = (float(n) for n in numbers)
    return not now / rows_now < before / rows_before


@right
def whole_numbers(losses, total):
    """The numbers of rows as they are."""
    means = [total(own) / total(rows) for own, rows in losses]
    return len(means) > 1 and bool(means[-1] >= means[-2])


@right
def better_than_the_best(losses, total):
    """Compared with the best epoch: as long as it goes on, that is the last one."""
    means = [float(total(own) / total(float(rows))) for own, rows in losses]
    return len(means) > 1 and means[-1] >= min(means[:-1])


@wrong("own_loss")
def alone(losses, total):
    """Its own mean."""
    means = [own / rows for own, rows in losses]
    return len(means) > 1 and means[-1] >= means[-2]


@wrong("any_worker")
def one_of_us(losses, total):
    """The sum of a flag."""
    means = [own / rows for own, rows in losses]
    worse = len(means) > 1 and means[-1] >= means[-2]
    return bool(total(float(worse)) > 0)


@wrong("all_workers")
@changed(
    one_of_us,
    (
        "bool(total(float(worse)) > 0)",
        "bool(total(float(worse)) >= total(1.0))",
    ),
)
def all_of_us():
    """All must want it."""


@wrong("most_workers")
@changed(
    one_of_us,
    (
        "bool(total(float(worse)) > 0)",
        "bool(total(float(worse)) > total(1.0) / 2)",
    ),
)
def a_vote():
    """Most must want it."""


@wrong("mean_of_means")
def means_added(losses, total):
    """The means are added up."""
    means = [total(own / rows) for own, rows in losses]
    return len(means) > 1 and bool(means[-1] >= means[-2])


@wrong("sums_only")
def sums(losses, total):
    """The rows are left out."""
    return len(losses) > 1 and bool(total(losses[-1][0] - losses[-2][0]) >= 0)


@wrong("equal_goes_on")
@changed(all_epochs, (">=", ">"))
def strictly_worse():
    """An equal loss goes on."""


@wrong("first_against_last")
@changed(all_epochs, ("means[-2]", "means[0]"))
def since_the_first():
    """Compared with the first epoch."""


@wrong("better_stops")
@changed(all_epochs, (">=", "<"))
def turned_round():
    """The comparison is turned round."""


@wrong("stops_at_once")
@changed(
    all_epochs,
    ("len(means) > 1 and bool(means[-1]", "bool(means[-1]"),
    ("means[-2]", "means[-2:][0]"),
)
def at_once():
    """No epoch before is taken for an equal one."""


@wrong("never")
def goes_on(losses, total):
    """It goes on."""
    return False


@wrong("summed_only_where_worse")
def asks_if_needed(losses, total):
    """It asks the others only where its own loss is worse."""
    means = [own / rows for own, rows in losses]
    if len(means) < 2 or means[-1] < means[-2]:
        return False
    return bool(total(losses[-1][0]) >= total(losses[-2][0]))


@wrong("summed_only_where_worse")
def asks_once_if_needed(losses, total):
    """One sum, where its own loss is worse."""
    means = [own / rows for own, rows in losses]
    return len(means) > 1 and means[-1] >= means[-2] and bool(total(1.0) > 0)


@crashed
def two_at_once(losses, total):
    """There is no epoch before the first."""
    means = [total(own) / total(float(rows)) for own, rows in losses]
    return bool(means[-1] >= means[-2])


@wrong
def no_answer(losses, total):
    """It returns nothing."""
    total(losses[-1][0])
