"""What is sent to other processes keeps the name under which its text is found."""

import inspect
import linecache
import pickle
import subprocess
import sys
import types

import cloudpickle
import pytest

from course import pickling
from course.pickling import dumps
from course.runs.cluster.sending import loose_sources

CELL = "<cell of a notebook>"
TEXT = "def outer(x):\n    def inner(y):\n        return x + y\n    return inner\n"


@pytest.fixture
def outer():
    """A function of a cell: its text is in no file."""
    linecache.cache[CELL] = (len(TEXT), None, TEXT.splitlines(keepends=True), CELL)
    module = types.ModuleType("__main__")
    exec(compile(TEXT, CELL, "exec"), module.__dict__)
    yield module.outer
    del linecache.cache[CELL]


def test_code_keeps_its_file_and_so_its_text(outer):
    sent = pickle.loads(dumps((outer, outer(1))))
    assert [each.__code__.co_filename for each in sent] == [CELL, CELL]
    assert sent[1](2) == 3 and inspect.getsource(sent[0]) == TEXT


def test_a_pickler_that_renames_all_code_changes_nothing(outer, monkeypatch):
    """As cloudpickle 3.1.3 does."""
    usual = cloudpickle.Pickler.dispatch_table[types.CodeType]

    def renamed(code):
        return usual(code.replace(co_filename="<dynamic-code>"))

    monkeypatch.setitem(pickling.USUAL, types.CodeType, renamed)
    assert pickle.loads(dumps(outer)).__code__.co_filename == CELL


def test_another_process_can_read_it(outer, tmp_path):
    (tmp_path / "sent").write_bytes(dumps(outer))
    code = (
        "import pickle, sys; f = pickle.load(open(sys.argv[1], 'rb'))\n"
        "print(f(3)(4), f(3).__code__.co_filename)"
    )
    command = [sys.executable, "-c", code, tmp_path / "sent"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.stdout == f"7 {CELL}\n", done.stderr


@pytest.mark.parametrize("changed", [None, 1234.5])  # IPython 9 and IPython 7
def test_texts_of_cells_go_along_whatever_the_notebook_notes_of_them(changed):
    linecache.cache[CELL] = (len(TEXT), changed, TEXT.splitlines(keepends=True), CELL)
    linecache.getlines(__file__)
    try:
        sent = loose_sources()
    finally:
        del linecache.cache[CELL]
    assert sent[CELL] == TEXT and __file__ not in sent


def test_what_cannot_be_sent_is_told():
    with pytest.raises(TypeError, match="pickle"):
        dumps(each for each in [1])
