"""The option that most commands have: which course."""

from pathlib import Path
from typing import Annotated

import typer

Root = Annotated[
    Path | None,
    typer.Option("--root", help="The course's folder; this checkout by default."),
]
