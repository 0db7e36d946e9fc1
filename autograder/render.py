"""Text that the build writes: a notebook's header and the README's tables."""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Sequence

from autograder.field import Thread
from autograder.places import CourseError
from autograder.published import Published, binder_badge, colab_badge
from autograder.source import Header, Source
from autograder.thumbnails import marked, thumbnail_path
from autograder.versions.table import versions_table

IN_A_ROW = 5  # pictures
IN_README = 10  # symptoms; docs/find.html has all


def minutes(header: Header) -> str:
    """The honest minutes: core, and each further exercise."""
    *before, last = map(str, header.further or [""])
    further = " and ".join(filter(None, [", ".join(before), last]))
    more = f"; the further exercises: {further} more" if further else ""
    return f"{header.core} minutes{more}"


def minutes_in_short(header: Header) -> str:
    """The same for a column of minutes, such as "25 + 12 + 10"."""
    return " + ".join(map(str, [header.core, *header.further]))


def render_header(header: Header) -> str:
    """The first cell: title and minutes."""
    return (
        f"# {header.number} · {header.title}\n\n**{minutes(header)}** "
        "(in a hurry: cause, probe and fix stand folded at the end)"
    )


def render_in_a_hurry(header: Header) -> str:
    """Collapsed cause, probe and fix: they would answer what the notebook asks."""
    return "\n\n".join(
        [
            "<details>\n<summary>In a hurry: cause, probe, fix</summary>",
            f"**Cause.** {header.cause}",
            f"**Probe.** {header.probe} (At work: [all probes](../../docs/triage.md).)",
            f"**Fix.** {header.fix}",
            "</details>",
        ]
    )


def render_end(source: Source, following: Source | None) -> str:
    """The last cell: in a hurry, what to take to work, and the next notebook."""
    told = render_in_a_hurry(source.header)
    if following is None:
        return told
    name, title = following.name, following.header.title
    link = f"[{following.header.number} {title}](../{name}/{name}.ipynb)"
    probes = re.findall(
        r"^def (\w+)",
        "".join(cell.text for cell in source.cells if cell.id == "probe"),
        flags=re.M,
    )
    taken = f"**Take to work:** the probe `{probes[0]}`. " if probes else ""
    return f"{told}\n\n---\n\n{taken}**Next:** {link}"


def notebooks_table(sources: list[Source], published: Published | None = None) -> str:
    """The README's table: number, symptom, minutes, and Colab where it is published."""
    on_colab = published is not None and published.has_colab
    lines = [
        "| | notebook | minutes, and those of further exercises |"
        f"{' |' if on_colab else ''}",
        f"|:--|:--|:--|{':--|' if on_colab else ''}",
    ]
    for source in sources:
        link = f"notebooks/{source.name}/{source.name}.ipynb"
        opens = f" [Colab]({published.on_colab(source.name)}) |" if on_colab else ""
        lines.append(
            f"| {source.header.number} | [{source.header.title}]({link}) "
            f"| {minutes_in_short(source.header)} |{opens}"
        )
    return "\n".join(lines)


def launch_badges(published: Published | None) -> str:
    """What opens the course in the browser; "" where nobody published it."""
    if published is None:
        return ""
    colab = [colab_badge(published)] if published.has_colab else []
    return " ".join([*colab, binder_badge(published)])


def symptoms_table(sources: list[Source], threads: Sequence[Thread]) -> str:
    """The README's short index: of the notebooks that most people need, a symptom each.

    threads: public ones, each with the number of its notebook.
    """
    needed = Counter(thread.lesson for thread in threads)
    often = sorted(sources, key=lambda each: -needed[each.header.number])
    rows = []
    for source in sorted(often[:IN_README], key=lambda each: each.header.number):
        link = f"notebooks/{source.name}/{source.name}.ipynb"
        number, title = source.header.number, source.header.title
        rows.append(f"| {source.header.symptoms[0]} | [{number} {title}]({link}) |")
    return "\n".join(["| what you see | notebook |", "|:--|:--|", *rows])


def gallery(sources: Sequence[Source]) -> str:
    """A table of the failures' pictures, IN_A_ROW beside each other."""
    shown = [_tile(each) for each in sources if marked(each)]
    rows = [shown[at : at + IN_A_ROW] for at in range(0, len(shown), IN_A_ROW)]
    return "\n".join(
        ["<table>", *(f"<tr>{''.join(row)}</tr>" for row in rows), "</table>"]
    )


def _tile(source: Source) -> str:
    number, title = source.header.number, html.escape(source.header.title)
    link = f"notebooks/{source.name}/{source.name}.ipynb"
    picture = f'<img src="{thumbnail_path(source.name)}" width="180" alt="">'
    return f'<td><a href="{link}">{picture}<br>{number} {title}</a></td>'


def render_readme(
    text: str,
    sources: list[Source],
    threads: Sequence[Thread] = (),
    published: Published | None = None,
) -> str:
    """The README with badges and tables rewritten between their markers."""
    for name, table in (
        ("launch", launch_badges(published)),
        ("versions", versions_table()),
        ("gallery", gallery(sources)),
        ("notebooks", notebooks_table(sources, published)),
        ("symptoms", symptoms_table(sources, threads)),
    ):
        pattern = rf"(<!-- {name}:begin -->\n).*?(<!-- {name}:end -->)"
        if not re.search(pattern, text, flags=re.S):
            raise CourseError(
                f"README.md has no place for what is built of {name}: write the lines "
                f"<!-- {name}:begin --> and <!-- {name}:end --> where it should stand."
            )
        text = re.sub(
            pattern,
            lambda found, table=table: f"{found[1]}{table}\n{found[2]}",
            text,
            flags=re.S,
        )
    return text
