"""The evidence for what notebook 21 states in its claims."""

import pytest
import tensorflow as tf

from course.runs.cluster import run_workers
from course.runs.devices import mirrored

pytestmark = pytest.mark.prove


def test_claim_001_01(devices):
    """Placement crashes, data are wrong without a word, synchronization stalls."""
    with pytest.raises(ValueError, match="'O'"), tf.device("gpu:O"):
        tf.constant(1.0)
    strategy, read = mirrored(devices[:2]), []
    for batch in tf.data.Dataset.range(8).batch(4):
        each = strategy.run(tf.identity, args=(batch,))
        read += [
            int(n) for part in strategy.experimental_local_results(each) for n in part
        ]
    assert sorted(read) == sorted([*range(8), *range(8)])

    def add_up():
        tf.distribute.get_replica_context().all_reduce("SUM", tf.constant(1.0))

    def leaves_early():
        strategy = tf.distribute.MultiWorkerMirroredStrategy()
        for _ in range(3 - strategy.cluster_resolver.task_id):
            strategy.run(add_up)

    ends = run_workers(leaves_early).ends
    assert [end.outcome for end in ends] == ["waited", "returned"]
