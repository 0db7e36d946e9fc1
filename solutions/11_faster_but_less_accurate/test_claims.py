"""The evidence for what notebook 11 states, in its claims and in its prose."""

import numpy as np
import pytest
import tensorflow as tf
from printed_cells import PrintedCells

from course.checks.failures import WrongReturn
from course.lessons.n11_faster_but_less_accurate import (
    PREDICTION,
    dealt_by,
    job,
    loss_curves,
    which_of_one_device,
    wrong_deal,
)
from course.lessons.n11_faster_but_less_accurate.dealing import MY_DEAL, _simulate
from course.lessons.n11_faster_but_less_accurate.normalised import (
    losses_of,
    train_normalised,
)
from course.lessons.n11_faster_but_less_accurate.playing import (
    describe_run,
    idle_knobs,
)
from course.lessons.n11_faster_but_less_accurate.playing import run as run_played
from course.lessons.n11_faster_but_less_accurate.shared_batches import (
    Plan,
    Training,
    losses,
    plan_of,
    seen,
    train_alone,
    train_by,
    train_planned,
)
from course.lessons.n11_faster_but_less_accurate.step_costs import Costs, measure_step
from course.lessons.n11_faster_but_less_accurate.useful import Case, step_ms
from course.runs.devices import mirrored
from course.runs.sequential import train_sequentially
from course.runs.workloads import regression

pytestmark = [
    pytest.mark.prove,
    pytest.mark.usefixtures("devices"),
]  # before TensorFlow starts

ROWS, TRAINING = regression(64), Training()
CELLS = PrintedCells(__file__, tf=tf, np=np)


def planned(name, devices):
    planner = CELLS.run("my_plan-broken", "my_plan-fix")[name]
    return train_planned(planner, TRAINING, ROWS, devices)


def test_the_large_batch_is_the_training_of_one_device_with_it(devices):
    """All copies equal batch 32 at every step, in a quarter of the steps."""
    broken, truth = planned("broken_plan", devices), train_sequentially(ROWS, 32, 8)
    assert broken.steps == 8 and TRAINING.steps == 32
    assert np.abs(broken.copies - truth.copies).max() < 1e-6
    eight = train_sequentially(ROWS, 8, 32)
    assert losses(broken, ROWS)[-1] > 1.2 * losses(eight, ROWS)[-1]
    assert seen(broken)[-1] == seen(eight)[-1] == 256


@pytest.mark.parametrize("replicas", [1, 2, 3, 4])
def test_the_held_batch_is_the_training_of_one_device(devices, replicas):
    mine, truth = (
        planned("my_plan", devices[:replicas]),
        train_sequentially(ROWS, 8, 32),
    )
    assert np.abs(mine.copies - truth.copies).max() < 1e-6
    assert set(mine.examples) == {tuple(map(len, np.array_split(range(8), replicas)))}


def test_it_is_no_stretched_curve_of_the_small_batch(devices):
    broken, eight = planned("broken_plan", devices), train_sequentially(ROWS, 8, 32)
    off = np.abs(broken.copies[1:, 0] - eight.copies[1:9, 0]).max(axis=1)
    assert off.min() > 0.01


def test_an_epoch_ends_with_what_is_left(devices):
    """Eleven rows in fours: 2 + 2, 2 + 2, 2 + 1, then from the beginning."""
    training = Training(rows=11, batch=4, epochs=2)
    plan = plan_of(CELLS.run("my_plan-fix")["my_plan"], training, 2)
    run = train_by(plan, regression(11), devices[:2])
    assert run.examples == ((2, 2), (2, 2), (2, 1)) * 2
    assert run.ids[2] == ((8, 9), (10,)) and run.ids[3] == ((0, 1), (2, 3))
    truth = train_sequentially(regression(11), 4, 6)
    assert np.abs(run.copies - truth.copies).max() < 1e-6


def test_plans_that_are_none_are_told_so(devices):
    for answer, words in (
        (None, "Return .shares, rate, steps."),
        (([8, 8], 0.1), "Return .shares"),
        (([8.5, 8], 0.1, 4), "Return .shares"),
        (([8], 0.1, 4), "1 share for 2 replicas"),
        (([8, -1], 0.1, 4), "numbers of rows"),
        (([8, 8], 0.1, 10**6), "steps from 0 to"),
        (([8, 8], float("nan"), 4), "rate"),
    ):
        with pytest.raises(WrongReturn, match=words):
            plan_of(lambda training, replicas, answer=answer: answer, TRAINING, 2)


def test_which_jobs_equal_one_device(devices):
    """The table of the prediction, and the training that `broken_plan` is."""
    names = CELLS.run("jobs", job=job)
    found = dict(which_of_one_device(names["jobs"], ROWS, devices))
    assert found == dict(PREDICTION.rows)
    assert planned("broken_plan", devices).examples == ((8,) * 4,) * 8


def normalised(shares, devices, **options):
    plan = Plan(shares, 0.1, 256 // sum(shares))
    return train_normalised(plan, ROWS, devices[: len(shares)], **options)


def test_a_replica_normalises_its_own_rows(devices):
    """Two rows each: no batch of one device. Of all rows' statistics: batch 8."""
    one, four = normalised((8,), devices), normalised((2,) * 4, devices)
    sync = normalised((2,) * 4, devices, synchronized=True)
    assert np.abs(sync.copies - one.copies).max() < 1e-5
    for batch in (1, 2, 4, 8):
        other = normalised((batch,), devices)
        steps = min(other.steps, four.steps) + 1
        assert np.abs(four.copies[:steps] - other.copies[:steps]).max() > 0.1
    assert losses_of(four, ROWS)[-1] > 1.2 * losses_of(one, ROWS)[-1]


def test_one_row_is_normalised_to_nothing(devices):
    ones = normalised((1,) * 4, devices)
    assert np.abs(ones.copies[:, :, :2]).max() < 1e-6  # the weights never move
    assert np.abs(ones.copies[-1, :, 2]).min() > 1  # the bias does


def test_like_rows_together_are_worst(capsys, devices):
    """What Further 1 shows: the probe's numbers and the plain model stay."""
    names = CELLS.run("my_deal-broken", "my_deal-fix")
    one = losses_of(normalised((8,), devices), ROWS)[-1]
    for name, at_least, at_most in (("broken_deal", 1, 1.4), ("my_deal", 1.5, 4)):
        deal = dealt_by(names[name], ROWS)
        run = normalised((2,) * 4, devices, deal=deal)
        assert at_least < losses_of(run, ROWS)[-1] / one < at_most
        plain = train_by(Plan((2,) * 4, 0.1, 32), ROWS, devices, deal=deal)
        alone = train_sequentially(ROWS, 8, 32)
        assert np.abs(plain.copies - alone.copies).max() < 1e-5


def test_a_deal_is_judged_by_arithmetic_as_by_a_run(devices):
    (case, *_) = MY_DEAL.cases(np.random.default_rng(3))
    unfair = wrong_deal.some_rows_twice, wrong_deal.parts_of_other_sizes
    for function in (wrong_deal.as_mixed_as_the_step, wrong_deal.ALIKE[0], *unfair):
        seen, simulated = MY_DEAL.seen(function, case), _simulate(function, case)
        assert seen.agrees(simulated, 1e-5) and seen.told == simulated.told


@pytest.mark.parametrize("batch", [4, 8, 16])
def test_four_times_the_rate_is_nearest_to_the_small_batch(devices, batch):
    """The instrument's second question, with all rates that its knob has."""

    def curve(batch, rate):
        run = train_alone(ROWS, batch, [rate] * (256 // batch))
        return losses(run, ROWS)

    alone = curve(batch, 0.1)[::4]
    others = {rate: curve(4 * batch, rate) for rate in (0.1, 0.2, 0.4, 0.8)}
    gaps = {rate: np.abs(other - alone).max() for rate, other in others.items()}
    assert min(gaps, key=gaps.get) == 0.4 and sorted(gaps.values())[1] > 1.8 * gaps[0.4]
    assert abs(others[0.4][-1] / alone[-1] - 1) < 0.02
    assert (others[0.8] - alone).min() < -1  # it falls too fast at first


def test_four_replicas_take_more_rows_a_second_and_learn_less(devices):
    """The instrument's first question: its default waits, batch 8."""
    costs = Costs(fixed=20, row=5, exchange=15)
    one, four = step_ms(Case(costs, 8, 4), 1), step_ms(Case(costs, 32, 4), 4)
    assert (one, four) == (60, 105)
    speeds = 1000 * 8 / one, 1000 * 32 / four
    assert np.round(speeds).tolist() == [133, 305]
    assert round(speeds[1] / speeds[0], 1) == 2.3
    runs = [train_alone(ROWS, b, [0.1] * (256 // b)) for b in (8, 32)]
    assert [round(losses(run, ROWS)[-1], 2) for run in runs] == [2.15, 2.66]


def test_the_instrument_says_which_training_a_run_is(devices):
    broken = CELLS.run("my_plan-broken")["broken_plan"]
    for replicas, batch, rate, layer, verdict in (
        (4, 8, 0.1, False, "equals one device, batch 32, rate 0.1 after every step"),
        (2, 4, 0.4, False, "equals one device, batch 8, rate 0.4 after every step"),
        (1, 8, 0.1, True, "equals one device, batch 8, rate 0.1 after every step"),
        (2, 4, 0.1, True, "equals no run of one device"),
        (4, 16, 0.1, True, "equals no run of one device"),
    ):
        played = run_played(replicas, batch, rate, layer, 0, 0, broken)
        assert played.verdict == verdict


def test_a_line_of_the_instrument_names_every_knob(devices):
    broken = CELLS.run("my_plan-broken")["broken_plan"]
    line = describe_run(run_played(2, 4, 0.4, True, 20, 15, broken))
    assert line.startswith(
        "2 replicas (4 + 4 rows), rate 0.4, BatchNormalization, broken_plan, "
        "training.batch 4, fixed 20 ms, exchange 15 ms: equals no run of one device; "
    )


def test_the_exchange_is_idle_on_one_replica():
    assert list(idle_knobs(replicas=1, batch=8, fixed=20)) == ["exchange"]
    assert idle_knobs(replicas=2, batch=8, fixed=20) == {}


def test_claim_000_30(devices):
    """Work overlaps on all replicas, the exchange comes after it: 100, 75, 85 ms."""
    costs, lanes = Costs(fixed=20, row=5, exchange=15), [*devices, "exchange"]
    assert [step_ms(Case(costs, 16, 4), n) for n in (1, 2, 4)] == [100, 75, 85]
    assert step_ms(Case(Costs(0, 5, 0), 16, 4), 4) == 80 / 4
    for n in (2, 4):
        run = measure_step(costs, 16, devices[:n], lanes)
        work = [span for span in run.spans if span.kind == "rows"]
        (exchange,) = (span for span in run.spans if span.kind == "exchange")
        assert [span.lane for span in sorted(work, key=lambda s: s.lane)] == devices[:n]
        assert run.most_at_once == n
        assert exchange.begin >= max(span.end for span in work)
    assert planned("my_plan", devices).copies[-1] == pytest.approx(
        train_sequentially(ROWS, 8, 32).copies[-1].repeat(4, 0), abs=1e-6
    )


@pytest.mark.parametrize("replicas", [1, 4])
def test_fit_shares_out_the_batch_it_is_given(devices, replicas):
    """Batch size 8 is batch 8 on four replicas, and 32 is batch 32."""
    with mirrored(devices[:replicas]).scope():
        dense = tf.keras.layers.Dense(1, use_bias=False, kernel_initializer="zeros")
        model = tf.keras.Sequential([tf.keras.Input((2,)), dense])
        model.compile(tf.keras.optimizers.SGD(0.1), "mse")
    for batch, steps in ((8, 32), (32, 8)):
        dense.set_weights([np.zeros((2, 1))])
        options = {"batch_size": batch, "epochs": 4, "shuffle": False, "verbose": 0}
        model.fit(ROWS.x, ROWS.y[:, None], **options)
        truth = train_sequentially(ROWS, batch, steps).copies[-1, 0]
        assert np.abs(dense.get_weights()[0][:, 0] - truth).max() < 1e-5


def test_the_probe_on_a_foreign_script(capsys, devices):
    assert "course" not in CELLS["probe"]
    probe = CELLS.run("probe")["describe_training"]
    strategy = mirrored(devices)
    data = tf.data.Dataset.from_tensor_slices({"x": tf.ones((22, 3)), "y": tf.ones(22)})
    shared = strategy.experimental_distribute_dataset(data.batch(8))
    assert probe(strategy, shared, 0.05) == [[2] * 4, [2] * 4, [2, 2, 2, 0]]
    first, second, third = capsys.readouterr().out.splitlines()
    assert first == "steps in an epoch: 3  learning rate: 0.05"
    assert second == "global batch: 8  of the last step: 6"
    assert third == "rows of each replica: [2, 2, 2, 2]  in the last step: [2, 2, 2, 0]"


def test_the_runs_to_try_tell_the_shipped_function_from_a_right_one(capsys, devices):
    names = {"rows": ROWS, "training": TRAINING, "train_alone": train_alone}
    names |= {"train_planned": train_planned, "devices": devices}
    names |= {"loss_curves": loss_curves, "show": lambda picture: None}
    names |= CELLS.run("my_plan-broken", "my_same_training-broken", **names)
    names |= CELLS.run("three-runs", **names)
    shipped = names["broken_same_training"]
    CELLS.run("try-same", **names, my_same_training=shipped)
    whole, stopped = capsys.readouterr().out.splitlines()
    assert whole.startswith("(32, ") and not stopped.startswith("(32, 0.00")
    CELLS.run("my_same_training-fix", "try-same", **names)
    whole, stopped = capsys.readouterr().out.splitlines()
    assert whole.startswith("(32, ") and stopped.startswith("(32, 0.00")


def test_the_probe_in_the_notebook(capsys, devices):
    """A plain job of 60 rows: with four replicas, steps and batch have changed."""
    CELLS.run("probe", "use-probe", rows=ROWS, mirrored=mirrored, devices=devices)
    assert capsys.readouterr().out.splitlines() == [
        "steps in an epoch: 8  learning rate: 0.1",
        "global batch: 8  of the last step: 4",
        "rows of each replica: [8]  in the last step: [4]",
        "steps in an epoch: 2  learning rate: 0.1",
        "global batch: 32  of the last step: 28",
        "rows of each replica: [8, 8, 8, 8]  in the last step: [7, 7, 7, 7]",
    ]
