"""Maps of clusters: readable, and they say who looks for whom."""

import json

import pytest
from picture_rules import can_be_read, has_words

from course.lessons.n12_cluster_never_starts.cluster_map import cluster_map
from course.lessons.n12_cluster_never_starts.cluster_starts import ClusterStart, Member

HOSTS = ["127.0.0.1:23006", "127.0.0.1:23007"]
NOBODY = "127.0.0.1:23008"
WAITS, DONE = ("waited",), ("returned", "", "", (2, 3.0))


def text(hosts, index):
    task = {"type": "worker", "index": index}
    return json.dumps({"cluster": {"worker": hosts}, "task": task})


def start(label, texts, ends, ports=((23006,), (23007,))):
    members = zip(texts, ports, ends, strict=True)
    return ClusterStart(
        label, tuple(HOSTS), tuple(Member(t, p, *e) for t, p, e in members)
    )


def alone(total):
    return ("returned", "", "", (1, total))


BROKEN = start("broken_tf_configs", [text(HOSTS, 0), text(HOSTS[::-1], 0)], [WAITS] * 2)
MINE = start("my_tf_configs", [text(HOSTS, 0), text(HOSTS, 1)], [DONE] * 2)
FIRST = start(
    "worker 1 has a wrong port",
    [text(HOSTS, 0), text([NOBODY, HOSTS[1]], 1)],
    [WAITS] * 2,
)
OTHER = start(
    "worker 0 has a wrong port",
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
    "my_tf_configs", ["no JSON", None], [("raised", "JSONDecodeError: x"), ("killed",)]
)
OUT = start("my_tf_configs", [text([NOBODY], 0), text([], 5)], [alone(1.0), ("left",)])
SELF = start("my_tf_configs", [text(HOSTS, 1), text(HOSTS, 0)], [WAITS] * 2)
PICTURES = {
    "both wait": lambda: cluster_map(BROKEN),
    "before and after": lambda: cluster_map(BROKEN, MINE),
    "wrong ports": lambda: cluster_map(FIRST, OTHER),
    "one wrong port": lambda: cluster_map(OTHER),
    "islands": lambda: cluster_map(ISLANDS, TWINS),
    "no sense": lambda: cluster_map(BAD, OUT),
    "swapped": lambda: cluster_map(SELF, ISLANDS),
}


@pytest.mark.parametrize("name", PICTURES)
def test_text_is_readable_and_does_not_overlap(name):
    can_be_read(PICTURES[name]())


@pytest.mark.parametrize("name", PICTURES)
def test_it_has_one_sentence_and_a_table(name, monkeypatch):
    has_words(PICTURES[name](), monkeypatch)


def test_the_sentence_says_who_looks_for_whom():
    assert "neither looks for the other. Worker 0: done: total 1; worker 1: d" in (
        cluster_map(ISLANDS).sentence
    )
    assert "worker 1 looks for worker 0 at port 23008, where nobody listens" in (
        cluster_map(FIRST).sentence
    )
    assert "each finds the other. Both: done: total 3." in cluster_map(MINE).sentence
    assert "both say \u201cI am worker 0\u201d" in cluster_map(BROKEN).sentence


def test_bad_input_gets_a_sentence():
    with pytest.raises(ValueError, match="one or two starts of two workers"):
        cluster_map()
