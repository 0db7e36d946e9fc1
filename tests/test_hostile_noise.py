"""What a notebook displays never costs points: one right answer, thirty kinds of noise.

`COURSE_NOISE_TIMES` says how often each is graded, two busy processes beside it.
"""

import contextlib
import os
import subprocess
import sys

import pytest
from hostile_course import (
    FIRST,
    MARKS,
    RIGHT,
    Submission,
    answer,
    cell,
    grade_class,
    hand_in,
    make_course,
)
from nbformat.v4 import new_code_cell

pytestmark = MARKS
TIMES = int(os.environ.get("COURSE_NOISE_TIMES", "1"))
BUSY = 2  # processes beside
CLEAR = "from IPython.display import clear_output\n"
SHOW = "from IPython.display import display, HTML, Markdown, update_display\n"
LOG = "import logging\nlogging.basicConfig(level=0)\n"
PLOT = "import matplotlib.pyplot as plt\n"
WIDGETS = "import ipywidgets as w\nfrom IPython.display import display\n"
NOISE = {
    "flushed": "for k in range(10_000): print(k, flush=True)",
    "lines": "for k in range(7_000): print('line', k)",
    "one-long-line": "print('x' * 5_000_000)",
    "no-newlines": "for k in range(20_000): print('.', end='', flush=k % 3 == 0)",
    "to-stderr": "import sys\n"
    "for k in range(5_000): print(k, file=sys.stderr, flush=True)",
    "both-streams": "import sys\nfor k in range(3_000):\n"
    "    print(k, flush=True); print(k, file=sys.stderr, flush=True)",
    "written": "import sys\nfor k in range(10_000): sys.stdout.write('a\\n')",
    "in-place": "for k in range(6_000): print(f'\\r{k}', end='', flush=True)",
    "displayed": f"{SHOW}for k in range(3_000): display(k)",
    "html": f"{SHOW}for k in range(2_000): display(HTML('<b>x</b>'))",
    "markdown": f"{SHOW}for k in range(1_500): display(Markdown('# a'))",
    "updated": f"{SHOW}handle = display(0, display_id=True)\n"
    "for k in range(3_000): handle.update(k)",
    "cleared": f"{CLEAR}for k in range(1_500):\n    clear_output(wait=True); print(k)",
    "progress": f"{WIDGETS}bar = w.IntProgress(max=3_000)\ndisplay(bar)\n"
    "for k in range(3_000): bar.value = k",
    "sliders": f"{WIDGETS}for k in range(500): display(w.IntSlider(k % 100))",
    "output-widget": f"{WIDGETS}out = w.Output()\ndisplay(out)\nwith out:\n"
    "    for k in range(3_000): print(k, flush=True)",
    "interact": f"{WIDGETS}for k in range(50): w.interact(lambda x: x, x=10)",
    "log": f"{LOG}for k in range(5_000): logging.info('step %d', k)",
    "debug-log": f"{LOG}logging.getLogger().setLevel(logging.DEBUG)",
    "warnings": "import warnings\nwarnings.simplefilter('always')\n"
    "for k in range(3_000): warnings.warn(f'w {k}')",
    "tf-print": "import tensorflow as tf\nfor k in range(2_000): tf.print(k)",
    "os-write": "import os\nfor k in range(5_000): os.write(1, b'a line\\n')",
    "shell": "!seq 5000",
    "figures": f"{PLOT}for k in range(12):\n    plt.plot([k]); plt.show()",
    "large-array": "print([*range(200_000)])",
    "thread": "import threading\ndef talk():\n"
    "    for k in range(10_000): print(k, flush=True)\n"
    "threading.Thread(target=talk).start()",
    "endless-thread": "import threading, time\ndef talk():\n"
    "    while True: print('still here', flush=True); time.sleep(0.001)\n"
    "threading.Thread(target=talk, daemon=True).start()",
    "traceback": "for k in range(500):\n    try: 1 / 0\n"
    "    except ZeroDivisionError: get_ipython().showtraceback()",
    "tqdm": "import sys\nfor k in range(5_000):\n"
    "    sys.stderr.write(f'\\r{k / 50:.0f}%|###'); sys.stderr.flush()",
    "last-value": "[[k] * 50 for k in range(900)]",
}
IN_ANSWER = RIGHT.replace(
    "    for step", "    for k in range(5_000): print(k, flush=True)\n    for step"
)


def above(code: str):
    """Noise above a right answer."""

    def change(notebook):
        answer(RIGHT)(notebook)
        place = notebook.cells.index(cell(notebook, "my_first_drift-fix"))
        notebook.cells.insert(place, new_code_cell(code, id="noise"))

    return change


def everywhere(code: str):
    """Noise in each cell of the learner's own."""

    def change(notebook):
        answer(f"{code}\n{RIGHT}")(notebook)
        for number, mark in enumerate(("my_first_drift-fix", FIRST)):
            place = notebook.cells.index(cell(notebook, mark))
            own = new_code_cell(code, id=f"noise-{number}")
            notebook.cells.insert(place, own)

    return change


KINDS = {
    **{name: above(code) for name, code in NOISE.items()},
    "in-answer": answer(IN_ANSWER),
    "everywhere": everywhere(NOISE["flushed"]),
}
SUBMISSIONS = [
    Submission(f"{name}-{number}", change, (3, 0))
    for number in range(TIMES)
    for name, change in KINDS.items()
]


@contextlib.contextmanager
def load():
    """Busy processes, for as long as this lasts."""
    busy = [
        subprocess.Popen([sys.executable, "-c", "while 1: pass"]) for _ in range(BUSY)
    ]
    try:
        yield
    finally:
        for each in busy:
            each.kill()
            each.wait()


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    folder = tmp_path_factory.mktemp("noise")
    places = make_course(folder)
    hand_in(places, folder / "in", SUBMISSIONS)
    with pytest.MonkeyPatch.context() as patch, load():
        # as a class is graded: a busy machine takes ten seconds to print all that
        return grade_class(
            places, folder / "in", patch, cell_seconds=120.0, notebook_seconds=600.0
        )


def test_there_are_thirty_kinds():
    assert len(NOISE) >= 30


@pytest.mark.parametrize("student", [each.student for each in SUBMISSIONS])
def test_points_are_kept(graded, student):
    record = graded.record(student)
    assert graded.points(student) == (3, 0), record
    assert record.reasons == () and record.suspicions == (), record
