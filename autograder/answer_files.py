"""A class whose outcomes are known: read its answers, put them into a notebook."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from pathlib import Path

from nbformat import NotebookNode

from autograder.places import HERE, CourseError

ANSWERS = HERE / "answers"
OUTCOMES = {"RIGHT", "WRONG", "CRASHED", "NOT ATTEMPTED"}


@dataclass(frozen=True)
class Answer:
    """One file of answers/: code for a learner's cells, and what the checks say.

    expected: exercise -> (outcome, mistake code or None).
    code: the file without its docstring and EXPECT, in order.
    """

    path: Path
    expected: dict[str, tuple[str, str | None]]
    code: str

    @property
    def notebook(self) -> str:
        """The name of the notebook that it answers."""
        return self.path.parent.name

    def __str__(self) -> str:
        return f"{self.notebook}/{self.path.stem}"


def answer_files(folder: Path = ANSWERS) -> list[Path]:
    """All files with answers, in order."""
    return sorted(folder.glob("[0-9][0-9]_*/*.py"))


def read_answer(path: Path) -> Answer:
    """Read one file; CourseError says what is wrong with it."""
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text, filename=str(path))
    expect, rest = None, []
    for number, node in enumerate(tree.body):
        match node:
            case ast.Expr(value=ast.Constant(value=str())) if number == 0:
                continue
            case ast.Assign(targets=[ast.Name(id="EXPECT")]):
                expect = ast.literal_eval(node.value)
            case _:
                rest.append(_with_comments(text, node))
    if not ast.get_docstring(tree) or not expect or not rest:
        raise CourseError(
            f'{path} needs a docstring, EXPECT = {{"02/my_step": "RIGHT"}} and the '
            "code that replaces the learner's cells."
        )
    return Answer(
        path,
        {exercise: _outcome(said, path) for exercise, said in expect.items()},
        "\n\n".join(rest),
    )


def _outcome(said: str, path: Path) -> tuple[str, str | None]:
    for outcome in OUTCOMES:
        if said == outcome or said.startswith(outcome + " "):
            return outcome, said.removeprefix(outcome).strip() or None
    raise CourseError(
        f"{path}: EXPECT says {said!r}; it must begin with one of "
        f"{', '.join(sorted(OUTCOMES))}."
    )


def _with_comments(text: str, node: ast.stmt) -> str:
    """The source of a statement, its decorators included."""
    decorators = getattr(node, "decorator_list", [])
    first = min([node.lineno, *(each.lineno for each in decorators)])
    return "\n".join(text.splitlines()[first - 1 : node.end_lineno])


def put_in(notebook: NotebookNode, answer: Answer) -> NotebookNode:
    """Replace the fix cells that the answer defines, in place.

    Helpers (imports, other functions) go to the first cell replaced.
    """
    pieces: dict[str, str] = {}
    helpers = []
    for node in ast.parse(answer.code).body:
        source = _with_comments(answer.code, node)
        name = getattr(node, "name", None)
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            name = node.targets[0].id
        if name and name.startswith("my_"):
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
            f"{answer.path} defines {', '.join(pieces)}, but {answer.notebook} has no "
            "cell for it to replace."
        )
    return notebook


def _replaceable(cell: NotebookNode) -> str | None:
    """The exercise whose answer goes into this cell, or None."""
    return cell.metadata.get("exercise") if cell.metadata.get("role") == "fix" else None
