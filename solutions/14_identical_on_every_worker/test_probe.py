"""What the probe prints, in jobs without the course: all that triage.md shows."""

import pytest
from triage_page import BEFORE_FIT, FIT, LOOP, script, shows
from triage_runs import in_each_keras, run_outside, run_workers

pytestmark = [pytest.mark.prove, pytest.mark.xdist_group(__name__)]

# probe, which of the texts that its section prints (0 is the healthy one), run
CASES = [
    ("reads_over_workers", 0, "sound"),
    ("reads_over_workers", 1, "broken"),
]
# form for `fit`, which of its texts, job; a fourth: with this Keras only
FIT_CASES = [
    ("reads_over_workers", 0, "sharded"),
    ("reads_over_workers", 1, "not_sharded"),
]

JOB = script("worker").paste("reads_over_workers", ("before", LOOP))


def read_by(job, folder):
    """What is printed of the files that the workers of a job leave."""
    return run_workers(job.text, folder) + run_outside("reads_over_workers", folder)


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    return read_by(JOB, tmp_path_factory.mktemp("sound"))


@pytest.fixture(scope="module")
def broken(tmp_path_factory):
    """No shards."""
    job = JOB.edit("    rows = rows.shard(", "    rows.shard(")
    return read_by(job, tmp_path_factory.mktemp("broken"))


@pytest.mark.parametrize(("probe", "which", "run"), CASES)
def test_a_probe_prints_what_the_page_shows(request, probe, which, run):
    shows(probe, which, request.getfixturevalue(run))


FITTED = script("fit_worker").paste_in_fit("reads_over_workers", ("before", BEFORE_FIT))
FITTED = FITTED.put("raise SystemExit\n", "before", BEFORE_FIT)
FIT_JOBS = {
    "sharded": FITTED,
    "not_sharded": FITTED.edit("AutoShardPolicy.DATA", "AutoShardPolicy.OFF"),
}


@pytest.mark.parametrize(("probe", "which", "job", "keras"), in_each_keras(FIT_CASES))
def test_a_form_prints_what_the_page_shows(probe, which, job, keras, tmp_path):
    run_workers(FIT_JOBS[job].text, tmp_path, keras)
    shows(probe, which, run_outside(probe, tmp_path), page=FIT)
