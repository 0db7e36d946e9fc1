"""What the probe prints, in jobs without the course: all that triage.md shows."""

import re

import pytest
from triage_page import END_OF_STEP, FIT, LOOP, script, shows
from triage_runs import KERAS, in_each_keras, run

pytestmark = [pytest.mark.prove, pytest.mark.xdist_group(__name__)]

# probe, which of the texts that its section prints (0 is the healthy one), run
CASES = [
    ("compare_runs", 0, "one_replica"),
    ("compare_runs", 0, "sound"),
    ("compare_runs", 1, "mean_of_means"),
]
# form for `fit`, which of its texts, job; a fourth: with this Keras only
FIT_CASES = [
    ("compare_runs", 0, "equal_shares"),
]

TWO = 'tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])'
ONE = 'tf.distribute.MirroredStrategy(["CPU:0"])'
PLAIN = "tf.distribute.get_strategy()"


def compared():
    """The loop as question 1 asks for it, with a fixed global batch."""
    job = script("mirrored_loop").edit("4 * strategy.num_replicas_in_sync", "8")
    return job.paste("compare_runs", ("before", LOOP), ("after", END_OF_STEP))


@pytest.fixture(scope="module")
def after_plain(tmp_path_factory):
    """The folder of the loop's first run, without a strategy."""
    folder = tmp_path_factory.mktemp("loop")
    run(compared().edit(TWO, PLAIN).text, folder)
    return folder


@pytest.fixture(scope="module")
def one_replica(after_plain):
    return run(compared().edit(TWO, ONE).text, after_plain)


@pytest.fixture(scope="module")
def sound(after_plain):
    return run(compared().text, after_plain)


@pytest.fixture(scope="module")
def mean_of_means(after_plain):
    job = compared().edit("tf.reduce_sum(losses) / rows", "tf.reduce_mean(losses) / 2")
    return run(job.text, after_plain)


@pytest.mark.parametrize(("probe", "which", "run"), CASES)
def test_a_probe_prints_what_the_page_shows(request, probe, which, run):
    shows(probe, which, request.getfixturevalue(run))


def fit_compared(rows):
    job = script("keras_fit").edit("Noise(0.1)", "Noise(0.0)")
    return job.edit("ROWS = 21", f"ROWS = {rows}").paste_in_fit("compare_runs")


FIT_JOBS = {"equal_shares": fit_compared(24)}


@pytest.mark.parametrize(("probe", "which", "job", "keras"), in_each_keras(FIT_CASES))
def test_a_form_prints_what_the_page_shows(probe, which, job, keras, tmp_path):
    run(FIT_JOBS[job].edit(TWO, PLAIN).text, tmp_path, keras=keras)
    shows(probe, which, run(FIT_JOBS[job].text, tmp_path, keras=keras), page=FIT)


@pytest.mark.parametrize("keras", KERAS)
def test_fit_agrees_until_the_batch_that_does_not_divide(keras, tmp_path):
    """Its own mean is wrong in the uneven last batch."""
    job = fit_compared(21)
    run(job.edit(TWO, PLAIN).text, tmp_path, keras=keras)
    printed = run(job.text, tmp_path, keras=keras)
    found = re.findall(r"after (\d) steps: at most (\S+) from", printed)
    gaps = {int(step): float(gap) for step, gap in found}
    assert max(gaps[1], gaps[2]) < 1e-6 < 1e-3 < gaps[3]
