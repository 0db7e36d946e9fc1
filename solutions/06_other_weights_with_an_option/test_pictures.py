"""What this notebook draws: distances by option, and shares that are added up."""

import numpy as np
import pytest
from picture_rules import picture_tests

from course.lessons.n06_other_weights_with_an_option import (
    PREDICTION,
    option_distances,
    playing,
    shares_film,
)
from course.pictures.parts import parts_at

FAR = (0.4, 6e-8, np.inf, 1.2e-7, 0.0, 2.5, np.nan)
SEVEN = dict(zip(PREDICTION.rows, FAR, strict=True))
OTHER = dict.fromkeys(SEVEN, (True,))


def steps(replicas, clip, seed=3):
    """Steps of drawn shares: clipped one by one, or not at all."""
    sent = np.random.default_rng(seed).normal(1, 2, (shares_film.STEPS, replicas, 2))
    if clip:
        sent /= np.maximum(np.linalg.norm(sent, axis=2, keepdims=True) / clip, 1)
    applied = sent.sum(axis=1)
    start = np.zeros((1, 2))
    return shares_film.Steps(
        np.concatenate([start, -0.1 * np.cumsum(applied, axis=0)]), sent, applied
    )


def runs(option="clipnorm", limit=2, replicas=4):
    clip = 0 if option == shares_film.NO_OPTION else limit
    limit = clip or None
    return shares_film.Runs(option, limit, 12, steps(replicas, clip), steps(1, clip))


PICTURES = {
    "seven options": lambda: option_distances(SEVEN),
    "seven options, ticked": lambda: option_distances(SEVEN, OTHER),
    "two options": lambda: option_distances({"SGD": 1e-8, "my_gradient in fit": 3e-8}),
    "shares within a circle": lambda: shares_film.picture(runs()),
    "shares within a square": lambda: shares_film.picture(runs("clipvalue", 6, 2)),
    "shares, no limit, and a run before": lambda: shares_film.picture(
        runs(shares_film.NO_OPTION, 1, 3), runs()
    ),
}

test_a_figure_can_be_read_and_has_words = picture_tests(PICTURES)


def test_the_sentence_names_what_ends_elsewhere():
    sentence = PICTURES["seven options"]().sentence
    assert sentence.startswith("4 of 7 end with other weights than on one device: SGD")
    assert sentence.endswith("loss, one number; BatchNormalization.")
    same = PICTURES["two options"]().sentence
    assert same == "Each of the 2 keeps the weights of one device."
    assert option_distances({"a": 1.0}).sentence.startswith("None keeps")


def test_what_was_ticked_wrongly_stands_beside_it():
    words = [
        text.get_text()
        for text in PICTURES["seven options, ticked"]().figure.axes[0].texts
    ]
    assert words.count("other weights (you: the same)") == 4
    assert words.count("the same") == 3


@pytest.mark.parametrize(
    ("option", "limit", "replicas", "batch"),
    [("none", 1, 2, 24), ("clipnorm", 2, 4, 12), ("clipvalue", 3, 3, 12)],
)
def test_the_shares_that_are_drawn_add_up_to_what_keras_applied(
    devices, option, limit, replicas, batch
):
    now = playing.run(option, limit, replicas, batch)
    for each in (now.replicas, now.alone):
        np.testing.assert_allclose(each.sent.sum(axis=1), each.applied, atol=1e-5)
    assert (now.gaps[-1] < 1e-5) == (option == "none")
    settings = option if option == "none" else f"{option}={limit}"
    line = f"{settings}, {replicas} replicas, {batch} rows in a step: after 8 steps, "
    assert shares_film.describe_run(now).startswith(line)


def test_a_learners_function_has_its_own_limit(devices):
    def one_for_all(own, count, ctx):
        import tensorflow as tf

        own, count = ctx.all_reduce("SUM", [own, count])
        return tf.clip_by_norm(own / count, 2.0)

    now = playing.run(one_for_all, 5, 3, 12)
    assert now.limit == 2 and now.gaps.max() < 1e-5
    line = "one_for_all, 3 replicas, 12 rows in a step: after 8 steps, the weights"
    assert shares_film.describe_run(now) == f"{line} equal one device's"
    assert playing.idle_knobs(option=one_for_all, limit=5, replicas=3, batch=12) == {
        "limit": "Your function has its own limit, 2."
    }


def test_a_limit_is_idle_without_an_option():
    others = {"limit": 2, "replicas": 2, "batch": 12}
    assert list(playing.idle_knobs(option=shares_film.NO_OPTION, **others)) == ["limit"]
    assert playing.idle_knobs(option="clipvalue", **others) == {}


def test_a_part_says_which_replica_contributes_what():
    now = runs()
    said = parts_at(shares_film.picture(now).figure, 3)
    share = "({:.2f}, {:.2f})".format(*now.replicas.sent[3, 1])
    assert f"step 3: replica 1 contributes {share}" in said
    assert not [words for words in said if words.startswith("step 2: ")]
    assert "the limit of clipnorm, 2" in said
