"""With GPU:0 to GPU:3 for devices, checks that name or count devices say RIGHT, too.

No GPU is needed: see as_if_gpus.py. It shows that no check relies on the name CPU.
"""

import nbformat
import pytest
from checkout import ROOT
from nbclient import NotebookClient
from tensorflow.tsl.profiler.protobuf import xplane_pb2

from autograder.check import results_of
from autograder.places import course_places
from course.lessons.n09_four_devices_speed_of_one.op_events import operations_of

PLACES = course_places(ROOT)
STAND_IN = f"import sys; sys.path.insert(0, {str(ROOT / 'tests')!r}); import as_if_gpus"
NAMED = "07", "09", "10"  # their checks and cells name devices


@pytest.mark.prove
@pytest.mark.parametrize("number", NAMED)
def test_all_checks_are_right_where_devices_are_gpus(number):
    path = PLACES.solution(PLACES.find(number))
    notebook = nbformat.read(path, as_version=4)
    said = "from course.learner.machine import self_test; self_test(devices)"
    cells = [nbformat.v4.new_code_cell(code) for code in (STAND_IN, said)]
    start = next(k for k, cell in enumerate(notebook.cells) if cell.id == "start")
    notebook.cells.insert(start + 1, cells[1])
    notebook.cells.insert(start, cells[0])
    NotebookClient(notebook, timeout=120).execute(cwd=str(path.parent))
    assert "GPU:0 to GPU:3" in str(notebook.cells[start + 2].outputs)
    outcomes = {each.exercise: each.outcome for each in results_of(notebook)}
    assert set(outcomes.values()) == {"RIGHT"}, outcomes


def test_the_rows_of_a_gpu_are_left_out_of_a_trace():
    """There the profiler has planes of the card, with the same operations once more."""
    space = xplane_pb2.XSpace()
    for name in ("/host:CPU", "/device:GPU:0"):
        plane = space.planes.add(name=name)
        plane.event_metadata[1].name = "replica_1/MatMul:MatMul"
        plane.lines.add().events.add(metadata_id=1)
    assert operations_of(space) == [(0, "replica_1/MatMul:MatMul")]
