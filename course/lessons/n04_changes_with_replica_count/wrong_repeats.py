"""Wrong answers to 04/my_repeats: names are codes, docstrings causes."""

from __future__ import annotations

from course.checks.exercises import wrong_answers

# (step, worker) -> where a draw begins and ends in the stream, the end excluded
Spans = dict[tuple[int, int], tuple[int, int]]
NUMBERS, MOVES = 4, 256  # at one place of the stream; places a call moves for a number


def _spans(seeds, steps, count, begin=None, length=None) -> Spans:
    """Return where each draw lies, by the rule or by a wrong `begin` or `length`."""
    length = -(-count // NUMBERS) if length is None else length
    begin = begin or (lambda seed, step: seed + MOVES * count * step)
    starts = {
        (step, worker): begin(seed, step)
        for step in range(steps)
        for worker, seed in enumerate(seeds)
    }
    return {place: (start, start + length) for place, start in starts.items()}


def _meet(a: tuple[int, int], b: tuple[int, int]) -> bool:
    return a[0] < b[1] and b[0] < a[1]


def _found(spans: Spans, looks=lambda a, b: True) -> set[tuple[int, int]]:
    """Return the draws that share numbers with another that is looked at."""
    return {
        a
        for a in spans
        for b in spans
        if a != b and looks(a, b) and _meet(spans[a], spans[b])
    }


def other_seeds(seeds, steps, count):
    """It takes different seeds for different numbers. from_seed chooses a place in
    ONE stream, and neighbouring seeds are neighbouring places.
    """
    return set()


def one_number_for_a_seed(seeds, steps, count):
    """It takes the next seed to begin one number later. Compare the printed numbers,
    and count how many of seed 5 come before those of seed 6.
    """
    return _found(_spans(seeds, steps, count, length=count))


def whole_places(seeds, steps, count):
    """It rounds down: a draw of 6 numbers also takes a part of a second place."""
    return _found(_spans(seeds, steps, count, length=count // NUMBERS))


def equal_places(seeds, steps, count):
    """It asks whether two draws begin at the same place. A draw takes several places,
    and some of them are enough.
    """
    return _found(_spans(seeds, steps, count, length=1))


def within_a_step(seeds, steps, count):
    """It compares draws of the same step only. What a worker draws later, another may
    have drawn before.
    """
    return _found(_spans(seeds, steps, count), lambda a, b: a[0] == b[0])


def goes_on(seeds, steps, count):
    """It lets the next call begin where the last one ended. A call moves further:
    print the place before and after.
    """
    length = -(-count // NUMBERS)
    return _found(_spans(seeds, steps, count, lambda seed, step: seed + length * step))


def same_move(seeds, steps, count):
    """It lets every call move by the same number of places. How far a call moves
    depends on how many numbers it draws.
    """
    return _found(_spans(seeds, steps, count, lambda seed, step: seed + MOVES * step))


def later_only(seeds, steps, count):
    """It names the later of two draws only, or one of two workers. Both have a number
    of the other one.
    """
    return _found(_spans(seeds, steps, count), lambda a, b: b < a)


def neighbours(seeds, steps, count):
    """It compares workers with neighbouring numbers only. Their seeds are in any
    order.
    """
    return _found(_spans(seeds, steps, count), lambda a, b: abs(a[1] - b[1]) == 1)


def whole_workers(seeds, steps, count):
    """It names all draws of a worker of which one comes again. Asked are single
    draws.
    """
    workers = {worker for _, worker in _found(_spans(seeds, steps, count))}
    return {(step, worker) for step in range(steps) for worker in workers}


def swapped(seeds, steps, count):
    """Step and worker are swapped. Return pairs (step, worker)."""
    return {(worker, step) for step, worker in _found(_spans(seeds, steps, count))}


def all_draws(seeds, steps, count):
    """It names every draw. Some meet no other."""
    return {(step, worker) for step in range(steps) for worker in range(len(seeds))}


MISTAKES = wrong_answers(__name__)
