"""Slips to print: for each learner a name, an account, a password and the address."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import segno
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from course.whole_files import PRIVATE, write_whole
from workshop.accounts import Account

TEMPLATE = "slips.html.jinja"


def write_slips(path: Path, accounts: Sequence[Account], address: str) -> None:
    """Write a page of slips that only its owner can read; never the instructor's own.

    Args:
        path: of the page.
        accounts: of the learners.
        address: what they type into a browser.
    """
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        undefined=StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    code = segno.make(address, micro=False).svg_data_uri(border=1)
    page = environment.get_template(TEMPLATE)
    text = page.render(accounts=accounts, address=address, code=code)
    write_whole(path, text.encode(), PRIVATE)
