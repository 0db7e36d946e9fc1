"""What is noted of a submission: tools that no exercise needs, and little else."""

import copy

import nbformat
import pytest
from nbformat.v4 import new_code_cell

from autograder.answers.reading import all_answers, put_in
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
        ("import inspect", "imports inspect"),
        ("from course.checks import cases", "imports course.checks.cases"),
        ("import course.lessons", "imports course.lessons"),
        ("import a_file_of_mine", "imports a_file_of_mine"),
        ("f = eval", "uses eval"),
        ("exec('a' + 'b')", "uses exec"),
        ("getattr(tf, 'a' + 'b')", "uses getattr with a name that is made up"),
        ("getattr(tf, '__dict__')", "uses .__dict__"),
        ("check.__code__ = None", "uses .__code__"),
        ("error.tb_frame.f_back", "uses .f_back"),
        ("devices._plan", "uses ._plan"),
        ("match f:\n    case object(__globals__=names): pass", "uses .__globals__"),
        ("class A:\n    __match_args__ = ('a',)", "defines __match_args__"),
        ("def __getattr__(self, name): pass", "defines __getattr__"),
        ("shutil.sys.modules", "uses .sys"),
        ("np.load('room.npy', allow_pickle=True)", "uses allow_pickle"),
        ("np.load('room.npy', None, True)", "uses allow_pickle"),
        ("np.random.default_rng = None", "changes np.random.default_rng"),
        ("tf.GradientTape.gradient = None", "changes tf.GradientTape.gradient"),
        ("def check(*a):\n    pass", "gives check another meaning"),
        ("train_on_replicas = print", "gives train_on_replicas another meaning"),
        ("get_ipython().ast_transformers", "uses get_ipython"),
        ("%run kit.py", "runs %run kit.py"),
        ("%%bash\necho", "runs %%bash"),
        ("!python kit.py", "runs !python kit.py"),
        (f"x = b'{'a' * 5000}'", "has a text of 5000 characters"),
        ("x = 'application/vnd.course.observed'", "names vnd.course"),
        ("x = 1\n" * 5000, "has 30000 characters"),
    ],
    ids=lambda text: text[:30],
)
def test_ways_around_an_exercise_are_noted(code, said):
    assert said in said_of(code)


@pytest.mark.parametrize(
    "code",
    [
        "import tensorflow as tf\nimport numpy as np\nimport math, itertools",
        "from course import check",
        "class A:\n    def __init__(self):\n        self._n = 0\n        self.n = 1",
        "def f(w):\n    w.value = 1\n    v = getattr(w, 'value', w)\n    return v",
        "%matplotlib inline\n%time\n!pip list",
        "optimizer = tf.keras.optimizers.SGD()\noptimizer.learning_rate = 0.1",
        "np.load('rows.npy', allow_pickle=False)",
        "match w:\n    case tf.Variable(name=name): pass",
        "def broken(",
        "(" * 3000,
    ],
)
def test_ordinary_code_is_not(code):
    assert said_of(code) == []
