"""What the wheel asks for, and what it leaves alone in an environment of others."""

import ast
import json
import re
import subprocess
import sys
import tomllib

import nbformat
import pytest
from checkout import ROOT, clean_environment
from jupyter_client.provisioning import KernelProvisionerFactory
from lab_page import A_CELL, A_NOTEBOOK, SCREENS
from lab_process import running_lab
from packaging.requirements import Requirement
from playwright.sync_api import expect

from autograder.places import course_places
from autograder.versions.environments import archive, environments
from autograder.versions.trial import run_notebook

pytest_plugins = ["learner_lab"]

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
ASKED = [Requirement(line) for line in PROJECT["dependencies"]]
WITH_TENSORFLOW = {"tensorflow", "keras", "ml_dtypes"}  # an extra, or Colab's own
WITH_A_KERNEL = {
    "IPython",
    "ipykernel",
    "jupyter_client",
    "traitlets",
}  # each kernel has them
NAME = "02_replicas_drift_apart"
PLACES = course_places(ROOT)
# The last JupyterLab whose browser side takes ipywidgets 7.
LAB_3 = ("jupyterlab==3.6.8", "jupyterlab_widgets==1.1.11", "notebook==6.5.7")
PLAYED = (
    "from course import predict, virtual_devices\n"
    "from course.lessons.n01_seen_twice_or_never.playing import who_gets_which_row\n"
    "devices = virtual_devices(4)\n"
    "who_gets_which_row()",
    'predict("01")',
)


def imported(path):
    """The packages that a file imports anywhere, also inside functions."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (each.name.split(".")[0] for each in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.split(".")[0]


def test_the_wheel_asks_for_what_a_learners_kernel_imports():
    found = {
        each for path in (ROOT / "course").rglob("*.py") for each in imported(path)
    }
    found -= {*sys.stdlib_module_names, "course"}
    assert found == {each.name for each in ASKED} | WITH_TENSORFLOW | WITH_A_KERNEL


def test_the_wheel_bounds_no_version_from_above():
    extras = PROJECT["optional-dependencies"]
    assert set(extras) == {
        *("lab", "classroom", "workshop", "site", "cpu", "gpu", "dev")
    }
    lines = [line for each in extras.values() for line in each]
    for asked in [*ASKED, *map(Requirement, lines)]:
        assert {each.operator for each in asked.specifier} <= {">="}, str(asked)


def run(*command, **options):
    """Run a command; fail with what it said."""
    done = subprocess.run(
        [str(each) for each in command],
        capture_output=True,
        text=True,
        timeout=900,
        env=clean_environment(),
        **options,
    )
    assert done.returncode == 0, (done.stdout + done.stderr)[-3000:]
    return done.stdout


def installed(python):
    """Name -> version of what is installed beside a Python."""
    listed = json.loads(run(python, "-m", "pip", "list", "--format=json"))
    return {re.sub("[_.]", "-", e["name"].lower()): e["version"] for e in listed}


@pytest.fixture(scope="module")
def colab(tmp_path_factory):
    """An environment as Colab has it, where 02's first cell installed the course.

    Its folder, the packages before and after, and what went wrong in the notebook. Its
    Python is `env/bin/python` in the folder; `colab.txt` says what it had before.
    """
    folder = tmp_path_factory.mktemp("colab")
    python = folder / "env" / "bin" / "python"
    (folder / "colab.txt").write_text("\n".join(environments()["colab"].packages))
    run(sys.executable, "-m", "venv", folder / "env")
    run(python, "-m", "pip", "install", "--quiet", "-r", folder / "colab.txt")
    before = installed(python)
    zipped = archive(PLACES, folder / "course.zip")
    content = folder / "content"
    content.mkdir()
    with pytest.MonkeyPatch.context() as patch:
        # a warm kernel would be a fork of this environment; jupyter_client reads the
        # variable once a process, so set for this test it would hold for all later ones
        factory = KernelProvisionerFactory.instance()
        patch.setattr(factory, "default_provisioner_name", "local-provisioner")
        patch.setenv("JUPYTER_PATH", "")  # put back afterwards
        wrong = run_notebook(PLACES.solution(NAME), python, zipped, content)
    return folder, before, installed(python), wrong


@pytest.mark.prove
@pytest.mark.xdist_group("installs")
def test_in_colabs_environment_it_changes_nothing_and_02_is_right(colab, tmp_path):
    folder, before, after, wrong = colab
    assert not wrong
    assert before.items() <= after.items()
    new = after.keys() - before.keys()
    assert new <= {PROJECT["name"], *(each.name for each in ASKED)}
    code = "import course, sys; print(course.__file__.startswith(sys.prefix))"
    python = folder / "env" / "bin" / "python"
    assert run(python, "-c", code, cwd=tmp_path).strip() == "True"


@pytest.mark.prove
@pytest.mark.browser
@pytest.mark.xdist_group("installs")
def test_an_instrument_answers_with_the_widgets_of_colab(colab, chromium, tmp_path):
    """ipywidgets 7.7 in the kernel and in the browser; JupyterLab 3 has such a one."""
    folder, *_ = colab
    programs = folder / "env" / "bin"
    pip = [programs / "python", "-m", "pip", "install", "--quiet"]
    run(*pip, "-c", folder / "colab.txt", *LAB_3)
    cells = [nbformat.v4.new_code_cell(source) for source in PLAYED]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    notebook = nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})
    nbformat.write(notebook, tmp_path / "played.ipynb")
    lab = [programs / "jupyter-lab", "--no-browser", "--allow-root", "--port=0"]
    folders = ("CONFIG_DIR", "DATA_DIR", "RUNTIME_DIR")
    env = clean_environment(
        COURSE_DATA_DIR=str(tmp_path / "data"),
        JUPYTERLAB_WORKSPACES_DIR=str(tmp_path / "workspaces"),
        **{f"JUPYTER_{each}": str(tmp_path / each) for each in folders},
    )
    env.pop("JUPYTER_PATH", None)
    with running_lab([str(each) for each in lab], tmp_path, env, 90) as server:
        page = chromium.new_page(viewport={"width": 1366, "height": 768})
        page.goto(f"{server.url}lab/tree/played.ipynb?token={server.token}")
        idle = page.get_by_text(re.compile(r"^Python .* \| Idle$"))
        expect(idle).to_be_visible(timeout=A_CELL)
        page.locator(".jp-CodeCell .jp-InputArea-editor").first.click()
        for _ in PLAYED:
            page.keyboard.press("Shift+Enter")
        first, second = page.locator(".jp-CodeCell").all()[: len(PLAYED)]
        told = first.locator(".course-told li")
        expect(told).to_have_count(1, timeout=A_NOTEBOOK)
        first.get_by_role("button", name="4", exact=True).last.click()
        expect(told).to_have_count(2, timeout=A_CELL)
        expect(told.first).to_contain_text("batch 4, 4 replicas")
        part = first.locator(".course-film [data-says*='replica 2']").first
        part.hover()
        says = first.locator(".course-film-says")
        expect(says).to_have_text(part.get_attribute("data-says"))
        second.get_by_text("C. ").first.click()
        second.get_by_role("button", name="a guess").click()
        second.get_by_role("button", name="Save my prediction").click()
        expect(second.get_by_text("Saved: C (a guess).")).to_be_visible()
        SCREENS.mkdir(parents=True, exist_ok=True)
        first.evaluate("node => node.scrollIntoView()")
        page.screenshot(path=SCREENS / "instrument_widgets_7.png")
        page.close()


@pytest.mark.parametrize(
    ("missing", "words"), [("typer", "--help"), ("jupyterlab", "lab")]
)
def test_without_its_packages_the_command_says_what_to_install(missing, words):
    code = f"""
import sys
sys.modules[{missing!r}] = None
sys.argv = ["course", {words!r}]
from autograder.__main__ import main
main()
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 1 and "Traceback" not in done.stderr
    assert f"The package {missing} is not installed" in done.stderr
    assert "make lab" in done.stderr
