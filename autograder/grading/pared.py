"""The course as a graded kernel sees it: without truths and without known mistakes.

What learners' cells and the trials use is kept, statement by statement, in its line;
the rest of `course.lessons` and `course.runs` is left out. So a submission that looks
for a truth finds what it would need to compute one, and no more.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import pickle
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import course
from autograder.one_parser import parse

ROOT = Path(course.__file__).parent
SKIPPED = ("annotation", "returns", "ctx")  # they hold no code that runs
IMPORTS = (ast.Import, ast.ImportFrom)
PARED = ("course.lessons", "course.runs")
WHOLE = "course.runs.cluster"  # its processes find each other by module
# what the rest of the course asks a lesson for by name
ASKED_FOR = ("PREDICTION", "QUESTIONS")
Name = tuple[str, str]  # module and what is defined in it; "*" is all of it


@dataclass
class _Statement:
    """A statement of a module.

    text: its lines, with those of its decorators.
    first: the first of them in the module, from 0.
    kind: the type of its syntax tree. The tree is parsed again where it is needed,
        because the trees of the whole course are large.
    is_words: whether it is a docstring.
    binds: the names that it defines.
    loads: names it uses; what it takes of each, where that is all it does with it.
    imports: of a statement that imports, its name -> where that comes from.
    inner: what is imported inside of it.
    """

    text: str
    first: int
    kind: type[ast.stmt]
    is_words: bool
    binds: set[str] = field(default_factory=set)
    loads: dict[str, set[str]] = field(default_factory=dict)
    imports: dict[str, Name] = field(default_factory=dict)
    inner: set[Name] = field(default_factory=set)

    @functools.cached_property
    def node(self) -> ast.stmt:
        return parse(self.text).body[0]

    @functools.cached_property
    def digest(self) -> str:
        return code_digest(self.node)

    @property
    def is_import(self) -> bool:
        return issubclass(self.kind, IMPORTS)


class Pared:
    """The modules that some names need and, of each, the statements that are kept.

    Of `PARED` packages, single statements are kept; of all other modules, everything.
    """

    def __init__(self, names: Iterable[Name]) -> None:
        """Keep `names`, and what they need."""
        self._kept: dict[str, dict[int, set[str]]] = {}
        self._seen: set[Name] = set()
        for name in sorted(set(names)):
            self._keep(*name)

    @classmethod
    def for_kernels(cls, names: Iterable[Name]) -> Pared:
        """Keep `names`, what all kernels need, and what the names' lessons offer."""
        names = {*names, *_needed_by_all()}
        return cls(names | set(_offered(names)))

    def digests(self) -> dict[str, str]:
        """Module -> a digest of the code that is kept of it.

        Comments, docstrings, layout and places of lines do not count.
        """
        return {
            module: _short(
                "".join(_parsed()[module][2][n].digest for n in sorted(kept))
            )
            for module, kept in sorted(self._kept.items())
        }

    def files(self) -> Iterator[tuple[Path, str]]:
        """Each pared module's file below the course's folder, and its text."""
        for module in filter(_is_pared, sorted(self._kept)):
            path, length, statements = _parsed()[module]
            lines = [""] * length
            for number, names in self._kept[module].items():
                each = statements[number]
                if each.is_import:
                    kept = [name for name in each.node.names if _bound(name) in names]
                    kept = kept or each.node.names  # from __future__
                    shorter = each.kind(**{**vars(each.node), "names": kept})
                    lines[each.first] = ast.unparse(shorter)
                    continue
                text = each.text.splitlines()
                lines[each.first : each.first + len(text)] = text
            if path.name == "__init__.py" and (module, "EXERCISES") not in self._seen:
                lines.append("EXERCISES = ()")
            yield path.relative_to(ROOT), "\n".join(lines) + "\n"

    def _keep(self, module: str, name: str) -> None:
        waiting = [(module, name)]
        while waiting:
            each = waiting.pop()
            if each not in self._seen and each[0] in _parsed():
                self._seen.add(each)
                waiting += self._needs(*each)

    def _needs(self, module: str, name: str) -> Iterator[Name]:
        """Note the statements that define a name; yield what they need in turn."""
        statements = _parsed()[module][2]
        whole = not _is_pared(module) or f"{module}.".startswith(f"{WHOLE}.")
        if module not in self._kept:
            self._kept[module] = {}
            yield from _packages_of(module)
            if whole:
                yield module, "*"
            if whole and _is_pared(module):
                yield from ((m, "*") for m in _parsed() if m.startswith(WHOLE))
            for number, each in enumerate(statements):
                if not each.binds and not each.is_words:
                    yield from self._take(module, number, set())
        found = False
        for number, each in enumerate(statements):
            if name == "*" or name in each.binds:
                found = True
                wanted = each.binds if name == "*" else {name}
                yield from self._take(module, number, wanted)
        if not found and f"{module}.{name}" in _parsed():
            yield f"{module}.{name}", ""

    def _take(self, module: str, number: int, names: set[str]) -> Iterator[Name]:
        statement = _parsed()[module][2][number]
        self._kept[module].setdefault(number, set()).update(names)
        if statement.imports:
            for name in names:
                yield statement.imports[name]
            return
        yield from statement.inner
        for name, taken in statement.loads.items():
            # whoever looks at a module as a whole gets the whole of it
            yield module, "*" if name in ("__name__", "globals") else name
            for imported in _modules_called(module, name):
                yield from ((imported, each) for each in taken)


def code_digest(tree: ast.AST) -> str:
    """Return a digest of a syntax tree; its docstrings do not count."""
    copied = pickle.loads(pickle.dumps(tree))  # a fifth of what deepcopy takes
    return _short(ast.dump(_Undocumented().visit(copied)))


def _short(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]


class _Undocumented(ast.NodeTransformer):
    """Takes docstrings out of modules, classes and functions."""

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        body = getattr(node, "body", None)
        if isinstance(body, list) and body and _is_words(body[0]):
            node.body = body[1:]
        return node


def imported_in(code: str) -> set[Name]:
    """Module and name of all that some code imports.

    Raises:
        SyntaxError: it is no Python.
    """
    return set(bound_imports(code).values())


def bound_imports(code: str) -> dict[str, Name]:
    """Return the names that imports of some code bind -> module and name.

    Raises:
        SyntaxError: it is no Python.
    """
    nodes = (each for each in ast.walk(parse(code)) if isinstance(each, IMPORTS))
    return {bound: name for each in nodes for bound, name in _imports(each)}


def _modules_called(module: str, name: str) -> Iterator[str]:
    """The pared modules that a name of a module stands for, if it does for any."""
    for each in _parsed()[module][2]:
        if name in each.imports:
            package, part = each.imports[name]
            if (whole := f"{package}.{part}".rstrip(".")) in _parsed():
                yield whole


@functools.cache
def _needed_by_all() -> frozenset[Name]:
    """What the rest of the course uses."""
    homes = {(module, name) for name, module in course._HOMES.items()}
    rest = {(module, "*") for module in _parsed() if not _is_pared(module)}
    return frozenset(homes | rest | {(WHOLE, "*")})


def _offered(names: Iterable[Name]) -> Iterator[Name]:
    """What the lessons of these names offer to learners and to the course."""
    for module in {".".join(module.split(".")[:3]) for module, _ in names}:
        if module not in _parsed() or not _is_pared(module):
            continue
        yield module, ""
        yield from ((module, name) for name in ASKED_FOR)
        for each in _parsed()[module][2]:
            if "__all__" in each.binds:
                offered = ast.literal_eval(each.node.value)
                yield from ((module, n) for n in offered if n != "EXERCISES")


@functools.cache
def _parsed() -> dict[str, tuple[Path, int, list[_Statement]]]:
    """Module -> its file, how many lines and which statements, of the whole course."""
    found = {}
    for module, path in _modules(ROOT, "course"):
        text = path.read_text(encoding="utf-8")
        found[module] = path, len(text.splitlines()), _statements(text)
    return found


def _is_pared(module: str) -> bool:
    return any(f"{module}.".startswith(f"{each}.") for each in PARED)


def _modules(folder: Path, package: str) -> Iterator[tuple[str, Path]]:
    for path in sorted(folder.glob("**/*.py")):
        parts = path.relative_to(folder).with_suffix("").parts
        parts = parts[:-1] if parts[-1] == "__init__" else parts
        yield ".".join((package, *parts)), path


def _packages_of(module: str) -> Iterator[Name]:
    """The packages that are imported with a module."""
    while "." in module:
        module = module.rpartition(".")[0]
        yield module, ""


@functools.cache  # tests read copies of the course that differ in one file
def _statements(text: str) -> list[_Statement]:
    lines = text.splitlines()
    return [_statement(node, lines) for node in parse(text).body]


def _statement(node: ast.stmt, lines: list[str]) -> _Statement:
    decorators = getattr(node, "decorator_list", [])
    first = min(each.lineno for each in (node, *decorators)) - 1
    text = "\n".join(lines[first : node.end_lineno])
    made = _Statement(text, first, type(node), _is_words(node))
    if made.is_import:
        made.imports = dict(_imports(node))
        future = isinstance(node, ast.ImportFrom) and node.module == "__future__"
        made.binds = set() if future else set(made.imports)
        return made
    if _is_for_types(node):
        made.binds = {"-"}  # only annotations, which are texts, use what is in it
        return made
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        made.binds = {node.name}
    elif isinstance(node, ast.Assign | ast.AnnAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        names = (part for each in targets for part in ast.walk(each))
        made.binds = {each.id for each in names if isinstance(each, ast.Name)}
    owners = set()
    for each in _without_annotations(node):
        if isinstance(each, ast.Attribute) and isinstance(each.value, ast.Name):
            owners.add(each.value)
            made.loads.setdefault(each.value.id, set()).add(each.attr)
        elif isinstance(each, ast.Name):
            taken = made.loads.setdefault(each.id, set())
            taken |= set() if each in owners else {"*"}
        elif isinstance(each, IMPORTS):
            made.inner.update(dict(_imports(each)).values())
    return made


def _imports(node: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, Name]]:
    for each in node.names:
        if isinstance(node, ast.Import):
            yield _bound(each), (each.name, "")
        else:
            yield _bound(each), (node.module or "", each.name)


def _bound(alias: ast.alias) -> str:
    return alias.asname or alias.name.split(".")[0]


def _without_annotations(node: ast.AST) -> Iterator[ast.AST]:
    waiting: list[object] = [node]
    while waiting:
        each = waiting.pop()
        if isinstance(each, list):
            waiting += each
        elif isinstance(each, ast.AST):
            yield each
            waiting += [
                getattr(each, f, None) for f in each._fields if f not in SKIPPED
            ]


def _is_for_types(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)


def _is_words(node: ast.stmt) -> bool:
    """Whether a statement is a docstring."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
