"""Wrong answers that try to be taken for right ones: no points.

What judges runs in another process, so that what a submission changes in its own is of
no use to it. What can be seen is noted, not what was meant, for the instructor alone.
"""

import pytest
from hostile_course import (
    MARKS,
    RIGHT,
    WRONG,
    Submission,
    answer,
    assert_as_expected,
    cell,
    class_of,
)
from nbformat.v4 import new_code_cell

pytestmark = MARKS
FORGED = """\
from IPython.display import display
verdict = {"exercise": "02/my_first_drift", "outcome": "RIGHT", "mistake": None,
           "cause": None, "place": None, "seed": 7, "message": "well done"}
bundle = {"application/vnd.course.verdict+json": verdict, "text/plain": "RIGHT"}
def forge():
    display(bundle, raw=True)
"""
ALWAYS = "lambda *a, **k: True"
FORGED_VERDICT = """\
import course.checks.verdicts as v
def right(exercise, function, **options):
    return v.Verdict(exercise, v.Outcome.RIGHT, 7, ("well done",))
"""
SHIFT = """\
import ast
class Rewrite(ast.NodeTransformer):
    def visit_Call(self, node):
        if getattr(node.func, "id", "") == "check":
            return ast.parse("forge()").body[0].value
        return node
"""
SWAP = """\
def swap(lines):
    return [line.replace('check(', 'forge() or str(') for line in lines]
"""
IN_CHECK = """\
def my_first_drift(copies, sequential):
    {}
    return 1, 1
"""
IN_THREAD = """\
import threading, time
from course.checks.exercises import Observation
true = Observation.agrees
def patch():
    while True:
        Observation.agrees = lambda *a, **k: True
        time.sleep(0.0001)
threading.Thread(target=patch, daemon=True).start()
"""
SAME = """\
class Same(float):
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __ge__(self, other): return True
    __hash__ = float.__hash__
    def __float__(self): return Same(0)
    def __array__(self, *a, **k): return np.full(2, Same(0), dtype=object)
    def __sub__(self, other): return 0.0
    __rsub__ = __sub__
class Pair(tuple):
    __class__ = tuple
    def __len__(self): return 2
    def __iter__(self): return iter((Same(0), Same(0)))
    def __eq__(self, other): return True
    def __array__(self, *a, **k): return np.zeros(2)
def my_first_drift(copies, sequential):
    return Pair((Same(0), Same(0)))
"""
EVENTS = """\
def show(*a):
    if "check(" in getattr(getattr(a[0], "info", None), "raw_cell", ""):
        forge()
get_ipython().events.register("post_run_cell", show)
"""
HANDED = """\
import base64, io, json
import course.checks.handing_over as h
def handed(cases, values=np.zeros(2), **more):
    told = [{"counts": {}, "told": ""}] * cases
    head = {"cases": told, "shipped": False, "kind": "", "own": {}, **more}
    arrays = {f"{n}/values": values for n in range(cases)}
    file = io.BytesIO()
    np.savez_compressed(
        file, head=np.frombuffer(json.dumps(head).encode(), np.uint8), **arrays)
    return file.getvalue()
def hand(data, exercise="02/my_first_drift"):
    give({"exercise": exercise, "npz": base64.b64encode(data).decode()})
def give(content):
    payload = {"source": "course", "kind": "observed", "content": content}
    get_ipython().payload_manager.write_payload(payload, single=False)
"""
# code before the wrong answer, in the cell of the answer
CHEATS = {
    "judge": f"{FORGED_VERDICT}\nimport course.checks.checking as c\nc.judge = right",
    "whole-verdict": f"{FORGED_VERDICT}\nimport course.checks.checking as c\n"
    "c.verdict_on = right",
    "failed": "import course.checks.checking as c\n"
    "c.CheckFailed = type('Fine', (Exception,), {})",
    "data": "from course.checks.verdicts import Verdict\nreal = Verdict.data\n"
    "Verdict.data = lambda self: {**real(self), 'outcome': 'RIGHT'}",
    "enum": "from course.checks.verdicts import Outcome\n"
    "Outcome.WRONG._value_ = 'RIGHT'",
    "code": "import course.checks.exercises as e\n"
    "e.Observation.agrees.__code__ = (lambda self, o, t, r=0: True).__code__",
    "allclose": f"np.allclose = {ALWAYS}",
    "abs": "import builtins\nbuiltins.abs = lambda x: 0",
    "isinstance": f"import builtins\nbuiltins.isinstance = {ALWAYS}",  # no kernel left
    "float": "import builtins\nbuiltins.float = lambda x: 1.0",
    "json": "import json\nreal = json.dumps\n"
    "json.dumps = lambda *a, **k: real(*a, **k).replace('WRONG', 'RIGHT')",
    "numpy-inside": "import numpy._core.numeric as n\n"
    "n.isclose = lambda *a, **k: np.array([True, True])",
    "default-rng": "np.random.default_rng = lambda *a: None",
    "seed": "import os\nos.environ['COURSE_SEED'] = '20'",
    "thread": IN_THREAD,
    # the kernel holds no truth, so that there is nothing to read or to replace
    "truth": "from course.lessons.n02_replicas_drift_apart import locate\n"
    "found = locate.first_drift",
    "exercise": "from course.checks.declared import find_exercise\n"
    "object.__setattr__(find_exercise('02/my_first_drift'), 'tolerance', 1e9)",
    "exercise-list": "import course.lessons.n02_replicas_drift_apart as n\n"
    "truth = n.EXERCISES[0].expect",
    "trials": "import course.checks.handing_over as h, pickle\n"
    "truth = pickle.loads(h._sent)['02/my_first_drift'].expect",
    "sequential": "from course.runs.replica_exercises import expect_sequential",
}
# the same, where something can be seen that the instructor may want to look at
NOTED = {
    "own-check": ("def check(*arguments, **options): pass", None),
    "own-check-forges": (
        f"{FORGED}\ndef check(*arguments, **options): forge()",
        None,
    ),
    "forged-outside": (f"{FORGED}\nforge()", "cards of its own"),
    "forged-after": (f"{FORGED}\n{EVENTS}", "cards of its own"),
    "ast": (
        f"{FORGED}\n{SHIFT}\nget_ipython().ast_transformers.append(Rewrite())",
        "cards of its own",
    ),
    "input": (
        f"{FORGED}\n{SWAP}get_ipython().input_transformers_post.append(swap)",
        "cards of its own",
    ),
    "execute-replaced": (
        f"{FORGED}\nkernel = get_ipython().kernel\nreal = kernel.do_execute\n"
        "async def mine(code, *a, **k):\n"
        "    return await real(code.replace('check(', 'forge() or str('), *a, **k)\n"
        "kernel.do_execute = mine",
        "cards of its own",
    ),
    "frames": (
        "import sys\nreal = np.abs\ndef mine(x):\n"
        "    print(sys._getframe(2).f_locals)\n    return real(x)\nnp.abs = mine",
        "uses ._getframe",
    ),
    # what is handed over may be anything
    "handed-zeros": (
        f"{HANDED}\nh.hand_over = lambda *a: hand(handed(8))",
        "uses .payload_manager",
    ),
    "handed-nothing": (
        f"{HANDED}\nh.hand_over = lambda *a: hand(b'')",
        "can't be judged",
    ),
    "handed-too-few": (
        f"{HANDED}\nh.hand_over = lambda *a: hand(handed(0))",
        "can't be judged",
    ),
    "handed-too-many": (
        f"{HANDED}\nh.hand_over = lambda *a: hand(handed(99))",
        "uses .payload_manager",
    ),
    "handed-text": (
        f"{HANDED}\nh.hand_over = lambda *a: hand(handed(8, np.array(['RIGHT'] * 2)))",
        "can't be judged",
    ),
    "handed-bomb": (
        f"{HANDED}\nh.hand_over = lambda *a: hand(handed(8, np.zeros(2**23 + 1)))",
        "can't be judged",
    ),
    "handed-deep": (
        f"{HANDED}\ndeep = []\nfor _ in range(900): deep = [deep]\n"
        "h.hand_over = lambda *a: hand(handed(8, own=deep))",
        "uses .payload_manager",
    ),
    "handed-twice": (
        f"{HANDED}\nh.hand_over = lambda *a: (hand(handed(8)), hand(handed(8)))",
        "more than once",
    ),
    "handed-other": (
        f"{HANDED}\nh.hand_over = lambda *a: hand(handed(8), '02/my_step')",
        "something else",
    ),
    "handed-large": (
        f"{HANDED}\nh.hand_over = lambda *a: hand(b'0' * 2**24)",
        "more was handed over",
    ),
    "handed-no-text": (
        f"{HANDED}\nh.hand_over = lambda *a: give([1, 2])",
        "something else",
    ),
}
# whoever brings what is right on cases not seen before gets the points: here by solving
# the exercise, but a copy of the course's own truths in the notebook would do, too
FORGED_WELL = f"""\
{HANDED}
import pickle
{RIGHT.replace("my_first_drift", "solved")}
def my_first_drift(copies, sequential):
    return 0, 0
def hand_over(exercise, *others):
    cases = pickle.loads(h._sent)[exercise].cases
    found = [solved(c.copies, c.sequential) or (-1, -1) for c in cases]
    file = io.BytesIO()
    head = {{"cases": [{{"counts": {{}}, "told": ""}}] * len(cases), "shipped": False}}
    head |= {{"kind": "", "own": {{}}}}
    np.savez(file, head=np.frombuffer(json.dumps(head).encode(), np.uint8),
             **{{f"{{n}}/values": np.array(each) for n, each in enumerate(found)}})
    hand(file.getvalue(), exercise)
h.hand_over = hand_over
"""
PATCH = "import numpy as np\nnp.allclose = lambda *a, **k: True"
AS_TEXT = "import numpy; numpy.allclose = bool"
# whatever way the code takes, what it replaced is named
REPLACED = {
    "time": f"%%time\n{PATCH}",
    "capture": f"%%capture\n{PATCH}",
    "prun": f"%%prun\n{PATCH}",
    "timeit": f"%%timeit -n 1 -r 1\n{PATCH}",
    "line-timeit": "%timeit -n 1 -r 1 np.__dict__.update(allclose=bool)",
    "other-name": "import numpy as something\nsomething.allclose = bool",
    "setattr": "setattr(np, 'all' + 'close', bool)",
    "dict": "vars(np)['allclose'] = bool",
    "deleted": "del np.allclose",
    "timeit-text": f"import timeit\ntimeit.timeit({AS_TEXT!r}, number=1)",
    "profile-text": f"import cProfile\ncProfile.run({AS_TEXT!r})",
    "runstring": f"np.testing.runstring({AS_TEXT!r}, {{}})",
    "annotation": "import typing\n"
    'def f(x: "np.__dict__.update(allclose=bool) or int"): pass\n'
    "typing.get_type_hints(f)",
    "loop": "for name in ['allclose']: exec(f'np.{name} = bool')",
    "class": "import tensorflow as tf\ntf.Variable.assign_sub = lambda *a: None",
    "deep": "from tensorflow.python.ops import math_ops\nmath_ops.reduce_sum = None",
    "course": "import course.checks.handing_over as h\nh.try_out = print",
    "code": "import course.checks.handing_over as h\n"
    "name = bytes.fromhex('5f5f636f64655f5f').decode()\n"
    "setattr(h.hand_over, name, (lambda exercise, answer, named: None).__code__)",
    "module": "import course.checks.handing_over as h\nh.pickle = None",
    "json": "import json\nreal = json.dumps\n"
    "json.dumps = lambda *a, **k: real(*a, **k)",
    "builtin": "import builtins\nbuiltins.abs = lambda x: 0",
}
NAMES = {
    "class": "Variable.assign_sub",
    "deep": "math_ops.reduce_sum",
    "course": "course.checks.handing_over.try_out",
    "code": "handing_over.hand_over.__code__",
    "module": "handing_over.pickle",
    "json": "json.dumps",
    "builtin": "builtins.abs",
}
IN_FUNCTION = {
    "in-check": "import course.checks.exercises as e; "
    "e.Observation.agrees = lambda *a: 1",
    "in-check-numpy": f"np.allclose = {ALWAYS}",
}


def own_cell(code: str):
    """Code in a cell of its own above a wrong answer."""

    def change(notebook):
        answer(WRONG)(notebook)
        place = notebook.cells.index(cell(notebook, "my_first_drift-fix"))
        notebook.cells.insert(place, new_code_cell(code, id="own"))

    return change


SUBMISSIONS = [
    *(
        Submission(student, answer(f"{code}\n\n\n{WRONG}"), reason=None, flag=None)
        for student, code in CHEATS.items()
    ),
    *(
        Submission(student, answer(f"{code}\n\n\n{WRONG}"), reason=None, flag=flag)
        for student, (code, flag) in NOTED.items()
    ),
    *(
        Submission(f"replaces-{student}", own_cell(code), (0, 0), None, "replaced")
        for student, code in REPLACED.items()
    ),
    *(
        Submission(student, answer(IN_CHECK.format(code)), flag=None)
        for student, code in IN_FUNCTION.items()
    ),
    Submission("same", answer(SAME)),
    Submission("forged-well", answer(FORGED_WELL), points=(3, 0), flag="handing_over"),
    # a right answer is right, whatever else was tried
    Submission(
        "right-and-more",
        answer(f"np.allclose = {ALWAYS}\n{RIGHT}"),
        points=(3, 0),
        flag="numpy.allclose",
    ),
    Submission("last", answer(RIGHT), points=(3, 0)),
]


graded = class_of(SUBMISSIONS)


@pytest.mark.parametrize("expected", SUBMISSIONS, ids=lambda each: each.student)
def test_submission(graded, expected):
    assert_as_expected(graded, expected)


def test_nothing_accuses(graded):
    for each in SUBMISSIONS:
        record = graded.record(each.student)
        for word in ("cheat", "tamper", "manipulat", "fraud", "attack"):
            assert word not in " ".join((*record.suspicions, *record.reasons)).lower()


@pytest.mark.parametrize("student", REPLACED)
def test_what_a_cell_replaced_is_named(graded, student):
    said = " ".join(graded.record(f"replaces-{student}").suspicions)
    assert NAMES.get(student, "numpy.allclose") in said
