"""No truth is in what a graded kernel can import, or reach from trials and arguments.

The exercises themselves say what a truth is. Each is computed here; what is called
meanwhile is then looked for in the course as a notebook's kernels see it.
"""

import ast
import contextlib
import functools
import json
import os
import subprocess
import sys
import types
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest
from checkout import ROOT
from reachable import code_name, reachable, telling

from autograder.grading.judge import Judge
from autograder.grading.judging import Judging
from autograder.grading.pared import Pared
from autograder.grading.views import Views
from autograder.places import course_places
from course.checks.declared import find_exercise
from course.checks.exercises import Exercise, UnknownName
from course.checks.judging import Reference
from course.kernels import siblings

pytestmark = [
    pytest.mark.prove,
    pytest.mark.depends_on("course/**/*.py", "notebooks/*/*.ipynb"),
]
SEED = 7
PLACES = course_places(ROOT)
COURSE = str(ROOT / "course") + os.sep
PLAIN = (str, bytes, int, float, bool, type(None), type, np.generic)
HELPER = Path(__file__).with_name("reachable.py")

# what a truth calls and a kernel has all the same: the reason why it may
EXCEPTED: dict[str, str] = {}
# parts of cases that an answer can reach although it does not get them
REACHED: dict[str, str] = {}


@pytest.fixture(scope="module")
def trials():
    """Each notebook's trials, as they are packed for its kernels."""
    with Judge() as judge:
        judging = Judging(judge, PLACES, seed=SEED)
        return {name: judging.trials(name) for name in PLACES.names()}


@pytest.fixture(scope="module")
def truths(devices, trials):
    """Exercise -> the truth of each case, and what was called to compute it."""
    return {
        exercise: [Traced(reference, number) for number in range(len(reference.cases))]
        for name in trials
        for exercise, reference in references(name)
    }


def references(name):
    """Yield the exercises of a notebook that declare a truth, with their cases."""
    notebook = json.loads(PLACES.learner(name).read_text(encoding="utf-8"))
    for exercise in notebook["metadata"]["course"]["exercises"]:
        with contextlib.suppress(UnknownName):  # the jobs of 21 are composed
            if isinstance(found := find_exercise(exercise), Exercise):
                yield exercise, Reference(found, SEED)


class Traced:
    """The truth of one case, computed while it is noted what is called.

    alone: functions that were called with nothing but parts of the case.
    answers: functions that were handed on: with `tools`, which they call, they give
        the right answer.
    """

    def __init__(self, reference, number):
        self.case, self.alone, self.tools = reference.cases[number], set(), set()
        self.answers, self._inside = set(), []
        self._parts = {id(each): each for each in reachable(self.case)}
        expect = reference.exercise.expect
        self._own = getattr(expect, "__code__", None)
        sys.setprofile(self._note)
        try:
            self.truth = expect(self.case)
        finally:
            sys.setprofile(None)

    def _note(self, frame, event, _):
        code = frame.f_code
        if event == "return" and self._inside and self._inside[-1] is frame:
            self._inside.pop()
        if event != "call" or not code.co_filename.startswith(COURSE):
            return
        if code.co_name.startswith(("<", "__")) or code is self._own:
            return  # a part of what is noted already; or the declaration itself
        count = code.co_argcount + code.co_kwonlyargcount
        given = [frame.f_locals.get(name) for name in code.co_varnames[:count]]
        self.answers |= {
            getattr(each, "func", each).__code__
            for each in given
            if isinstance(each, types.FunctionType | functools.partial)
        }
        name = f"{frame.f_globals['__name__']}:{code.co_qualname}"
        if self._inside:
            self.tools.add(name)
        if code in self.answers:
            self._inside.append(frame)
        parts = [each for each in given if not isinstance(each, PLAIN)]
        if parts and all(id(each) in self._parts for each in parts):
            self.alone.add(name)


def test_no_module_of_a_kernel_computes_a_truth(trials, truths):
    found = defaultdict(set)
    for name in trials:
        kept = defined(trials[name].names)
        for exercise, _ in references(name):
            for traced in truths[exercise]:
                for each in traced.alone | traced.tools:
                    module, _, function = each.partition(":")
                    if (module, function.split(".")[0]) in kept:
                        found[each].add(exercise)
    unexcused = {each: sorted(found[each]) for each in sorted(found.keys() - EXCEPTED)}
    assert not unexcused
    assert not EXCEPTED.keys() - found.keys()


def test_no_declared_answer_is_in_a_module_of_a_kernel(trials, truths):
    for name in trials:
        kept = defined(trials[name].names)
        for exercise, reference in references(name):
            for each in declared(reference.exercise):
                top = each.__qualname__.split(".")[0]
                if (each.__module__, top) in kept:
                    assert code_name(each) in EXCEPTED, exercise


def declared(exercise):
    """Yield the functions by which an exercise declares truth, mistakes and words."""
    bound = [exercise.expect, exercise.compare, exercise.read]
    bound += [sign.change for sign in exercise.signs]
    for mistake in exercise.mistakes:
        bound += [mistake.observe, mistake.function]
    shared = {id(each) for each in reachable(exercise.observe, exercise.cases)}
    for each in reachable(*bound):
        own = isinstance(each, types.FunctionType) and id(each) not in shared
        if own and each.__code__.co_filename.startswith(COURSE):
            yield each


def defined(names):
    """Return module and name of what the pared modules define for these names."""
    kept = set()
    for path, text in Pared.for_kernels(names).files():
        module = ".".join(("course", *path.with_suffix("").parts))
        for node in ast.parse(text).body:
            if hasattr(node, "name"):
                kept.add((module.removesuffix(".__init__"), node.name))
    return kept


def test_nothing_that_a_trial_holds_is_a_truth(trials, truths, tmp_path):
    views = Views()
    lines = []
    for name, each in trials.items():
        view, copy = views.of(each.names), tmp_path / name
        (copy / "course").mkdir(parents=True)
        for part in (ROOT / "course").iterdir():
            own = view / part.name
            (copy / "course" / part.name).symlink_to(own if own.is_dir() else part)
        lines.append(json.dumps([name, str(copy), each.packed]))
    done = subprocess.run(
        [sys.executable, "-P", HELPER],
        input="\n".join(lines),
        capture_output=True,
        text=True,
        env={**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3"},
        timeout=240,
    )
    views.close()
    reached = dict(map(json.loads, done.stdout.splitlines()))
    assert reached.keys() == trials.keys(), done.stderr[-2000:]
    held = {}
    for name in trials:
        for exercise, reference in references(name):
            functions, values = reached[name][exercise]
            wrong = set(map(code_name, declared(reference.exercise)))
            own = {telling(traced.truth.values) for traced in truths[exercise]}
            both = {*wrong.intersection(functions)} | (own & set(map(tuple, values)))
            if both := {each for each in both if each}:
                held[exercise] = both
    assert not {each: held[each] for each in held.keys() - REACHED}


class _Noted(Exception):
    """Raised by an answer that has noted what it was called with."""


def test_an_answer_reaches_no_more_of_a_case_than_it_is_given(truths, monkeypatch):
    def start(*_, **__):
        raise _Noted  # what is called in another process gets copies

    monkeypatch.setattr(siblings, "start", start)
    leaks = {}
    for exercise, cases in truths.items():
        for traced in cases:
            if hidden := hidden_parts(find_exercise(exercise), traced.case):
                leaks[exercise] = hidden
    assert not {each: leaks[each] for each in leaks.keys() - REACHED}


def hidden_parts(exercise, case):
    """Return the numbers of a case that an answer reaches only by looking around."""
    given = []

    def answer(*arguments, **named):
        given.append([*arguments, *named.values()])
        raise _Noted

    with contextlib.suppress(Exception):
        exercise.observe(answer, case)
    plain = {telling(each) for each in reachable(*data_in(given))}
    around = {telling(each) for each in reachable(given)}
    own = {telling(each) for each in reachable(case)}
    return (around - plain) & own


def data_in(given):
    """Return the arguments that are data, not functions."""
    kinds = (types.FunctionType, types.MethodType, functools.partial)
    return [each for call in given for each in call if not isinstance(each, kinds)]
