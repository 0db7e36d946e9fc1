"""Names joined between file and program, and errors over size: what is drawn, said."""

import numpy as np
import pytest
from picture_rules import picture_tests

from course.lessons.n19_restored_but_wrong.encoding_errors import encoding_errors
from course.lessons.n19_restored_but_wrong.name_joins import name_joins
from course.lessons.n19_restored_but_wrong.restoring import Restoration

LOSSES = {"before": 5.0, "saved": 2.0, "after": 5.0}


def restoration(label, stored, program, joined=(), error="", losses=None):
    """A restore of names with made up values; `joined` are the ones that worked."""
    values = {n: np.full(2, k + 1.5, np.float32) for k, n in enumerate(stored)}
    before = {name: np.zeros(2, np.float32) for name in program}
    after = {name: values[name] if name in joined else before[name] for name in program}
    return Restoration(label, before, after, values, error, losses)


def half_joined(losses=LOSSES):
    return restoration(
        "broken_restore", "bs", ["b", "weights"], joined="b", losses=losses
    )


def words_of(axis):
    return [text.get_text() for text in axis.texts]


def test_one_restore_stands_beside_its_losses():
    picture = name_joins(half_joined())
    left, right = picture.figure.axes
    assert picture.sentence == (
        "broken_restore returned without an error: b came from the file, weights did "
        "not, s of the file went nowhere. Loss: when saved 2; after restore 5; "
        "untrained 5."
    )
    assert {"in the file", "in the program", "b (the weights)", "s", "weights"} <= {
        *words_of(left)
    }
    assert [bar.get_width() for bar in right.patches] == [2.0, 5.0, 5.0]
    joined, *free = left.lines
    assert list(joined.get_xdata()) == pytest.approx([0.42, 0.58])
    # each free name has a dashed line to the middle, and a cross at its end
    assert [line.get_marker() for line in free] == ["None", "X", "None", "X"]
    assert [line.get_xdata()[-1] for line in free] == pytest.approx([0.5] * 4)
    (_, *first), (_, *second), (_, *third) = picture.rows
    there, zero = (
        ("float32 [2] = 1.5, 1.5", "float32 [2] = 2.5, 2.5"),
        "float32 [2] = 0, 0",
    )
    assert first == ["b", there[0], zero, "the file's value"]
    assert second == ["s", there[1], "not there", ""]
    assert third == ["weights", "not there", zero, "its value from before"]


def test_the_loss_of_the_turn_before_stays():
    before = restoration("x", "bs", "bs", "bs", losses={**LOSSES, "after": 3.0})
    bars = name_joins(half_joined(), before=before).figure.axes[1]
    assert [bar.get_width() for bar in bars.patches] == [2.0, 5.0, 5.0, 3.0]
    assert bars.get_yticklabels()[-1].get_text() == "the turn before"


def test_where_there_is_no_loss_the_figure_says_so():
    (_, bars) = name_joins(half_joined(losses=None)).figure.axes
    assert words_of(bars) == [
        "no loss: the weights do not fit\nthe rows, or there is no file"
    ]


def test_two_restores_stand_beside_each_other():
    refused = restoration("my_restore", "bs", ["b", "weights"], error="ValueError: s")
    picture = name_joins(refused, restoration("my_restore", "bs", "bs", joined="bs"))
    left, right = picture.figure.axes
    assert left.get_title("left") == "my_restore: ValueError"
    assert right.get_title("left") == "my_restore"
    assert len(right.lines) == 2 and len(left.lines) == 6
    assert "b and weights did not come from the file, s of the file" in picture.sentence
    assert "returned without an error: b and s came from the file." in picture.sentence


def test_what_does_not_fit_gets_a_sentence():
    with pytest.raises(ValueError, match="one or two restores of up to 5 names"):
        name_joins()
    with pytest.raises(ValueError, match="one or two restores of up to 5 names"):
        name_joins(restoration("six", "abcdef", "abcdef", losses=LOSSES))


def test_errors_are_measured_at_each_size():
    picture = encoding_errors({"float16": lambda numbers: numbers.astype("float16")})
    found = {size: words for _, size, words in picture.rows}
    assert found["1.8e-10"] == "1.0e+00"  # becomes zero
    assert found["1.8e+05"] == "infinite"
    assert float(found["1.8e+00"]) < 2**-11
    assert picture.sentence == ("float16 is within 1 % only from about 6e-06 to 2e+04.")


def test_what_is_exact_and_what_is_lost_are_said():
    ways = {"exact": np.copy, "lost": np.zeros_like, "near": lambda n: n * 1.001}
    assert encoding_errors(ways).sentence == (
        "exact is exact; lost is nowhere within 1 %; near is within 0.001 everywhere."
    )
    with pytest.raises(ValueError, match="up to 4 ways, not 0"):
        encoding_errors({})
    with pytest.raises(ValueError, match="'short' returned the shape"):
        encoding_errors({"short": lambda numbers: numbers[:3]})


PICTURES = {
    "names joined in part": lambda: name_joins(half_joined(), before=half_joined()),
    "names without a loss": lambda: name_joins(half_joined(losses=None)),
    "names refused, then joined": lambda: name_joins(
        restoration("my_restore", "ws", ["s", "weights"], error="ValueError: w"),
        restoration("my_restore", "ws", "ws", joined="ws"),
    ),
    "five names joined, and none": lambda: name_joins(
        restoration("broken_restore", "abcde", "abcde", joined="abcde"),
        restoration("my_restore", "abc", ["weights", "step"]),
    ),
    "ways to write numbers": lambda: encoding_errors(
        {
            "float16": lambda numbers: numbers.astype("float16"),
            "bfloat16": lambda numbers: numbers * 1.004,
            'f"{number:f}"': lambda numbers: numbers.round(6),
            "int8, one scale": lambda numbers: (numbers / 8e3).round() * 8e3,
        }
    ),
    "one exact way": lambda: encoding_errors({"exact": np.copy}),
}


test_a_figure_can_be_read_and_has_words = picture_tests(PICTURES)
