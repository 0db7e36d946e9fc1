"""A restore is recorded whatever it does; checkpoints can be written and damaged."""

import numpy as np
import pytest
import tensorflow as tf

from course.lessons.n19_restored_but_wrong.checkpoint_files import (
    bytes_of,
    cut,
    data_file,
    index_file,
    named_in,
    read,
    same_bits,
    turn_a_bit,
    write,
)
from course.lessons.n19_restored_but_wrong.restoring import restored_by

pytestmark = pytest.mark.usefixtures("devices")  # before TensorFlow starts

VALUES = {"one": np.array([1.5, 2.5], np.float32), "two": np.array([7, 8, 9])}


def program():
    return {name: tf.Variable(np.zeros_like(value)) for name, value in VALUES.items()}


def test_a_second_checkpoint_is_the_newest(tmp_path):
    write(tmp_path, {name: -value for name, value in VALUES.items()})
    path = write(tmp_path, VALUES)
    assert path.endswith("run-2")
    assert tf.train.latest_checkpoint(str(tmp_path)) == path
    held = read(path)
    assert held.pop("save_counter") == 2
    assert all(same_bits(held[name], value) for name, value in VALUES.items())


def test_damage_hits_one_array_only(tmp_path):
    path = write(tmp_path, VALUES)
    turn_a_bit(path, VALUES["one"])
    held = read(path)
    assert held["one"] is None and same_bits(held["two"], VALUES["two"])
    with pytest.raises(ValueError, match="bytes occur 0 times"):
        bytes_of(path, np.array([1.25, 8.5]))
    cut(data_file(path), bytes_of(path, VALUES["two"])[0] + 3)
    assert read(path)["two"] is None


def test_same_bits_knows_zeros_and_nan():
    zero, nan = np.float32(0.0), np.float32(np.nan)
    assert same_bits(nan, nan) and not same_bits(zero, -zero)
    assert not same_bits(zero, np.float64(0.0)) and not same_bits(zero, None)


def test_names_are_whole_words():
    words = "not restored: ['w', 'bias_1/.ATTRIBUTES'], kernel_2"
    assert named_in(words, ["w", "bias_1", "bias", "kernel", "kernel_2"]) == {
        "w",
        "bias_1",
        "kernel_2",
    }


def test_a_refusal_is_recorded(tmp_path):
    write(tmp_path, VALUES)

    def refuse(folder, variables):
        variables["one"].assign([1.5, 2.5])
        raise ValueError("two does not fit")

    run = restored_by(refuse, str(tmp_path), program())
    assert (run.label, run.error) == ("refuse", "ValueError: two does not fit")
    assert run.restored("one") and not run.restored("two")
    assert set(run.stored) == {"one", "two"} and run.losses is None


def test_another_error_is_recorded_as_well(tmp_path):
    def careless(folder, variables):
        return variables["three"]

    assert restored_by(careless, str(tmp_path), program()).error == "KeyError: 'three'"


def test_what_can_not_be_read_counts_as_nothing(tmp_path):
    index = index_file(write(tmp_path, VALUES))
    cut(index, index.stat().st_size // 2)
    run = restored_by(lambda folder, variables: None, str(tmp_path), program())
    assert run.stored == {} and not run.restored("one")
