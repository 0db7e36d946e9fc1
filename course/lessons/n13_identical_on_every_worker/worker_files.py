"""Real files on two real workers: who reads what, by the policy that shards them."""

from __future__ import annotations

import tempfile
from pathlib import Path

import tensorflow as tf

from course.checks.failures import StepFailed
from course.runs.cluster import ClusterRun, run_workers

ROWS, BATCH = 48, 8


def read_files(policies: dict[str, int]) -> dict[str, list[list[int]] | str]:
    """Let two workers read 48 rows from files, by `experimental_distribute_dataset`.

    Args:
        policies: AutoShardPolicy ("FILE", "DATA", "OFF") -> in how many files.

    Returns:
        policy -> for each worker the number of rows in each step, or an error's words.
    """
    with tempfile.TemporaryDirectory(prefix="course-files-") as folder:
        found = {}
        for policy, count in policies.items():
            paths = _write(Path(folder), count)
            found[policy] = _told(run_workers(_read, paths, policy, tries=2))
        return found


def _write(folder: Path, count: int) -> list[str]:
    paths = []
    for number in range(count):
        path = str(folder / f"{count}-{number}.tfrecord")
        with tf.io.TFRecordWriter(path) as writer:
            for row in range(number, ROWS, count):
                writer.write(str(row).encode())
        paths.append(path)
    return paths


def _read(paths: list[str], policy: str) -> list[int]:
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    options = tf.data.Options()
    sharding = getattr(tf.data.experimental.AutoShardPolicy, policy)
    options.experimental_distribute.auto_shard_policy = sharding
    data = tf.data.Dataset.from_tensor_slices(paths).interleave(tf.data.TFRecordDataset)
    data = data.batch(BATCH).with_options(options)
    sizes = []
    for batch in strategy.experimental_distribute_dataset(data):
        (local,) = strategy.experimental_local_results(batch)
        sizes.append(len(local))
    return sizes


def _told(run: ClusterRun) -> list[list[int]] | str:
    try:
        return run.values()
    except StepFailed as error:
        return str(error)
