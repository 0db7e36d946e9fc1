"""A copy of the course as it would be cloned, to install and start from."""

import os
import shutil
import subprocess
from pathlib import Path

from autograder.proof.sample import ALL

ROOT = Path(__file__).resolve().parent.parent


def copy_course(target: Path) -> Path:
    """Copy what git tracks or would track into `target`; links stay links."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    for name in filter(None, listed.split("\0")):
        source, copy = ROOT / name, target / name
        if os.path.lexists(source):  # deleted, but not yet committed
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, copy, follow_symlinks=False)
    return target


def clean_environment(**changes: str) -> dict[str, str]:
    """Return this environment without what `make`, CI and an active venv left in it."""
    dropped = {"MAKEFLAGS", "MAKELEVEL", "MFLAGS", "VIRTUAL_ENV", "PYTHONPATH"}
    dropped |= {"CI", ALL}
    kept = {key: value for key, value in os.environ.items() if key not in dropped}
    return {**kept, **changes}
