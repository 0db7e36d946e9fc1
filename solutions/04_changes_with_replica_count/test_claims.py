"""The evidence for what notebook 04 states, in its claims and in its prose."""

from pathlib import Path

import numpy as np
import pytest
import tensorflow as tf

from autograder.source import read_source
from course.checks.declared import find_prediction
from course.runs.devices import mirrored
from course.runs.workloads import regression

pytestmark = pytest.mark.prove

SOURCE = Path(__file__).parent / f"{Path(__file__).parent.name}.py"


@pytest.fixture
def two(devices):
    return mirrored(devices[:2])


@pytest.fixture
def notebook(devices, capsys):
    """Run cells of the notebook by key; returns the namespace and what was printed."""
    cells = read_source(SOURCE).cells
    namespace, done = {}, set()

    def run(*keys):
        capsys.readouterr()
        for cell in cells:
            first = cell.role in ("start", "setup", "broken") and cell.id not in done
            if first or cell.keys.get("key") in keys:
                exec(compile(cell.text, cell.id, "exec"), namespace)
                done.add(cell.id)
        return namespace, capsys.readouterr().out

    return run


def draw(strategy, source=lambda: tf.random.normal([4])):
    parts = strategy.experimental_local_results(strategy.run(tf.function(source)))
    return [np.asarray(part).tolist() for part in parts]


def test_claim_000_19(devices, two):
    """One replica gives a tensor, two give a value without numpy()."""

    def sample(strategy):
        tf.random.set_seed(42)
        alone = tf.random.normal((1, 5)).numpy()
        with strategy.scope():
            tf.random.set_seed(42)
            return alone, strategy.run(lambda: tf.random.normal((1, 5))).numpy()

    alone, inside = sample(mirrored(devices[:1]))
    assert np.array_equal(alone, inside)
    with pytest.raises(AttributeError, match="'PerReplica' object has no attribute"):
        sample(two)


def test_claim_000_20(two):
    """Different on replicas, and the same when it is done again."""

    def eagerly():
        parts = two.run(lambda: tf.random.normal([4]))
        return [p.numpy().tolist() for p in two.experimental_local_results(parts)]

    for way in (eagerly, lambda: draw(two)):
        runs = []
        for _ in range(2):
            tf.random.set_seed(42)
            runs.append(way())
        assert runs[0] == runs[1]
        assert runs[0][0] != runs[0][1]


def test_claim_000_21(two):
    """An operation seed gives all replicas the same numbers."""
    tf.random.set_seed(42)
    first, second = draw(two, lambda: tf.random.normal([4], seed=7))
    assert first == second


def test_claim_000_28():
    """from_seed makes a new generator; set_global_generator replaces the global one."""
    with pytest.raises(TypeError):
        tf.random.get_global_generator().from_seed()
    before = tf.random.get_global_generator()
    assert before.from_seed(1) is not before
    assert tf.random.get_global_generator() is before
    new = tf.random.Generator.from_seed(1)
    tf.random.set_global_generator(new)
    assert tf.random.get_global_generator() is new


def test_claim_004_15():
    """set_seed rules tf.random only; in a graph, each operation has its own state."""

    def drawn(source):
        values = []
        for _ in range(2):
            tf.random.set_seed(3)
            values.append(np.asarray(source()).tolist())
        return values[0] == values[1]

    generator = tf.random.Generator.from_seed(1)
    dropout = tf.keras.layers.Dropout(0.5, seed=1)
    assert drawn(lambda: tf.random.normal([4]))
    assert not drawn(lambda: generator.normal([4]))
    assert not drawn(lambda: dropout(tf.ones([64]), training=True))
    stateless = tf.random.stateless_normal([4], seed=[1, 2]).numpy()
    tf.random.set_seed(4)
    assert np.array_equal(stateless, tf.random.stateless_normal([4], seed=[1, 2]))

    def normal():
        return tf.random.normal([4])

    def different(first, second):
        tf.random.set_seed(3)
        return not np.array_equal(first(), second())

    assert different(normal, normal)  # one state, which goes on
    assert not different(tf.function(normal), tf.function(normal))


def test_the_table_of_sources_is_what_a_run_shows(notebook):
    """Notebook 04, Observe: the prediction's answers are those of the live run."""
    namespace, _ = notebook("sources")
    observed = namespace["observe_sources"](namespace["sources"], namespace["strategy"])
    assert observed == dict(find_prediction("04").rows)


def test_the_same_number_of_replicas_repeats_another_does_not(notebook):
    """Notebook 04, Symptom: repeatable, but other masks on another number."""
    namespace, _ = notebook("sources")
    namespace["my_mask"] = namespace["broken_mask"]
    namespace, _ = notebook("run-mine")
    once, again = namespace["broken"], namespace["mine"]
    for first, second in zip(once, again, strict=True):
        assert not first.differing(second, 0) and not first.differing(second, 1)
    # replica 0 draws what one device draws first
    assert once[1].differing(once[0], 0) == [2, 3, 4, 5, 6, 7]


def test_a_row_s_mask_works_in_a_model_that_is_given_step_and_ids(devices):
    """Notebook 04, Confirm: the model's call multiplies; 1 and 4 replicas agree."""

    def my_mask(step, ids, units):
        def for_row(row):
            return tf.random.stateless_uniform([units], seed=[step, row])

        numbers = tf.map_fn(for_row, ids, fn_output_signature=tf.float32)
        return tf.cast(numbers < 0.75, tf.float32)

    class Model(tf.keras.Model):
        def __init__(self):
            super().__init__()
            self.hidden = tf.keras.layers.Dense(8, kernel_initializer="ones")

        def call(self, x, step, ids):
            return self.hidden(x) * my_mask(step, ids, 8) / 0.75

    def outputs(n):
        strategy = mirrored(devices[:n])
        with strategy.scope():
            model = Model()
        rows = regression(12)
        data = tf.data.Dataset.from_tensor_slices((rows.x, rows.ids.astype(np.int32)))
        run = tf.function(lambda x, ids: strategy.run(model, (x, tf.constant(3), ids)))
        batches = strategy.experimental_distribute_dataset(data.batch(12))
        ((x, ids),) = batches
        return np.concatenate(
            [p.numpy() for p in strategy.experimental_local_results(run(x, ids))]
        )

    one = outputs(1)
    assert np.array_equal(one, outputs(4))
    assert (one == 0).any() and not (one == 0).all()


def test_noise_from_epoch_and_row_is_the_same_on_any_number_of_devices(devices):
    """Notebook 04, Confirm: augmentation, drawn row by row before `batch`."""
    rows = regression(22)

    def noisy(n, batch):
        def add_noise(row, x):
            return x + tf.random.stateless_normal([2], seed=[3, row])

        data = tf.data.Dataset.from_tensor_slices((rows.ids.astype(np.int32), rows.x))
        strategy = mirrored(devices[:n])
        made = strategy.experimental_distribute_dataset(
            data.map(add_noise).batch(batch)
        )
        parts = [strategy.experimental_local_results(step) for step in made]
        return np.concatenate([part.numpy() for step in parts for part in step])

    one = noisy(1, 8)
    assert np.array_equal(one, noisy(4, 8)) and np.array_equal(one, noisy(2, 6))


def test_keras_dropout_in_the_scope_is_the_same_on_all_replicas(notebook):
    """Notebook 04, Locate: layer 1 shares in step 0; outside the scope it does not."""
    namespace, _ = notebook("sources", "record")
    of_keras = namespace["recorded"][1, 0]
    assert (of_keras == of_keras[:1]).all()
    outside = tf.keras.layers.Dropout(0.5, seed=1)
    first, *others = draw(
        namespace["strategy"], lambda: outside(tf.ones([64]), training=True)
    )
    assert all(other != first for other in others)


def test_fit_with_dropout_depends_on_the_number_of_devices(devices):
    """Notebook 04, Confirm: fit does not save you."""
    rows = regression(24)

    def fit(n, rate):
        with mirrored(devices[:n]).scope():
            model = tf.keras.Sequential(
                [
                    tf.keras.Input((2,)),
                    tf.keras.layers.Dropout(rate, seed=1),
                    tf.keras.layers.Dense(1, kernel_initializer="zeros"),
                ]
            )
            model.compile(tf.keras.optimizers.SGD(0.1), loss="mse")
        model.fit(rows.x, rows.y, batch_size=8, epochs=2, shuffle=False, verbose=0)
        return model.layers[-1].kernel.numpy()

    assert np.abs(fit(1, 0.0) - fit(4, 0.0)).max() < 1e-5
    assert np.abs(fit(1, 0.5) - fit(4, 0.5)).max() > 1e-2


def test_the_probe_tells_sources_apart(notebook):
    """The probe as printed, on all sources of the notebook."""
    namespace, printed = notebook("sources", "probe")
    assert "{'shared': True, 'repeated': False}" in printed
    probe = namespace["shared_and_repeated"]
    for name, source in namespace["sources"].items():
        same, new = find_prediction("04").rows[name]
        expected = {"shared": same, "repeated": not new}
        assert probe(namespace["strategy"], source) == expected, name

    def two_alike():
        context = tf.distribute.get_replica_context()
        pair = context.replica_id_in_sync_group // 2
        return tf.random.normal([4]) * 0 + tf.cast(pair, tf.float32)

    assert probe(namespace["strategy"], two_alike)["shared"]


def test_neighbouring_seeds_share_one_stream(notebook):
    """Notebook 04: from_seed(6) is from_seed(5), four numbers later."""
    _, printed = notebook("neighbours")
    *seeds, places = printed.splitlines()
    five, six, seven = (line.split()[1:] for line in seeds)
    assert five[4:] == six[:6] and six[4:] == seven[:6]
    # a call moves by 256 places for each of its numbers
    assert places.split() == ["5", "->", "2565", "6", "->", "262"]
    states = [tf.random.Generator.from_seed(s).state.numpy() for s in (5, 6)]
    assert states[0][-1] == states[1][-1]  # the key, last of three, chooses the stream
    left = tf.random.Generator.from_seed(5).split(3)
    assert len({g.state.numpy()[-1] for g in left}) == 3
    right = tf.random.Generator.from_seed(6).split(3)
    assert left[2].state.numpy().tolist() == right[0].state.numpy().tolist()
    stateless = [tf.random.stateless_normal([64], seed=[s, 0]).numpy() for s in (5, 6)]
    assert not set(stateless[0].tolist()) & set(stateless[1].tolist())
    seeded = []
    for seed in (5, 6):
        tf.random.set_seed(seed)
        seeded.append(set(tf.random.normal([64]).numpy().tolist()))
    assert not seeded[0] & seeded[1]
