"""What the probe prints, in jobs without the course: all that triage.md shows."""

import pytest
from triage_page import END_OF_STEP, IN_REPLICA, LOOP, script, shows
from triage_runs import in_each_keras, run, shows_in_fit

pytestmark = [pytest.mark.prove, pytest.mark.xdist_group(__name__)]

# probe, which of the texts that its section prints (0 is the healthy one), run
CASES = [
    ("meet", 0, "sound"),
    ("meet", 1, "traced_again"),
    ("meet", 2, "eager"),
    ("count_reads", 0, "sound"),
    ("count_reads", 1, "eager"),
]
# form for `fit`, which of its texts, job; a fourth: with this Keras only
FIT_CASES = [
    ("meet", 0, "sound", "keras"),
    ("meet", 1, "compiled_again", "keras"),
    ("meet", 2, "eager"),
    ("count_reads", 0, "no_callback"),
    ("count_reads", 1, "reading"),
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


FITTED = script("keras_fit").edit("ROWS = 21", "ROWS = 24")
MEETS = FITTED.paste_in_fit("meet")
FIT = "history = model.fit(dataset, epochs=2, verbose=0)\n"
COMPILE = 'model.compile(optimizer=tf.keras.optimizers.SGD(0.05), loss="mse")\n'
EACH_EPOCH = f"for _ in range(4):\n    {COMPILE}    {FIT}".replace(
    "epochs=2", "epochs=1"
)
EAGER = MEETS.edit('loss="mse"', 'loss="mse", run_eagerly=True')
COUNTED = FITTED.paste_in_fit("count_reads")
READER = """
class LargestWeight(tf.keras.callbacks.Callback):
    def on_train_batch_end(self, batch, logs=None):
        largest.append(max(w.numpy().max() for w in self.model.weights))

largest, watch = [], LargestWeight()
"""
READING = COUNTED.put(READER, "before", "with strategy.scope():")
FIT_JOBS = {
    "sound": MEETS,
    "compiled_again": MEETS.edit(FIT, EACH_EPOCH),
    "eager": EAGER.edit("timeout=10", "timeout=1"),
    "no_callback": COUNTED,
    "reading": READING.edit("verbose=0", "verbose=0, callbacks=[watch]"),
}


@pytest.mark.parametrize(("probe", "which", "job", "keras"), in_each_keras(FIT_CASES))
def test_a_form_prints_what_the_page_shows(probe, which, job, keras, tmp_path):
    shows_in_fit(probe, which, FIT_JOBS[job], keras, tmp_path)


@pytest.mark.parametrize(("job", "traces"), [("sound", 2), ("compiled_again", 8)])
def test_tf_keras_makes_each_graph_twice(job, traces, tmp_path):
    output = run(FIT_JOBS[job].text, tmp_path, keras="tf_keras")
    assert "in turn: False" in output and f"traces: {traces}\n" in output
