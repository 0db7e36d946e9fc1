"""What the probe prints, in jobs without the course: all that triage.md shows."""

import pytest
from triage_page import BEFORE_FIT, script, shows
from triage_runs import in_each_keras, run, run_workers, shows_in_fit

pytestmark = [pytest.mark.prove, pytest.mark.xdist_group(__name__)]

# probe, which of the texts that its section prints (0 is the healthy one), run
CASES = [
    ("not_from_the_file", 0, "sound"),
    ("not_from_the_file", 1, "broken"),
]
# form for `fit`, which of its texts, job; a fourth: with this Keras only
FIT_CASES = [
    ("not_from_the_file", 0, "optimizer_built"),
    ("not_from_the_file", 1, "optimizer_not_built", "keras"),
    ("not_from_the_file", 2, "optimizer_not_built", "tf_keras"),
]

RESTORE = ("over", "    checkpoint.restore(checkpoint_path)")
JOB = script("worker").paste("not_from_the_file", RESTORE)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Where the first job saved."""
    folder = tmp_path_factory.mktemp("job")
    run_workers(JOB.text, folder)
    return folder


@pytest.fixture(scope="module")
def sound(folder):
    return run_workers(JOB.text, folder)


@pytest.fixture(scope="module")
def broken(sound, folder):
    """The model calls a variable by another name than the file."""
    job = JOB.edit("Checkpoint(weights=weights", "Checkpoint(kernel=weights")
    return run_workers(job.text, folder)


@pytest.mark.parametrize(("probe", "which", "run"), CASES)
def test_a_probe_prints_what_the_page_shows(request, probe, which, run):
    shows(probe, which, request.getfixturevalue(run))


FITTED = script("keras_fit").edit("SGD(0.05)", "Adam(0.05)")
SAVING = FITTED.put('model.save_weights("first.weights.h5")\n', "end")
RESTORING = FITTED.put('path = "first.weights.h5"\n', "before", BEFORE_FIT)
RESTORING = RESTORING.paste_in_fit("not_from_the_file")
BUILT = "with strategy.scope():\n    model.optimizer.build(model.trainable_variables)\n"
FIT_JOBS = {
    "optimizer_built": RESTORING.edit("path = ", f"{BUILT}path = "),
    "optimizer_not_built": RESTORING,
}


@pytest.mark.parametrize(("probe", "which", "job", "keras"), in_each_keras(FIT_CASES))
def test_a_form_prints_what_the_page_shows(probe, which, job, keras, tmp_path):
    run(SAVING.text, tmp_path, keras=keras)
    shows_in_fit(probe, which, FIT_JOBS[job], keras, tmp_path)
