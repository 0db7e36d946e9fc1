"""The two forms of questions: parallel, sound, and true where TensorFlow decides."""

import json
import re
from collections import Counter

import numpy as np
import pytest
import tensorflow as tf

from course.runs.devices import mirrored
from course.runs.workloads import regression
from course.widgets.questions import ask, asking, compare, comparing, export
from course.widgets.questions.form import COUNT
from course.widgets.questions.form_a import FORM_A
from course.widgets.questions.form_b import FORM_B

FORMS = (FORM_A, FORM_B)
EVERY = [(form, n) for form in FORMS for n in range(1, COUNT + 1)]
LINES, COLUMNS, WORDS = 15, 88, 120
RIGHT = {form.name: "".join(q.answer for q in form.questions) for form in FORMS}


@pytest.mark.parametrize(("form", "number"), EVERY, ids=lambda v: getattr(v, "name", v))
def test_a_question_is_sound(form, number):
    question = form.questions[number - 1]
    assert list(question.options) == ["A", "B", "C", "D"]
    assert question.asked.endswith("?")
    for letter, option in question.options.items():
        # each wrong one is a way to think, and is answered
        assert bool(option.comment) == (letter != question.answer)
    code = question.code.splitlines()
    assert len(code) <= LINES and max(map(len, code), default=0) <= COLUMNS
    told = " ".join(
        [question.story, question.asked, *(o.text for o in question.options.values())]
    )
    assert len(re.findall(r"\w[\w'.-]*", told)) <= WORDS
    assert all(re.fullmatch(r"\d\d", each) for each in question.notebooks)


def test_the_forms_are_parallel_and_not_the_same():
    assert len(FORM_A.questions) == len(FORM_B.questions) == COUNT
    for first, second in zip(FORM_A.questions, FORM_B.questions, strict=True):
        assert first.aim == second.aim and first.notebooks[:1] != ()
        assert first.story != second.story
        assert {o.text for o in first.options.values()} != {
            o.text for o in second.options.values()
        }


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_no_letter_is_right_more_often_than_others(form):
    assert set(Counter(RIGHT[form.name]).values()) == {2}


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_the_longest_option_is_not_the_right_one_more_often_than_by_chance(form):
    longest = [
        max(q.options, key=lambda k: len(q.options[k].text)) == q.answer
        for q in form.questions
    ]
    assert sum(longest) <= 3


def test_answers_are_kept_and_come_back(capsys):
    ask("A", "ABCDABCD", ["a guess"] * 4 + ["certain"] * 4)
    assert FORM_A.answers()[4] == ("D", "a guess")
    assert FORM_A.answers()[5] == ("A", "certain")
    assert not FORM_B.answers()
    assert "8 answers" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("C",), "the forms"),
        (("A", "ABC"), "give 8 letters"),
        (("A", "ABCDABCX"), "answer one of A, B, C, D"),
        (("A", "ABCDABCD", ["sure"] * 8), "sure is one of"),
        (("A", "ABCDABCD", ["certain"]), "give 8 letters"),
    ],
)
def test_bad_answers_are_explained(arguments, said):
    with pytest.raises(ValueError, match=said):
        ask(*arguments)


def shown(monkeypatch):
    pages = []
    monkeypatch.setattr(comparing, "display", lambda page: pages.append(page.data))
    compare()
    return pages[-1]


def test_nothing_is_told_before_both_forms_are_answered(monkeypatch):
    assert 'ask("A") ask("B")' in shown(monkeypatch)
    ask("A", RIGHT["A"])
    assert "Answer form B first" in shown(monkeypatch)


def test_the_comparison_counts_and_gives_reasons(monkeypatch):
    wrong = "".join("B" if letter == "A" else "A" for letter in RIGHT["A"])
    ask("A", wrong, ["certain"] * 8)
    ask("B", RIGHT["B"], ["fairly sure"] * 8)
    page = shown(monkeypatch)
    assert "Right before the course: 0 of 8; after it: 8." in page
    assert "certain: 0 of 8 right" in page and "fairly sure: 8 of 8 right" in page
    assert page.count("<li>Form A") == 8 and "Form B" not in page
    assert "keras/issues/16285" in page


def test_export_writes_letters_only_and_loses_no_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ask("A", RIGHT["A"])
    told = json.loads(export().read_text())
    assert [each["answer"] for each in told["A"]] == list(RIGHT["A"])
    assert told["B"] == [] and set(told["A"][0]) == {"question", "answer", "sure"}
    with pytest.raises(FileExistsError):
        export()


def test_the_widgets_go_forth_and_back():
    asked = asking._Asked(FORM_A)
    assert asked._next.disabled and asked._back.disabled
    asked._choice.value = "B"
    assert not asked._next.disabled
    asked._sure.value = "certain"
    asked._next.click()
    assert FORM_A.answers() == {1: ("B", "certain")}
    assert "Question 2 of 8" in asked._text.value and asked._choice.value is None
    asked._back.click()
    assert "Question 1 of 8" in asked._text.value and asked._choice.value == "B"
    for _ in range(COUNT):
        asked._choice.value = "C"
        asked._next.click()
    assert FORM_A.is_answered and "8 of 8 answers" in asked._said.value
    again = asking._Asked(FORM_A)
    assert "Question 1 of 8" in again._text.value and again._choice.value == "C"


def fit(replicas, loss, devices, batch=16):
    """(logged loss, weights) of one epoch of Keras fit over 64 rows."""
    rows = regression(64)
    with mirrored(devices[:replicas]).scope():
        layer = tf.keras.layers.Dense(1, use_bias=False, kernel_initializer="zeros")
        model = tf.keras.Sequential([tf.keras.Input((2,)), layer])
        model.compile(tf.keras.optimizers.SGD(0.05), loss=loss)
    log = model.fit(
        rows.x, rows.y[:, None], batch_size=batch, epochs=1, shuffle=False, verbose=0
    )
    return log.history["loss"][0], layer.kernel.numpy().ravel()


class Mean(tf.keras.losses.Loss):
    """The loss of form A's first question."""

    def call(self, y_true, y_pred):
        return tf.reduce_mean((y_true - y_pred) ** 2)


class Others(tf.keras.losses.Loss):
    """The loss of form B's first question."""

    def call(self, y_true, y_pred):
        scores = tf.matmul(y_pred, y_true, transpose_b=True)
        own = tf.range(tf.shape(y_true)[0])
        return tf.nn.sparse_softmax_cross_entropy_with_logits(own, scores)


def test_a_mean_formed_in_the_loss_is_added_up_by_fit(devices):
    """Form A, 1: four replicas' first step is four times as long, and the loss, too."""
    batch = 64  # one step
    (one, w_one), (four, w_four) = (fit(n, Mean(), devices, batch) for n in (1, 4))
    assert four == pytest.approx(4 * one, rel=1e-4)
    assert np.allclose(w_four, 4 * w_one, atol=1e-5)
    built_in = fit(4, "mse", devices, batch)
    assert built_in[0] == pytest.approx(one, rel=1e-4)
    assert np.allclose(built_in[1], w_one, atol=1e-5)


def test_a_loss_over_the_batch_is_one_over_a_replicas_share(devices):
    """Form B, 1: untrained, the loss is the logarithm of the rows it compares."""
    for replicas in (1, 4):
        loss, _ = fit(replicas, Others(), devices)
        assert loss == pytest.approx(np.log(16 / replicas), abs=0.08)


def test_workers_start_equal_whatever_their_seeds(devices):
    """Form B, 4: a variable made in the scope is the chief's."""
    from course.runs.cluster import run_workers

    run = run_workers(_start_with_own_seed, tries=2)
    first, second = run.values()
    assert first == second


def _start_with_own_seed():
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    tf.random.set_seed(7 + strategy.cluster_resolver.task_id)
    with strategy.scope():
        return tf.Variable(tf.random.normal([2])).numpy().tolist()
