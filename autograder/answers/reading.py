"""Read known answers: the code for a learner's cells, and what its check says."""

from __future__ import annotations

import ast
import functools
import symtable
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from nbformat import NotebookNode

from autograder.answers.changes import change, change_of, read_change
from autograder.places import CourseError, Places

OUTCOMES = {
    "right": "RIGHT",
    "wrong": "WRONG",
    "crashed": "CRASHED",
    "not_attempted": "NOT ATTEMPTED",
}


@dataclass(frozen=True)
class Answer:
    """One answer: code for a learner's cells, and what the checks say of it.

    notebook: such as 02_replicas_drift_apart.
    name: such as my_step/sum_divided, the file and the function.
    expected: exercise -> (outcome, mistake code or None).
    code: what the cells hold; the answer is called `my_...` in it.
    """

    notebook: str
    name: str
    expected: dict[str, tuple[str, str | None]]
    code: str

    @property
    def is_right(self) -> bool:
        """Whether every check says RIGHT."""
        return {outcome for outcome, _ in self.expected.values()} == {"RIGHT"}

    @property
    def is_alone(self) -> bool:
        """Whether it may end the process that it runs in, or never end."""
        return any(outcome == "CRASHED" for outcome, _ in self.expected.values())

    def __str__(self) -> str:
        return f"{self.notebook[:2]}/{self.name}"


def answer_files(places: Places, name: str | None = None) -> list[Path]:
    """Return the files with answers to all notebooks, or to the notebook `name`."""
    return sorted(places.solutions.glob(f"{name or '[0-9][0-9]_*'}/answers/*.py"))


def all_answers(places: Places, name: str | None = None) -> list[Answer]:
    """Return the answers to all notebooks, or to the notebook `name`, in order."""
    return [a for path in answer_files(places, name) for a in read_answers(path)]


def find_answer(places: Places, notebook: str, name: str) -> Answer:
    """Return one answer by its name, such as my_step/sum_divided.

    Raises CourseError where the notebook has no such answer.
    """
    path = places.solutions / notebook / "answers" / f"{name.partition('/')[0]}.py"
    for answer in read_answers(path) if path.is_file() else ():
        if answer.name == name:
            return answer
    raise CourseError(f"{path} has no answer {name.rpartition('/')[2]!r}.")


def read_answers(path: Path) -> list[Answer]:
    """Read one file of answers; CourseError says what is wrong with it."""
    return list(_read(path, path.read_text(encoding="utf-8")))


@functools.cache
def _read(path: Path, text: str) -> tuple[Answer, ...]:
    tree = ast.parse(text, filename=str(path))
    shared: dict[str, ast.stmt] = {}
    marked: list[tuple[ast.FunctionDef | ast.ClassDef, ast.expr]] = []
    for node in tree.body:
        if mark := _mark(node):
            marked.append((node, mark))
        elif change_of(node):
            raise CourseError(f"{path}, {node.name}: a mark above its @changed.")
        else:
            shared.update((name, node) for name in _bound(node))
    functions = {n.name: n for n in tree.body if isinstance(n, ast.FunctionDef)}
    notebook, exercise = path.parent.parent.name, path.stem
    answers = []
    for node, mark in marked:
        where = f"{path}, {node.name}"
        changed = change_of(node)
        if not ast.get_docstring(node) or (len(node.body) < 2) != bool(changed):
            raise CourseError(
                f"{where}: a docstring that says what it does, then code; "
                "with @changed no code."
            )
        expected = dict(_expected(mark, f"{notebook[:2]}/", exercise, where))
        if changed:
            base, changes = read_change(changed, functions, where)
            source = change(_bare(text, base), changes, where)
            body = [_renamed(source, base.name, exercise)]
        elif isinstance(node, ast.ClassDef):
            source = _source(text, node)
            body = [textwrap.dedent(_source(text, each)) for each in node.body[1:]]
        else:
            source = _source(text, node)
            body = [_renamed(_bare(text, node), node.name, exercise)]
        helpers = list(_needed(text, source, shared, tree.body))
        code = "\n\n".join([*helpers, *body])
        answers.append(Answer(notebook, f"{exercise}/{node.name}", expected, code))
    names = [answer.name for answer in answers]
    if not answers or len(set(names)) < len(names):
        raise CourseError(
            f"{path} needs functions with names of their own, each marked with @right, "
            '@wrong("its_mistake"), @wrong, @crashed or @not_attempted.'
        )
    return tuple(answers)


def _mark(node: ast.stmt) -> ast.expr | None:
    """Return the decorator that marks an answer, or None where there is none."""
    for decorator in getattr(node, "decorator_list", []):
        called = decorator.func if isinstance(decorator, ast.Call) else decorator
        if isinstance(called, ast.Name) and called.id in {*OUTCOMES, "gets"}:
            return decorator
    return None


def _expected(
    mark: ast.expr, number: str, exercise: str, where: str
) -> Iterator[tuple[str, tuple[str, str | None]]]:
    """Yield exercise, and the outcome and mistake that the mark names for it."""
    match mark:
        case ast.Name(id=kind):
            yield number + exercise, (OUTCOMES[kind], None)
        case ast.Call(
            func=ast.Name(id="wrong"), args=[ast.Constant(value=str(mistake))]
        ):
            yield number + exercise, ("WRONG", mistake)
        case ast.Call(func=ast.Name(id="gets"), keywords=said):
            for each in said:
                yield number + str(each.arg), _outcome(each.value, where)
        case _:
            raise CourseError(f'{where}: @{ast.unparse(mark)}; write @wrong("code").')


def _outcome(said: ast.expr, where: str) -> tuple[str, str | None]:
    text = str(ast.literal_eval(said))
    for outcome in OUTCOMES.values():
        if text == outcome or text.startswith(f"{outcome} "):
            return outcome, text.removeprefix(outcome).strip() or None
    raise CourseError(
        f"{where}: it expects {text!r}, which must begin with one of "
        f"{', '.join(sorted(OUTCOMES.values()))}."
    )


def _bound(node: ast.stmt) -> list[str]:
    """Return the names that a statement of a file binds for its answers."""
    match node:
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            return [(each.asname or each.name).partition(".")[0] for each in names]
        case ast.Assign(targets=targets):
            return [t.id for t in targets if isinstance(t, ast.Name)]
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            return [name]
    return []


def _needed(
    text: str, source: str, shared: dict[str, ast.stmt], order: Sequence[ast.stmt]
) -> Iterator[str]:
    """Yield the file's other statements that an answer's source needs, in order."""
    names: set[str] = set()
    waiting = [source]
    while waiting:
        free = _free(symtable.symtable(waiting.pop(), "answer", "exec"))
        new = free & shared.keys() - names
        names |= new
        waiting += [_source(text, shared[name]) for name in new]
    for each in order:
        if names.isdisjoint(_bound(each)) or _mark(each):
            continue
        match each:
            case ast.ImportFrom(module="autograder.answers"):
                continue
            case ast.Import() | ast.ImportFrom():
                each.names = [n for n in each.names if names & {n.asname or n.name}]
                yield ast.unparse(each)
            case _:
                yield _source(text, each)


def _free(scope: symtable.SymbolTable) -> set[str]:
    """Return the names that code reads from the module around it."""
    top = scope.get_type() == "module"
    found = {
        each.get_name()
        for each in scope.get_symbols()
        if each.is_referenced() and (top or each.is_global())
    }
    return found.union(*(_free(inner) for inner in scope.get_children()))


def _source(text: str, node: ast.stmt) -> str:
    """The source of a statement, its decorators included."""
    first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])
    return "\n".join(text.splitlines()[first - 1 : node.end_lineno])


def _bare(text: str, node: ast.FunctionDef) -> str:
    """The source of a function without its mark and its docstring."""
    lines = text.splitlines()
    said = [_mark(node), node.body[0] if ast.get_docstring(node) else None]
    first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
    left_out = {n for x in said if x for n in range(x.lineno, x.end_lineno + 1)}
    kept = [n for n in range(first, node.end_lineno + 1) if n not in left_out]
    return "\n".join(lines[n - 1] for n in kept)


def _renamed(source: str, old: str, new: str) -> str:
    """The source of a function with its name `old` written as `new`, attributes not."""
    lines = [line.encode() for line in source.splitlines(keepends=True)]
    (function,) = ast.parse(source).body
    places = [
        (node.lineno, node.col_offset)
        for node in ast.walk(function)
        if isinstance(node, ast.Name) and node.id == old
    ]
    places.append((function.lineno, len("def ")))
    for row, column in sorted(places, reverse=True):
        line = lines[row - 1]
        lines[row - 1] = line[:column] + new.encode() + line[column + len(old) :]
    return b"".join(lines).decode()


def put_in(notebook: NotebookNode, answer: Answer) -> NotebookNode:
    """Replace the fix cells that the answer defines, in place.

    Helpers (imports, other functions) go to the first cell replaced.
    """
    pieces: dict[str, str] = {}
    helpers = []
    for node in ast.parse(answer.code).body:
        source = _source(answer.code, node)
        (name, *_) = [*_bound(node), ""]
        if name.startswith("my_"):
            pieces[name] = source
        else:
            helpers.append(source)
    for cell in notebook.cells:
        wanted = pieces.pop(_replaceable(cell), None)
        if wanted is not None:
            cell.source = "\n\n\n".join([*helpers, wanted])
            helpers = []
    if pieces:
        raise CourseError(
            f"{answer} defines {', '.join(pieces)}, but {answer.notebook} has no "
            "cell for it to replace."
        )
    return notebook


def _replaceable(cell: NotebookNode) -> str | None:
    """The exercise whose answer goes into this cell, or None."""
    return cell.metadata.get("exercise") if cell.metadata.get("role") == "fix" else None
