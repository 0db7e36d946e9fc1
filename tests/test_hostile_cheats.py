"""Wrong answers that try to be taken for right ones: no points, but a note.

Notes say what was seen, not what was meant, and only the instructor reads them.
"""

import pytest
from hostile_course import (
    MARKS,
    RIGHT,
    WRONG,
    Submission,
    answer,
    assert_as_expected,
    grade_class,
    hand_in,
    make_course,
)

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
# student, code in the cell of the answer, before the wrong answer; a part of the flag
CHEATS = (
    ("own-check", "def check(*arguments, **options): pass", "check stood for"),
    ("own-check-4", "def check(*arguments, **options): return 4", "check stood for"),
    (
        "own-check-forges",
        f"{FORGED}\ndef check(*arguments, **options): forge()",
        "check stood for",
    ),
    ("forged-outside", f"{FORGED}\nforge()", ""),
    ("forged-after", f"{FORGED}\n{EVENTS}", "did not give"),
    (
        "judge",
        f"{FORGED_VERDICT}\nimport course.checks.checking as c\nc.judge = right",
        "jud",
    ),
    (
        "whole-verdict",
        f"{FORGED_VERDICT}\nimport course.checks.checking as c\nc.verdict_on = right",
        "verdict_on was replaced",
    ),
    (
        "listener",
        f"{FORGED_VERDICT}\nimport course.checks.checking as c\n"
        "try:\n    c.verdict_on.__self__._judge = right\n"
        "except AttributeError as error:\n    print(error)",
        None,
    ),
    (
        "guard-of-kernel",
        f"{FORGED_VERDICT}\nkernel = get_ipython().kernel\n"
        "try:\n    kernel.do_execute.__self__._judge = right\n"
        "except AttributeError as error:\n    print(error)",
        None,
    ),
    (
        "guard-class",
        f"{FORGED_VERDICT}\nimport course.checks.guard as g\n"
        "g.Guard._restore = lambda self: None\n"
        "g.Guard._listen = lambda self, *a, **k: right(*a)",
        "was replaced",
    ),
    (
        "guard-functions",
        "import course.checks.guard as g\ng.is_check = lambda code: False",
        "was replaced",
    ),
    (
        "guard-undone",
        "kernel = get_ipython().kernel\ndel kernel.do_execute\n"
        f"{FORGED}\ndef check(*a): forge()",
        "signature",
    ),
    (
        "execute-replaced",
        f"{FORGED}\nkernel = get_ipython().kernel\nreal = kernel.do_execute\n"
        "async def mine(code, *a, **k):\n"
        "    return await real(code.replace('check(', 'forge() or str('), *a, **k)\n"
        "kernel.do_execute = mine",
        "signature",
    ),
    (
        "failed",
        "import course.checks.checking as c\n"
        "c.CheckFailed = type('Fine', (Exception,), {})",
        "CheckFailed was replaced",
    ),
    (
        "data",
        "from course.checks.verdicts import Verdict\nreal = Verdict.data\n"
        "Verdict.data = lambda self: {**real(self), 'outcome': 'RIGHT'}",
        "Verdict.data was replaced",
    ),
    (
        "outcome",
        "from course.checks.verdicts import Outcome\nOutcome.WRONG._value_ = 'RIGHT'",
        "was replaced",
    ),
    (
        "expect",
        "from course.checks.declared import find_exercise\n"
        "from course.checks.places import Place\n"
        "found = find_exercise('02/my_first_drift')\n"
        "same = Place(('step', 'replica')).observation((1, 1))\n"
        "object.__setattr__(found, 'expect', lambda case: same)",
        "expect was replaced",
    ),
    (
        "tolerance",
        "from course.checks.declared import find_exercise\n"
        "object.__setattr__(find_exercise('02/my_first_drift'), 'tolerance', 1e9)",
        "tolerance was replaced",
    ),
    (
        "exercise-list",
        "import dataclasses\nimport course.lessons.n02_replicas_drift_apart as n\n"
        "from course.checks.places import Place\n"
        "same = Place(('step', 'replica')).observation((1, 1))\n"
        "n.EXERCISES = tuple(\n"
        "    dataclasses.replace(e, expect=lambda case: same) for e in n.EXERCISES)",
        "EXERCISES was replaced",
    ),
    (
        "code",
        "import course.checks.exercises as e\n"
        "e.Observation.agrees.__code__ = (lambda self, o, t, r=0: True).__code__",
        "was replaced",
    ),
    ("allclose", f"np.allclose = {ALWAYS}", "allclose was replaced"),
    ("abs", "import builtins\nbuiltins.abs = lambda x: 0", "abs was replaced"),
    (
        "isinstance",
        f"import builtins\nbuiltins.isinstance = {ALWAYS}",
        None,  # it breaks the kernel
    ),
    ("float", "import builtins\nbuiltins.float = lambda x: 1.0", "float was replaced"),
    (
        "json",
        "import json\nreal = json.dumps\n"
        "json.dumps = lambda *a, **k: real(*a, **k).replace('WRONG', 'RIGHT')",
        "dumps was replaced",
    ),
    (
        "numpy-inside",
        "import numpy._core.numeric as n\n"
        "n.isclose = lambda *a, **k: np.array([True, True])",
        "isclose was replaced",
    ),
    (
        "enum",
        "from course.checks.verdicts import Outcome\nOutcome.WRONG._value_ = 'RIGHT'\n"
        "shell = get_ipython()\nshell.showtraceback = lambda *a, **k: None\n"
        "shell._showtraceback = lambda *a, **k: None",
        "was replaced",
    ),
    ("all", f"import builtins\nbuiltins.all = {ALWAYS}", "all was replaced"),
    ("seed", "import os\nos.environ['COURSE_SEED'] = '20'", None),
    (
        "ast",
        f"{FORGED}\n{SHIFT}\nget_ipython().ast_transformers.append(Rewrite())",
        "rewritten",
    ),
    (
        "ast-list",
        f"{FORGED}\n{SHIFT}\nget_ipython().ast_transformers = [Rewrite()]",
        "rewritten",
    ),
    (
        "input",
        f"{FORGED}\n{SWAP}get_ipython().input_transformers_post.append(swap)",
        "rewritten",
    ),
    (
        "input-cleanup",
        f"{FORGED}\n{SWAP}"
        "get_ipython().input_transformer_manager.cleanup_transforms.append(swap)",
        "rewritten",
    ),
    (
        "run-cell",
        f"{FORGED}\nshell = get_ipython()\n"
        "async def mine(raw, *a, **k):\n"
        "    return await type(shell).run_cell_async(\n"
        "        shell, raw.replace('check(', 'forge() or str('), *a, **k)\n"
        "shell.run_cell_async = mine",
        None,
    ),
    (
        "publisher",
        f"{FORGED}\npublisher = get_ipython().display_pub\n"
        "real = publisher.publish\n"
        "def publish(data, *a, **k):\n"
        "    if 'application/vnd.course.verdict+json' in data:\n"
        "        data = {**data, 'application/vnd.course.verdict+json': verdict}\n"
        "    return real(data, *a, **k)\npublisher.publish = publish",
        "did not give",
    ),
    ("thread", IN_THREAD, "replaced"),
)
IN_FUNCTION = (
    (
        "in-check",
        "import course.checks.exercises as e; e.Observation.agrees = lambda *a: 1",
    ),
    ("in-check-numpy", f"np.allclose = {ALWAYS}"),
    (
        "in-check-expect",
        "from course.checks.declared import find_exercise; "
        "from course.checks.places import Place; "
        "same = Place(('step', 'replica')).observation((1, 1)); "
        "object.__setattr__(find_exercise('02/my_first_drift'), "
        "'expect', lambda case: same)",
    ),
)
# what still gets points: it can be seen, and a person has to judge
SEEN = (
    (
        "truth",
        "from course.lessons.n02_replicas_drift_apart import locate\n"
        "def my_first_drift(copies, sequential):\n"
        "    return locate.first_drift(copies, sequential)",
        (3, 0),
        "names course.lessons",
    ),
    (
        "closure",
        f"{FORGED_VERDICT}\nimport course.checks.checking as c\n"
        "c.verdict_on.__closure__[0].cell_contents.__self__._judge = right\n"
        f"{WRONG}",
        (3, 4),
        "names __closure__",
    ),
)
SUBMISSIONS = [
    *(
        Submission(student, answer(code), points, flag=flag)
        for student, code, points, flag in SEEN
    ),
    *(
        Submission(student, answer(f"{code}\n\n\n{WRONG}"), reason=None, flag=flag)
        for student, code, flag in CHEATS
    ),
    *(
        Submission(student, answer(IN_CHECK.format(code)), flag="replaced")
        for student, code in IN_FUNCTION
    ),
    Submission("same", answer(SAME)),
    # a right answer is right, whatever else was tried
    Submission(
        "right-and-more",
        answer(f"np.allclose = {ALWAYS}\n{RIGHT}"),
        points=(3, 0),
        flag="allclose was replaced",
    ),
    Submission("last", answer(RIGHT), points=(3, 0)),
]


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cheats")
    places = make_course(folder)
    hand_in(places, folder / "in", SUBMISSIONS)
    with pytest.MonkeyPatch.context() as patch:
        return grade_class(places, folder / "in", patch)


@pytest.mark.parametrize("expected", SUBMISSIONS, ids=lambda each: each.student)
def test_submission(graded, expected):
    assert_as_expected(graded, expected)


def test_nothing_accuses(graded):
    for each in SUBMISSIONS:
        record = graded.record(each.student)
        for word in ("cheat", "tamper", "manipulat", "fraud", "attack"):
            assert word not in " ".join((*record.flags, *record.reasons)).lower()
