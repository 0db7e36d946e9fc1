"""The evidence for what notebook 12 states, in its claims and in its prose."""

import json
import os
import re
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import psutil
import pytest
import tensorflow as tf
from printed_cells import PrintedCells

from course.checks.failures import StepFailed
from course.lessons.n12_out_of_memory import PREDICTION
from course.lessons.n12_out_of_memory.epoch_memory import run_epochs
from course.lessons.n12_out_of_memory.held_memory import HeldMemory
from course.lessons.n12_out_of_memory.memory_curve import memory_curve
from course.lessons.n12_out_of_memory.memory_limit import LAYERS, MOST, ROWS, run_step
from course.lessons.n12_out_of_memory.playing import in_parts
from course.lessons.n12_out_of_memory.playing import run as run_played
from course.lessons.n12_out_of_memory.wrong_epochs import iterators_kept, outputs_kept
from course.runs.stopping import Stopped, stoppable

pytestmark = [
    pytest.mark.prove,
    pytest.mark.usefixtures("devices"),  # before TensorFlow starts
    pytest.mark.skipif(sys.platform != "linux", reason="limits need Linux"),
]

SOURCE = Path(__file__).parent / f"{Path(__file__).parent.name}.py"
LIMIT = 80
CELLS = PrintedCells(__file__, tf=tf, np=np, psutil=psutil)


@pytest.fixture(scope="module")
def gradients():
    return CELLS.run("my_gradients-broken")["broken_gradients"]


@pytest.fixture(scope="module")
def whole(gradients):
    return run_step(gradients)


@pytest.fixture(scope="module")
def broken(gradients):
    return run_step(gradients, limit=LIMIT)


@pytest.fixture(scope="module")
def micro_batches():
    return CELLS.run("my_gradients-fix")["my_gradients"]


def test_claim_003_15(gradients, broken):
    """The same step stops or runs, by what its process may take."""
    assert broken.error.startswith("ResourceExhaustedError")
    assert not run_step(gradients, limit=2 * LIMIT).error


def test_claim_003_16(gradients, whole, broken):
    """More is asked for than is allowed: an error, live, that can be caught."""
    assert "OOM when allocating tensor with shape[60000,64]" in broken.error
    assert broken.held + broken.asked > LIMIT > broken.held
    assert not broken.gradients.size and whole.gradients.size
    with pytest.raises(ValueError, match="memory limit on CPU"):
        tf.config.set_logical_device_configuration(
            tf.config.list_physical_devices("CPU")[0],
            [tf.config.LogicalDeviceConfiguration(memory_limit=512)],
        )


def test_claim_003_33(capsys):
    """The sample runs, and what it calls GPU is the host's RAM."""
    gpu_usage = psutil.virtual_memory().percent
    cpu_usage = psutil.cpu_percent()
    print(f"GPU utilization: {gpu_usage}%\nCPU utilization: {cpu_usage}%")
    assert capsys.readouterr().out.startswith("GPU utilization: ")
    memory = psutil.virtual_memory()
    share = 100 * (memory.total - memory.available) / memory.total
    assert memory.percent == pytest.approx(share, abs=0.1)


def test_claim_003_34():
    """A reading of the job follows it; the document's reading does not."""
    names = CELLS.run("my_monitor-broken", "my_monitor-fix")
    read = {name: names[name] for name in ("broken_monitor", "my_monitor")}
    with HeldMemory() as job:
        before = {name: f(job.pid) for name, f in read.items()}
        job.take(100)
        grown = {name: f(job.pid) - before[name] for name, f in read.items()}
    assert 90 < grown["my_monitor"] < 130
    assert grown["broken_monitor"] < 90
    # it is told which process, and says the same of any: the host's share
    host = psutil.virtual_memory().percent
    assert read["broken_monitor"](os.getpid()) == pytest.approx(host, abs=5)


def test_claim_003_35():
    """Nothing in psutil reads a GPU, and a process's first cpu_percent() is 0.0."""
    assert not [name for name in dir(psutil) if "gpu" in name.lower()]
    busy = "import psutil\nfor _ in range(10**6): pass\n"
    busy += "print(psutil.Process().cpu_percent())"
    told = subprocess.run(
        [sys.executable, "-c", busy], capture_output=True, text=True, check=True
    )
    assert told.stdout == "0.0\n"


def test_memory_climbs_forward_and_falls_backward(whole):
    """One output of 15 MB stays for each layer; the weights are small."""
    used = dict(zip(whole.names, whole.used, strict=True))
    size = ROWS * 64 * 4 / 2**20
    assert round(size) == 15
    assert used["layer 8: matmul freed"] == pytest.approx(8 * size, abs=4)
    assert used["layer 8: backward"] > used["layer 5: backward"] + 2.5 * size
    assert used["layer 5: backward"] > used["layer 2: backward"] + 2.5 * size
    assert used["layer 1: backward"] < 4
    assert LAYERS * 64 * 64 * 4 / 2**20 < 0.15
    assert whole.peak > 1.5 * LIMIT


def test_it_fails_forward_where_the_recording_without_a_limit_says(whole, broken):
    """Locate's answer on the learner's own recording is the cross in the figure."""
    found = CELLS.run("my_first_failure-fix")["my_first_failure"](whole.events, LIMIT)
    assert found[0] == len(broken.names)
    assert found[1] == pytest.approx(broken.held + broken.asked - LIMIT, abs=1)
    assert not any("backward" in name for name in broken.names)
    assert "layer 4: tanh" in broken.names  # not at the first layer
    assert whole.gradients.size == LAYERS * 64 * 64  # however many rows
    shipped = CELLS.run("my_first_failure-broken")["broken_first_failure"]
    assert shipped(whole.events, LIMIT)[0] < found[0]
    # what a learner compares: the event's name with the words under the figure
    sentence = memory_curve(whole, broken).sentence
    for index, named in ((found[0], True), (shipped(whole.events, LIMIT)[0], False)):
        place = whole.events[index][0].replace(":", ",")
        assert (f"stops at {place}: " in sentence) == named


def test_what_the_cell_before_the_check_prints(whole, capsys):
    for each in ("broken", "fix"):
        names = CELLS.run(f"my_first_failure-{each}")
        CELLS.run(
            "try-first-failure",
            my_first_failure=names[f"{each.replace('fix', 'my')}_first_failure"],
            whole=whole,
            LIMIT=LIMIT,
        )
    shipped, mine = capsys.readouterr().out.splitlines()
    assert shipped.startswith("('layer 3: tanh', ")
    assert mine.startswith("('layer 5: tanh', ")
    assert mine.endswith(" MB are missing")
    missing = [float(line.split(") ")[1].split()[0]) for line in (shipped, mine)]
    assert missing[0] == pytest.approx(missing[1], abs=0.5)


def test_half_the_rows_fit(gradients):
    half = run_step(gradients, limit=LIMIT, rows=ROWS // 2)
    assert half.error == "" and half.peak == pytest.approx(66, abs=3)
    third = run_step(gradients, limit=LIMIT, rows=20_000)
    assert third.error == "" and third.peak + 5 == pytest.approx(
        50, abs=4
    )  # with a slice of x


def test_which_steps_run_to_the_end(whole):
    """The table of the prediction, and what the reasons below it say."""
    names = CELLS.run("my_gradients-broken", "other-steps")
    shown = {"show": lambda picture, **options: None, "ticks": lambda number: {}}
    shown |= {"QUESTION": ("",), "tick_table": lambda *arguments: None}
    names = CELLS.run("run-steps", **names, **shown, run_step=run_step, LIMIT=LIMIT)
    assert names["observed"] == dict(PREDICTION.rows)
    steps = names["steps"]
    peaks = {name: run_step(step).peak for name, step in steps.items()}
    for kept in ("no_gradient", "last_gradient", "watched(0)"):
        assert peaks[kept] == pytest.approx(whole.peak, abs=4)
    three = 3 * ROWS * 64 * 4 / 2**20
    assert peaks["no_tape"] == pytest.approx(three, abs=3) and round(three) == 44
    assert peaks["watched(-1)"] == pytest.approx(three, abs=3)


def test_inside_the_except_block_the_error_holds_its_tensors(gradients):
    def retry(weights, x, y, row_losses, most):
        try:
            return gradients(weights, x, y, row_losses, most)
        except tf.errors.ResourceExhaustedError:
            return gradients(weights, x[:5_000], y[:5_000], row_losses, most)

    inside = run_step(retry, limit=LIMIT)
    assert inside.error and inside.held > 60 and inside.rows[-1] == 5_000


def test_after_the_except_block_what_the_error_held_is_free(gradients):
    def retry_after(weights, x, y, row_losses, most):
        try:
            return gradients(weights, x, y, row_losses, most)
        except tf.errors.ResourceExhaustedError:
            pass
        return gradients(weights, x[:30_000], y[:30_000], row_losses, most)

    assert not run_step(retry_after, limit=LIMIT).error


def test_what_the_instrument_asks(gradients, whole):
    """The most is in use at the end of forward; rows and layers count alike."""
    assert whole.names[int(np.argmax(whole.used))] == "layer 8: tanh"
    size = ROWS * 64 * 4 / 2**20
    assert round(size, 1) == 14.6
    assert whole.peak == pytest.approx(9 * size, abs=4)
    few = run_played(60_000, 4, None, gradients).memory
    many = run_played(30_000, 8, None, gradients).memory
    assert few.peak == pytest.approx(73, abs=2)
    assert many.peak == pytest.approx(66, abs=2)
    assert few.peak < LIMIT
    for parts in (2, 4):
        cut = run_played(60_000, 8, None, in_parts(gradients, parts)).memory
        assert abs(cut.peak * parts / whole.peak - 1) < 0.1
        assert sum(cut.gradients.reshape(parts, -1)) / parts == pytest.approx(
            whole.gradients, abs=1e-5
        )
    stopped = run_played(60_000, 4, float(LIMIT), gradients).memory
    assert stopped.names[-1] == "layer 4: matmul freed"  # all of forward is done
    assert "TanhGrad" in stopped.error and stopped.held + stopped.asked >= LIMIT
    names = CELLS.run("other-steps")
    steps = names["last_gradient"], names["watched"](-1)
    for step, limit, rows, ends in (
        (steps[0], 80.0, 30_000, True),
        (steps[0], 80.0, 40_000, False),
        (steps[1], 80.0, 60_000, True),
    ):
        assert (not run_played(rows, 8, limit, step).memory.error) == ends


def test_a_step_of_the_instrument_can_be_stopped(gradients):
    stop = threading.Event()
    stop.set()
    with stoppable(stop), pytest.raises(Stopped):
        run_step(gradients)


def test_the_hidden_peak_is_that_of_all_rows():
    names = CELLS.run("my_hidden_peak-broken", "my_hidden_peak-fix")
    assert not run_step(names["broken_hidden_peak"], limit=LIMIT).error
    hidden = run_step(names["my_hidden_peak"], limit=LIMIT)
    assert "ResourceExhausted" in hidden.error and max(hidden.rows) == MOST


def test_the_probe_in_the_notebook(capsys):
    """It halves until a step fits; the last that did not, failed going backward."""
    CELLS.run("probe", "use-probe")
    *failed, last = capsys.readouterr().out.splitlines()
    assert failed and all("rows do not fit: " in line for line in failed)
    for line, name in zip(failed, ("Fill", "MatMul", "TanhGrad"), strict=True):
        assert f"[Op:{name}]" in line
    assert last == "fits: 50000"


def test_micro_batches_fit_and_give_the_same_gradients(whole, micro_batches):
    mine = run_step(micro_batches, limit=LIMIT)
    assert mine.error == "" and mine.peak < LIMIT / 1.5
    assert max(mine.rows) == MOST == 16_000 and ROWS % MOST
    assert round(MOST * 64 * 4 / 2**20) == 4  # MB of one output
    assert mine.peak > 8 * MOST * 64 * 4 / 2**20  # the outputs, and some more
    assert np.abs(mine.gradients - whole.gradients).max() < 1e-5
    assert np.abs(whole.gradients).max() > 0.1


def test_one_tape_over_all_micro_batches_does_not_fit():
    def one_tape(weights, x, y, row_losses, most):
        with tf.GradientTape() as tape:
            loss = 0.0
            for i in range(0, len(x), most):
                loss += tf.reduce_sum(row_losses(x[i : i + most], y[i : i + most]))
            loss /= len(x)
        return tape.gradient(loss, weights)

    assert "ResourceExhausted" in run_step(one_tape, limit=LIMIT).error


def test_what_a_learners_step_may_do(micro_batches):
    """Errors, wrong results, and a process that ends: each has a sentence."""

    def fails(weights, x, y, row_losses, most):
        raise ValueError("no such rows")

    def ends(weights, x, y, row_losses, most):
        import os

        os._exit(3)

    with pytest.raises(StepFailed, match="It stopped with ValueError: no such rows"):
        run_step(fails)
    with pytest.raises(StepFailed, match="ended with the code 3"):
        run_step(ends)
    with pytest.raises(StepFailed, match=r"tensor\. Yours returned NoneType"):
        run_step(lambda weights, x, y, row_losses, most: None)
    with pytest.raises(StepFailed, match="the same time, so they may not fit"):
        run_step(tf.function(micro_batches))


def test_an_endless_step_is_ended(monkeypatch):
    def endless(weights, x, y, row_losses, most):
        while True:
            pass

    monkeypatch.setattr(
        "course.lessons.n12_out_of_memory.memory_limit.CPU_SECONDS", 2.0
    )
    with pytest.raises(StepFailed, match="a loop that never ends"):
        run_step(endless)


def test_another_system_says_so(monkeypatch, gradients):
    monkeypatch.setattr(sys, "platform", "darwin")
    with pytest.raises(OSError, match="only Linux can do"):
        run_step(gradients)


def test_fit_stops_with_the_same_error():
    """Keras sends a whole batch through the network, in a graph."""

    def fit(weights, x, y, row_losses, most):
        tf.config.run_functions_eagerly(False)
        dense = tf.keras.layers.Dense
        layers = [dense(64, activation="tanh", use_bias=False) for _ in range(8)]
        model = tf.keras.Sequential([tf.keras.Input((64,)), *layers, dense(1)])
        model.compile("sgd", loss="mse")
        model.fit(x, y, batch_size=len(x), verbose=0)
        return weights

    assert "ResourceExhausted" in run_step(fit, limit=LIMIT).error


def test_keras_accumulation_counts_each_batch_the_same():
    """Three batches of 8, 8 and 3 rows: the step is the mean of the three means."""
    rng = np.random.default_rng(5)
    x = rng.normal(size=(19, 2)).astype(np.float32)
    y = (np.arange(19) * 0.3).astype(np.float32)
    model = tf.keras.Sequential([tf.keras.Input((2,)), tf.keras.layers.Dense(1)])
    model.layers[0].kernel.assign(np.zeros((2, 1), np.float32))
    optimizer = tf.keras.optimizers.SGD(1.0, gradient_accumulation_steps=3)
    model.compile(optimizer, loss="mse")
    model.fit(x, y[:, None], batch_size=8, epochs=1, shuffle=False, verbose=0)
    moved = -model.layers[0].kernel.numpy()[:, 0]
    rows = -2 * y[:, None] * x  # gradients at weights of zero
    means = [rows[i : i + 8].mean(axis=0) for i in (0, 8, 16)]
    assert np.allclose(moved, np.mean(means, axis=0), atol=1e-4)
    assert np.abs(moved - rows.mean(axis=0)).max() > 0.05


def test_the_probe_as_printed():
    """On a step of its own, under a limit: it halves until the step runs."""
    probe = CELLS["probe"]
    assert "course" not in probe

    def foreign(weights, x, y, row_losses, most):
        names = {"tf": tf}
        exec(probe, names)

        def step(rows):
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum(row_losses(x[:rows], y[:rows]))
            return tape.gradient(loss, weights)

        if len(x) < 100:
            return weights  # the run on a few rows
        return [tf.constant([float(names["rows_that_fit"](step, len(x)))])]

    # 60,000 rows do not fit; 30,000 do, with a slice of x, which costs 7 MB
    assert run_step(foreign, limit=LIMIT + 15).gradients.tolist() == [30_000.0]


def test_the_probe_under_a_limit_on_addresses():
    """As the prose says, in a process of plain TensorFlow: vms now, and some more."""
    (line,) = re.findall(r"`(resource\.setrlimit.*)`", SOURCE.read_text())
    script = f"""
import psutil, resource, sys
import tensorflow as tf
{CELLS["probe"]}
w = tf.ones((256, 256))
def step(rows):
    x = tf.ones((rows, 256))
    return float(tf.reduce_sum(tf.tanh(tf.matmul(x, w))))
step(100)
extra = 300 * 2**20
before = psutil.Process().memory_info()
{line}
print("fits", rows_that_fit(step, 2**20), before.vms > before.rss)
resource.setrlimit(resource.RLIMIT_AS, (-1, -1))
"""
    told = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=120
    )
    lines = told.stdout.splitlines()
    assert told.returncode == 0, told.stderr
    assert lines[0].startswith("1048576 rows do not fit: ")
    word, rows, more = lines[-1].split()
    # three tensors of 1 KB a row are needed, 300 MB are there
    assert (word, more) == ("fits", "True") and 2**14 <= int(rows) <= 2**18


def test_the_probe_finds_nothing_and_lets_other_errors_pass(capsys):
    find = CELLS.run("probe")["rows_that_fit"]

    def never(rows):
        raise tf.errors.ResourceExhaustedError(None, None, "OOM here")

    def wrong(rows):
        raise ValueError("another error")

    assert find(never, 5) == 0
    assert capsys.readouterr().out.count("rows do not fit: OOM here") == 3
    with pytest.raises(ValueError, match="another error"):
        find(wrong, 5)


def test_the_cells_of_further_two(capsys):
    CELLS.run("my_monitor-broken", "monitor", HeldMemory=HeldMemory)
    printed = capsys.readouterr().out.splitlines()
    before, own, others = json.loads(printed[0].split(": ")[1])
    assert own - before < 90  # percent of the host, not MB of the job
    total = psutil.virtual_memory().total / 2**20
    # 300 MB of another process, and what else goes on here
    assert others - own == pytest.approx(100 * 300 / total, abs=2)
    share = 100 * 100 * 2**20 / psutil.virtual_memory().total
    assert printed[1].endswith(f" MB are {share:.2f} %.")
    assert printed[2] == "first cpu_percent() of the job: 0.0"


def test_a_job_of_held_memory_ends_with_all_it_started():
    with HeldMemory() as job:
        job.take_in_third(10)
        below = psutil.Process(job.pid).children(recursive=True)
        assert len(below) == 3
    _, alive = psutil.wait_procs(below, timeout=10)
    assert not alive


def added_by_an_epoch(epochs):
    """MB from the fourth epoch on; the first ones fill what stays."""
    used = run_epochs(epochs).used
    return (used[-1] - used[3]) / (len(used) - 4)


def test_what_further_3_says_stays_of_an_epoch():
    """Outputs are three batches of 2 MB; iterators hold about eight batches."""
    shipped = CELLS.run("my_epochs-broken")["broken_epochs"]
    assert 20 < added_by_an_epoch(shipped) < 27
    assert 5 < added_by_an_epoch(outputs_kept) < 8
    assert 13 < added_by_an_epoch(iterators_kept) < 19
    fixed = CELLS.run("my_epochs-fix")["my_epochs"]
    assert added_by_an_epoch(fixed) < 2


def test_outputs_are_seen_without_a_new_iterator():
    def once(dataset, step, epochs, steps):
        batches = list(dataset.take(steps))
        results = [[step(batch) for batch in batches] for _ in range(epochs)]
        return [sum(float(loss) for loss, _ in each) / steps for each in results]

    assert 5 < added_by_an_epoch(once) < 8


def test_an_error_in_the_epochs_is_told():
    def wrong(dataset, step, epochs, steps):
        raise ValueError("no epochs today")

    with pytest.raises(StepFailed, match="no epochs today"):
        run_epochs(wrong)
    with pytest.raises(StepFailed, match=r"8 numbers\. Yours returned NoneType"):
        run_epochs(lambda dataset, step, epochs, steps: None)
