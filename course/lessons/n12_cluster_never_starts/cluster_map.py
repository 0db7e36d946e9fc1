"""Who looks for whom, where, and who is there: the start of a cluster of two."""

from __future__ import annotations

from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch

from course.lessons.n12_cluster_never_starts.cluster_starts import (
    ClusterStart,
    Member,
    task_of,
)
from course.lessons.n12_cluster_never_starts.written import in_short
from course.pictures.picture import Picture
from course.pictures.style import COLOURS, TEXT, new_figure

WRONG, GOOD = COLOURS[0], COLOURS[2]
WIDE, TALL, LOW = 1.86, 1.62, 1.25  # inches: a worker's box, and where it begins
HIGH = LOW + TALL + 0.12
PANEL, ALONE, WIDER = 4.8, 8.4, 10.0  # inches: one of two, one alone, a figure of two
ENDS = {"waited": "waits, no error", "left": "has left", "killed": "was ended"}


@dataclass(frozen=True)
class _Call:
    """Worker `caller` looks for worker `entry` at `place`, where `found` listens.

    made: whether the call came through.
    """

    caller: int
    entry: int
    place: str
    found: int | None
    right: bool
    made: bool


def cluster_map(*runs: ClusterStart) -> Picture:
    """Draw one or two starts beside each other.

    Args:
        runs: of `start_cluster`, with two workers each, whose function returns the
            number of replicas and a total.

    Raises:
        ValueError: not one or two runs, or not of two workers.
    """
    if len(runs) not in (1, 2) or any(len(run.members) != 2 for run in runs):
        raise ValueError("cluster_map draws one or two starts of two workers each")
    figure, axes = new_figure(len(runs))
    if len(runs) == 2:
        figure.set_figwidth(WIDER)
    low = min(map(_lowest, runs))
    figure.set_figheight(HIGH - low + 0.4)
    for axis, run in zip(axes, runs, strict=True):
        _panel(axis, run, PANEL if len(runs) == 2 else ALONE)
        axis.set_ylim(low, HIGH)
        axis.set_title(run.label, fontsize=TEXT + 0.5, loc="left")
    return Picture(
        figure,
        " ".join(_sentence(run) for run in runs),
        ("run", "worker", "listens on", "says", "looks for", "end"),
        [
            (
                run.label,
                f"worker {k}",
                _listens(run, member),
                _claim(member),
                "; ".join(
                    f"worker {call.entry} at {call.place}" + ", connected" * call.made
                    for call in _calls(run)
                    if call.caller == k
                )
                or "nobody",
                ending(member),
            )
            for run in runs
            for k, member in enumerate(run.members)
        ],
    )


def _lowest(run: ClusterStart) -> float:
    """Return how far down a panel goes: to the ports where nobody listens, if any."""
    if any(call.found is None for call in _calls(run)):
        return 0.0
    return LOW - 0.1 if _calls(run) else LOW - 0.45


def _panel(axis: Axes, run: ClusterStart, width: float) -> None:
    axis.set(xticks=[], yticks=[])
    axis.spines[:].set_visible(False)
    axis.set_xlim(0, width)
    middle, gap = width / 2, 0.92 if width == PANEL else 2.6
    lefts = (middle - gap / 2 - WIDE, middle + gap / 2)
    for k, (left, member) in enumerate(zip(lefts, run.members, strict=True)):
        _box(axis, left, k, run, member)
    empty: dict[str, float] = {}
    for call in _calls(run):
        if call.found == call.caller:
            continue
        if call.found is not None:
            _arrow_across(axis, call, middle, gap / 2)
            continue
        start = lefts[call.caller] + WIDE / 2
        x = empty.setdefault(call.place, (start + middle) / 2)
        _arrow(axis, (start, LOW), (x, 0.48), WRONG, "--")
        side, ha = (0.08, "right") if call.caller == 0 else (-0.08, "left")
        _say(axis, start + side, 0.8, f"worker {call.entry}?", color=WRONG, ha=ha)
    for place, x in empty.items():
        _outline(axis, x - 1.12, 0.04, 2.24, 0.4, WRONG, "--")
        _say(axis, x, 0.23, f"{place}: nobody")
    if not _calls(run):
        words = "Nobody looks for anybody."
        _say(axis, middle, LOW - 0.34, words, color=WRONG, va="baseline")


def _say(axis: Axes, x: float, y: float, words: str, **look: object) -> None:
    """Write words in the middle of a place, unless their `look` says otherwise."""
    axis.text(x, y, words, **{"fontsize": TEXT, "ha": "center", "va": "center"} | look)


def _box(
    axis: Axes, left: float, number: int, run: ClusterStart, member: Member
) -> None:
    _outline(axis, left, LOW, WIDE, TALL, "#333333", "-")
    short = in_short(member.config, run.at)
    lines = (
        (f"worker {number}" + f":  {short}" * bool(short), "bold"),
        (_listens(run, member), "normal"),
        (f"\u201c{_claim(member)}\u201d", "normal"),
        (ending(member), "bold"),
    )
    for row, (words, weight) in enumerate(lines):
        look = {"weight": weight} if len(words) < 20 else {"fontsize": 11}
        _say(axis, left + WIDE / 2, LOW + TALL - 0.23 - 0.39 * row, words, **look)


def _outline(axis: Axes, x, y, wide, tall, colour: str, line: str) -> None:
    axis.add_patch(
        FancyBboxPatch(
            (x + 0.06, y + 0.06),
            wide - 0.12,
            tall - 0.12,
            boxstyle="round,pad=0.06",
            facecolor="white",
            edgecolor=colour,
            linestyle=line,
            lw=1.6,
        )
    )


def _arrow_across(axis: Axes, call: _Call, middle: float, half: float) -> None:
    """Draw a call from box to box, worker 0's above worker 1's; dotted: never made."""
    way = 1 if call.caller == 0 else -1
    y = LOW + TALL - (0.55 if call.caller == 0 else 1.25)
    colour = GOOD if call.right else WRONG
    line = "-" if call.made else ":"
    _arrow(axis, (middle - way * half, y), (middle + way * half, y), colour, line)
    words = f"worker {call.entry}" + "?" * (not call.right)
    _say(axis, middle, y + 0.08, words, color=colour, va="bottom")


def _arrow(axis: Axes, start, end, colour: str, line: str) -> None:
    axis.add_patch(
        FancyArrowPatch(
            start,
            end,
            arrowstyle="-|>",
            mutation_scale=16,
            shrinkA=1,
            shrinkB=1,
            linestyle=line,
            color=colour,
            lw=1.8,
        )
    )


def _calls(run: ClusterStart) -> list[_Call]:
    """Return whom each worker looks for, as its TF_CONFIG says, and who is there."""
    calls = []
    for caller, (own, member) in enumerate(zip(run.lists, run.members, strict=True)):
        for entry, address in enumerate(own):
            if entry == _index(member) or not member.listens:
                continue
            port = _port(address)
            there = [k for k, m in enumerate(run.members) if port in m.listens]
            found = there[0] if there else None
            right = found is not None and _index(run.members[found]) == entry
            made = found is not None and port in member.reached
            calls.append(_Call(caller, entry, _place(run, port), found, right, made))
    return calls


def _port(address: object) -> int | None:
    port = str(address).rsplit(":", 1)[-1]
    return int(port) if port.isdigit() else None


def _place(run: ClusterStart, port: int | None) -> str:
    """Return a port as figures write it, with the letter that stands for it."""
    letters = [k for k, address in run.at.items() if _port(address) == port]
    return f"{letters[0]}, port {port}" if letters else f"port {port}"


def _index(member: Member) -> int | None:
    try:
        return int(task_of(member.config)["index"])
    except (ValueError, TypeError, KeyError):
        return None


def _claim(member: Member) -> str:
    if member.outcome == "returned" and not member.listens:
        return "I am alone"
    index = _index(member)
    return "who am I?" if index is None else f"I am worker {index}"


def _listens(run: ClusterStart, member: Member) -> str:
    return _place(run, member.listens[0]) if member.listens else "no port"


def ending(member: Member) -> str:
    """Return in a few words how a worker ended."""
    if member.outcome == "raised":
        return member.error.split(":")[0]
    if member.outcome == "returned":
        return f"done: total {_total(member)}"
    return ENDS[member.outcome]


def _total(member: Member) -> str:
    match member.value:
        case [_, int() | float() as total]:
            return f"{total:g}"
    return "?"


def _sentence(run: ClusterStart) -> str:
    calls, ends = _calls(run), [ending(member) for member in run.members]
    said = [_claim(member) for member in run.members]
    lost = [call for call in calls if call.found is None]
    if said == ["I am alone"] * 2:
        start = "neither looks for the other"
    elif said[0] == said[1]:
        start = f"both say \u201c{said[0]}\u201d"
    elif lost:
        start = "; ".join(
            f"worker {call.caller} looks for worker {call.entry} at {call.place}, "
            "where nobody listens"
            for call in lost
        )
    elif len(calls) == 2 and all(call.right and call.made for call in calls):
        start = "each finds the other"
    elif calls and all(call.made for call in calls):
        start = "; ".join(f"worker {c.caller} finds worker {c.entry}" for c in calls)
    elif calls and all(call.right for call in calls):
        start = "each looks where the other is"
    else:
        start = f"they say \u201c{said[0]}\u201d and \u201c{said[1]}\u201d"
    if ends[0] == ends[1]:
        waits = ends[0] == ENDS["waited"]
        end = "both wait, without an error" if waits else f"both: {ends[0]}"
    else:
        end = "; ".join(f"worker {k}: {end}" for k, end in enumerate(ends))
    return f"{run.label}: {start}. {end[0].upper()}{end[1:]}."
