"""What a submission's own code does and no exercise needs: reasons for a look.

Named here is what reaches into the check or hides code from a reader. What replaces a
function of TensorFlow, NumPy or the course is found while the cells run, by
`course.checks.bindings`.
"""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Iterator
from pathlib import Path

from nbformat import NotebookNode
from nbgrader.utils import is_locked

import course
from autograder.grading.cell_code import imported, name_of, parsed

# they run or load code that stands in no cell, or reach into a process's memory
MODULES = frozenset(
    {"_ctypes", "_thread", "builtins", "code", "codeop", "ctypes", "imp"}
    | {"importlib", "ipykernel", "jupyter_client", "marshal", "runpy", "zmq"}
)
USED = frozenset(
    {"__builtins__", "__import__", "__loader__", "compile", "eval", "exec"}
)
# frames and insides of functions, and what stands between a cell and the grader
ATTRIBUTES = re.compile(
    r"__(?:builtins|closure|code|globals|subclasses)__|_getframe|settrace|setprofile|"
    r"(?:f|gi|cr|ag)_(?:back|frame|locals|globals|builtins|code)|tb_frame|"
    r"get_objects|get_referrers|cell_contents|co_(?:consts|code)|currentframe|"
    r"get(?:inner|outer)frames|"
    r"ast_transformers|input_transformers\w*|payload_manager|do_execute|run_cell"
)
MAGICS = re.compile(
    r"\s*%%?(?:run|python3?|script\s+(?!echo|false|true)\S+|perl|ruby|pypy)\b"
)
SHELL = re.compile(r"\s*(?:\w+\s*=\s*)?!\s*python\S*\s+(?!-m\s+pip\b|--version|-V)")
PRIVATE = re.compile(r"self\.(_[a-z]\w*)")
CARD = "vnd.course"  # in the type of the cards that checks display
LONG = 4000  # characters of one text
MOST = 20_000  # of a cell


def unusual(notebook: NotebookNode, shipped: NotebookNode) -> Iterator[str]:
    """Yield what cells do that no exercise needs, as "the cell my_step-fix uses eval".

    Lines that were handed out are left out, wherever they stand.

    Args:
        notebook: a prepared submission; its locked cells are the course's.
        shipped: the notebook as it was handed out.
    """
    code = [each for each in shipped.cells if each.cell_type == "code"]
    known = {line.strip() for each in code for line in each.source.splitlines()}
    given = {each for cell in code for each in _imports(parsed(cell.source)[1])}
    for cell in notebook.cells:
        if cell.cell_type != "code" or is_locked(cell):
            continue
        where = name_of(cell)
        lines = [line.strip() for line in cell.source.splitlines()]
        own = {number for number, line in enumerate(lines, 1) if line not in known}
        long = sum(len(lines[number - 1]) for number in own)
        if long > MOST:
            yield f"{where} has {long} characters"
        for line in (lines[number - 1] for number in sorted(own)):
            if MAGICS.match(line) or SHELL.match(line):
                yield f"{where} runs {line[:40]}"
        tree = parsed(cell.source)[1]
        for node in ast.walk(tree):
            if getattr(node, "lineno", 0) in own:
                for odd in _in_node(node, {what for _, what in given}):
                    yield f"{where} {odd}"


def _in_node(node: ast.AST, given: set[str]) -> Iterator[str]:
    """What one node of a cell does.

    Args:
        node: of the syntax tree.
        given: what the notebook imports as it was handed out, such as "os.path".
    """
    match node:
        case ast.Import() | ast.ImportFrom():
            for _, what in imported(node):
                odd = _of_course(what) or what.split(".")[0] in MODULES
                if odd and what not in given:
                    yield f"imports {what}"
        case ast.Name(id=name) if name in USED:
            yield f"uses {name}"
        case ast.Call(func=ast.Name(id="getattr"), args=[_, ast.Constant(value), *_]):
            if ATTRIBUTES.fullmatch(str(value)):
                yield f"uses .{value}"
        case ast.Attribute(value=ast.Name(id="inspect"), attr="stack" | "trace"):
            yield f"uses inspect.{node.attr}"
        case ast.Attribute(attr=name) if ATTRIBUTES.fullmatch(name):
            yield f"uses .{name}"
        case ast.Attribute(attr=name) if name in _private_to_course():
            yield f"uses .{name}"
        case ast.MatchClass(kwd_attrs=names):
            yield from (f"uses .{name}" for name in names if ATTRIBUTES.fullmatch(name))
        case ast.Constant(value=str() | bytes() as text):
            if len(text) > LONG:
                yield f"has a text of {len(text)} characters"
            if CARD in str(text):
                yield f"names {CARD}"


def _of_course(module: str) -> bool:
    return module.split(".")[0] == "course"


@functools.cache
def _private_to_course() -> frozenset[str]:
    """The attributes that the course's objects keep to themselves."""
    texts = (each.read_text() for each in Path(course.__file__).parent.rglob("*.py"))
    return frozenset(name for text in texts for name in PRIVATE.findall(text))


def _imports(tree: ast.AST) -> Iterator[tuple[str, str]]:
    for node in ast.walk(tree):
        yield from imported(node)
