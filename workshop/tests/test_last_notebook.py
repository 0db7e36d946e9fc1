"""Where a learner comes back to, whatever stands in their home."""

import json
import os

import pytest

from workshop.last_notebook import WORKSPACES, last_notebook

NAME = "02_replicas_drift_apart"
OPENED = f"{NAME}/{NAME}.ipynb"


@pytest.fixture
def home(tmp_path):
    home = tmp_path / "ada"
    for name in (NAME, "00_start_here"):
        (home / "notebooks" / name).mkdir(parents=True)
        (home / "notebooks" / name / f"{name}.ipynb").touch()
    (home / WORKSPACES).mkdir(parents=True)
    return home


def keep(home, current, name="default", at=1):
    """Write what JupyterLab keeps of one tab."""
    path = home / WORKSPACES / f"{name}.jupyterlab-workspace"
    layout = {"layout-restorer:data": {"main": {"current": current}}}
    path.write_text(json.dumps({"data": layout}))
    os.utime(path, (at, at))
    return path


def test_the_tab_used_last_counts(home):
    assert last_notebook(home) is None
    keep(home, "notebook:00_start_here/00_start_here.ipynb", "auto-x", 2)
    keep(home, f"notebook:{OPENED}", "default", 3)
    keep(home, "launcher-1", "auto-y", 4)  # it has no notebook in front
    assert last_notebook(home) == OPENED


@pytest.mark.parametrize(
    "current",
    [
        None,
        7,
        "notebook:gone/gone.ipynb",
        "notebook:../../bob/x.ipynb",
        f"notebook:{OPENED}?token=x",
        f"notebook:{OPENED}\n",
        "editor:x.py",
    ],
)
def test_what_is_no_notebook_of_theirs_is_none(home, current):
    keep(home, current)
    assert last_notebook(home) is None


def test_nothing_is_waited_for_and_no_link_followed(home, tmp_path):
    path = keep(home, f"notebook:{OPENED}")
    for text in ("", "{", "[" * 100_000, "\ud800".encode("utf-8", "surrogatepass")):
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        assert last_notebook(home) is None
    path.unlink()
    os.mkfifo(path)
    assert last_notebook(home) is None
    path.unlink()

    bobs = tmp_path / "bob"
    (home / WORKSPACES).rename(bobs)
    (bobs / path.name).symlink_to(bobs / "other")
    (bobs / "other").write_text("{}")
    (home / WORKSPACES).symlink_to(bobs)
    assert last_notebook(home) is None
