"""00's line on this machine: what it names, and what unfolds it."""

import pytest
import tensorflow as tf

from course.learner.machine import find_troubles, found_here, self_test

CPUS, GPUS = ["CPU:0", "CPU:1"], ["GPU:0", "GPU:1"]


def test_it_says_what_is_there():
    said = found_here()
    assert said.startswith(f"TensorFlow {tf.__version__}, Keras 3.")
    assert " no GPU, " in said and said.endswith(" GB")


def test_a_gpu_is_named(monkeypatch):
    card = [object()]
    monkeypatch.setattr(tf.config, "list_physical_devices", lambda kind: card)
    details = {"device_name": "Tesla T4"}
    monkeypatch.setattr(
        tf.config.experimental, "get_device_details", lambda device: details
    )
    assert ", 1 GPU (Tesla T4), " in found_here()
    card *= 2
    details.clear()
    assert ", 2 GPUs, " in found_here()


@pytest.mark.parametrize(
    ("tensorflow", "keras", "free", "devices", "words"),
    [
        ("2.18.0", "3.10.0", 4, CPUS, []),
        ("2.21.0-rc1", "3.15.1", 4, CPUS, []),
        ("2.17.1", "3.15.1", 4, CPUS, ["2.18 to 2.21"]),
        ("2.22.0", "3.15.1", 4, CPUS, ["2.18 to 2.21"]),
        ("2.18.0", "3.9.2", 4, CPUS, ["logs another loss"]),
        ("2.21.0", "3.15.1", 0.4, CPUS, ["Only 0.4 GB"]),
        ("2.21.0", "3.15.1", 4, GPUS, ["parts of one GPU"]),
        ("2.17.0", "3.5.0", 0.4, GPUS, ["2.17.0", "Keras 3.5.0", "0.4 GB", "one GPU"]),
    ],
)
def test_what_may_spoil_the_course_is_said(tensorflow, keras, free, devices, words):
    troubles = find_troubles(tensorflow, keras, free, devices)
    assert len(troubles) == len(words)
    assert all(word in said for word, said in zip(words, troubles, strict=True))


def test_the_line_is_shown(monkeypatch):
    shown = []
    monkeypatch.setattr("course.learner.machine.display", lambda h: shown.append(h))
    self_test(CPUS)
    assert "2 devices (CPU:0 to CPU:1). TensorFlow" in shown[0].data
