"""What the probe prints, in jobs without the course: all that triage.md shows."""

import re

import pytest
from triage_page import LOOP, script, shows
from triage_runs import in_each_keras, run, shows_in_fit

pytestmark = [pytest.mark.prove, pytest.mark.xdist_group(__name__)]

# probe, which of the texts that its section prints (0 is the healthy one), run
CASES = [
    ("row_report", 0, "sound"),
    ("row_report", 1, "not_distributed"),
    ("row_report", 2, "last_batch_dropped"),
]
# form for `fit`, which of its texts, job; a fourth: with this Keras only
FIT_CASES = [
    ("row_report", 0, "sound"),
    ("row_report", 1, "dropped"),
    ("row_report", 2, "repeated"),
]

FIT = ("before", "history = model.fit(dataset, epochs=2, verbose=0)")


def in_fit(job):
    (batched,) = re.findall(r"^dataset = dataset.shuffle.*$", job.text, re.M)
    return job.paste("row_report", ("before", batched), FIT)


def distributed(job):
    dist = "dist_dataset = strategy.experimental_distribute_dataset(dataset)"
    return job.put(f"{dist}\n", *FIT)


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    job = in_fit(distributed(script("keras_fit")))
    return run(job.text, tmp_path_factory.mktemp("sound"))


@pytest.fixture(scope="module")
def not_distributed(tmp_path_factory):
    """All replicas train on all rows."""
    job = script("mirrored_loop")
    rows = ("before", "dataset = dataset.batch(global_batch)")
    job = job.paste("row_report", rows, ("before", LOOP))
    job = job.edit("strategy.experimental_distribute_dataset(dataset)", "dataset")
    return run(job.text, tmp_path_factory.mktemp("not_distributed"))


@pytest.fixture(scope="module")
def last_batch_dropped(tmp_path_factory):
    job = distributed(script("keras_fit"))
    job = in_fit(job.edit(".batch(8)", ".batch(8, drop_remainder=True)"))
    return run(job.text, tmp_path_factory.mktemp("dropped"))


@pytest.mark.parametrize(("probe", "which", "run"), CASES)
def test_a_probe_prints_what_the_page_shows(request, probe, which, run):
    shows(probe, which, request.getfixturevalue(run))


FITTED = script("keras_fit").edit("epochs=2", "epochs=1").paste_in_fit("row_report")
REPEATED = FITTED.edit(
    "dataset = dataset.shuffle(", "dataset = dataset.repeat().shuffle("
)
FIT_JOBS = {
    "sound": FITTED,
    "dropped": FITTED.edit(".batch(8)", ".batch(8, drop_remainder=True)"),
    "repeated": REPEATED.edit("verbose=0", "verbose=0, steps_per_epoch=3"),
}


@pytest.mark.parametrize(("probe", "which", "job", "keras"), in_each_keras(FIT_CASES))
def test_a_form_prints_what_the_page_shows(probe, which, job, keras, tmp_path):
    shows_in_fit(probe, which, FIT_JOBS[job], keras, tmp_path)
