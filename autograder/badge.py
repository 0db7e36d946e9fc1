"""The Binder launch address, made from the repository's own remote address."""

from __future__ import annotations

import re
import subprocess
from urllib.parse import quote

from autograder.places import CourseError, Places

FIRST = "lab/tree/notebooks/00_start_here/00_start_here.ipynb"


def binder_address(places: Places) -> str:
    """The mybinder.org address for the course's git remote `origin`."""
    found = subprocess.run(
        ["git", "-C", str(places.root), "remote", "get-url", "origin"],
        capture_output=True,
        text=True,
        check=False,
    )
    if found.returncode != 0:
        raise CourseError(
            f"{places.root} has no git remote called origin, so Binder can't fetch it. "
            "Publish the repository on GitHub or GitLab, then: git remote add origin "
            "ADDRESS"
        )
    return launch_address(found.stdout.strip())


def launch_address(remote: str) -> str:
    """The mybinder.org address for a GitHub or GitLab remote address."""
    parts = re.fullmatch(
        r"(?:https?://|ssh://)?(?:[^@/]+@)?(github|gitlab)\.com[:/](.+?)(?:\.git)?/?",
        remote,
    )
    if parts is None:
        raise CourseError(
            f"The remote {without_secrets(remote)} is neither on GitHub nor on GitLab. "
            "For other hosts, fill in the form on https://mybinder.org."
        )
    host, repository = parts.groups()
    if host == "github":
        where = f"gh/{repository}"
    else:
        where = f"gl/{quote(repository, safe='')}"
    return f"https://mybinder.org/v2/{where}/HEAD?urlpath={quote(FIRST, safe='')}"


def without_secrets(remote: str) -> str:
    """A remote address without the user name and token it may hold."""
    return re.sub(r"//[^@/]+@", "//", remote)
