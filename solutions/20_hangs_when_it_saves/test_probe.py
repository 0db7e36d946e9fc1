"""What the probe prints, in jobs without the course: all that triage.md shows."""

# TODO(room): a sound job, and one with your fault; tests/foreign/ has sound ones

import pytest
from triage_page import Script, shows
from triage_runs import run

pytestmark = [pytest.mark.prove, pytest.mark.xdist_group(__name__)]

# probe, which of the texts that its section prints (0 is the healthy one), run
CASES = [
    ("probe_21", 0, "sound"),
    ("probe_21", 1, "broken"),
]

JOB = Script("""\
import tensorflow as tf

(processor,) = tf.config.list_physical_devices("CPU")
tf.config.set_logical_device_configuration(
    processor, [tf.config.LogicalDeviceConfiguration()] * 2
)
tf.config.threading.set_inter_op_parallelism_threads(4)
strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])


def replica_step():
    context = tf.distribute.get_replica_context()
    own = tf.constant([3.0, 7.0])[context.replica_id_in_sync_group]
    return context.all_reduce("SUM", own)


total = tf.function(lambda: strategy.run(replica_step))()
""")


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    return run(JOB.paste("probe_21", ("end",)).text, tmp_path_factory.mktemp("sound"))


@pytest.fixture(scope="module")
def broken(tmp_path_factory):
    job = JOB.edit('context.all_reduce("SUM", own)', "own")
    return run(job.paste("probe_21", ("end",)).text, tmp_path_factory.mktemp("broken"))


@pytest.mark.parametrize(("probe", "which", "run"), CASES)
def test_a_probe_prints_what_the_page_shows(request, probe, which, run):
    shows(probe, which, request.getfixturevalue(run))
