"""What the probe prints, in jobs without the course: all that triage.md shows."""

import pytest
from triage_page import BEFORE_FIT, FIT, LOOP, script, shows
from triage_runs import in_each_keras, run_workers

pytestmark = [pytest.mark.prove, pytest.mark.xdist_group(__name__)]

# probe, which of the texts that its section prints (0 is the healthy one), run
CASES = [
    ("workers_that_differ", 0, "sound"),
    ("workers_that_differ", 1, "broken"),
]
# form for `fit`, which of its texts, job; a fourth: with this Keras only
FIT_CASES = [
    ("workers_that_differ", 0, "sound"),
    ("workers_that_differ", 1, "own_weights"),
]

JOB = script("worker").paste("workers_that_differ", ("before", LOOP))


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    return run_workers(JOB.text, tmp_path_factory.mktemp("sound"))


@pytest.fixture(scope="module")
def broken(tmp_path_factory):
    """Variables made outside of the scope."""
    job = JOB.edit("with strategy.scope():", "if True:")
    return run_workers(job.text, tmp_path_factory.mktemp("broken"))


@pytest.mark.parametrize(("probe", "which", "run"), CASES)
def test_a_probe_prints_what_the_page_shows(request, probe, which, run):
    shows(probe, which, request.getfixturevalue(run))


FITTED = script("fit_worker").paste_in_fit(
    "workers_that_differ", ("before", BEFORE_FIT)
)
FITTED = FITTED.put("raise SystemExit\n", "before", BEFORE_FIT)
OWN = """
own = np.random.default_rng(index)
model.set_weights([own.normal(size=w.shape) for w in model.get_weights()])

"""
FIT_JOBS = {
    "sound": FITTED,
    "own_weights": FITTED.edit("values = [", f"{OWN}values = ["),
}


@pytest.mark.parametrize(("probe", "which", "job", "keras"), in_each_keras(FIT_CASES))
def test_a_form_prints_what_the_page_shows(probe, which, job, keras, tmp_path):
    shows(probe, which, run_workers(FIT_JOBS[job].text, tmp_path, keras), page=FIT)
