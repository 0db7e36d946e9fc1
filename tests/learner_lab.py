"""Fixtures for tests in the browser: JupyterLab, in a copy of the notebooks."""

import json
import shutil

import pytest
from checkout import ROOT, clean_environment
from chromium_browser import running_chromium
from lab_page import SCREENS, LabPage
from lab_process import running_lab

from autograder import lab

START_SECONDS = 90
# Cells outside the window are drawn too, so that a test finds them.
SETTINGS = {
    "@jupyterlab/notebook-extension/tracker": {"windowingMode": "none"},
    "@jupyterlab/apputils-extension/notification": {"fetchNews": "false"},
}


@pytest.fixture(scope="module")
def chromium():
    with running_chromium() as browser:
        yield browser


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """A learner's own copy of the notebooks, with JupyterLab's settings beside it."""
    home = tmp_path_factory.mktemp("learner")
    shutil.copytree(ROOT / "notebooks", home / "notebooks")
    for name, values in SETTINGS.items():
        file = home / "settings" / f"{name}.jupyterlab-settings"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(values))
    return home


@pytest.fixture(scope="module")
def server(home):
    """JupyterLab as `course lab` starts it, but in the learner's copy."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lab, "ROOT", home)
        command = lab.command(port=0, open_browser=False)
    env = clean_environment(
        **{
            **lab.environment(),
            "COURSE_DATA_DIR": str(home / "data"),
            "JUPYTER_CONFIG_DIR": str(home / "jupyter" / "config"),
            "JUPYTER_DATA_DIR": str(home / "jupyter" / "data"),
            "JUPYTER_RUNTIME_DIR": str(home / "jupyter" / "runtime"),
            "JUPYTERLAB_SETTINGS_DIR": str(home / "settings"),
            "JUPYTERLAB_WORKSPACES_DIR": str(home / "workspaces"),
        }
    )
    with running_lab(command, home, env, START_SECONDS) as running:
        yield running


@pytest.fixture(scope="module")
def tab(chromium, server):
    """The only tab, as large as the smallest screen the course is written for."""
    page = chromium.new_page(viewport={"width": 1366, "height": 768})
    yield LabPage(page, server.url, server.token, SCREENS)
    page.close()
