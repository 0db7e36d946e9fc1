"""Answers to 04/my_repeats, right and wrong, and what the check says of each."""

import tensorflow as tf

from autograder.answers import right, wrong


@right
def really_drawn(seeds, steps, count):
    """Draw them, and look."""
    drawn = {}
    for worker, seed in enumerate(seeds):
        generator = tf.random.Generator.from_seed(seed)
        for step in range(steps):
            numbers = generator.uniform_full_int([count], tf.uint32).numpy()
            drawn[step, worker] = set(numbers.tolist())
    return {a for a in drawn for b in drawn if a != b and drawn[a] & drawn[b]}


@right
def sorted_by_place(seeds, steps, count):
    """By the rule, in the order of the stream; a list of lists comes back."""
    draws = sorted(
        (seed + 256 * count * step, step, worker)
        for worker, seed in enumerate(seeds)
        for step in range(steps)
    )
    near = -(-count // 4)
    found = []
    for number, (place, step, worker) in enumerate(draws):
        around = draws[max(0, number - 1) : number] + draws[number + 1 : number + 2]
        if any(abs(place - other) < near for other, _, _ in around):
            found.append([step, worker])
    return found


@wrong("one_number_for_a_seed")
def numbers_for_places(seeds, steps, count):
    """Places are taken for numbers."""
    draws = [(s, w) for s in range(steps) for w in range(len(seeds))]
    first = {(s, w): seeds[w] + 256 * count * s for s, w in draws}
    return {
        a for a in draws for b in draws if a != b and abs(first[a] - first[b]) < count
    }


@wrong("within_a_step")
def step_by_step(seeds, steps, count):
    """Each step for itself."""
    near = (count + 3) // 4
    found = set()
    for step in range(steps):
        for a, one in enumerate(seeds):
            for b, other in enumerate(seeds):
                if a != b and abs(one - other) < near:
                    found.add((step, a))
    return found


@wrong("goes_on")
def read_on(seeds, steps, count):
    """A call moves as far as it reads."""
    near = (count + 3) // 4
    draws = [(s, w) for s in range(steps) for w in range(len(seeds))]
    first = {(s, w): seeds[w] + near * s for s, w in draws}
    return {
        a for a in draws for b in draws if a != b and abs(first[a] - first[b]) < near
    }


@wrong
def same_seeds(seeds, steps, count):
    """Workers 0 and 1, always."""
    return {(step, worker) for step in range(steps) for worker in (0, 1)}


@wrong
def how_many(seeds, steps, count):
    """A number of draws."""
    return len(seeds)
