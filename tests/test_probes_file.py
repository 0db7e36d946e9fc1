"""docs/probes.py: all probes in one module, as the notebooks have them."""

import ast
import subprocess
import sys

import pytest

from autograder.places import course_places
from autograder.probes import read_probes
from autograder.probes_file import render_probes_file
from autograder.source import read_source

PLACES = course_places()
SOURCES = [read_source(PLACES.source(name)) for name in PLACES.names()]
PROBES = [probe for source in SOURCES for probe in read_probes(source)]
TEXT = render_probes_file(PLACES, SOURCES)
USE = """\
import sys
sys.path.insert(0, sys.argv[1])
import probes, tensorflow as tf
tf.config.set_logical_device_configuration(
    tf.config.list_physical_devices("CPU")[0],
    [tf.config.LogicalDeviceConfiguration()] * 2,
)
strategy = tf.distribute.MirroredStrategy(
    ["CPU:0", "CPU:1"], cross_device_ops=tf.distribute.ReductionToOneDevice()
)
with strategy.scope():
    w = tf.Variable([1.0, 2.0])
print("spread", probes.largest_spread(strategy, [w]))
data = tf.data.Dataset.range(7).batch(4)
probes.describe_training(strategy, strategy.experimental_distribute_dataset(data), 0.1)
probes.who_answers({"cluster": {"worker": ["127.0.0.1:9"]}, "task": "none"})
"""


@pytest.mark.parametrize("probe", PROBES, ids=lambda probe: probe.name)
def test_each_probe_stands_there_as_in_its_notebook(probe):
    for code in (probe.code, *probe.forms):
        (function,) = [n for n in ast.parse(code).body if hasattr(n, "args")]
        assert TEXT.count(ast.get_source_segment(code, function)) == 1


def test_it_needs_tensorflow_numpy_and_python_alone():
    found = set()
    for node in ast.walk(ast.parse(TEXT)):
        if isinstance(node, ast.Import):
            found |= {each.name.split(".")[0] for each in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module.split(".")[0])
    assert found - set(sys.stdlib_module_names) == {"numpy", "tensorflow"}


def test_it_names_its_licence():
    assert "SPDX-License-Identifier: BSD-3-Clause" in TEXT
    assert "BSD 3-Clause" in (PLACES.root / "LICENSE").read_text(encoding="utf-8")


def test_it_can_be_imported_beside_a_job_and_used():
    command = [sys.executable, "-c", USE, str(PLACES.docs)]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0, ran.stderr[-2000:]
    lines = ran.stdout.splitlines()
    assert lines[0] == "spread 0.0"
    assert "global batch: 4  of the last step: 3" in lines
    assert "refused: nobody listens there" in lines[-1]
