"""Answers to 17/my_train, right and wrong, and what the check says of each."""

from autograder.answers import crashed, right, wrong


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
def backwards(steps, schedule, join):
    """Backwards."""
    for k in reversed(range(steps)):
        schedule(k)
        join()


@crashed
def endless(steps, schedule, join):
    """No end."""
    while True:
        schedule(0)
        join()


@wrong("first_left_out")
def from_1(steps, schedule, join):
    """From 1."""
    for k in range(1, steps):
        schedule(k)
        join()


@wrong("last_not_joined")
def last(steps, schedule, join):
    """The last step is not waited for."""
    for k in range(steps):
        join()
        schedule(k)


@wrong("never_joined")
def never(steps, schedule, join):
    """No join."""
    for k in range(steps):
        schedule(k)


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
def threes(steps, schedule, join):
    """A join after every third step."""
    for k in range(steps):
        schedule(k)
        if k % 3 == 2:
            join()
    join()


@crashed
def too_far(steps, schedule, join):
    """One step too many."""
    for k in range(steps + 1):
        schedule(k)
        join()


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
