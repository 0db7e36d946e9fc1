"""The evidence for what notebook 08 states, in its claims and in its prose."""

import re
import sys
import threading
import time
from collections import Counter, defaultdict
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
import tensorflow as tf
from printed_cells import PrintedCells

from course.checks.failures import StepFailed
from course.checks.patience import WaitsForEver
from course.lessons.n08_busy_then_idle.fit_reads import KINDS, reads_in_fit
from course.lessons.n08_busy_then_idle.input_pipeline import (
    READERS,
    four_at_once,
    reading,
    steps_that_waited,
    tell_steps,
    time_dataset,
)
from course.lessons.n08_busy_then_idle.locate import _limit, draw
from course.lessons.n08_busy_then_idle.one_core import on_one_core
from course.lessons.n08_busy_then_idle.ordered_pieces import (
    augment,
    batched,
    decode,
    keep,
    mix,
    run_pieces,
)
from course.lessons.n08_busy_then_idle.playing import (
    AHEAD,
    KNOBS,
    SLOW,
    idle_knobs,
    run,
)
from course.lessons.n08_busy_then_idle.reads import run_reads
from course.lessons.n08_busy_then_idle.stage_spans import run_stages, spans_of
from course.runs.devices import mirrored
from course.runs.rendezvous import Rendezvous

pytestmark = [
    pytest.mark.prove,
    pytest.mark.usefixtures("devices"),
]  # before TensorFlow starts

IN_VAIN = 0.5  # seconds; reads one after the other wait in vain in any case
CELLS = PrintedCells(__file__, tf=tf, time=time)


def broken(read, n):
    return CELLS.run("my_dataset-broken")["broken_dataset"](read, n)


def fixed(read, n):
    return CELLS.run("my_dataset-fix")["my_dataset"](read, n)


def plain(read, n):
    return tf.data.Dataset.range(n).map(read)


def pooled(dataset, threads):
    options = tf.data.Options()
    options.threading.private_threadpool_size = threads
    return dataset.with_options(options)


def without_help(dataset):
    """The dataset as it is written: TensorFlow adds nothing to it by itself."""
    options = tf.data.Options()
    options.experimental_optimization.apply_default_optimizations = False
    return dataset.with_options(options)


def at_once(make, seconds=IN_VAIN, call=None):
    """How many of the first four reads of a dataset there are at the same time."""
    place, calls = Rendezvous(READERS, seconds), []

    def read(number):
        calls.append(number)
        if len(calls) <= READERS:
            place.wait()
        return float(number)

    came = on_one_core(lambda: [float(v) for v in make(reading(call or read), 9)])
    assert came == [float(k) for k in range(9)]
    return place.met


def overlaps(make, seconds=10.0):
    """Whether the next element's read begins during a step; no clock decides."""
    begun, changed = [], threading.Condition()

    def read(number):
        with changed:
            begun.append(number)
            changed.notify_all()
        return float(number)

    def iterate():
        met = []
        for nth, _ in enumerate(make(reading(read), 6)):
            if nth < 5 and False not in met:
                with changed:
                    met.append(
                        changed.wait_for(lambda n=nth: len(begun) > n + 1, seconds)
                    )
        return met

    return all(on_one_core(iterate))


def test_the_prediction():
    """One read at a time, the step beside it; nothing is said of time."""
    assert at_once(broken) == 1
    assert overlaps(broken)
    run = time_dataset(broken, 6, read=0.03, step=0.01)
    reads = [span for span in run.spans if span.lane != "step"]
    assert {span.lane for span in reads} == {"reader 0"}
    assert [span.name for span in reads] == list("012345")
    assert tell_steps(run).endswith("idle")
    assert at_once(four_at_once, 10.0) == READERS


def test_a_python_function_stays_one_at_a_time_on_any_machine():
    """TensorFlow makes a plain map parallel only where its function has no state."""

    def stateless(read, n):
        def call(i):
            value = tf.numpy_function(met, [i], tf.float32, stateful=False)
            return tf.ensure_shape(value, [])

        return pooled(tf.data.Dataset.range(n).map(call), 8)

    place, calls = Rendezvous(READERS), []

    def met(i):
        calls.append(i)
        if len(calls) <= READERS:
            place.wait()
        return np.float32(i)

    assert at_once(lambda read, n: pooled(plain(read, n), 8)) == 1
    list(stateless(None, 9))
    assert place.met == READERS


def test_parallel_calls_need_threads():
    def parallel(read, n, calls=4):
        return tf.data.Dataset.range(n).map(read, num_parallel_calls=calls)

    assert at_once(parallel) == 1
    assert at_once(lambda read, n: parallel(read, n, tf.data.AUTOTUNE)) == 1
    assert at_once(lambda read, n: pooled(parallel(read, n), 2)) == 2
    assert at_once(lambda read, n: pooled(parallel(read, n), 4), 10.0) == 4
    assert at_once(fixed, 10.0) == 4


def test_claim_002_07():
    """Reads in turn limit. TensorFlow hides that they took turns with the step."""
    assert at_once(plain) == 1
    assert overlaps(plain)
    assert not overlaps(lambda read, n: without_help(plain(read, n)), IN_VAIN)


def test_claim_002_08(devices):
    """No replica's device reads: threads of the host do, as many as the pool has."""
    threads, place, asked = set(), Rendezvous(READERS), []

    def read(number):
        threads.add(threading.get_ident())
        if place.came < READERS:
            place.wait()
        return float(number)

    def noting(i):
        value = reading(read)(i)
        asked.append(value.device)
        return value

    strategy = mirrored(devices)
    data = fixed(noting, 8).batch(4)
    seen = [
        strategy.experimental_local_results(batch)
        for batch in strategy.experimental_distribute_dataset(data)
    ]
    assert len(seen) == 2 and all(len(parts) == 4 for parts in seen)
    assert place.met == READERS and len(threads) >= READERS
    assert threading.get_ident() not in threads
    assert not any("device:" in device for device in asked)


def test_claim_002_09():
    """Many cheap elements: few steps wait. Few dear ones: nearly all do."""
    cheap = time_dataset(broken, 300, read=0.0, step=0.004)
    dear = time_dataset(broken, 12, read=0.06, step=0.004)
    assert steps_that_waited(cheap) < 150
    assert steps_that_waited(dear) >= 10


@pytest.mark.parametrize("prefetch", [False, True])
def test_claims_002_18_and_22(devices, prefetch):
    """Examples 1 and 2, with the data that they leave open."""
    strategy = mirrored(devices)

    def train_step(dataset_element):
        _features, _labels = dataset_element
        with strategy.scope():
            pass

    x, y = tf.random.normal((64, 2)), tf.zeros(64)
    dataset = tf.data.Dataset.from_tensor_slices((x, y)).batch(32)
    dataset = dataset.prefetch(tf.data.AUTOTUNE) if prefetch else dataset
    with pytest.raises(RuntimeError, match="cross-replica context"):
        for element in dataset:
            strategy.run(train_step, args=(element,))


def test_claim_002_19(devices):
    """The batches come in turn, as in SGD; the fault is that each replica gets all."""
    strategy, rows = mirrored(devices), []
    for element in tf.data.Dataset.range(64).batch(32):
        strategy.run(lambda x: rows.append(x.numpy().tolist()), args=(element,))
    assert rows == [list(range(32))] * 4 + [list(range(32, 64))] * 4


def test_claim_002_20():
    """prefetch changes something only where TensorFlow does not put one itself."""
    for help_too in (True, False):
        made = []
        for prefetch in (False, True):

            def make(read, n, prefetch=prefetch, help_too=help_too):
                data = plain(read, n)
                data = data.prefetch(1) if prefetch else data
                return data if help_too else without_help(data)

            made.append(overlaps(make, 10.0 if prefetch or help_too else IN_VAIN))
        assert made == [help_too, True]
    assert at_once(lambda read, n: plain(read, n).prefetch(4)) == 1


def test_claim_002_21():
    """Threads of one process wait side by side; they compute one after the other."""
    assert at_once(fixed, 10.0) == READERS
    going, most, lock = [0], [0], threading.Lock()

    def compute(number):
        with lock:
            going[0] += 1
            most[0] = max(most[0], going[0])
        total = sum(range(20_000))  # Python only: nothing here lets go of Python's lock
        going[0] -= 1
        return float(number) + 0 * total

    usual = sys.getswitchinterval()
    sys.setswitchinterval(100.0)  # a thread is not asked to let others run
    try:
        at_once(fixed, IN_VAIN, compute)
    finally:
        sys.setswitchinterval(usual)
    assert most == [1]


def test_claim_002_23():
    """Without TensorFlow's own prefetch, yours makes the difference."""

    def alone(read, n, prefetch=True):
        data = plain(read, n)
        return without_help(data.prefetch(tf.data.AUTOTUNE) if prefetch else data)

    assert overlaps(alone)
    assert not overlaps(lambda read, n: alone(read, n, False), IN_VAIN)


def test_claim_002_24(devices):
    """prefetch does not make replicas work at the same time: that is another matter."""
    strategy, place = mirrored(devices), Rendezvous(4, IN_VAIN)
    data = tf.data.Dataset.range(32).map(lambda i: tf.cast(i, tf.float32)).batch(8)
    data = data.prefetch(tf.data.AUTOTUNE)
    for batch in strategy.experimental_distribute_dataset(data):
        strategy.run(place.stamp, args=(batch,))
    assert place.met == 1


def test_claim_002_25():
    """A running iterator's model: AUTOTUNE's buffer grows, a fixed one stays."""

    def parameter(iterator):
        nodes = tf.data.experimental.get_model_proto(iterator).nodes.values()
        (found,) = (node for node in nodes if node.name == "Prefetch")
        (size,) = (each for each in found.parameters if each.name == "buffer_size")
        return size

    def buffer(size):
        numbers = tf.data.Dataset.range(10**6).map(lambda i: i + 1)
        return iter(numbers.prefetch(size))

    fixed_size, free = buffer(3), buffer(tf.data.AUTOTUNE)
    until = time.monotonic() + 20
    while parameter(free).value < 2 and time.monotonic() < until:
        for _ in range(10):  # faster than the buffer fills: it runs empty
            next(free)
            next(fixed_size)
    assert parameter(free).tunable and parameter(free).value >= 2
    assert not parameter(fixed_size).tunable and parameter(fixed_size).value == 3


def test_fit_takes_the_input_as_it_is():
    shipped, repaired, generator, workers = KINDS
    assert [reads_in_fit(kind, IN_VAIN) for kind in (shipped, generator)] == [1, 1]
    assert [reads_in_fit(kind, 10.0) for kind in (repaired, workers)] == [4, 4]


def test_the_stages_of_locate():
    """In the figure decoding limits, and the shipped function says reading."""
    tools = {"Counter": Counter, "defaultdict": defaultdict, "pairwise": pairwise}
    names = CELLS.run("my_limit-broken", "my_limit-fix", **tools)
    spans = spans_of(run_stages())
    assert names["broken_limit"](spans)[0] == 0
    limit, waited = names["my_limit"](spans)
    assert limit == 1 and waited > 0
    assert {worker for stage, worker, *_ in spans if stage == 0} == {0, 1, 2}


@pytest.mark.parametrize("seed", range(20))
def test_one_stage_clearly_limits(seed):
    """By a margin; in all but one, by how full its workers' own time is, too."""
    for record in draw(np.random.default_rng(seed)):
        each, full = [], []
        for stage in range(record.stages):
            own = [span for span in record.spans if span[0] == stage]
            work = sum(span[4] - span[3] for span in own)
            workers = len({span[1] for span in own})
            window = max(s[4] for s in own) - min(s[3] for s in own)
            each.append(work / workers)
            full.append(work / workers / window)
        assert sorted(each)[-2] < 0.95 * max(each), record
        late = record.label == "a step that starts late"
        assert (np.argmax(full) == _limit(record.spans)[0]) != late, record


BASE = {
    "calls": 4,
    "cores": 1,
    "reads": "20 ms",
    "decode": 0,
    "ahead": AHEAD["prefetch(4)"],
    "kept": True,
    "make": KNOBS,
}


def played(**turned):
    """A run of the instrument with short reads, other knobs as they stand here."""
    return run(**BASE | turned)


def most_reads(played):
    reads = tuple(span for span in played.spans if span.kind == "read")
    return replace(played, spans=reads).most_at_once


@pytest.mark.parametrize(("calls", "cores", "most"), [(4, 1, 1), (1, 4, 1), (4, 2, 2)])
def test_calls_and_threads_must_both_allow_several_reads(calls, cores, most):
    assert most_reads(played(calls=calls, cores=cores)) <= most
    assert 1 < most_reads(played(calls=4, cores=4)) <= READERS


def test_without_tensorflows_prefetch_reads_and_steps_take_turns():
    assert played(calls=1, ahead=AHEAD["nothing"]).most_at_once == 1


def order_of_steps(played):
    return [int(span.name) for span in played.spans if span.kind == "step"]


def test_a_slow_read_holds_up_what_comes_behind_it_unless_the_order_is_free():
    slow = {"cores": 4, "reads": "60 ms, one 200 ms"}
    assert order_of_steps(played(**slow)) == list(range(8))
    free = order_of_steps(played(**slow, kept=False))
    assert sorted(free) == list(range(8)) and free.index(SLOW) > SLOW


def test_knobs_that_change_nothing():
    assert idle_knobs(**BASE) == {}
    one = BASE | {"calls": 1, "cores": 4, "reads": "60 ms, one 200 ms"}
    assert [*idle_knobs(**one)] == ["kept"]
    orders = [order_of_steps(played(**one | {"kept": kept})) for kept in (True, False)]
    assert orders[0] == orders[1]
    mine = BASE | {"make": fixed}
    assert [*idle_knobs(**mine)] == ["calls", "ahead", "kept"]
    turned = {"calls": 1, "ahead": AHEAD["nothing"], "kept": False}
    assert most_reads(played(**mine)) > 1 < most_reads(played(**mine | turned))


def test_the_decoder_is_one_stage_more():
    kinds = Counter(span.kind for span in played(decode=40).spans)
    assert kinds == {"read": 8, "decode": 8, "step": 8}


def test_a_learners_own_dataset_is_played():
    mine = played(make=fixed)
    assert order_of_steps(mine) == list(range(8)) and most_reads(mine) > 1
    assert mine.label.startswith("my_dataset")


def test_the_probe(capsys):
    names = CELLS.run("probe", "use-probe")
    told = re.findall(
        r"(.+): waiting for (\d+)% of the time\n", capsys.readouterr().out
    )
    memory, store = (int(percent) for _, percent in told)
    assert memory < store
    times = {}
    slow = (time.sleep(0.01) or k for k in range(10))
    assert list(names["waits"](slow, times)) == list(range(10))
    assert times["wait"] > times["step"] and times["wait"] > 0.09


def test_the_pieces(capsys):
    pieces = {"decode": decode, "augment": augment, "batched": batched}
    CELLS.run("pieces", run_pieces=run_pieces, keep=keep, mix=mix, **pieces)
    first, zero, one = capsys.readouterr().out.splitlines()
    assert first == "decoded: 6, augmented: 6"
    pairs = [set(line.split(": ", 1)[1][2:-2].split("], [")) for line in (zero, one)]
    assert pairs[0] == pairs[1]  # they stay together
    came = run_pieces([decode, keep, mix, augment, batched], 13, 4, 1)
    assert (came.decoded, came.augmented) == (13, 26)
    with pytest.raises(StepFailed, match="file names"):
        run_pieces([augment, decode], 6, 2, 1)


def test_order_with_other_reads_ahead():
    """deterministic=False lets others pass the element that takes longest."""

    def any_order(read, n):
        data = tf.data.Dataset.range(n)
        data = data.map(read, num_parallel_calls=4, deterministic=False)
        return pooled(data, 4)

    values = np.arange(14, dtype=np.float32) + 0.5
    assert not run_reads(any_order, values).ordered
    run = run_reads(fixed, values)
    assert run.ordered and run.came == (1,) * 14 and run.calls == (1,) * 14


def test_code_that_runs_on_one_core():
    import os

    if not hasattr(os, "sched_getaffinity"):
        pytest.skip("only Linux keeps a thread on one core")
    before = os.sched_getaffinity(0)
    assert len(on_one_core(lambda: os.sched_getaffinity(0))) == 1
    assert os.sched_getaffinity(0) == before
    with pytest.raises(ZeroDivisionError):
        on_one_core(lambda: 1 / 0)
    with pytest.raises(WaitsForEver):
        on_one_core(threading.Event().wait, rest_seconds=0.5)
