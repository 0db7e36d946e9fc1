"""Several threads can parse at the same time."""

import ast
import gc
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from autograder.one_parser import parse

CODE = Path(ast.__file__).read_text(encoding="utf-8")
THREADS, TIMES = 4, 60


class _Finalized:
    """Runs Python code when the garbage collector frees it."""

    def __init__(self):
        self.itself = self

    def __del__(self):
        sum(range(2000))


@pytest.fixture
def many_switches():
    """Force frequent garbage collections and thread switches."""
    seconds, threshold = sys.getswitchinterval(), gc.get_threshold()
    sys.setswitchinterval(1e-6)
    gc.set_threshold(100)
    yield
    sys.setswitchinterval(seconds)
    gc.set_threshold(*threshold)


def test_trees_are_whole_however_threads_are_switched(many_switches):
    def tree(_):
        garbage = [_Finalized() for _ in range(20)]
        del garbage
        return len(parse(CODE).body)

    with ThreadPoolExecutor(THREADS) as pool:
        assert set(pool.map(tree, range(TIMES))) == {len(ast.parse(CODE).body)}
