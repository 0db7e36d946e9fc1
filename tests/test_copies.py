"""Equal answers are found, renamed or not; answers that are alike by chance are not."""

import ast
import copy
import functools
import time
from itertools import zip_longest

import nbformat
import pytest

from autograder.answers.reading import all_answers, put_in
from autograder.grading import copies
from autograder.grading.copies import Group, fingerprint, groups, solution
from autograder.places import Places, course_places
from autograder.records import Record

PLACES = course_places()
LARGE, SMALL = "03_right_only_when_it_divides", "00_start_here"
CHECKED = ("03/my_first_unequal", "03/my_losses", "03/my_statistics")
MEASURED = [each for each in PLACES.names() if each[:2] < "22"]  # what copies counts
SHORT = {"00", "01", "21"}
SHORT_RENAMED = {"02", "06", "08", "11", "12", "13"}
GAPS = """
def gaps(a, b):
    order = np.sort(b, axis=0)[::2]
    return np.abs(np.asarray(a) - order).sum(axis=2) + len(order) * 3
"""
WORST = """
def worst(each):
    best = int(each.argmin())
    while each[best] < each.mean() ** 3:
        best -= 1
    return best, 2 - best
"""
USING = """
def my_first_unequal(counts):
    found = gaps(counts, counts[::-1])
    place, rest = worst(found[1:, ::2])
    return max(place, rest), rest, found.mean() / len(counts)
"""


@functools.cache
def shipped(name):
    return nbformat.read(PLACES.learner(name), as_version=4)


def the_solution(name=LARGE):
    return nbformat.read(PLACES.solution(name), as_version=4)


def with_code(change, notebook=None):
    """A notebook in which `change` is applied to the code of each answer."""
    notebook = copy.deepcopy(notebook or the_solution())
    for cell in notebook.cells:
        if cell.metadata.get("role") == "fix":
            cell.source = change(cell.source)
    return notebook


def with_first(code):
    """The notebook as handed out, with code in the place of its first answer."""
    notebook = copy.deepcopy(shipped(LARGE))
    first = next(e for e in notebook.cells if e.metadata.get("role") == "fix")
    first.source = code
    return notebook


def renamed(code, prefix="other_"):
    """Code with other local names, without its comments and layout."""
    tree = ast.parse(code)
    nodes = list(ast.walk(tree))
    local = {e.arg for e in nodes if isinstance(e, ast.arg)} | {
        e.id for e in nodes if isinstance(e, ast.Name) and isinstance(e.ctx, ast.Store)
    }
    for each in nodes:
        if isinstance(each, ast.Name) and each.id in local - {"my_step"}:
            each.id = prefix + each.id
        elif isinstance(each, ast.arg):
            each.arg = prefix + each.arg
    return ast.unparse(tree)


def commented(code):
    head, *rest = code.splitlines(keepends=True)
    return (
        f"# mine\n{head}    '''Mine.'''\n\n    print('here')  # look\n{''.join(rest)}"
    )


def found(name, *notebooks):
    """The groups of s0, s1, ..., who handed these notebooks in."""
    records = [
        Record(f"s{n}", name, "", 7, (), answers=fingerprint(each, shipped(name)))
        for n, each in enumerate(notebooks)
    ]
    return groups(records, solution(PLACES, name))


def test_the_solution_is_known_again():
    (group,) = found(LARGE, the_solution())
    assert group == Group(LARGE, ("s0",), CHECKED, (), True)


@pytest.mark.parametrize("name", MEASURED)
def test_where_the_whole_solution_is_known(name):
    """Three notebooks have only short fixes; with other names, six more."""
    assert len(found(name, the_solution(name))) == (name[:2] not in SHORT)
    other = found(name, with_code(renamed, the_solution(name)))
    assert len(other) == (name[:2] not in SHORT | SHORT_RENAMED)


def test_the_solution_is_known_with_other_names():
    (group,) = found(LARGE, with_code(renamed))
    assert group == Group(LARGE, ("s0",), CHECKED, CHECKED, True)


def test_comments_docstrings_and_prints_change_nothing():
    (group,) = found(LARGE, with_code(commented))
    assert group.solution and group.renamed == ()


def test_identical_and_renamed_answers_of_students():
    mine = with_first(GAPS + WORST + USING)
    (same,) = found(LARGE, mine, copy.deepcopy(mine), shipped(LARGE))
    assert same == Group(LARGE, ("s0", "s1"), CHECKED[:1], (), False)
    theirs = with_code(functools.partial(renamed, prefix="x"), mine)
    both, one = found(LARGE, mine, mine, theirs)
    assert (one.students, one.renamed) == (("s0", "s1"), ())
    assert (both.students, both.renamed) == (("s0", "s1", "s2"), CHECKED[:1])


def test_helpers_may_be_renamed_reordered_and_in_other_cells():
    mine = with_first(GAPS + WORST + USING)
    text = USING + WORST + GAPS
    theirs = with_first(text.replace("gaps", "f").replace("worst", "g"))
    cell = nbformat.v4.new_code_cell(GAPS)
    elsewhere = with_first(WORST + USING)
    elsewhere.cells.insert(0, cell)
    group = found(LARGE, mine, theirs, elsewhere)[0]
    assert group.students == ("s0", "s1", "s2") and group.renamed == CHECKED[:1]
    (same,) = found(LARGE, mine, elsewhere)
    assert same.renamed == ()


def test_other_code_is_another_answer():
    mine = with_first(GAPS + WORST + USING)
    for old, new in (("[1:, ::2]", "[:1, ::2]"), ("** 3", "** 2"), ("[::2]", "[2:]")):
        theirs = with_code(lambda code, o=old, n=new: code.replace(o, n), mine)
        assert found(LARGE, mine, theirs) == []


def test_an_answer_after_its_check_is_compared_where_the_first_is_as_handed_out():
    mine, theirs = with_first(GAPS + WORST + USING), copy.deepcopy(shipped(LARGE))
    theirs.cells.append(nbformat.v4.new_code_cell(GAPS + WORST + USING))
    (group,) = found(LARGE, mine, theirs)
    assert group.students == ("s0", "s1")
    mine.cells.append(nbformat.v4.new_code_cell("def my_first_unequal(): pass"))
    assert found(LARGE, mine, theirs) == [group]


def test_what_an_import_is_called_changes_nothing():
    mine = with_first(GAPS + WORST + USING)
    theirs = with_code(lambda code: code.replace("np.", "numpy."), mine)
    theirs.cells.insert(0, nbformat.v4.new_code_cell("import numpy"))
    (group,) = found(LARGE, mine, theirs)
    assert group.renamed == ()


@pytest.mark.parametrize("name", PLACES.names())
def test_right_answers_written_independently_are_in_no_group(name):
    """Each student has one of the known answers to every exercise."""
    by_exercise = {}
    for answer in all_answers(PLACES, name):
        if answer.is_right:
            by_exercise.setdefault(answer.name.split("/")[0], []).append(answer)
    class_ = [
        functools.reduce(put_in, filter(None, some), copy.deepcopy(shipped(name)))
        for some in zip_longest(*by_exercise.values())
    ]
    assert len(class_) > 1
    between = [each for each in found(name, *class_) if not each.solution]
    assert between == []


def test_a_small_notebook_has_no_groups():
    assert found(SMALL, the_solution(SMALL), the_solution(SMALL)) == []
    assert found(SMALL, shipped(SMALL), shipped(SMALL)) == []


def test_values_tell_nothing():
    """All who are right in 21 name the same causes."""
    name = "21_mystery_jobs"
    kept = solution(PLACES, name)
    sizes = {each: int(text.split(":")[0]) for each, text in kept.items()}
    assert all(size < 2 for each, size in sizes.items() if "/my_name" in each)
    assert found(name, the_solution(name), the_solution(name)) == []


@pytest.mark.parametrize(
    "code",
    [
        "def my_first_unequal(counts:\n",
        "%%bash\nls",
        "my_first_unequal = my_first_unequal",
        "my_first_unequal = 7\nmy_first_unequal[0].x += 1\ndel my_first_unequal",
        "for my_first_unequal in []: pass\nelse:\n    my_first_unequal()",
        "def my_first_unequal(): '\ud800'",
        "class my_first_unequal:\n    x: int\n    def __call__(self, *, y=1): return y",
        "match 1:\n    case {**my_first_unequal} | [*my_first_unequal]: pass",
        *("my_first_unequal = f" + "()" * n for n in (50, 100, 200, 400, 800, 90_000)),
        *(
            "my_first_unequal = f" + "(1)+f" * n
            for n in (100, 200, 250, 300, 400, 3000)
        ),
        *(f"my_first_unequal = {'[' * n}{']' * n}" for n in (50, 90, 150, 5000)),
        *(f"my_first_unequal = f({'-' * n}x)" for n in (100, 200, 250, 300, 400, 3000)),
    ],
    ids=lambda code: f"{code[:30]} {len(code)}",
)
def test_nothing_in_a_cell_stops_it(code):
    assert set(fingerprint(with_first(code), shipped(LARGE))) <= {CHECKED[0]}


def test_without_a_solution_notebook_there_is_none(tmp_path):
    assert solution(Places(tmp_path), LARGE) == {}


def test_a_class_takes_little_time(record_property):
    """A hundred submissions, each with code of its own, need well under a second."""
    class_ = [
        with_code(lambda code, n=n: f"{code}\n\nunused_{n} = {n}\n") for n in range(200)
    ]
    began = time.process_time()
    assert len(found(LARGE, *class_)[0].students) == 200
    per_hundred = (time.process_time() - began) / 2
    record_property("seconds_per_hundred", per_hundred)
    print(f"{per_hundred:.2f} s of CPU per 100 submissions")


def test_a_fingerprint_of_another_version_is_left_out():
    odd = {"03/my_loss": "unknown", "03/my_losses": "90:2:aa:bb"}
    records = [Record(s, LARGE, "", 7, (), answers=odd) for s in ("s0", "s1")]
    (group,) = groups(records, {})
    assert group.exercises == ("03/my_losses",)


def test_large_classes_of_different_answers():
    texts = {"03/my_losses": "50:3:{0:x}:{0:x}", "03/my_loss": "9:1:{0:x}:{0:x}"}
    records = [
        Record(
            f"s{n}",
            LARGE,
            *("", 7, ()),
            answers={e: t.format(n // 2) for e, t in texts.items()},
        )
        for n in range(400)
    ]
    assert len(groups(records, {})) == 200
    assert copies.ENOUGH > 2 * copies.SMALL


def test_equal_files_are_found_however_short_the_answers():
    def handed_in(student, digest, answers):
        return Record(student, SMALL, digest, 7, (), answers=answers)

    short = {"00/my_spread": "2:0:aa:bb"}
    records = [
        *(handed_in(student, "same", short) for student in ("s1", "s2")),
        handed_in("s3", "another", short),
        *(handed_in(student, "untouched", {}) for student in ("s4", "s5")),
        *(handed_in(student, "", short) for student in ("s6", "s7")),  # not run
    ]
    (group,) = groups(records, {})
    assert group == Group(SMALL, ("s1", "s2"), ("00/my_spread",), (), False, file=True)
