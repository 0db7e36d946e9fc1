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
from autograder.grading.pared import Pared, imported_in
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

SPLIT = "what a case is split into, as answers and pictures of it get it"
SIZE = "a size, a name or a number of its case"
SHOWN = "the notebook's own functions need it: it is drawn or recorded there"
FILES = "makes the files or variables that an answer is given"
RECORDED = "a recording of 14/my_first_wrong is made with it, for any answer"
WHILE = "a run is compared with it before it ends: without it, more would have to run"
EXCEPTED = {
    "n01_seen_twice_or_never.blocks:_blocks": SHOWN,
    "n01_seen_twice_or_never.blocks:_wanted": SHOWN,
    "n01_seen_twice_or_never.blocks:_woven": SHOWN,
    "n01_seen_twice_or_never.feeds:Feed.all_rows": SIZE,
    "n01_seen_twice_or_never.feeds:Feed.share": SIZE,
    "n01_seen_twice_or_never.feeds:batches": SPLIT,
    "n02_replicas_drift_apart.alike:train_on_first_shards": SHOWN,
    "n05_different_every_run.records:losses": SHOWN,
    "n05_different_every_run.rounds:Job.batch": SIZE,
    "n06_other_weights_with_an_option.wrong_first_misplaced:clipped": SHOWN,
    "n08_busy_then_idle.runs:Case.n": SIZE,
    "n09_four_devices_speed_of_one.runs:Case.steps": SIZE,
    "n09_four_devices_speed_of_one.slow_step:Case.replicas": SIZE,
    "n09_four_devices_speed_of_one.step_training:Schedule.batches": SPLIT,
    "n10_split_model_speed_of_one.jobs:Job.size": SIZE,
    "n11_faster_but_less_accurate.dealing:Case.plan": SIZE,
    "n11_faster_but_less_accurate.shared_batches:Training.steps": SIZE,
    "n12_out_of_memory.jobs:Job.sizes": SIZE,
    "n13_cluster_never_starts.slurm:Step.counts": SIZE,
    "n13_cluster_never_starts.slurm:Step.environ": "what an answer is called with",
    "n13_cluster_never_starts.slurm:Step.places": SIZE,
    "n13_cluster_never_starts.slurm:observation": "reads the text of any answer",
    "n13_cluster_never_starts.slurm_names:node_names": SHOWN,
    "n13_cluster_never_starts.slurm_names:task_counts": SHOWN,
    "n13_cluster_never_starts.texts:_entry": "reads an address in any answer's text",
    "n13_cluster_never_starts.texts:reading": "reads the text of any answer",
    "n14_identical_on_every_worker.first_wrong:_given": "what an answer is called with",
    "n14_identical_on_every_worker.record_files:Shard.start": FILES,
    "n14_identical_on_every_worker.worker_input:Reading.steps": SIZE,
    "n14_identical_on_every_worker.wrong_dataset:global_batch_unsharded": RECORDED,
    "n14_identical_on_every_worker.wrong_dataset:not_sharded": RECORDED,
    "n14_identical_on_every_worker.wrong_dataset:tail_lost": RECORDED,
    "n15_workers_differ_before_step_one.records:Recorded.copied": "copies a case",
    "n15_workers_differ_before_step_one.worker_starts:StartJob.batches": SPLIT,
    "n15_workers_differ_before_step_one.worker_starts:StartJob.workers": SIZE,
    "n17_training_hangs.uneven_epoch:Parts.batches": SPLIT,
    "n17_training_hangs.uneven_epoch:Parts.steps": SIZE,
    "n17_training_hangs.uneven_epoch:Parts.together": SPLIT,
    "n17_training_hangs.uneven_epoch:Parts.workers": SIZE,
    "n18_job_dies_with_one_process.killed_training:Plan.truth": WHILE,
    "n18_job_dies_with_one_process.momentum:train_with_momentum": SHOWN,
    "n18_job_dies_with_one_process.shared_step:Steps.fair": WHILE,
    "n19_restored_but_wrong.checkpoint_files:bytes_of": FILES,
    "n19_restored_but_wrong.checkpoint_files:turn_a_bit": FILES,
    "n19_restored_but_wrong.checkpoint_files:values_of": "reads variables",
    "n19_restored_but_wrong.checkpoint_files:variable": FILES,
    "n19_restored_but_wrong.jobs:Job._reached": FILES,
    "n19_restored_but_wrong.jobs:Job._running": FILES,
    "n19_restored_but_wrong.jobs:Job.names": SIZE,
    "n19_restored_but_wrong.jobs:Job.running": "what an answer is called with",
    "n19_restored_but_wrong.not_restored:Restored.names": SIZE,
    "n19_restored_but_wrong.restore:_faults": WHILE,
    "n19_restored_but_wrong.restore_files:Case._files": FILES,
    "n19_restored_but_wrong.restore_files:Case.folder": FILES,
    "n19_restored_but_wrong.restore_files:Case.unreadable": SHOWN,
    "n19_restored_but_wrong.restore_files:fits": SHOWN,
    "n20_hangs_when_it_saves.saved_case:Jobs.killed": SIZE,
    "n20_hangs_when_it_saves.saving_job:Job._rows": SPLIT,
    "n20_hangs_when_it_saves.saving_job:Job._weights": SHOWN,
    "n20_hangs_when_it_saves.saving_job:Job.after": SHOWN,
    "n20_hangs_when_it_saves.saving_job:Job.saves": SIZE,
    "n20_hangs_when_it_saves.saving_job:Job.truths": SHOWN,
    "n20_hangs_when_it_saves.stop:Epochs.calls": "what an answer is called with",
    "runs.sequential:train_sequentially": "the sequential twin, which notebooks show",
    "runs.workloads:Rows.batches": SPLIT,
    "runs.workloads:Rows.shards": SPLIT,
    "runs.workloads:Rows.take": SPLIT,
}
# exercise and field of its cases that an answer reaches, but is not given as it is
REACHED = {
    "05/my_update order": "how threads leave work: the sum does not depend on it",
    "08/my_dataset values": "read, which an answer is given, returns them one by one",
    "08/my_late values": "read, which an answer is given, returns them one by one",
    "09/my_train schedule": "the rows and learning rates that an answer is called with",
}


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
            getattr(getattr(each, "func", each), "__code__", None)
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
    found, shown = defaultdict(set), set()
    for name in trials:
        kept = defined(trials[name].names)
        shown |= defined(imported(name))
        for exercise, _ in references(name):
            for traced in truths[exercise]:
                for each in traced.alone | traced.tools:
                    module, _, function = each.partition(":")
                    if (module, function.split(".")[0]) in kept:
                        found[short(each)].add(exercise)
        for exercise, reference in references(name):
            for each in declared(reference.exercise):
                if (each.__module__, each.__qualname__.split(".")[0]) in kept:
                    found[short(code_name(each))].add(exercise)
    assert {each: sorted(found[each]) for each in found.keys() - EXCEPTED} == {}
    assert EXCEPTED.keys() - found.keys() == set()
    tops = {short(f"{module}:{top}") for module, top in shown}
    said = [each for each, why in EXCEPTED.items() if why == SHOWN]
    assert [each for each in said if top_of(each) not in tops] == []


def imported(name):
    """Return module and name of what the cells of a notebook import of the course."""
    notebook = json.loads(PLACES.learner(name).read_text(encoding="utf-8"))
    found = set()
    for cell in notebook["cells"]:
        with contextlib.suppress(SyntaxError):  # shipped code may be no Python
            code = "".join(cell["source"]) if cell["cell_type"] == "code" else ""
            found |= imported_in(code)
    return {each for each in found if each[0].split(".")[0] == "course"}


def short(name):
    return name.removeprefix("course.").removeprefix("lessons.")


def top_of(name):
    """Return a function's name as far as the class or function at its module's top."""
    module, _, function = name.partition(":")
    return f"{module}:{function.split('.')[0]}"


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
            own &= set(map(tuple, values)) - {()}
            if both := wrong.intersection(functions) | own:
                held[exercise] = both
    assert held == {}


class _Noted(Exception):
    """Raised by an answer that has noted what it was called with."""


def test_an_answer_reaches_no_more_of_a_case_than_it_is_given(truths, monkeypatch):
    def start(*_, **__):
        raise _Noted  # what is called in another process gets copies

    monkeypatch.setattr(siblings, "start", start)
    leaks = {
        f"{exercise} {field}"
        for exercise, cases in truths.items()
        for traced in cases
        for field in hidden_fields(find_exercise(exercise), traced.case)
    }
    assert leaks == REACHED.keys()


def hidden_fields(exercise, case):
    """Yield the fields of a case with numbers that are reached only by looking around.

    The attributes of what an answer is called with lead to them, and its data does not.
    """
    given = []

    def answer(*arguments, **named):
        given.append([*arguments, *named.values()])
        raise _Noted

    with contextlib.suppress(Exception):
        exercise.observe(answer, case)
    plain = {telling(each) for each in reachable(*data_in(given))}
    hidden = {telling(each) for each in reachable(given)} - plain - {()}
    for field, value in getattr(case, "__dict__", {}).items():
        if hidden & {telling(each) for each in reachable(value)}:
            yield field


def data_in(given):
    """Return the arguments that are data, not functions."""
    kinds = (types.FunctionType, types.MethodType, functools.partial)
    return [each for call in given for each in call if not isinstance(each, kinds)]
