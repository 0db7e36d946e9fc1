"""The evidence for what notebook 10 states, in its claims and in its prose."""

import numpy as np
import pytest
import tensorflow as tf
from printed_cells import PrintedCells

from course.lessons.n10_faster_but_less_accurate.shared_batches import (
    Training,
    losses,
    plan_of,
    seen,
    train_alone,
    train_by,
    train_planned,
)
from course.lessons.n10_faster_but_less_accurate.step_costs import Costs, measure_step
from course.lessons.n10_faster_but_less_accurate.useful import Case, step_ms
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
        (None, "must return"),
        (([8, 8], 0.1), "must return"),
        (([8.5, 8], 0.1, 4), "must return"),
        (([8], 0.1, 4), "for each of 2 replicas; it has 1"),
        (([8, -1], 0.1, 4), "numbers of rows"),
        (([8, 8], 0.1, 10**6), "steps must be"),
        (([8, 8], float("nan"), 4), "rate"),
    ):
        with pytest.raises(TypeError, match=words):
            plan_of(lambda training, replicas, answer=answer: answer, TRAINING, 2)


def scaled(k, devices, base=0.2):
    return train_alone(ROWS, 8 * k, [base * k] * (256 // (8 * k)))


def test_the_linear_rule_as_printed(devices):
    """Batch 16 ends within 2% of batch 8, batch 32 higher, 64 above the start."""
    ends = {k: losses(scaled(k, devices), ROWS)[-1] for k in (1, 2, 4, 8)}
    assert abs(ends[2] / ends[1] - 1) < 0.02 < ends[4] / ends[1] - 1
    assert ends[8] > losses(scaled(1, devices), ROWS)[0]


def test_the_limit_as_printed(capsys, devices):
    CELLS.run("limit", rows=ROWS, train_alone=train_alone, devices=devices)
    first, under, over = capsys.readouterr().out.splitlines()
    assert first == "limit for batches of all 64 rows: 1.41"
    assert float(under.split()[-1]) < 1e-4 and float(over.split()[-1]) > 1e3


def test_the_warm_up_only_delays_here(devices):
    names = CELLS.run("my_rates-fix")
    rates = names["my_rates"](0.2, 4, 3, 8)
    warm = losses(train_alone(ROWS, 32, rates), ROWS)
    plain = losses(scaled(4, devices), ROWS)
    assert warm[1] > plain[1] and abs(warm[-1] / plain[-1] - 1) < 0.01


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


def test_the_run_to_try_is_found(capsys, devices):
    names = {"eight": train_alone(ROWS, 8, [0.1] * 32)}
    names["thirty_two"] = train_alone(ROWS, 32, [0.1] * 8)
    names["broken"] = planned("broken_plan", devices)
    CELLS.run("my_same_training-fix", "try-same", **names)
    assert capsys.readouterr().out.startswith("(32, ")
