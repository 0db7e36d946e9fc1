"""Wrong answers to 14/my_mask: each is the mistake of its name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from course.checks.exercises import wrong_answers

KEEP = 0.75
STATE = np.random.default_rng()


def _numbers(seeds: Iterable[object], units: int) -> np.ndarray:
    """Return `units` numbers for each seed."""
    return np.array([np.random.default_rng(seed).random(units) for seed in seeds])


def _rows(places: Sequence[int], worker: int, workers: int) -> list[int]:
    return [place * workers + worker for place in np.asarray(places).tolist()]


def seed_of_worker(seed, step, places, worker, workers, units) -> np.ndarray:
    """Every worker has a seed of its own. That makes its masks independent, but with
    another number of workers a row gets other masks; and seed + worker is also the seed
    of another run.
    """
    seeds = [[seed + worker, step, place] for place in np.asarray(places)]
    return _numbers(seeds, units) < KEEP


def seed_of_worker_set_each_step(
    seed, step, places, worker, workers, units
) -> np.ndarray:
    """Every worker has a seed of its own, and it is set again in every step: the same
    masks come in each of them.
    """
    return (
        _numbers([[seed + worker, place] for place in np.asarray(places)], units) < KEEP
    )


def by_worker(seed, step, places, worker, workers, units) -> np.ndarray:
    """The masks differ between workers and come again in a second run, but they belong
    to a place in a shard. With another number of workers, a row has another place.
    """
    seeds = [[seed, step, worker, place] for place in np.asarray(places)]
    return _numbers(seeds, units) < KEEP


def place_for_row(seed, step, places, worker, workers, units) -> np.ndarray:
    """In one step, two workers take the same number for different rows. Work out which
    row of the whole data stands at a place of a worker's shard.
    """
    return _numbers([[seed, step, place] for place in np.asarray(places)], units) < KEEP


def constant_step(seed, step, places, worker, workers, units) -> np.ndarray:
    """The seed knows the row, but not the step: a row drops the same units for ever."""
    rows = _rows(places, worker, workers)
    return _numbers([[seed, row] for row in rows], units) < KEEP


def seed_unused(seed, step, places, worker, workers, units) -> np.ndarray:
    """The masks do not depend on `seed`, or seed and step (or row) are added up: then
    another seed begins with masks that this one has later.
    """
    rows = _rows(places, worker, workers)
    return _numbers([[step, row] for row in rows], units) < KEEP


def step_plus_row(seed, step, places, worker, workers, units) -> np.ndarray:
    """Step and row are joined to one number, and different pairs give the same one: 3 +
    5 is 4 + 4.
    """
    rows = _rows(places, worker, workers)
    return _numbers([[seed, step + row] for row in rows], units) < KEEP


def all_added(seed, step, places, worker, workers, units) -> np.ndarray:
    """Seed, step and row are added up to one number, and different triples give the
    same one.
    """
    rows = _rows(places, worker, workers)
    return _numbers([seed + step + row for row in rows], units) < KEEP


def stateful(seed, step, places, worker, workers, units) -> np.ndarray:
    """The numbers come from an operation with a state: what a row gets depends on all
    that was drawn before on its worker.
    """
    return STATE.random((len(places), units)) < KEEP


def same_every_step(seed, step, places, worker, workers, units) -> np.ndarray:
    """The seed is the same in every step and on every worker."""
    return np.random.default_rng(seed).random((len(places), units)) < KEEP


def one_mask_for_all_rows(seed, step, places, worker, workers, units) -> np.ndarray:
    """One mask is drawn for the step and used for all rows."""
    return _numbers([[seed, step]] * len(places), units) < KEEP


def one_number_for_a_row(seed, step, places, worker, workers, units) -> np.ndarray:
    """One number decides for the whole row. Draw one for each of its units."""
    rows = _rows(places, worker, workers)
    numbers = _numbers([[seed, step, row] for row in rows], 1)
    return np.repeat(numbers < KEEP, units, axis=1)


def rate_swapped(seed, step, places, worker, workers, units) -> np.ndarray:
    """The share that is kept is not KEEP. Look which way round the comparison is."""
    rows = _rows(places, worker, workers)
    return _numbers([[seed, step, row] for row in rows], units) > KEEP


def place_in_the_call(seed, step, places, worker, workers, units) -> np.ndarray:
    """Rows are counted from the beginning of each call, not from `places`. A worker
    asks for its rows batch by batch: with `places` [3, 4], the row at place 3 is meant.
    """
    rows = _rows(range(len(places)), worker, workers)
    return _numbers([[seed, step, row] for row in rows], units) < KEEP


def joined_too_closely(seed, step, places, worker, workers, units) -> np.ndarray:
    """Seed, step and row are joined to fewer numbers, with too little room: behind it,
    different triples give the same one, as 0 * 100 + 100 and 1 * 100 + 0 do.
    """
    rows = _rows(places, worker, workers)
    return _numbers([[seed, 100 * step + row] for row in rows], units) < KEEP


def scaled(seed, step, places, worker, workers, units) -> np.ndarray:
    """The mask is divided by the probability already."""
    rows = _rows(places, worker, workers)
    return (_numbers([[seed, step, row] for row in rows], units) < KEEP) / KEEP


MISTAKES = wrong_answers(__name__)
