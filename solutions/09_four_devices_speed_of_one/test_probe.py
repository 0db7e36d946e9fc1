"""What the probe prints, in jobs without the course: all that triage.md shows."""

import pytest
from triage_page import END_OF_STEP, IN_REPLICA, LOOP, script, shows
from triage_runs import run

pytestmark = [pytest.mark.prove, pytest.mark.xdist_group(__name__)]

# probe, which of the texts that its section prints (0 is the healthy one), run
CASES = [
    ("meet", 0, "sound"),
    ("meet", 1, "traced_again"),
    ("meet", 2, "eager"),
    ("count_reads", 0, "sound"),
    ("count_reads", 1, "eager"),
]


READS = ("after", END_OF_STEP), ("end",)
MEETING = ("before", LOOP), ("before", IN_REPLICA), ("end",)


def probed(job):
    return job.paste("count_reads", *READS).paste("meet", *MEETING, ("end",))


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    return run(probed(script("mirrored_loop")).text, tmp_path_factory.mktemp("sound"))


@pytest.fixture(scope="module")
def traced_again(tmp_path_factory):
    """The number of the step is a Python number."""
    job = script("mirrored_loop")
    job = job.edit("def train_step(batch):", "def train_step(batch, step=0):")
    job = probed(job.edit("(train_step(batch))", "(train_step(batch, step))"))
    return run(job.text, tmp_path_factory.mktemp("traced_again"))


@pytest.fixture(scope="module")
def eager(tmp_path_factory):
    """No tf.function, and a read in each step.

    Its rows divide: after an uneven last batch, the epoch's end took 30 seconds here.
    """
    job = script("mirrored_loop").edit("size=(21, 4)", "size=(24, 4)")
    job = job.edit("@tf.function\n", "")
    job = job.edit("4 * strategy.num_replicas_in_sync", "4")
    job = job.edit("(train_step(batch))", "(float(train_step(batch)))")
    job = job.paste("count_reads", *READS).paste("meet", *MEETING)
    job = job.edit("timeout=10", "timeout=1")  # nobody comes, however long one waits
    return run(job.text, tmp_path_factory.mktemp("eager"))


@pytest.mark.parametrize(("probe", "which", "run"), CASES)
def test_a_probe_prints_what_the_page_shows(request, probe, which, run):
    shows(probe, which, request.getfixturevalue(run))
