"""Answers to 17/my_train, right and wrong, and what the check says of each."""

from autograder.answers import changed, crashed, right, wrong


@right
def before(steps, schedule, join):
    """A join before each step, and one at the end."""
    k = 0
    while k < steps:
        join()
        schedule(k)
        k += 1
    join()


@right
def comprehension(steps, schedule, join):
    """In one line."""
    return [(schedule(k), join()) for k in range(steps)]


@right
def each(steps, schedule, join):
    """A join after each step."""
    for k in range(steps):
        schedule(k)
        join()


@wrong("backwards")
@changed(each, ("range(steps)", "reversed(range(steps))"))
def backwards():
    """Backwards."""


@crashed
def endless(steps, schedule, join):
    """No end."""
    while True:
        schedule(0)
        join()


@wrong("first_left_out")
@changed(each, ("range(steps)", "range(1, steps)"))
def from_1():
    """From 1."""


@wrong("last_not_joined")
def last(steps, schedule, join):
    """The last step is not waited for."""
    for k in range(steps):
        join()
        schedule(k)


@wrong("never_joined")
@changed(each, ("join()", ""))
def never():
    """No join."""


@wrong("nothing")
def nothing(steps, schedule, join):
    """Only a join."""
    join()


@wrong("joined_once")
def once(steps, schedule, join):
    """All in the queue, in another way."""
    list(map(schedule, range(steps)))
    join()


@wrong("joined_once")
def pairs(steps, schedule, join):
    """A join after every second step."""
    for k in range(steps):
        schedule(k)
        if k % 2:
            join()
    join()


@wrong("joined_every_third")
@changed(pairs, ("k % 2", "k % 3 == 2"))
def threes():
    """A join after every third step."""


@crashed
@changed(each, ("range(steps)", "range(steps + 1)"))
def too_far():
    """One step too many."""


@wrong("last_twice")
def twice(steps, schedule, join):
    """The last step twice."""
    for k in range(steps + 1):
        schedule(min(k, steps - 1))
        join()


@wrong("always_the_first")
def number_forgotten(steps, schedule, join):
    """The number is not counted on."""
    k = 0
    for _ in range(steps):
        schedule(k)
        join()
