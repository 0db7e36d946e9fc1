"""What the probe prints, in jobs without the course: all that triage.md shows."""

import pytest
from triage_page import SECTIONS, script, shows
from triage_runs import in_each_keras, run, shows_in_fit

pytestmark = [pytest.mark.prove, pytest.mark.xdist_group(__name__)]

# probe, which of the texts that its section prints (0 is the healthy one), run
CASES = [
    ("rows_that_fit", 0, "sound"),
    ("rows_that_fit", 1, "broken"),
]
# form for `fit`, which of its texts, job; a fourth: with this Keras only
FIT_CASES = [
    ("rows_that_fit", 0, "sound"),
    ("rows_that_fit", 1, "wide"),
]

STEP_ON = """\
def step_on(rows):
    train_step({})


"""


def probed(job, arguments):
    """`step_on` is the reader's part."""
    return job.put(STEP_ON.format(arguments), "end").paste("rows_that_fit", ("end",))


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    batch = "(tf.ones((rows, 4)), tf.ones((rows, 1)))"
    job = probed(script("mirrored_loop"), batch)
    return run(job.text, tmp_path_factory.mktemp("sound"))


@pytest.fixture(scope="module")
def broken(tmp_path_factory):
    """A layer too wide for the memory."""
    job = script("split_model")
    job = job.edit("([4, 16]", "([4, 200]").edit("([16, 1]", "([200, 1]")
    job = probed(job, "tf.ones((rows, 4)), tf.ones((rows, 1))")
    return run(job.text, tmp_path_factory.mktemp("broken"))


@pytest.mark.parametrize(("probe", "which", "run"), CASES)
def test_a_probe_prints_what_the_page_shows(request, probe, which, run):
    shows(probe, which, request.getfixturevalue(run))


LIMITED, _ = SECTIONS["rows_that_fit"].calls[0].split("print(")
FITTED = script("keras_fit").paste_in_fit("rows_that_fit", ("end",))
FITTED = FITTED.edit('print("fits:"', f'{LIMITED}print("fits:"')
FIT_JOBS = {
    "sound": FITTED,
    "wide": FITTED.edit("Dense(16", "Dense(600"),
}


@pytest.mark.parametrize(("probe", "which", "job", "keras"), in_each_keras(FIT_CASES))
def test_a_form_prints_what_the_page_shows(probe, which, job, keras, tmp_path):
    shows_in_fit(probe, which, FIT_JOBS[job], keras, tmp_path)
