"""What this notebook draws: the paths of replicas, and how far they are apart."""

from itertools import pairwise

import numpy as np
import pytest
from picture_rules import picture_tests, written

from course.lessons.n02_replicas_drift_apart.divergence import divergence
from course.lessons.n02_replicas_drift_apart.even_shards import EVEN
from course.lessons.n02_replicas_drift_apart.weights_plane import weights_plane
from course.pictures.picture import Picture, png
from course.runs.recording import Recording
from course.runs.update_rules import Job, descend, each, follow, mean_gradient
from course.runs.workloads import regression

JOB = Job(regression(24), 8, 4)


def own(copies, shards):
    return descend(copies, each(mean_gradient, copies, shards))


def averaged(copies, shards):
    return descend(copies, each(mean_gradient, copies, shards).mean(axis=0))


RIGHT = follow(averaged, JOB, "my_step")
BROKEN = follow(own, JOB, "broken_step")
SEQUENTIAL = Recording("sequential", RIGHT.copies[:, :1])
NOISE = np.geomspace(1e-8, 1e-2, 300)


PICTURES = {
    "one run": lambda: weights_plane(SEQUENTIAL, BROKEN),
    "a right run": lambda: weights_plane(SEQUENTIAL, RIGHT),
    "before and after": lambda: weights_plane(SEQUENTIAL, BROKEN, RIGHT),
    "first step": lambda: weights_plane(SEQUENTIAL, BROKEN, step=1),
    "start": lambda: weights_plane(SEQUENTIAL, BROKEN, step=0),
    "noise": lambda: divergence({"broken_step": np.full(300, 0.3), "right": NOISE}),
}


test_a_figure_can_be_read_and_has_words = picture_tests(PICTURES)


def test_the_step_changes_the_picture():
    assert png(PICTURES["one run"]()) != png(PICTURES["first step"]())


def test_the_sentence_tells_drift_from_agreement():
    assert "differ by up to" in PICTURES["one run"]().sentence
    assert "equal the sequential run" in PICTURES["a right run"]().sentence


def test_bad_input_gets_a_sentence():
    with pytest.raises(ValueError, match="step goes from 0 to 10, not 11"):
        weights_plane(SEQUENTIAL, BROKEN, step=11)
    with pytest.raises(ValueError, match="one or two runs of 10 steps"):
        weights_plane(SEQUENTIAL)


@pytest.mark.parametrize("seed", range(5))
def test_labels_stay_apart_for_other_rows(seed):
    rng = np.random.default_rng(seed)
    for job in EVEN.cases(rng):
        truth = follow(averaged, job)
        run = follow(own, job, "broken_step")
        picture = weights_plane(Recording("sequential", truth.copies[:, :1]), run)
        assert isinstance(picture, Picture)
        labels = [
            box for words, _, box in written(picture.figure) if "replica" in words
        ]
        labels.sort(key=lambda box: box.y0)
        assert all(low.y1 <= high.y0 + 1 for low, high in pairwise(labels))
