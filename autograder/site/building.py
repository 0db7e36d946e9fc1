"""Write the site's pages for Sphinx, and let it build them."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import nbformat
from rich.console import Console

from autograder.claims import read_ledger
from autograder.executed import executed
from autograder.places import CourseError, Places
from autograder.published import read_published
from autograder.site import films
from autograder.site.gallery import card, index
from autograder.site.links import Links
from autograder.site.page import page_of
from autograder.source import read_source
from course.whole_files import write_whole

HERE = Path(__file__).parent
# the index's own page: what is between, and rules that are another page's
BETWEEN = re.compile(r"</h1>(.*)</main>\s*(<script>.*</script>)", re.DOTALL)
LIST = '<div id="found">'
ALL_PAGES = '<p><a id="pages" href="search.html">Search the text of all pages</a></p>\n'
OF_A_PAGE = re.compile(r"^(?::root|body|main) .*\n", re.MULTILINE)


def build_site(
    places: Places, names: list[str], target: Path, console: Console
) -> Path:
    """Build the site of these notebooks below `target` and return its first page.

    Raises:
        CourseError: a notebook is not RIGHT, or Sphinx says that a page is at fault.
    """
    source, built = target / "source", target / "html"
    shutil.rmtree(source, ignore_errors=True)
    docs = dict(_docs(places))
    failures = [f"failures/{name}.ipynb" for name in names]
    files = ["find.md", "probes.py", "index.md", *failures, *docs]
    links = Links(frozenset(files), read_published(places))
    tested, cards = read_ledger(places.claims).tested["TensorFlow"], []
    for name in names:
        notebook = executed(places, name, console)
        cards.append(card(read_source(places.source(name)), places.root))
        page = nbformat.writes(page_of(notebook, links))
        _write(source / "failures" / f"{name}.ipynb", page)
    _write(source / "index.md", index(cards, sorted(docs), links.published, tested))
    for each in cards:
        if each.picture:
            write_whole(source / f"_static/gallery/{each.name}.png", each.picture)
    for name, text in docs.items():
        _write(source / name, links.linked(text, f"docs/{name}"))
    found = (places.docs / "find.html").read_text(encoding="utf-8")
    _write(source / "find.md", find_page(found, links))
    _write(source / "_static/film.js", films.script())
    _write(source / "_static/film.css", films.style())
    for path in (HERE / "static").iterdir():
        shutil.copy(path, source / "_static" / path.name)
    shutil.copytree(HERE / "templates", source / "_templates")
    shutil.copy(HERE / "conf.py", source / "conf.py")
    shutil.copy(places.docs / "probes.py", source)
    sphinx(source, built)
    return built / "index.html"


def sphinx(source: Path, built: Path) -> None:
    """Build the pages anew; CourseError, with what it said, where one is at fault."""
    shutil.rmtree(built, ignore_errors=True)
    command = [sys.executable, "-m", "sphinx", "--fail-on-warning", "--keep-going"]
    command += ["--quiet", "--jobs", "2", "--builder", "html", str(source), str(built)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if "No module named" in done.stderr:
        raise CourseError(
            "Sphinx is not installed: `make site` installs it, and builds the site."
        )
    if done.returncode:
        raise CourseError(f"Sphinx could not build the site:\n{done.stderr[-4000:]}")


def _docs(places: Places) -> Iterator[tuple[str, str]]:
    """The pages in docs/ that are written in Markdown, by their names."""
    for path in sorted(places.docs.glob("*.md")):
        yield path.name, path.read_text(encoding="utf-8")


def find_page(page: str, links: Links) -> str:
    """Return the index as a page of the site: its search works on the same lines."""
    body, script = BETWEEN.search(page).groups()
    body = links.linked_html(body, "docs/find.html").replace(LIST, ALL_PAGES + LIST)
    style = OF_A_PAGE.sub("", re.search(r"<style>(.*?)</style>", page, re.DOTALL)[1])
    return (
        "# What is wrong with my job?\n\n```{raw} html\n"
        f"<style>.find {{ {style} }}</style>\n"
        f'<div class="find">{body}</div>\n{script}\n```\n'
    )


def _write(path: Path, text: str) -> None:
    write_whole(path, text.encode())
