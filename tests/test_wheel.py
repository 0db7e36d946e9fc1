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
from nbclient import NotebookClient
from packaging.requirements import Requirement

from autograder.check import results_of

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
# Colab in August 2026; the build without CUDA is a third of the download.
COLAB = """
tensorflow-cpu==2.20.0 ; sys_platform != 'darwin'
tensorflow==2.20.0 ; sys_platform == 'darwin'
keras==3.13.2
numpy==2.1.3
matplotlib==3.10.0
ipywidgets==7.7.1
ipython==7.34.0
ipykernel==6.17.1
jupyter_client==7.4.9
anywidget==0.9.21
cloudpickle==3.1.2
"""


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
    assert set(extras) == {"lab", "classroom", "workshop", "cpu", "gpu", "dev"}
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


@pytest.mark.prove
@pytest.mark.xdist_group("installs")
def test_in_colabs_environment_it_changes_nothing_and_02_is_right(
    tmp_path, monkeypatch
):
    python = tmp_path / "env" / "bin" / "python"
    (tmp_path / "colab.txt").write_text(COLAB)
    run(sys.executable, "-m", "venv", tmp_path / "env")
    pip = [python, "-m", "pip"]
    run(*pip, "install", "--quiet", "-r", tmp_path / "colab.txt")
    before = installed(python)

    run(*pip, "wheel", "--quiet", "--no-deps", "-w", tmp_path / "wheel", ROOT)
    [wheel] = (tmp_path / "wheel").iterdir()
    run(*pip, "install", "--quiet", wheel)
    after = installed(python)
    assert before.items() <= after.items()
    new = after.keys() - before.keys()
    assert new <= {PROJECT["name"], *(each.name for each in ASKED)}
    code = "import course, sys; print(course.__file__.startswith(sys.prefix))"
    assert run(python, "-c", code, cwd=tmp_path).strip() == "True"

    share = tmp_path / "share"
    run(python, "-m", "ipykernel", "install", "--prefix", tmp_path, "--name", "colab")
    monkeypatch.setenv("JUPYTER_PATH", str(share / "jupyter"))
    # a warm kernel would be a fork of this environment; jupyter_client reads the
    # variable once a process, so set for this test it would hold for all later ones
    factory = KernelProvisionerFactory.instance()
    monkeypatch.setattr(factory, "default_provisioner_name", "local-provisioner")
    for name in ("PYTHONPATH", "MPLBACKEND"):
        monkeypatch.delenv(name, raising=False)
    path = ROOT / "solutions" / NAME / f"{NAME}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(notebook, timeout=120, kernel_name="colab")
    client.execute(cwd=str(tmp_path))
    outcomes = {each.exercise: each.outcome for each in results_of(notebook)}
    assert len(outcomes) == 4 and set(outcomes.values()) == {"RIGHT"}, outcomes


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
