"""Masks keep whose they are; what has another shape is explained."""

import pytest
import tensorflow as tf

from course.checks.failures import StepFailed
from course.lessons.n04_changes_with_replica_count.dropout_masks import draw_masks
from course.runs.devices import mirrored


def by_row(step, ids, units):
    return tf.cast(
        ids[:, None] * 10 + step + tf.zeros([1, units], tf.int32), tf.float32
    )


def test_every_row_keeps_its_mask(devices):
    run = draw_masks(by_row, 7, 4, 4, 3, mirrored(devices))
    assert run.ids[0] == ((0,), (1,), (2,), (3,)) and run.ids[1] == (
        (4,),
        (5,),
        (6,),
        (),
    )
    assert run.by_row(1) == {
        row: pytest.approx([10 * row + 1] * 3) for row in (4, 5, 6)
    }
    one = draw_masks(by_row, 7, 4, 4, 3, mirrored(devices[:1]))
    assert not any(run.differing(one, step) for step in range(4))
    assert run.differing(draw_masks(shifted, 7, 4, 4, 3, mirrored(devices)), 0)


def shifted(step, ids, units):
    return by_row(step + 1, ids, units)


@pytest.mark.parametrize(
    ("mask", "words"),
    [
        (lambda step, ids, units: tf.ones([units]), r"shape \(rows, 3\)"),
        (lambda step, ids, units: tf.ones([2, units + 1]), r"shape \(rows, 3\)"),
        (lambda step, ids, units: tf.ones([5, units]), "5 rows for 1 ids"),
        (lambda step, ids, units: None, "None"),
        (lambda step, ids, units: [float(row) for row in ids], "Use tf.map_fn"),
    ],
)
def test_another_shape_is_explained(devices, mask, words):
    with pytest.raises(StepFailed, match=words):
        draw_masks(mask, 4, 4, 1, 3, mirrored(devices))
