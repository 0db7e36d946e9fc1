"""Which device each multiplication really ran on, while a function was running."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from tensorflow.python.eager import context
from tensorflow.python.framework import op_callbacks

from course.runs.devices import short_name

MULTIPLIES = {"MatMul", "BatchMatMulV2"}


# (name of a graph, device of the call) -> its multiplications, for later calls of it
_seen: dict[tuple[str, str], list[Work]] = {}


class Unseen(TypeError):
    """What ran cannot be told; the message says what to change."""


@dataclass(frozen=True)
class Work:
    """One matrix multiplication.

    replica: whose it was, from the name TensorFlow gave it; None where it has none.
    asked: the device that was asked for, such as "CPU:1"; "" for none.
    ran: the device it ran on.
    rows: of the data it multiplied.
    forward: False for one that the gradient needed.
    """

    replica: int | None
    asked: str
    ran: str
    rows: int
    forward: bool


@dataclass
class Watch:
    """What a `watching` block saw; `graph` and `eager` are complete after it."""

    eager: list[Work] = field(default_factory=list)
    graph: list[Work] = field(default_factory=list)

    @property
    def works(self) -> list[Work]:
        """All of it, call by call: eager ones first, then those of graphs."""
        return self.eager + self.graph


@contextmanager
def watching() -> Iterator[Watch]:
    """Note every matrix multiplication in the block and the device it ran on.

    Of an eager operation, TensorFlow's callback gives the device of its result, which
    is where it ran. In a graph an operation only ASKS for a device; where TensorFlow
    put it stands in the partition graphs of the run's metadata.

    Raises:
        Unseen: at the end of the block, where rows or devices cannot be told.
    """
    watch, traced, called = Watch(), {}, []

    def note(op_type, inputs, attrs, outputs, op_name=None, graph=None):
        kind = _text(op_type)
        if graph is None and kind.startswith("__"):  # a call of a whole graph
            caller = context.context().device_name or ""
            called.append(((kind, caller), context.context().export_run_metadata()))
        if kind not in MULTIPLIES:
            return
        work = (short_name(outputs[0].device), _rows(inputs), not _transposed(attrs))
        if graph is None:
            watch.eager.append(Work(None, work[0], *work))
        else:
            looped = "while" in graph.name  # how often it runs, nothing tells
            traced[_text(op_name)] = (work[0], None if looped else work[1], work[2])

    op_callbacks.add_op_callback(note)
    context.context().enable_run_metadata()
    context.context().export_run_metadata()  # drops what ran before
    try:
        yield watch
    finally:
        op_callbacks.remove_op_callback(note)
        context.context().disable_run_metadata()
    for call, ran in called:
        found = _works(ran, traced)
        if found:  # TensorFlow tells it at the first call on a device only
            _seen[call] = found
    for call, _ in called:
        watch.graph += _seen.get(call, [])


def _text(name: bytes | str | None) -> str:
    return name.decode() if isinstance(name, bytes) else name or ""


def _works(ran, traced: dict[str, tuple]) -> list[Work]:
    """Return the multiplications of one graph, in the order they were written."""
    found = []
    for graphs in ran.function_graphs:
        for part in graphs.partition_graphs:
            for node in part.node:
                # an eager call has a graph too, in which its name is that of its kind
                alone = node.name == node.op or node.name in MULTIPLIES
                eager = alone and node.name not in traced
                if "MatMul" in node.op and not eager:  # oneDNN has kinds of its own
                    found.append(_placed(node, traced))
    order = list(traced)
    return [work for _, work in sorted(found, key=lambda pair: order.index(pair[0]))]


def _placed(node, traced: dict[str, tuple]) -> tuple[str, Work]:
    """Join what the partition graph says with what was known when it was traced."""
    names = [n for n in traced if _ends(node.name, n)]
    if not names:  # joined with what follows it, it has that one's name
        names = [n for n in traced if _ends(_scope(node.name), _scope(n))]
    if not names:
        raise Unseen(
            "a tf.function that was traced outside ran for the first time: define it "
            "inside the function that is checked"
        )
    name = max(names, key=len)
    asked, rows, forward = traced[name]
    if rows is None:
        raise Unseen(
            "the number of rows is not known inside a graph, or in a loop over a "
            "tensor there: keep loops in Python, and the one over the batches outside "
            "tf.function"
        )
    replica = re.search(r"replica_(\d+)", node.name)
    number = int(replica[1]) if replica else 0
    return name, Work(number, asked, short_name(node.device), rows, forward)


def _ends(name: str, with_name: str) -> bool:
    return bool(with_name) and f"/{name}".endswith(f"/{with_name}")


def _scope(name: str) -> str:
    return name.rpartition("/")[0]


def _rows(inputs) -> int | None:
    """The longest axis of what is multiplied; the two weights are a shorter one."""
    sizes = [size for tensor in inputs for size in tensor.shape]
    return None if None in sizes else max(sizes)


def _transposed(attrs) -> bool:
    """Whether the first factor is transposed, as in the gradient of the weights."""
    pairs = dict(zip(attrs[::2], attrs[1::2], strict=True)) if attrs else {}
    for name in ("transpose_a", "adj_x"):
        value = pairs.get(name, pairs.get(name.encode()))
        if value is not None:
            return bool(getattr(value, "b", value))
    return False


def table_of(works: Iterable[Work]) -> list[tuple[int, str, str, int]]:
    """Return a line for each multiplication in a graph, replica after replica.

    A line is (replica, device asked for, device it ran on, rows).
    """
    known = [work for work in works if work.replica is not None]
    known.sort(key=lambda work: work.replica)
    return [(w.replica, w.asked, w.ran, w.rows) for w in known]


def what_ran(function: Callable, *arguments: object) -> list[tuple]:
    """Call a tf.function and return the lines of `table_of` for it."""
    with watching() as watch:
        function(*arguments)
    return table_of(watch.works)
