"""Real workers that train on rows in shared files, and the ways to share these out."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import tensorflow as tf

from course.lessons.n14_identical_on_every_worker.worker_input import (
    Make,
    Reading,
    sequential_batches,
)
from course.lessons.n14_identical_on_every_worker.worker_training import (
    Told,
    WorkerRun,
    made_by,
    recorded,
    train_on,
)
from course.runs.cluster import Cluster, ClusterRun, note
from course.runs.worker_steps import worker_strategy
from course.runs.workloads import Rows, regression

ROWS, BATCH, SEED, EPOCHS = 24, 6, 5, 3
TRIES = 2  # where workers came to rest: TensorFlow's collectives do, now and then
WHY = "refused"


def nobody(context, rows, batch, seed) -> tf.data.Dataset:
    """Every worker reads all rows."""
    rows = rows.shuffle(len(rows), seed=seed)
    return rows.batch(context.get_per_replica_batch_size(batch))


def part_first(context, rows, batch, seed) -> tf.data.Dataset:
    """Every worker takes its own rows, and shuffles these."""
    rows = rows.shard(context.num_input_pipelines, context.input_pipeline_id)
    rows = rows.shuffle(len(rows), seed=seed)
    return rows.batch(context.get_per_replica_batch_size(batch))


@dataclass(frozen=True)
class Way:
    """How rows in files come to the workers.

    shared: an input function of (context, rows, batch, seed), or the name of an
        AutoShardPolicy, by which the strategy shards: "FILE", "DATA", "OFF" or "AUTO".
    files: how many the rows are in, dealt out like cards.
    own_seeds: each worker shuffles with another seed.
    """

    shared: Make | str
    files: int = 3
    own_seeds: bool = False

    @property
    def label(self) -> str:
        """How figures name it."""
        if callable(self.shared):
            return self.shared.__name__.replace("_", " ")
        return f"policy {self.shared}"


def train_from_files(ways: Sequence[Way], workers: int = 2) -> list[WorkerRun]:
    """Train on the same 24 rows in each of these ways, one after the other.

    Raises:
        ValueError: TensorFlow refuses to share the files out in one of them; says why.
        StepFailed: a worker stopped with another error; says which, and why.
    """
    rows = regression(ROWS)
    reading = Reading(rows, BATCH, SEED, workers=workers, epochs=EPOCHS)
    with tempfile.TemporaryDirectory(prefix="course-files-") as folder:
        kept = {way.files: _write(Path(folder), rows, way.files) for way in ways}
        for _ in range(TRIES):
            run = _run(ways, kept, reading)
            if all(end.outcome != "waited" for end in run.ends):
                break
    told = zip(*run.values(), strict=True)
    return [
        recorded(each, reading, way.label) for way, each in zip(ways, told, strict=True)
    ]


def _run(
    ways: Sequence[Way], kept: dict[int, list[str]], reading: Reading
) -> ClusterRun:
    with Cluster({"worker": reading.workers}) as cluster:
        cluster.start(_train, ways, kept, reading)

        def refused() -> str:
            """Why one can't begin: the others wait for it."""
            last = [
                beat for name in cluster.configs for beat in cluster.beats(name)[-1:]
            ]
            return next((beat.facts[WHY] for beat in last if WHY in beat.facts), "")

        if cluster.wait_until(lambda: bool(refused())):
            raise ValueError(refused())
        return cluster.finish()


def _write(folder: Path, rows: Rows, count: int) -> list[str]:
    paths = []
    for number in range(count):
        path = str(folder / f"{count}-{number}.tfrecord")
        with tf.io.TFRecordWriter(path) as writer:
            for row in range(number, len(rows), count):
                values = [row, *rows.x[row], rows.y[row]]
                writer.write(np.array(values, np.float32).tobytes())
        paths.append(path)
    return paths


def _read(paths: Sequence[str]) -> tf.data.Dataset:
    """Return the rows of all files, in their order: (id, x, y) for each."""
    data = tf.data.Dataset.from_tensor_slices(list(paths))
    data = data.interleave(tf.data.TFRecordDataset, cycle_length=len(paths))

    def parsed(record: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor, tf.Tensor]:
        values = tf.ensure_shape(tf.io.decode_raw(record, tf.float32), [4])
        return tf.cast(values[0], tf.int64), values[1:3], values[3]

    return data.map(parsed)


def _train(
    ways: Sequence[Way], kept: dict[int, list[str]], reading: Reading
) -> list[Told]:
    """The inside of a worker: for each way what it read, and its weights."""
    strategy = worker_strategy()
    sequential = sequential_batches(reading)
    told = []
    for way in ways:
        data = _read(kept[way.files])
        own = strategy.cluster_resolver.task_id if way.own_seeds else 0
        try:
            epoch = _epochs(way, strategy, reading, data, reading.seed + own)
            trained = train_on(strategy, reading, epoch)
        except tf.errors.InvalidArgumentError as error:
            said = error.message.split("}} ")[-1].split(". ")[0]
            note(**{WHY: f"{way.label}: {said}."})
            raise
        told.append({**trained, "sequential": sequential})
    return told


def _epochs(
    way: Way,
    strategy: tf.distribute.Strategy,
    reading: Reading,
    data: tf.data.Dataset,
    seed: int,
) -> Callable[[], Iterator]:
    """Return what makes an iterator over this worker's batches of an epoch."""
    if callable(way.shared):
        counted = data.apply(tf.data.experimental.assert_cardinality(ROWS))

        def seeded(context, rows, batch, _):
            return way.shared(context, rows, batch, seed)

        made = made_by(seeded, strategy, reading, counted)
        return lambda: iter(made.take(reading.most_steps))
    options = tf.data.Options()
    options.experimental_distribute.auto_shard_policy = getattr(
        tf.data.experimental.AutoShardPolicy, way.shared
    )
    data = data.shuffle(ROWS, seed=seed).batch(reading.batch).with_options(options)
    shared = strategy.experimental_distribute_dataset(data)
    local = strategy.experimental_local_results
    return lambda: (tuple(local(part)[0] for part in batch) for batch in iter(shared))
