"""A check is held up by no iterator of tf.data that waits for its tuning."""

import gc
import weakref

import tensorflow as tf
from tensorflow.python.data.ops import iterator_ops, multi_device_iterator_ops

from course.checks.iterators import undisturbed, untuned
from course.runs.devices import mirrored


class Rubbish:
    """Only the collector of garbage deletes it."""

    def __init__(self):
        self.itself = self


def made_for_devices(devices, monkeypatch):
    """Rows of each replica and step, and whether the iterators are tuned."""
    made, usual = [], multi_device_iterator_ops.OwnedMultiDeviceIterator.__init__
    create = multi_device_iterator_ops._create_device_dataset

    def creating(*args):
        made.append(create(*args))
        return made[-1]

    def init(*args, **named):
        with monkeypatch.context() as patch:
            patch.setattr(multi_device_iterator_ops, "_create_device_dataset", creating)
            usual(*args, **named)

    strategy, data = mirrored(devices), tf.data.Dataset.range(22).batch(6)
    with monkeypatch.context() as patch:
        patch.setattr(
            multi_device_iterator_ops.OwnedMultiDeviceIterator, "__init__", init
        )
        rows = [
            [part.numpy().tolist() for part in strategy.experimental_local_results(b)]
            for b in strategy.experimental_distribute_dataset(data)
        ]
    return rows, [data.options().autotune.enabled for data in made]


def test_devices_iterators_are_not_tuned_and_give_the_same_rows(devices, monkeypatch):
    usual, tuned = made_for_devices(devices[:3], monkeypatch)
    with undisturbed():
        with undisturbed():  # each step of a run has such a block within the check's
            pass
        rows, untuned = made_for_devices(devices[:3], monkeypatch)
    assert rows == usual
    assert tuned == [None] * 3  # which TensorFlow takes for True
    assert untuned == [False] * 3
    assert made_for_devices(devices[:3], monkeypatch)[1] == tuned


def test_no_garbage_of_others_is_collected_and_what_the_block_made_is():
    old = weakref.ref(Rubbish())
    with undisturbed():
        assert not gc.isenabled()
        new = weakref.ref(Rubbish())
        for _ in range(3000):
            Rubbish()
        assert old() is not None
    assert new() is None
    assert gc.isenabled()


def test_no_iterator_of_a_worker_is_tuned_and_datasets_keep_their_options(monkeypatch):
    made, usual = [], iterator_ops.OwnedIterator._create_iterator

    def create(iterator, dataset):
        usual(iterator, dataset)
        made.append(iterator._dataset.options().autotune.enabled)

    monkeypatch.setattr(iterator_ops.OwnedIterator, "_create_iterator", create)
    data = tf.data.Dataset.range(22).batch(6)
    with untuned():
        rows = [batch.numpy().tolist() for batch in data]
    assert rows == [batch.numpy().tolist() for batch in data]
    assert made == [False, None]
    assert data.options().autotune.enabled is None
