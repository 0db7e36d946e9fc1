"""What the probe prints, in jobs without the course: all that triage.md shows."""

import re

import pytest
from triage_page import END_OF_STEP, LOOP, script, shows
from triage_runs import in_each_keras, run, shows_in_fit

pytestmark = [pytest.mark.prove, pytest.mark.xdist_group(__name__)]

# probe, which of the texts that its section prints (0 is the healthy one), run
CASES = [
    ("waits", 0, "sound"),
    ("waits", 1, "broken"),
]
# form for `fit`, which of its texts, job; a fourth: with this Keras only
FIT_CASES = [
    ("waits", 0, "long_steps"),
    ("waits", 1, "slow_reads"),
    ("waits", 2, "slow_callback"),
]

PLACES = ("before", LOOP), ("over", "    for batch in dist_dataset:"), ("end",)
JOB = script("mirrored_loop").paste("waits", *PLACES)


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    """A step takes at least 0.1 seconds."""
    job = JOB.edit(END_OF_STEP, f"        time.sleep(0.1)\n{END_OF_STEP}")
    return run(job.text, tmp_path_factory.mktemp("sound"))


@pytest.fixture(scope="module")
def broken(tmp_path_factory):
    """Reading a row takes 0.1 seconds."""
    job = JOB.edit("    count_row()\n", "    count_row()\n    time.sleep(0.1)\n")
    return run(job.text, tmp_path_factory.mktemp("broken"))


@pytest.mark.parametrize(("probe", "which", "run"), CASES)
def test_a_probe_prints_what_the_page_shows(request, probe, which, run):
    # it prints seconds; the next test reads them
    shows(probe, which, request.getfixturevalue(run), alone=False)


def test_waits_adds_up_to_the_right_side(sound, broken):
    """Sleep takes as long as it says, or longer: a lower limit on each side."""

    def seconds(output):
        return dict(re.findall(r"'(wait|step)': '([\d.]+) s'", output))

    assert float(seconds(sound)["step"]) >= 0.5  # six steps of 0.1 s
    assert float(seconds(broken)["wait"]) >= 0.5  # 42 rows, two at once


FITTED = script("keras_fit").put("mine = []\n", "before", "# all is ready")
FITTED = FITTED.paste_in_fit("waits").edit(
    "callbacks=[watch]", "callbacks=[watch, *mine]"
)
PLATEAU = FITTED.edit(
    "mine = []", 'mine = [tf.keras.callbacks.ReduceLROnPlateau("loss")]'
)
WORK = """
def work(rows):
    time.sleep(0.2)
    return rows

def at_work(rows):
    return tf.ensure_shape(tf.numpy_function(work, [rows], tf.float32), rows.shape)

"""
READ = """
def read(row, label):
    return tf.ensure_shape(tf.numpy_function(read_row, [row], tf.float32), [4]), label

def read_row(row):
    time.sleep(0.1)
    return row

"""
WRITES = """
class Writes(tf.keras.callbacks.Callback):
    def on_train_batch_end(self, batch, logs=None):
        time.sleep(0.2)

"""
FIT_JOBS = {
    "long_steps": PLATEAU.put(
        WORK, "before", "class Noise(tf.keras.layers.Layer):"
    ).edit("rows + self.size", "at_work(rows) + self.size"),
    "slow_reads": PLATEAU.put(READ, "before", "ROWS = 21").edit(
        ".batch(8)", ".map(read).batch(8)"
    ),
    "slow_callback": FITTED.put(WRITES, "before", "with strategy.scope():").edit(
        "mine = []", "mine = [Writes()]"
    ),
}
# a sleep takes as long as it says, or longer: job -> part -> seconds at least
LEAST = {
    "long_steps": {"step": 1.2},
    "slow_reads": {"input": 2.5},
    "slow_callback": {"between": 1.0, "Writes": 1.2},
}


@pytest.mark.parametrize(("probe", "which", "job", "keras"), in_each_keras(FIT_CASES))
def test_a_form_prints_what_the_page_shows(probe, which, job, keras, tmp_path):
    output = shows_in_fit(probe, which, FIT_JOBS[job], keras, tmp_path, alone=False)
    found = {
        part: float(x) for part, x in re.findall(r"^(\w+): ([\d.]+) s", output, re.M)
    }
    assert all(found[part] >= seconds for part, seconds in LEAST[job].items())
