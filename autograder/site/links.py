"""Where a link between the repository's files leads on the site."""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass

from autograder.published import Published

LINK = re.compile(r"\[([^\[\]]+)\]\(([^)\s]+)(\s+\"[^\"]*\")?\)")
HREF = re.compile(r"href=\"([^\"]+)\"")
NOTEBOOK = re.compile(r"(?:notebooks|solutions)/(\w+)/\1\.ipynb")


def page_name(file: str) -> str:
    """Where a file of the repository would stand on the site; "" for nowhere."""
    if notebook := NOTEBOOK.fullmatch(file):
        return f"failures/{notebook[1]}.ipynb"
    folder, name = posixpath.split(file)
    if name == "find.html":
        return "find.md"
    if folder == "docs":
        return name
    return ""


@dataclass(frozen=True)
class Links:
    """What the site has, and where the rest can be read.

    pages: the files that Sphinx gets, such as "triage.md".
    published: where other files can be read; None takes the link from their names.
    """

    pages: frozenset[str]
    published: Published | None

    def linked(self, text: str, path: str) -> str:
        """Return Markdown with links to the repository's files made links of the site.

        Args:
            text: Markdown.
            path: where it stands in the repository, such as "docs/triage.md".
        """

        def link(found: re.Match) -> str:
            name, target, title = found.groups(default="")
            there = self._there(target, path)
            return f"[{name}]({there}{title})" if there else name

        return LINK.sub(link, text)

    def linked_html(self, text: str, path: str) -> str:
        """Do the same with HTML, whose links lead to what Sphinx makes of the pages."""

        def link(found: re.Match) -> str:
            there = self._there(found[1], path)
            built = re.sub(r"^((?!https?:)[^#]*)\.(?:md|ipynb)\b", r"\1.html", there)
            return f'href="{built}"' if built else ""

        return HREF.sub(link, text)

    def _there(self, target: str, path: str) -> str:
        """Where a link that stands in the file `path` leads; "" for nowhere."""
        if re.match(r"[a-z]+:|#", target):
            return target
        file, _, anchor = target.partition("#")
        file = posixpath.normpath(posixpath.join(posixpath.dirname(path), file))
        if page_name(file) in self.pages:
            here = posixpath.dirname(page_name(path)) or "."
            page = posixpath.relpath(page_name(file), here)
            return f"{page}#{anchor}" if anchor else page
        return self.published.file(file) if self.published else ""
