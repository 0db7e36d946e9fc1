"""The evidence for what notebook 17 states, in its claims and in its prose."""

import linecache
import os
import time

import numpy as np
import pytest
import tensorflow as tf
from printed_cells import PrintedCells

from course.checks.failures import StepFailed
from course.lessons.n17_training_hangs import (
    PREDICTION,
    observe_pairs,
    playing,
    worker_lanes,
)
from course.lessons.n17_training_hangs.epoch_case import truth
from course.lessons.n17_training_hangs.pairs import (
    DTYPE,
    GONE_0,
    LESS,
    MORE,
    ORDER,
    SIZES,
    run_pairs,
)
from course.lessons.n17_training_hangs.uneven_epoch import parts_of, train_uneven
from course.runs.cluster import Cluster, note, run_workers
from course.runs.cluster.live import LiveRun
from course.runs.workloads import regression

pytestmark = [
    pytest.mark.prove,
    pytest.mark.usefixtures("devices"),
]  # before TensorFlow starts

ROWS = regression(54)
PARTS = parts_of(ROWS, (20, 14, 20), batch=4)
CELLS = PrintedCells(__file__, tf=tf, run_workers=run_workers, Cluster=Cluster)
# a worker knows the learner's lines from here, as IPython keeps those of its cells
TEXT = CELLS["my_epoch-broken"]
linecache.cache["my_epoch-broken"] = len(TEXT), None, TEXT.splitlines(True), ""
SHIPPED = CELLS.run("my_epoch-broken")["broken_epoch"]
RIGHT = CELLS.run("my_epoch-fix")["my_epoch"]


def all_reduce(strategy, value):
    context = tf.distribute.get_replica_context
    return strategy.run(lambda: context().all_reduce("SUM", tf.identity(value)))


@pytest.fixture(scope="module")
def shipped():
    return train_uneven(SHIPPED, PARTS)


@pytest.fixture(scope="module")
def pairs():
    return run_pairs()


def test_what_was_observed_is_what_a_prediction_is_held_against():
    assert observe_pairs() == PREDICTION.rows


def test_calls_in_another_order_give_mixed_sums(pairs):
    assert [end.value for end in pairs[ORDER]] == [[[201.0], [102.0]]] * 2


def test_who_waits_and_who_gets_which_error(pairs):
    ends = {way: [end.outcome for end in own] for way, own in pairs.items()}
    assert ends[LESS] == ["waited", "returned"]
    assert ends[GONE_0] == ["left", "raised"]
    assert ends[MORE] == ["returned", "waited"]
    assert sorted(ends[DTYPE]) == ["raised", "waited"]
    errors = {way: {end.error for end in own} - {""} for way, own in pairs.items()}
    assert errors[DTYPE] == {"InternalError"}
    assert errors[GONE_0] == {"UnavailableError"}


def test_calls_of_other_sizes_give_an_error_and_who_waits_is_chance():
    ends = run_pairs([SIZES])[SIZES]
    assert "InvalidArgumentError" in {end.error for end in ends}
    assert "returned" not in {end.outcome for end in ends}


def test_the_shipped_function_leaves_two_workers_waiting(shipped):
    assert shipped.waiting == (True, False, True)
    assert [len(own) for own in shipped.fed()] == [5, 4, 5]
    assert [len(own) for own in shipped.calls()] == [5, 4, 5]
    assert shipped.cluster["worker 1"].outcome == "returned"


def test_the_repair_loses_nothing():
    run = train_uneven(RIGHT, PARTS)
    assert not any(run.waiting)
    np.testing.assert_allclose(run.weights, [truth(PARTS)] * 3, atol=1e-5)
    assert sorted(i for own in run.fed() for ids in own for i in ids) == [*range(54)]
    assert [list(map(len, own)) for own in run.fed()][1] == [4, 4, 4, 2, 0]


def test_a_mix_up_is_wrong_on_real_workers_without_a_word(capsys):
    CELLS.run("total", "mixed", **CELLS.run("my_mix_up-fix"))
    first, second = capsys.readouterr().out.splitlines()
    sums = "{'kernel': 31.0, 'bias': 42.0, 'gate': 13.0, 'scale': 24.0}"
    assert first == f"worker 0: {sums}"
    assert second.startswith("worker 1: ") and "'gate': 31.0" in second


def count_on():
    """All-reduce again and again."""
    strategy, one = tf.distribute.MultiWorkerMirroredStrategy(), tf.constant(1.0)

    @tf.function
    def count():
        return all_reduce(strategy, one)

    for step in range(10**6):
        note(step=step)
        count()


def _counted(cluster):
    beats = cluster.beats("worker 0")
    return beats[-1].facts.get("step", 0) if beats else 0


@pytest.fixture(scope="module")
def halted():
    """The error of worker 0, while worker 1 is halted."""
    with Cluster({"worker": 2}, quiet=None, seconds=60.0) as cluster:
        cluster.start(count_on)
        cluster.wait_until(lambda: _counted(cluster) > 10)
        cluster.stop("worker 1")
        cluster.wait_until(lambda: "worker 0" not in cluster.running())
        return cluster.finish()["worker 0"].error


def test_the_others_of_a_halted_worker_get_an_error(halted):
    assert halted in ("UnavailableError", "DeadlineExceededError")


def test_the_panels_job_is_that_of_its_knobs():
    job = playing.job(SHIPPED, rows_0=8, rows_1=4, rows_2=8)
    assert job.names == ["worker 0", "worker 1", "worker 2"]
    run = LiveRun(job, seconds=30.0)
    seen = []

    def look(now):
        seen.append(now)
        if all(now[name].facts.get("left", -1) >= 0 for name in job.names):
            run.end()

    run.run(look)
    assert len(worker_lanes(seen[-1]).figure.axes[0].patches) > 3  # bars of steps


def heard(act, name, rows=60, go_on_after=None, until=None):
    """Do something to a worker in its third step.

    Returns:
        worker -> seconds until it got an error; None where it got none.
    """
    job = playing.job(SHIPPED, rows_0=60, rows_1=rows, rows_2=60)
    live = LiveRun(job)

    def look(now):
        beats = now[name].beats
        if not live.acts:
            if beats and beats[-1].facts.get("step", 0) >= 2:
                getattr(live, act)(name)
            return
        since = now.seconds - live.acts[0].at
        if go_on_after and len(live.acts) == 1 and since > go_on_after:
            live.go_on(name)
        if until and since > until:
            live.end()

    run = live.run(look)
    return {
        end.name: end.beats[-1].at - live.acts[0].at
        if end.outcome == "raised"
        else None
        for end in run.ends
    }


def test_halted_for_five_seconds_nobody_gets_an_error():
    assert set(heard("halt", "worker 1", go_on_after=5).values()) == {None}


def test_halted_for_fifteen_seconds_all_get_an_error():
    after = heard("halt", "worker 1", go_on_after=15)
    assert 5 < after["worker 0"] < 15 and 5 < after["worker 2"] < 15
    assert after["worker 1"] >= 15


def test_of_a_killed_worker_0_both_others_hear_at_once():
    after = heard("kill", "worker 0")
    assert after["worker 1"] < 4 and after["worker 2"] < 4


def test_of_a_killed_worker_1_one_hears_at_once_the_other_within_about_nine_seconds():
    after = heard("kill", "worker 1")
    first, last = sorted([after["worker 0"], after["worker 2"]])
    assert first < 4 and last < 15


def test_the_worker_that_is_cut_off_is_the_only_one_without_an_error():
    after = heard("cut", "worker 1", until=20)
    assert after["worker 0"] < 4 and after["worker 2"] < 4
    assert after["worker 1"] is None


def test_waiting_workers_are_in_the_line_that_calls_step(shipped):
    for worker in (0, 2):
        own = shipped.cluster.ends[worker].beats[-1].lines[-1]
        assert own[0] == "broken_epoch" and "step(x, y)" in own[2]


def test_a_cell_casts_on_one_worker(capsys):
    CELLS.run("cast")
    said = capsys.readouterr().out.splitlines()
    assert sum("InternalError" in each for each in said) == 1
    assert sum(" waited" in each or "Unavailable" in each for each in said) == 1


def test_the_probe_as_printed(capsys):
    CELLS.run("probe", "probe-use")
    said = capsys.readouterr().out
    assert "enters all_reduce [2, 1]" in said
    assert "course" not in CELLS["probe"]


def test_the_probe_names_the_line_that_waits(tmp_path):
    source = CELLS["probe"]

    def waits():
        names = {"tf": tf}
        exec(source, names)
        strategy = tf.distribute.MultiWorkerMirroredStrategy()
        names["entering"]("all_reduce", seconds=1)
        if strategy.cluster_resolver.task_id == 0:
            all_reduce(strategy, tf.constant(1.0))

    run = run_workers(waits)
    assert run["worker 0"].outcome == "waited"
    assert "in all_reduce" in run["worker 0"].log
    assert "Timeout (0:00:01)!" in run["worker 0"].log


def test_claim_001_17():
    kinds = tf.distribute.experimental.CommunicationImplementation

    def differently():
        first = '"index": 0' in os.environ["TF_CONFIG"]
        options = tf.distribute.experimental.CommunicationOptions(
            implementation=kinds.RING if first else kinds.NCCL
        )
        strategy = tf.distribute.MultiWorkerMirroredStrategy(
            communication_options=options
        )
        return float(all_reduce(strategy, tf.constant(1.0 if first else 2.0)))

    assert run_workers(differently).values() == [3.0, 3.0]
    test = CELLS.run("cast")["sum_of_two_kinds"]
    run = run_workers(test)
    errors = [" ".join(end.sentences) for end in run.ends]
    assert sum("InternalError" in each and "data_type" in each for each in errors) == 1


def test_claim_001_20(shipped, halted):
    """A halted process is noticed; one that has left the loop is not."""
    assert halted in ("UnavailableError", "DeadlineExceededError")
    for worker in (0, 2):
        assert shipped.cluster.ends[worker].outcome == "waited"
    assert not any("Error" in end.log for end in shipped.cluster.ends)


def test_claim_001_37():
    """Longer than the nine seconds after which a process that is halted is noticed."""

    def leaves_early():
        strategy = tf.distribute.MultiWorkerMirroredStrategy()
        all_reduce(strategy, tf.constant(1.0))
        note(joined=True)
        if strategy.cluster_resolver.task_id == 0:
            all_reduce(strategy, tf.constant(1.0))

    with Cluster({"worker": 2}, quiet=None, seconds=30) as cluster:
        cluster.start(leaves_early)
        cluster.wait_until(lambda: cluster.running() == {"worker 0"})
        before = time.monotonic()
        cluster.wait_until(lambda: time.monotonic() > before + 12)
        assert cluster.running() == {"worker 0"}
        (now,) = cluster.asked("worker 0")
        assert now.inside == "TensorFlow" and now.lines[-1][0] == "all_reduce"
        run = cluster.finish()
    assert run["worker 0"].outcome == "waited"
    assert "Error" not in run["worker 0"].log


def test_claim_003_38():
    def divides():
        tf.debugging.enable_check_numerics()
        strategy = tf.distribute.MultiWorkerMirroredStrategy()

        @tf.function
        def step():
            return strategy.run(lambda: tf.constant(1.0) / tf.constant(0.0))

        try:
            step()
        except tf.errors.InvalidArgumentError as error:
            return str(error)

    for said in run_workers(divides).values():
        assert 'graph op "RealDiv"' in said and "/device:CPU:0" in said
        assert "autograph_generated_file" in said


def test_claim_004_09():
    def fails_on_one():
        strategy = tf.distribute.MultiWorkerMirroredStrategy()
        all_reduce(strategy, tf.constant(1.0))
        if strategy.cluster_resolver.task_id == 1:
            raise ValueError("a bad row")
        all_reduce(strategy, tf.constant(1.0))

    run = run_workers(fails_on_one)
    assert "a bad row" in " ".join(run["worker 1"].sentences)
    assert run["worker 0"].outcome == "waited"
    assert "a bad row" not in run["worker 0"].log
    with pytest.raises(StepFailed, match="worker 1"):
        run.values()


def test_a_dataset_of_the_strategy_takes_part_without_rows():
    def uneven():
        strategy = tf.distribute.MultiWorkerMirroredStrategy()
        rows = 5 if strategy.cluster_resolver.task_id == 0 else 3

        def make(context):
            return tf.data.Dataset.range(rows).batch(1)

        sizes, means = [], []

        def replica_step(batch):
            size = tf.cast(tf.shape(batch)[0], tf.float32)
            mean = tf.reduce_mean(tf.cast(batch, tf.float32))
            context = tf.distribute.get_replica_context()
            return size, context.all_reduce("SUM", mean)

        for batch in strategy.distribute_datasets_from_function(make):
            size, mean = strategy.run(replica_step, (batch,))
            sizes.append(float(size))
            means.append(float(mean))
        return sizes, means

    (first, means), (second, _) = run_workers(uneven, tries=2).values()
    assert first == [1.0] * 5 and second == [1.0] * 3 + [0.0] * 2
    assert np.isnan(means[-1]) and not np.isnan(means[0])
