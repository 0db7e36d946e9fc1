"""Input functions of many workers, called by hand: what each worker would read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice

import tensorflow as tf

from course.checks.failures import WrongReturn
from course.runs.workloads import Rows

Make = Callable[..., tf.data.Dataset]  # of (context, rows, batch, seed)
# epochs[e][k][worker][replica] are the numbers of the rows that were read
Reads = list[list[list[list[list[int]]]]]


@dataclass(frozen=True, eq=False)
class Reading:
    """What is to be read: the rows, the global batch, the seed, and by how many.

    replicas: of each worker.
    """

    rows: Rows
    batch: int
    seed: int
    workers: int = 2
    replicas: int = 1
    epochs: int = 3

    @property
    def steps(self) -> int:
        """Steps of one epoch of the sequential run."""
        return -(-len(self.rows) // self.batch)

    @property
    def most_steps(self) -> int:
        """Steps of one epoch after which an input function is taken to be endless."""
        return 2 * self.workers * self.steps + 2

    @property
    def data(self) -> tf.data.Dataset:
        """The rows in order: (id, x, y) for each."""
        rows = (self.rows.ids, self.rows.x, self.rows.y)
        return tf.data.Dataset.from_tensor_slices(rows)


def verified(result: object) -> tf.data.Dataset:
    """Return what an input function returned, if a worker can train on it.

    Raises:
        WrongReturn: it is no dataset of batches of (id, x, y).
    """
    wanted = "a tf.data.Dataset whose elements are batches (id, x, y)"
    if not isinstance(result, tf.data.Dataset):
        raise WrongReturn.of(result, wanted)
    spec = result.element_spec
    if not isinstance(spec, tuple) or len(spec) != 3:
        raise WrongReturn.of(result, wanted, f"a dataset whose elements are {spec}")
    ranks = [part.shape.rank for part in spec]
    if ranks == [0, 1, 0]:
        what = "a dataset whose elements are single rows"
        raise WrongReturn.of(result, wanted, what)
    if ranks != [1, 2, 1]:
        what = (
            f"a dataset whose ids have {ranks[0]} axes, not 1: are batches batched "
            "again?"
        )
        raise WrongReturn.of(result, wanted, what)
    return result


def read_by_hand(make: Make, reading: Reading) -> Reads:
    """Call an input function once for each worker, and read all epochs."""
    tf.random.set_seed(None)  # a new process has none, nor has the sequential run
    data = reading.data
    contexts = [
        tf.distribute.InputContext(
            num_input_pipelines=reading.workers,
            input_pipeline_id=worker,
            num_replicas_in_sync=reading.workers * reading.replicas,
        )
        for worker in range(reading.workers)
    ]
    made = [verified(make(c, data, reading.batch, reading.seed)) for c in contexts]
    return [
        in_steps(
            [list(turns(_batches(each, reading), reading)) for each in made],
            reading.replicas,
        )
        for _ in range(reading.epochs)
    ]


def _batches(dataset: tf.data.Dataset, reading: Reading) -> Iterator[list[int]]:
    limit = reading.most_steps * reading.replicas
    return (ids.numpy().tolist() for ids, _, _ in dataset.take(limit))


def turns(batches: Iterator[list[int]], reading: Reading) -> Iterator[list[list[int]]]:
    """Hand one worker's batches out: in each step, one for each of its replicas."""
    while turn := list(islice(batches, reading.replicas)):
        yield turn + [[]] * (reading.replicas - len(turn))


def in_steps(epoch: list, replicas: int = 1) -> list:
    """Turn the steps of each worker into the workers of each step.

    A worker that has no more rows takes part with empty batches.
    """
    longest = max(map(len, epoch))
    nothing = [[] for _ in range(replicas)]
    return [
        [steps[k] if k < len(steps) else nothing for steps in epoch]
        for k in range(longest)
    ]


def sequential_batches(reading: Reading) -> list[list[list[int]]]:
    """Return the rows of each step of each epoch on one device: [epoch][step]."""
    tf.random.set_seed(None)  # it would change what a seed of shuffle means
    data = reading.data.shuffle(len(reading.rows), seed=reading.seed)
    batched = data.batch(reading.batch)
    return [
        [ids.numpy().tolist() for ids, _, _ in batched] for _ in range(reading.epochs)
    ]
