"""What a submission's own code does and no exercise needs: reasons for a look.

Tools are looked for, not words: whoever puts a name together from pieces needs one of
these to use it. All known answers of the course together give a handful of notes.
"""

from __future__ import annotations

import ast
import importlib.util
import re
from collections.abc import Iterable, Iterator

from nbformat import NotebookNode
from nbgrader.utils import is_locked

from autograder.grading.cell_code import imported, parsed

# run or load code that stands in no cell, look into what runs, or change it
MODULES = frozenset(
    {"", "IPython", "__main__", "_ctypes", "_thread", "base64", "binascii", "builtins"}
    | {"bz2", "cloudpickle", "code", "codecs", "codeop", "copyreg", "ctypes", "dill"}
    | {"gc", "imp"}
    | {"importlib", "inspect", "ipykernel", "jupyter_client", "lzma", "marshal"}
    | {"operator", "pickle", "pkgutil", "runpy", "subprocess", "sys", "tarfile"}
    | {"traceback", "types", "unittest", "weakref", "zipfile", "zipimport", "zlib"}
    | {"zmq"}
)
# tools that another module has as an attribute, as in `shutil.sys`
HELD = MODULES - {"", "code", "operator", "types", "weakref"}
USED = frozenset(
    {"__builtins__", "__import__", "__loader__", "__spec__", "breakpoint", "compile"}
    | {"delattr", "eval", "exec", "globals", "locals", "setattr", "vars"}
)
# what Python calls by itself, wherever an object goes
HOOKS = re.compile(
    r"__(?:(?:get|set|del)attr|getattribute|(?:instance|subclass)check|prepare|del|"
    r"init_subclass|set_name|reduce|reduce_ex|setstate|missing|import)__"
)
ATTRIBUTES = re.compile(
    r"__(?!(?:init|post_init|new|name|class|doc|len|getitem|setitem|contains|iter|next|"
    r"call|enter|exit|repr|str|eq|lt|hash|add|sub|mul|bool|int|float|array)__)\w+__|"
    r"_(?!_)\w+|(?:f|gi|cr|ag)_(?:back|frame|locals|globals|builtins|code)|tb_\w+|"
    r"(?:ast|input)_transformers?\w*|cell_contents|co_(?:consts|code)"
)
MAGICS = re.compile(r"\s*%%?(?:run|load_ext|python3?|script|bash|sh|perl|ruby|pypy)\b")
SHELL = re.compile(r"\s*(?:\w+\s*=\s*)?!.*\bpython")
HANDED_OVER = "vnd.course"  # in the types of what checks display
LONG = 4000  # characters of one text
MOST = 20_000  # of a cell


def unusual(notebook: NotebookNode, shipped: NotebookNode) -> Iterator[str]:
    """Yield what cells do that no exercise needs, as "uses eval".

    Lines that were handed out are left out, wherever they stand.

    Args:
        notebook: a prepared submission; its locked cells are the course's.
        shipped: the notebook as it was handed out.
    """
    code = [each for each in shipped.cells if each.cell_type == "code"]
    known = {line.strip() for each in code for line in each.source.splitlines()}
    imports = {each for cell in code for each in _imports(parsed(cell.source)[1])}
    for cell in notebook.cells:
        if cell.cell_type != "code" or is_locked(cell):
            continue
        lines = [line.strip() for line in cell.source.splitlines()]
        own = {number for number, line in enumerate(lines, 1) if line not in known}
        yield from _in_text(cell.source, (lines[number - 1] for number in sorted(own)))
        for node in ast.walk(parsed(cell.source)[1]):
            if getattr(node, "lineno", 0) in own:
                yield from _in_node(node, imports)


def _in_text(source: str, lines: Iterable[str]) -> Iterator[str]:
    if len(source) > MOST:
        yield f"has {len(source)} characters"
    for line in lines:
        if "get_ipython" in line:
            yield "uses get_ipython"
        if MAGICS.match(line) or SHELL.match(line):
            yield f"runs {line[:40]}"


def _in_node(node: ast.AST, imports: set[tuple[str, str]]) -> Iterator[str]:
    ours = {name for name, what in imports if _root(what) == "course"}
    match node:
        case ast.Import() | ast.ImportFrom():
            given = {what for _, what in imports}
            for _, what in imported(node):
                if what not in given and _is_odd(_root(what)):
                    yield f"imports {what}"
        case ast.Name(id=name) if name in USED:
            yield f"uses {name}"
        case ast.Name(id=name, ctx=ast.Store()) if name in ours:
            yield f"gives {name} another meaning"
        case ast.Name(id="__match_args__", ctx=ast.Store()):
            yield "defines __match_args__"
        case ast.FunctionDef(name=name) if HOOKS.fullmatch(name):
            yield f"defines {name}"
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name) if name in ours:
            yield f"gives {name} another meaning"
        case ast.Call(func=ast.Name(id="getattr"), args=[_, what, *_]):
            if not isinstance(what, ast.Constant):
                yield "uses getattr with a name that is made up"
            elif ATTRIBUTES.fullmatch(str(what.value)):
                yield f"uses .{what.value}"
        case ast.Attribute(value=ast.Name(id="self")):
            pass
        case ast.Attribute(attr=name) if ATTRIBUTES.fullmatch(name) or name in HELD:
            yield f"uses .{name}"
        case ast.MatchClass(kwd_attrs=names):
            yield from (f"uses .{name}" for name in names if ATTRIBUTES.fullmatch(name))
        case ast.Call(func=ast.Attribute(attr="load"), args=[_, _, _, *_]):
            yield "uses allow_pickle"
        case ast.keyword(arg="allow_pickle", value=value):
            if not (isinstance(value, ast.Constant) and value.value is False):
                yield "uses allow_pickle"
        case ast.Attribute(ctx=ast.Store() | ast.Del()):
            if _first_name(node) in {name for name, _ in imports}:
                yield f"changes {ast.unparse(node)[:60]}"
        case ast.Constant(value=str() | bytes() as text):
            if len(text) > LONG:
                yield f"has a text of {len(text)} characters"
            if HANDED_OVER in str(text):
                yield f"names {HANDED_OVER}"


def _is_odd(root: str) -> bool:
    """Whether it is a tool, the course itself, or no module: a file of its own then."""
    return root in MODULES or root == "course" or importlib.util.find_spec(root) is None


def _root(module: str) -> str:
    return module.split(".")[0]


def _first_name(node: ast.AST) -> str:
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _imports(tree: ast.AST) -> Iterator[tuple[str, str]]:
    for node in ast.walk(tree):
        yield from imported(node)
