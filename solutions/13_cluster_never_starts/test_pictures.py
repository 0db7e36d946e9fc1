"""Maps of clusters: readable, and they say where each list has the other."""

import json

import pytest
from picture_rules import picture_tests

from course.lessons.n13_cluster_never_starts import playing
from course.lessons.n13_cluster_never_starts.cluster_map import cluster_map
from course.lessons.n13_cluster_never_starts.cluster_starts import ClusterStart, Member
from course.pictures.parts import parts_at

HOSTS = ["127.0.0.1:23006", "127.0.0.1:23007"]
NOBODY = "127.0.0.1:23008"
WAITS, DONE = ("waited",), ("returned", "", "", (2, 3.0))


def text(hosts, index):
    task = {"type": "worker", "index": index}
    return json.dumps({"cluster": {"worker": hosts}, "task": task})


def start(label, texts, ends, ports=((23006,), (23007,))):
    """A start as it would be recorded; where both are done, all calls came through."""
    reached = (23006, 23007) if ends == [DONE] * 2 else ()
    members = [
        Member(config, port, *end, reached=reached)
        for config, port, end in zip(texts, ports, ends, strict=True)
    ]
    return ClusterStart(label, {"a": HOSTS[0], "b": HOSTS[1], "x": NOBODY}, members)


def alone(total):
    return ("returned", "", "", (1, total))


BROKEN = start("broken_tf_config", [text(HOSTS, 0), text(HOSTS[::-1], 0)], [WAITS] * 2)
MINE = start("my_tf_config", [text(HOSTS, 0), text(HOSTS, 1)], [DONE] * 2)
FIRST = start(
    "B has a wrong port",
    [text(HOSTS, 0), text([NOBODY, HOSTS[1]], 1)],
    [WAITS] * 2,
)
OTHER = start(
    "A has a wrong port",
    [text([HOSTS[0], NOBODY], 0), text(HOSTS, 1)],
    [("raised", "InvalidArgumentError: words"), WAITS],
)
ISLANDS = start("TF_CONFIG is {}", ["{}", "{}"], [alone(1.0), alone(2.0)], ((), ()))
TWINS = start(
    "the same index",
    [text(HOSTS, 0)] * 2,
    [WAITS, ("raised", "UnknownError: words")],
    ((23006,), ()),
)
BAD = start(
    "my_tf_config", ["no JSON", None], [("raised", "JSONDecodeError: x"), ("killed",)]
)
OUT = start("my_tf_config", [text([NOBODY], 0), text([], 5)], [alone(1.0), ("left",)])
SELF = start("my_tf_config", [text(HOSTS, 1), text(HOSTS, 0)], [WAITS] * 2)
PICTURES = {
    "both wait": lambda: cluster_map(BROKEN),
    "before and after": lambda: cluster_map(BROKEN, MINE),
    "wrong ports": lambda: cluster_map(FIRST, OTHER),
    "one wrong port": lambda: cluster_map(OTHER),
    "islands": lambda: cluster_map(ISLANDS, TWINS),
    "no sense": lambda: cluster_map(BAD, OUT),
    "swapped": lambda: cluster_map(SELF, ISLANDS),
    "the instrument": lambda: playing.picture(MINE, None),
    "the instrument, after a turn": lambda: playing.picture(OTHER, BROKEN),
}


test_a_figure_can_be_read_and_has_words = picture_tests(PICTURES)


def test_the_sentence_says_who_looks_for_whom():
    assert "neither list has the other. A: done: total 1; B: done: total 2" in (
        cluster_map(ISLANDS).sentence
    )
    assert "B's list has worker 0 at x, port 23008, where nobody listens" in (
        cluster_map(FIRST).sentence
    )
    assert "each finds the other. Both: done: total 3." in cluster_map(MINE).sentence
    assert "both say \u201cI am worker 0\u201d" in cluster_map(BROKEN).sentence


def test_bad_input_gets_a_sentence():
    with pytest.raises(ValueError, match="one or two starts of two processes"):
        cluster_map()


def test_the_instrument_describes_a_run_in_one_line():
    assert playing.describe_run(OTHER) == (
        "A has a wrong port: A InvalidArgumentError; B waits, no error"
    )


def test_a_part_says_what_it_is():
    says = parts_at(cluster_map(OTHER).figure, 0)
    assert "process A: InvalidArgumentError: words" in says
    assert "A's list has worker 1 at x, port 23008: nobody listens there" in says
    assert "B's list has worker 0 at a, port 23006: no connection" in says
