"""What this notebook draws: the paths of replicas, and how far they are apart."""

from itertools import pairwise

import numpy as np
import pytest
from picture_rules import picture_tests, written

from course.lessons.n02_replicas_drift_apart import playing
from course.lessons.n02_replicas_drift_apart.divergence import divergence
from course.lessons.n02_replicas_drift_apart.even_shards import EVEN
from course.lessons.n02_replicas_drift_apart.weights_plane import weights_plane
from course.pictures.parts import parts_at
from course.pictures.picture import Picture
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
TWO = follow(own, Job(regression(24), 8, 2), "broken_step")
SEQUENTIAL = Recording("sequential", RIGHT.copies[:, :1])
NOISE = np.geomspace(1e-8, 1e-2, 300)


PICTURES = {
    "one run": lambda: weights_plane(SEQUENTIAL, BROKEN),
    "a right run": lambda: weights_plane(SEQUENTIAL, RIGHT),
    "before and after": lambda: weights_plane(SEQUENTIAL, BROKEN, RIGHT),
    "beside the run before": lambda: playing.picture(
        (SEQUENTIAL, BROKEN), (SEQUENTIAL, TWO)
    ),
    "noise": lambda: divergence(
        {"broken_step": np.full(300, 0.3), "a correctly trained network": NOISE}
    ),
}


test_a_figure_can_be_read_and_has_words = picture_tests(PICTURES)


def test_at_a_moment_only_what_was_then_is_shown():
    figure = PICTURES["one run"]().figure
    rows = ", ".join(map(str, BROKEN.ids[1][3]))  # of replica 3, in step 1
    said = [each for each in parts_at(figure, 2) if f"step 1: {rows}" in each]
    assert len(said) == 1 and said[0].startswith("replica 3 after 2 steps: w = (")
    assert not any("after 3 steps" in each for each in parts_at(figure, 2))
    assert len(parts_at(figure, 10)) == 11 * 5  # four copies, and one device


@pytest.mark.parametrize(
    ("replicas", "batch", "steps"), [(2, 4, 1), (3, 24, 20), (4, 12, 1)]
)
def test_the_instrument_answers_at_the_ends_of_its_knobs(
    devices, replicas, batch, steps
):
    def assign_own(w, x, y):
        w.assign_sub(x[0])

    truth, run = playing.run(replicas, batch, steps, assign_own)
    assert run.copies.shape == (steps + 1, replicas, 2) and truth.steps == steps
    said = playing.told((truth, run))
    assert said.startswith(f"assign_own, {replicas} replicas, {batch} rows in a step")
    assert len(playing.picture((truth, run), None).moments) == steps + 1


def test_the_sentence_tells_drift_from_agreement():
    assert "differ by up to" in PICTURES["one run"]().sentence
    assert "equal the sequential run" in PICTURES["a right run"]().sentence


def test_bad_input_gets_a_sentence():
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
