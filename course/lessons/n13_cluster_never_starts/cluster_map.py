"""Map a start of two processes: where each list has the other, and who is there."""

from __future__ import annotations

from matplotlib.axes import Axes
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch

from course.lessons.n13_cluster_never_starts.calls import (
    ENDS,
    Call,
    calls_of,
    claim,
    ending,
    listens_at,
)
from course.lessons.n13_cluster_never_starts.cluster_starts import ClusterStart, Member
from course.lessons.n13_cluster_never_starts.written import (
    PROCESSES,
    in_short,
    process_name,
)
from course.pictures.parts import part
from course.pictures.picture import Picture
from course.pictures.style import COLOURS, TEXT, new_figure

WRONG, GOOD = COLOURS[0], COLOURS[2]
WIDE, TALL, LOW = 1.86, 1.62, 1.25  # inches: the box of a process, and where it begins
HIGH = LOW + TALL + 0.12
PANEL, ALONE, WIDER = 4.8, 8.4, 10.0  # inches: one of two, one alone, a figure of two


def cluster_map(*runs: ClusterStart) -> Picture:
    """Draw one or two starts beside each other.

    Args:
        runs: of `start_cluster`, with two processes each, whose function returns the
            number of replicas and a total.

    Raises:
        ValueError: not one or two runs, or not of two processes.
    """
    if len(runs) not in (1, 2) or any(len(run.members) != 2 for run in runs):
        raise ValueError("cluster_map draws one or two starts of two processes each")
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
        ("run", "process", "listens on", "says", "its list has", "end"),
        [
            (
                run.label,
                process_name(k),
                listens_at(run, member),
                claim(member),
                "; ".join(
                    f"worker {call.entry} at {call.place}" + ", connected" * call.made
                    for call in calls_of(run)
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
    if any(call.found is None for call in calls_of(run)):
        return 0.0
    return LOW - 0.1 if calls_of(run) else LOW - 0.45


def _panel(axis: Axes, run: ClusterStart, width: float) -> None:
    axis.set(xticks=[], yticks=[])
    axis.spines[:].set_visible(False)
    axis.set_xlim(0, width)
    middle, gap = width / 2, 0.92 if width == PANEL else 2.6
    lefts = (middle - gap / 2 - WIDE, middle + gap / 2)
    for k, (left, member) in enumerate(zip(lefts, run.members, strict=True)):
        _box(axis, left, k, run, member)
    empty: dict[str, float] = {}
    for call in calls_of(run):
        if call.found == call.caller:
            continue
        if call.found is not None:
            _arrow_across(axis, call, middle, gap / 2)
            continue
        start = lefts[call.caller] + WIDE / 2
        x = empty.setdefault(call.place, (start + middle) / 2)
        _arrow(axis, call, (start, LOW), (x, 0.48), WRONG, "--")
        side, ha = (0.08, "right") if call.caller == 0 else (-0.08, "left")
        _say(axis, start + side, 0.8, f"worker {call.entry}?", color=WRONG, ha=ha)
    for place, x in empty.items():
        _outline(axis, x - 1.12, 0.04, 2.24, 0.4, WRONG, "--")
        _say(axis, x, 0.23, f"{place}: nobody")
    if not calls_of(run):
        words = "No list has the other."
        _say(axis, middle, LOW - 0.34, words, color=WRONG, va="baseline")


def _say(axis: Axes, x: float, y: float, words: str, **look: object) -> None:
    """Write words in the middle of a place, unless their `look` says otherwise."""
    axis.text(x, y, words, **{"fontsize": TEXT, "ha": "center", "va": "center"} | look)


def _box(
    axis: Axes, left: float, number: int, run: ClusterStart, member: Member
) -> None:
    box = _outline(axis, left, LOW, WIDE, TALL, "#333333", "-")
    part(
        box, f"{process_name(number)}: {member.error or member.line or ending(member)}"
    )
    short = in_short(member.config, run.at)
    lines = (
        (process_name(number) + f":  {short}" * bool(short), "bold"),
        (listens_at(run, member), "normal"),
        (f"\u201c{claim(member)}\u201d", "normal"),
        (ending(member), "bold"),
    )
    for row, (words, weight) in enumerate(lines):
        look = {"weight": weight} if len(words) < 20 else {"fontsize": 11}
        _say(axis, left + WIDE / 2, LOW + TALL - 0.23 - 0.39 * row, words, **look)


def _outline(axis: Axes, x, y, wide, tall, colour: str, line: str) -> FancyBboxPatch:
    return axis.add_patch(
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


def _arrow_across(axis: Axes, call: Call, middle: float, half: float) -> None:
    """Draw a call from box to box, A's above B's; dotted: never made."""
    way = 1 if call.caller == 0 else -1
    y = LOW + TALL - (0.55 if call.caller == 0 else 1.25)
    colour = GOOD if call.right else WRONG
    line = "-" if call.made else ":"
    ends = ((middle - way * half, y), (middle + way * half, y))
    _arrow(axis, call, *ends, colour, line)
    words = f"worker {call.entry}" + "?" * (not call.right)
    _say(axis, middle, y + 0.08, words, color=colour, va="bottom")


def _arrow(axis: Axes, call: Call, start, end, colour: str, line: str) -> None:
    came = "connected" if call.made else "no connection"
    if call.found is None:
        came = "nobody listens there"
    says = f"{PROCESSES[call.caller]}'s list has worker {call.entry} at {call.place}"
    look = {"color": colour, "shrinkA": 1, "mutation_scale": 20}
    shaft = FancyArrowPatch(
        start, end, arrowstyle="-", linestyle=line, lw=1.8, shrinkB=8, **look
    )
    # a head of its own, because a dotted outline smudges it
    axis.add_patch(
        FancyArrowPatch(start, end, arrowstyle="-|>", lw=0, shrinkB=1, **look)
    )
    axis.add_patch(part(shaft, f"{says}: {came}"))


def _sentence(run: ClusterStart) -> str:
    calls, ends = calls_of(run), [ending(member) for member in run.members]
    said = [claim(member) for member in run.members]
    lost = [call for call in calls if call.found is None]
    if said == ["I am alone"] * 2:
        start = "neither list has the other"
    elif said[0] == said[1]:
        start = f"both say \u201c{said[0]}\u201d"
    elif lost:
        start = "; ".join(
            f"{PROCESSES[call.caller]}'s list has worker {call.entry} at {call.place}, "
            "where nobody listens"
            for call in lost
        )
    elif len(calls) == 2 and all(call.right and call.made for call in calls):
        start = "each finds the other"
    elif calls and all(call.made for call in calls):
        finds = [f"{PROCESSES[c.caller]} finds worker {c.entry}" for c in calls]
        start = "; ".join(finds)
    elif calls and all(call.right for call in calls):
        start = "each list has the other where it is"
    else:
        start = f"they say \u201c{said[0]}\u201d and \u201c{said[1]}\u201d"
    if ends[0] == ends[1]:
        waits = ends[0] == ENDS["waited"]
        end = "both wait, without an error" if waits else f"both: {ends[0]}"
    else:
        pairs = run.processes.items()
        end = "; ".join(f"{name}: {ending(member)}" for name, member in pairs)
    return f"{run.label}: {start}. {end[0].upper()}{end[1:]}."
