"""What is noted of a submission: what reaches into the check, and no honest habit."""

import copy

import nbformat
import pytest
from nbformat.v4 import new_code_cell

from autograder.answers.reading import all_answers, put_in
from autograder.grading.cell_code import name_of
from autograder.grading.unusual import unusual
from autograder.places import course_places

PLACES = course_places()
MOST_FALSE = 0.01  # of all known answers


def shipped(number: str):
    return nbformat.read(PLACES.learner(PLACES.find(number)), as_version=4)


def said_of(code: str) -> list[str]:
    made = shipped("02")
    made.cells.append(new_code_cell(code))
    return list(unusual(made, shipped("02")))


def test_hardly_any_known_answer_is_noted():
    handed_out = {name: shipped(name[:2]) for name in PLACES.names()}
    answers = all_answers(PLACES)
    noted = [
        str(answer)
        for answer in answers
        if any(
            unusual(
                put_in(copy.deepcopy(handed_out[answer.notebook]), answer),
                handed_out[answer.notebook],
            )
        )
    ]
    assert len(noted) < MOST_FALSE * len(answers), noted


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("import ctypes", "imports ctypes"),
        ("from importlib import reload", "imports importlib.reload"),
        ("from course.checks import cases", "imports course.checks.cases"),
        ("import course.lessons", "imports course.lessons"),
        ("f = eval", "uses eval"),
        ("exec('a' + 'b')", "uses exec"),
        ("%%time\nexec('a' + 'b')", "uses exec"),
        ("%time exec('a' + 'b')", "uses exec"),
        ("%%writefile kit.py\nexec('a' + 'b')", "uses exec"),
        ("getattr(tf, '__globals__')", "uses .__globals__"),
        ("check.__code__ = None", "uses .__code__"),
        ("error.tb_frame.f_back", "uses .f_back"),
        ("inspect.stack()", "uses inspect.stack"),
        ("gc.get_referrers(check)", "uses .get_referrers"),
        ("jobs[1]._job", "uses ._job"),
        ("match f:\n    case object(__globals__=names): pass", "uses .__globals__"),
        ("get_ipython().ast_transformers", "uses .ast_transformers"),
        ("get_ipython().payload_manager", "uses .payload_manager"),
        ("%run kit.py", "runs %run kit.py"),
        ("%%script python\nx", "runs %%script python"),
        ("!python kit.py", "runs !python kit.py"),
        (f"x = b'{'a' * 5000}'", "has a text of 5000 characters"),
        ("x = 'application/vnd.course.verdict'", "names vnd.course"),
        ("x = 1\n" * 5000, "has 25000 characters"),
    ],
    ids=lambda text: text[:30],
)
def test_ways_around_an_exercise_are_noted(code, said):
    assert f"{name_of(new_code_cell(code))} {said}" in said_of(code)


def test_a_cell_is_named_by_its_first_line_up_to_the_end_of_a_word():
    cell = new_code_cell("# look now and then whether memory is enough\nx = 1")
    shown = '"# look now and then whether memory is ..."'
    assert name_of(cell) == f"the cell that begins {shown}"


@pytest.mark.parametrize(
    "code",
    [
        "import tensorflow as tf\nimport numpy as np\nimport math, itertools",
        "import gc\ngc.collect()",
        "import sys, os, time, inspect, traceback, types, operator, pickle, random",
        "import pandas as pd\nimport seaborn as sns\npd.DataFrame({'a': [1]})",
        "from IPython.display import display, clear_output, HTML\ndisplay(1)",
        "print(vars(w), locals(), globals().keys(), dir(w))",
        "print(tf.__version__, sys.version, np.__file__, w.__dict__, f.__doc__)",
        "print(inspect.getsource(my_step), help(my_step))",
        "IN_COLAB = 'google.colab' in sys.modules",
        "get_ipython().run_line_magic('matplotlib', 'inline')",
        "%load_ext autoreload\n%autoreload 2",
        "%load_ext tensorboard\n!nvidia-smi\n!python -m pip list\n!python --version",
        "%%bash\nls -l\npython -V",
        "setattr(w, 'name', 1)\ndelattr(w, 'name')\ngetattr(w, 'na' + 'me')",
        "strategy._extended\noptimizer._learning_rate",
        "import warnings\nwarnings.filterwarnings('ignore')",
        "import subprocess\nsubprocess.run(['ls'])",
        "import unittest\nunittest.main(argv=[''], exit=False)",
        "from dataclasses import dataclass\n@dataclass\nclass A:\n    n: int = 0",
        "class A:\n    def __getattr__(self, name): return name",
        "with open('notes.txt', 'w') as f: f.write('done')",
        "import json, pickle, base64, zlib, zipfile, io\njson.dumps({})",
        "np.load('rows.npy', allow_pickle=True)",
        "from course import check",
        "show = print",
        "check = my_step",
        "def check(*a):\n    pass",
        "%%script echo skipped\nx",
        "class A:\n    def __init__(self):\n        self._n = 0\n        self.n = 1",
        "def f(w):\n    w.value = 1\n    v = getattr(w, 'value', w)\n    return v",
        "%matplotlib inline\n%time\n!pip list",
        "%%time\nresult = my_step(w, x, y)",
        "%%capture out\nmy_step(w, x, y)",
        "%timeit -n 3 my_step(w, x, y)",
        "optimizer = tf.keras.optimizers.SGD()\noptimizer.learning_rate = 0.1",
        "match w:\n    case tf.Variable(name=name): pass",
        "def broken(",
        "(" * 3000,
    ],
)
def test_ordinary_code_is_not(code):
    assert said_of(code) == []
