"""Replaced names are found by identity, and harmless habits are not reported."""

import importlib
import types

import numpy as np
import pytest
import tensorflow as tf
from IPython.core.interactiveshell import InteractiveShell
from tensorflow.python.distribute.distribute_lib import StrategyBase
from tensorflow.python.eager import execute

import course
from course.checks import bindings


@pytest.fixture
def changes(monkeypatch):
    """Return the names that were replaced since the last call."""
    monkeypatch.setattr(bindings, "_known", {})
    list(bindings.changes())
    return lambda: list(bindings.changes())


def test_what_is_replaced_is_named(changes, monkeypatch):
    monkeypatch.setattr(np, "allclose", np.any)
    monkeypatch.setattr(StrategyBase, "reduce", lambda *_: 0)
    found = " ".join(changes())
    assert "numpy.allclose" in found
    assert "StrategyBase.reduce" in found
    assert not changes(), "each is told once"


def test_habits_are_not_told(changes, monkeypatch):
    monkeypatch.setattr(InteractiveShell, "ast_node_interactivity", "all")
    monkeypatch.setattr(np, "bool", bool)
    importlib.reload(course)
    assert not changes()
    tf.debugging.enable_check_numerics()
    try:
        assert not changes()
    finally:
        tf.debugging.disable_check_numerics()
    assert not changes()


def with_other_names(function):
    return types.FunctionType(function.__code__, {"__builtins__": {}})


def with_other_defaults(function):
    return types.FunctionType(function.__code__, function.__globals__, argdefs=(1,))


@pytest.mark.parametrize("made", [with_other_names, with_other_defaults])
def test_the_same_code_with_other_names_or_defaults_is_told(changes, monkeypatch, made):
    monkeypatch.setattr(course, "__dir__", made(course.__dir__))
    assert "course.__dir__" in changes()


@pytest.mark.parametrize("other", [lambda *_: None, execute.args_to_matching_eager])
def test_another_way_to_run_operations_is_told(changes, monkeypatch, other):
    monkeypatch.setattr(execute, "execute", other)
    assert "tensorflow.python.eager.execute.execute" in changes()


def test_an_option_with_code_in_it_is_told(changes, monkeypatch):
    monkeypatch.setattr(InteractiveShell, "ast_node_interactivity", property(str))
    assert any("ast_node_interactivity" in each for each in changes())
