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


def test_on_a_gpu_kernels_tell_which_operation_launched_them():
    """As on an H100: the host's rows name none, and one run may launch two kernels."""
    room = "course.lessons.n09_four_devices_speed_of_one"
    events = pytest.importorskip(f"{room}.op_events")
    names = ["tf_op", "scope_range_id", "MatMul:MatMul", "replica_1/layer:MatMul"]
    launched = {13: [(3, 11), (3, 11), (3, 15)], 17: [(4, 12)]}
    space = xplane_pb2.XSpace()
    host = space.planes.add(name="/host:CPU")
    host.event_metadata[1].name = "ExecutorState::Process"
    host.lines.add().events.add(metadata_id=1)
    card = space.planes.add(name="/device:GPU:0")
    for number, name in enumerate(names, start=1):
        card.stat_metadata[number].name = name
    card.event_metadata[1].name = "void gemmSN_NN_kernel<float, 128, 2, 4, 8>"
    for stream, kernels in launched.items():
        line = card.lines.add(name=f"Stream #{stream}(Compute)")
        for at, (operation, run) in enumerate(kernels):
            event = line.events.add(metadata_id=1, offset_ps=at)
            event.stats.add(metadata_id=1, ref_value=operation)
            event.stats.add(metadata_id=2, int64_value=run)
    assert events.operations_of(space) == [
        (0, "MatMul:MatMul"),
        (0, "MatMul:MatMul"),
        (1, "replica_1/layer:MatMul"),
    ]
