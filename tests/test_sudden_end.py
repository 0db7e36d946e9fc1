"""Whose code it is that a kill waits for."""

import subprocess
import sys

MOVED = """
import sys
sys.prefix = sys.base_prefix = "/nowhere"  # as where PYTHONPATH leads to TensorFlow
import keras, tensorflow as tf
from course.runs.sudden_end import _is_own
for function in (tf.train.CheckpointManager.save, keras.Model.fit, lambda: None):
    frame = type("Frame", (), {"f_code": function.__code__})
    print(_is_own(frame))
"""


def test_libraries_are_no_learners_code_wherever_they_are():
    command = [sys.executable, "-c", MOVED]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.stdout.split() == ["False", "False", "True"], done.stderr
