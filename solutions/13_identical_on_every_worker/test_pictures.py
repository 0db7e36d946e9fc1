"""What this notebook draws: which worker reads which row."""

import numpy as np
import pytest
from picture_rules import picture_tests

from course.lessons.n13_identical_on_every_worker.worker_input import Reading
from course.lessons.n13_identical_on_every_worker.worker_reads import worker_reads
from course.lessons.n13_identical_on_every_worker.worker_training import WorkerRun
from course.runs.recording import Recording
from course.runs.workloads import regression


def two_workers(shared, off):
    """Two workers in 18 steps, on the same rows or not, `off` from one device."""
    cuts = ((0, 4), (0, 4) if shared else (4, 8))
    ids = tuple(tuple(tuple(range(40 + a, 40 + b)) for a, b in cuts) for _ in range(18))
    truth = np.zeros((19, 2))
    copies = (
        np.repeat(truth[:, None], 2, axis=1) + off * (np.arange(19) > 0)[:, None, None]
    )
    label = "broken_dataset" if shared else "my_dataset"
    run = Recording(label, copies, ids)
    return WorkerRun(run, (6, 6, 6), truth, [], Reading(regression(48), 8, 5))


PICTURES = {
    "workers read the same rows": lambda: worker_reads(two_workers(True, 0.4)),
    "workers before and after": lambda: worker_reads(
        two_workers(True, 0.4), two_workers(False, 0.0)
    ),
    "workers, nothing mended": lambda: worker_reads(
        two_workers(True, 0.4), two_workers(False, 0.2)
    ),
}


test_a_figure_can_be_read_and_has_words = picture_tests(PICTURES)


def test_bad_input_gets_a_sentence():
    with pytest.raises(ValueError, match="one or two runs, of two workers each"):
        worker_reads()
