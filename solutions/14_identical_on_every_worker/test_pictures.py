"""What this notebook draws: which worker reads which row, in which step."""

import numpy as np
import pytest
from picture_rules import picture_tests

from course.lessons.n14_identical_on_every_worker.who_read import who_read
from course.lessons.n14_identical_on_every_worker.worker_input import Reading
from course.lessons.n14_identical_on_every_worker.worker_training import WorkerRun
from course.pictures.parts import parts_at
from course.runs.recording import Recording
from course.runs.workloads import regression

ROWS = 24
ONE = [[list(range(k, k + 6)) for k in range(0, ROWS, 6)]] * 3
SHARED = [[ids[::2], ids[1::2]] for ids in ONE[0]]
TWICE = [[list(range(k, k + 3))] * 2 for k in range(0, ROWS, 3)]
LOST = [[ids[:2], ids[1:3], ids[3:5]] for ids in ONE[0]]


def read(epoch, off, label="policy DATA"):
    """Workers whose first epoch is `epoch`, and `off` from one device after it."""
    steps, workers = 3 * len(epoch), len(epoch[0])
    truth = np.zeros((13, 2))
    copies = (
        np.zeros((steps + 1, workers, 2))
        + off * (np.arange(steps + 1) > 0)[:, None, None]
    )
    ids = tuple(tuple(map(tuple, step)) for step in epoch * 3)
    reading = Reading(regression(ROWS), 6, 5, workers)
    recording = Recording(label, copies, ids)
    return WorkerRun(recording, (len(epoch),) * 3, truth, ONE, reading)


PICTURES = {
    "each row once": lambda: who_read(read(SHARED, 0.0)),
    "each row twice": lambda: who_read(read(TWICE, 0.3, "nobody")),
    "three workers, rows lost": lambda: who_read(read(LOST, 0.04)),
    "one worker": lambda: who_read(read([[ids] for ids in ONE[0]], 0.0)),
}


test_a_figure_can_be_read_and_has_words = picture_tests(PICTURES)


@pytest.mark.parametrize(
    ("epoch", "moment", "said"),
    [
        (SHARED, 1, "policy DATA, step 1: the rows of one device; 12 of 24 rows"),
        (
            TWICE,
            0,
            "step 0: not the rows of one device; 3 of 24 rows have been read, 3",
        ),
        (LOST, 3, "4 of them again. 4 rows are never read. After 12 steps"),
    ],
)
def test_each_moment_has_its_sentence(epoch, moment, said):
    assert said in who_read(read(epoch, 0.1)).said[moment]


def test_a_box_says_what_is_wrong_with_it():
    says = parts_at(who_read(read(TWICE, 0.3)).figure, 7)
    assert "worker 0, row 5: step 1, not as on one device" in says
    assert "worker 1, row 1: step 0, read before in this epoch" in says
    lost = parts_at(who_read(read(LOST, 0.1)).figure, 3)
    assert "row 5: no worker reads it" in lost
