"""The syntax tree of an answer, to compare: with names kept, numbered or hidden.

Comments, layout, docstrings, annotations, `pass` and calls of print and display are in
none of them. What an import is called is not either: `tf` stands for tensorflow.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from autograder.grading.cell_code import imported

Tree = tuple | str  # the kind of a node and its parts; or the text of a leaf
Definitions = Mapping[str, list[ast.stmt]]

DEFINES = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
FUNCTION = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
LOOPS = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
SCOPE = FUNCTION | LOOPS
CAUGHT = ast.ExceptHandler | ast.MatchAs | ast.MatchStar
WITH_NAME = DEFINES | CAUGHT | ast.Name | ast.arg | ast.MatchMapping
COMPUTES = FUNCTION | ast.ClassDef | ast.Call
LAYOUT = frozenset(
    {"annotation", "ctx", "kind", "returns", "simple", "type_comment", "type_ignores"}
)
HIDDEN = "."
LIST = ""  # the kind of a list of parts, which is no node


class Name(NamedTuple):
    """A name in a tree: its text, and its number where it is the learner's own."""

    text: str
    number: int | None


class Trees:
    """Turns code into trees of plain tuples, whose names `written` turns into text.

    numbers: a learner's names, each with its number; a local one with its scope.
    """

    def __init__(
        self, own: Definitions | None = None, imports: Mapping[str, str] | None = None
    ) -> None:
        """Prepare for code with the learner's top-level definitions and all imports."""
        self._own, self._imports = own or {}, imports or {}
        self._used: list[str] = []
        self.numbers: dict[object, int] = {}

    def answer(self, name: str) -> Tree:
        """Return all that defines a name: with what it uses, in order of use."""
        self._used = [name]
        return (LIST, *(self.tree(each) for each in self.statements()))

    def statements(self) -> Iterator[ast.stmt]:
        """Yield the statements of the answer; reading them finds those they use."""
        done = set()
        for name in self._used:  # grows
            for each in self._own[name]:
                if each not in done:
                    done.add(each)
                    yield each

    def tree(self, node: ast.AST, around: tuple = ()) -> Tree:
        """Return the tree of a node, given the scopes around it."""
        inside = around
        if isinstance(node, SCOPE):
            inside = (*around, (node, frozenset(_bound(node))))
        parts: list[Tree] = []
        for field, value in ast.iter_fields(node):
            if field in LAYOUT:
                continue
            if isinstance(value, list):
                parts.append((LIST, *self._parts(value, inside)))
            elif isinstance(value, ast.AST):
                parts.append(self.tree(value, inside))
            elif isinstance(value, str) and _is_name(node, field):
                parts.append(self._name(value, around if field == "name" else inside))
            else:
                parts.append(repr(value))
        return parts[0] if isinstance(node, ast.Name) else (type(node).__name__, *parts)

    def _parts(self, values: Iterable, around: tuple) -> Iterator[Tree]:
        for each in values:
            if isinstance(each, str):
                yield self._name(each, around)
            elif each is None:  # a key in {**more}
                yield repr(each)
            elif not _does_nothing(each):
                yield self.tree(each, around)

    def _name(self, name: str, around: tuple) -> Name | str:
        for scope, bound in reversed(around):
            if name in bound:
                return self._numbered((scope, name), name)
        if name in self._own:
            if name not in self._used:
                self._used.append(name)
            return self._numbered(name, name)
        if name in self._imports or hasattr(builtins, name):
            return self._imports.get(name, name)
        return Name(name, None)

    def _numbered(self, key: object, name: str) -> Name:
        return Name(name, self.numbers.setdefault(key, len(self.numbers)))


def written(tree: Tree, name: Callable[[Name], str]) -> Tree:
    """Return a tree with each name as the text that `name` gives it."""
    if isinstance(tree, str):
        return tree
    if isinstance(tree, Name):
        return name(tree)
    return tuple([written(each, name) for each in tree])


def kept(name: Name) -> str:
    """Write a name as it is."""
    return name.text


def numbered(name: Name) -> str:
    """Write a learner's name as its number in order of appearance."""
    return name.text if name.number is None else f"#{name.number}"


def hidden(name: Name) -> str:
    """Write all names the same."""
    return HIDDEN


def computes(statement: ast.stmt) -> bool:
    """Whether it is more than a value that is written down."""
    return any(isinstance(each, COMPUTES) for each in ast.walk(statement))


def add_definitions(
    tree: ast.Module, own: dict[str, list[ast.stmt]], imports: dict[str, str]
) -> None:
    """Add what a cell defines, imports and changes; a new definition replaces an old.

    Args:
        tree: of the cell.
        own: name -> its statements.
        imports: name -> what it stands for.
    """
    for node in tree.body:
        imports.update(imported(node))
        if isinstance(node, ast.Import | ast.ImportFrom):
            continue
        bound = _bound(ast.Module([node], []))
        anew = isinstance(node, DEFINES | ast.Assign | ast.AnnAssign)
        for name in bound:
            own[name] = [node] if anew else [*own.get(name, ()), node]
        for changed in {_first_name(each) for each in getattr(node, "targets", ())}:
            if changed in own and changed not in bound:
                own[changed] = [*own[changed], node]


def subtrees(tree: Tree) -> Iterator[Tree]:
    """Yield a tree and all trees in it."""
    yield tree
    if isinstance(tree, tuple):
        for each in tree[1:]:
            yield from subtrees(each)


def new_nodes(tree: Tree, *known: set[Tree]) -> int:
    """Count the nodes of a tree that are not part of a known one."""
    if any(tree in each for each in known):
        return 0
    if isinstance(tree, str):
        return 1
    return (tree[0] != LIST) + sum(new_nodes(each, *known) for each in tree[1:])


def _first_name(node: ast.AST) -> str:
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _is_name(node: ast.AST, field: str) -> bool:
    """Whether a text in a field of a node is a name that the code gives."""
    if isinstance(node, ast.alias):
        return field == "asname"
    return isinstance(node, WITH_NAME)


def _does_nothing(node: ast.AST) -> bool:
    match node:
        case ast.Pass() | ast.Expr(value=ast.Constant()) | ast.AnnAssign(value=None):
            return True
        case ast.Expr(value=ast.Call(func=ast.Name(id="print" | "display"))):
            return True
    return False


def _bound(scope: ast.AST) -> set[str]:
    """Return the names that a scope binds, without those of the scopes in it."""
    found: set[str] = set()
    elsewhere: set[str] = set()
    waiting = list(ast.iter_child_nodes(scope))
    while waiting:
        node = waiting.pop()
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
                found.add(name)
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                elsewhere.update(names)
            case ast.Import() | ast.ImportFrom():
                found.update(name for name, _ in imported(node))
            case ast.MatchMapping(rest=str(name)):
                found.add(name)
        if isinstance(node, DEFINES | CAUGHT) and node.name:
            found.add(node.name)
        if not isinstance(node, SCOPE | ast.ClassDef):
            waiting += ast.iter_child_nodes(node)
    return found - elsewhere
