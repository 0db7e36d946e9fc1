"""Where a learner was when their session ended: JupyterLab keeps it in their home.

What stands there can be anything: it is the learner's.
"""

from __future__ import annotations

import json
import os
import re
from itertools import islice
from pathlib import Path

from workshop.inside.files import read_regular, stamp

WORKSPACES = ".jupyter/lab/workspaces"
MOST_WORKSPACES = 100  # each tab of a browser may have one
OPENED = re.compile(r"notebook:(([\w-]+)/\2\.ipynb)")


def last_notebook(home: Path) -> str | None:
    """The notebook that was in front in the tab used last, from the notebooks' folder.

    Such as "02_some_name/02_some_name.ipynb"; None where that can't be told.
    """
    folder = home / WORKSPACES
    if not _is_below(folder, home):
        return None
    with os.scandir(folder) as found:
        names = [Path(each.path) for each in islice(found, MOST_WORKSPACES)]
    times = {path: seen[0] for path in names if (seen := stamp(path))}
    for path in sorted(times, key=times.get, reverse=True):
        opened = _in_front(read_regular(path) or "")
        if opened and _is_below(home / "notebooks" / opened, home):
            return opened
    return None


def _is_below(path: Path, home: Path) -> bool:
    """Whether it is there, and no link leads out of the home."""
    try:
        return path.resolve(strict=True).is_relative_to(home.resolve())
    except (OSError, RuntimeError):
        return False


def _in_front(text: str) -> str | None:
    try:
        current = json.loads(text)["data"]["layout-restorer:data"]["main"]["current"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    found = OPENED.fullmatch(current) if isinstance(current, str) else None
    return found and found[1]
