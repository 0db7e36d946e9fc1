"""What the probe prints, in jobs without the course: all that triage.md shows."""

import pytest
from triage_page import BEFORE_FIT, FIT, script, shows
from triage_runs import in_each_keras, run_workers

pytestmark = [pytest.mark.prove, pytest.mark.xdist_group(__name__)]

# probe, which of the texts that its section prints (0 is the healthy one), run
CASES = [
    ("read_together", 0, "sound"),
    ("read_together", 1, "counts"),
]
# form for `fit`, which of its texts, job; a fourth: with this Keras only
FIT_CASES = [
    ("read_together", 0, "sound"),
    ("read_together", 1, "normalised", "tf_keras"),
]

JOB = script("worker").paste("read_together", ("before", "step = 0"))
COUNTER = """\
    seen = tf.Variable(
        0.0,
        synchronization=tf.VariableSynchronization.ON_READ,
        aggregation=tf.VariableAggregation.SUM,
        name="seen",
    )
variables = [weights, bias, seen]
"""


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    return run_workers(JOB.text, tmp_path_factory.mktemp("sound"))


@pytest.fixture(scope="module")
def counts(tmp_path_factory):
    """The job counts its rows in a variable of each worker."""
    job = JOB.edit("variables = [weights, bias]\n", COUNTER)
    job = job.edit(
        "tape.gradient(loss, variables)", "tape.gradient(loss, variables[:2])"
    )
    job = job.edit("zip(variables, gradients", "zip(variables[:2], gradients")
    return run_workers(job.text, tmp_path_factory.mktemp("counts"))


@pytest.mark.parametrize(("probe", "which", "run"), CASES)
def test_a_probe_prints_what_the_page_shows(request, probe, which, run):
    shows(probe, which, request.getfixturevalue(run))


FITTED = script("fit_worker").paste_in_fit("read_together", ("before", BEFORE_FIT))
FITTED = FITTED.put("raise SystemExit\n", "before", BEFORE_FIT)
FIRST = "            tf.keras.Input((4,)),\n"
NORMAL = "            tf.keras.layers.BatchNormalization(),\n"
FIT_JOBS = {"sound": FITTED, "normalised": FITTED.edit(FIRST, f"{FIRST}{NORMAL}")}


@pytest.mark.parametrize(("probe", "which", "job", "keras"), in_each_keras(FIT_CASES))
def test_a_form_prints_what_the_page_shows(probe, which, job, keras, tmp_path):
    shows(probe, which, run_workers(FIT_JOBS[job].text, tmp_path, keras), page=FIT)
