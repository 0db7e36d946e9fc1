"""From a fresh checkout to a running JupyterLab, or to one clear sentence."""

import ast
import os
import re
import subprocess
import sys
import time
import tomllib

import pytest
from checkout import ROOT, clean_environment, copy_course
from lab_process import running_lab

from autograder import first_run, lab

GOOD = first_run.Machine(
    version=(3, 12, 1), has_venv=True, free_disk=50, free_temp=50, free_memory=8
)
SECOND_START_SECONDS = 10


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"version": (3, 10, 13)}, "Python 3.10.13 is too old: the course needs"),
        ({"version": (3, 14, 0)}, "Python 3.14.0 is too new: the course needs"),
        ({"has_venv": False}, "sudo apt install python3.12-venv"),
        ({"free_disk": 1.24}, "Only 1.2 GB of disk are free"),
        ({"free_temp": 0.3}, "set TMPDIR to a larger folder"),
        ({"free_memory": 1.5}, "Only 1.5 GB of memory are free"),
    ],
)
def test_what_is_missing_is_one_sentence_that_says_what_to_do(change, said):
    sentence = first_run.problem(GOOD._replace(**change), "cpu", new=True)
    assert said in sentence
    assert "then run the same command again" in sentence
    assert "\n" not in sentence


def test_a_good_machine_has_no_problem():
    assert first_run.problem(GOOD, "cpu", new=True) == ""
    assert first_run.problem(GOOD, "gpu", new=True) == ""


def test_a_gpu_needs_more_disk_and_an_update_needs_none():
    little = GOOD._replace(free_disk=4, free_temp=4)
    assert first_run.problem(little, "cpu", new=True) == ""
    assert "of disk are free" in first_run.problem(little, "gpu", new=True)
    assert first_run.problem(GOOD._replace(free_disk=0.1), "cpu", new=False) == ""


def test_the_facts_of_this_machine_are_plausible():
    machine = first_run.look_at_machine(ROOT)
    assert machine.version == sys.version_info[:3]
    assert machine.has_venv
    assert 0 < machine.free_disk < 1e6
    assert 0 < machine.free_memory < 1e5


def test_an_old_python_can_read_the_script_that_refuses_it():
    source = (ROOT / "autograder" / "first_run.py").read_text()
    ast.parse(source, feature_version=(3, 7))
    imported = re.findall(r"^\s*(?:from|import) (\w+)", source, re.MULTILINE)
    assert set(imported) <= sys.stdlib_module_names


def make_venv(folder, version="3, 12"):
    """A stand-in for an environment: a program that prints a version."""
    (folder / "bin").mkdir(parents=True)
    python = folder / "bin" / "python"
    python.write_text(f"#!/bin/sh\necho {version.replace(',', '')}\n")
    python.chmod(0o755)
    return folder


def test_an_environment_that_can_not_be_used_is_made_again(tmp_path):
    why = first_run.reason_to_start_over
    assert why(tmp_path / "none", "cpu") == ""
    assert why(make_venv(tmp_path / "good"), "cpu") == ""
    assert why(make_venv(tmp_path / "old", "3, 9"), "cpu") == "its Python is 3.9"
    (make_venv(tmp_path / "half") / "unfinished").touch()
    assert why(tmp_path / "half", "cpu") == "the last installation did not finish"
    (make_venv(tmp_path / "moved") / "ready-cpu").write_text("/somewhere/else")
    assert why(tmp_path / "moved", "cpu") == "this folder has moved"
    (make_venv(tmp_path / "broken") / "bin" / "python").unlink()
    assert why(tmp_path / "broken", "cpu") == "its Python does not run"


@pytest.mark.skipif(sys.platform != "linux", reason="one build of TensorFlow elsewhere")
def test_the_two_builds_of_tensorflow_never_share_an_environment(tmp_path):
    venv = make_venv(tmp_path / "venv")
    packages = venv / "lib" / "python3.12" / "site-packages"
    (packages / "tensorflow_cpu-2.21.0.dist-info").mkdir(parents=True)
    assert first_run.reason_to_start_over(venv, "cpu") == ""
    assert "other build" in first_run.reason_to_start_over(venv, "gpu")


@pytest.mark.parametrize("kind", ["cpu", "gpu", "workshop", "dev"])
def test_locks_pin_every_requirement_and_name_no_address(kind):
    text = (ROOT / f"requirements-{kind}.txt").read_text()
    assert "://" not in text
    assert " @ " not in text
    assert not re.search(r"^-", text, re.MULTILINE)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    # each lock is enough for `make lab` and for a class
    wanted = [line for each in ("lab", "classroom", kind) for line in extras[each]]
    wanted += project["dependencies"]
    pinned = {line.split("==")[0] for line in text.splitlines() if "==" in line}
    names = {re.match(r"[\w-]+", line).group().lower() for line in wanted}
    assert names - {project["name"]} <= pinned


def test_locks_agree_with_each_other():
    versions = {}
    for kind in ("cpu", "gpu", "workshop", "dev", "jax"):
        text = (ROOT / f"requirements-{kind}.txt").read_text()
        for name, version in re.findall(r"^([\w.-]+)==(\S+)", text, re.MULTILINE):
            versions.setdefault(name, set()).add(version)
    assert {name: v for name, v in versions.items() if len(v) > 1} == {}


def test_tf_keras_is_of_the_same_minor_version_as_tensorflow():
    text = (ROOT / "requirements-tf-keras.txt").read_text()
    (minor,) = re.findall(r"^tf_keras==(\d+\.\d+)\.", text, re.M)
    locks = (ROOT / "requirements-cpu.txt").read_text()
    assert set(re.findall(r"^tensorflow(?:-cpu)?==(\d+\.\d+)\.", locks, re.M)) == {
        minor
    }


def test_a_busy_port_gives_way_to_the_next():
    first = lab.free_port(8900)
    with lab.socket.socket() as taken:
        taken.bind(("127.0.0.1", first))
        taken.listen()
        assert lab.free_port(first) > first


def test_lab_without_notebooks_says_how_to_make_them(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(lab, "ROOT", tmp_path)
    assert lab.start(open_browser=False) == 1
    assert "course build" in capsys.readouterr().err


@pytest.mark.prove
@pytest.mark.depends_on("Makefile")
@pytest.mark.xdist_group("installs")
def test_make_lab_from_a_fresh_checkout(tmp_path):
    course = copy_course(tmp_path / "a course")
    for folder in ("runtime", "data"):
        (tmp_path / folder).mkdir()
    env = clean_environment(
        BROWSER="true",  # the command that does nothing
        JUPYTER_RUNTIME_DIR=str(tmp_path / "runtime"),
        COURSE_DATA_DIR=str(tmp_path / "data"),
    )
    make = ["make", "lab", "EXTRA=cpu"]

    # Without a network: a sentence, and nothing that looks finished.
    offline = {**env, "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": "", "PIP_CONFIG_FILE": ""}
    offline["PIP_CONFIG_FILE"] = os.devnull
    failed = subprocess.run(
        make, cwd=course, env=offline, capture_output=True, text=True, timeout=120
    )
    assert failed.returncode != 0
    assert "pip could not install the requirements" in failed.stderr
    assert not list((course / ".venv").glob("ready-*"))

    with running_lab(make, course, env, deadline=600) as first:
        said = (tmp_path / "runtime" / "lab.log").read_text()
        assert "again, because the last installation did not finish" in said
        assert "TensorFlow" in said
        assert first.get("api/contents/" + lab.FIRST)[0] == 200
        page = first.get("lab")[1]
        assert "@jupyterlab/apputils-extension:announcements" in page
    assert first.process.returncode == 0

    stamp = (course / ".venv" / "ready-cpu").stat().st_mtime
    with running_lab(make, course, env, deadline=120) as second:
        assert "Setting up" not in (tmp_path / "runtime" / "lab.log").read_text()
    assert (course / ".venv" / "ready-cpu").stat().st_mtime == stamp
    print(
        f"first make lab {first.seconds:.0f} s, second {second.seconds:.1f} s "
        f"(limit {SECOND_START_SECONDS} s)"
    )
    assert second.seconds < 3 * SECOND_START_SECONDS
    wait_until_gone(second.pid)


def wait_until_gone(pid: int) -> None:
    """Fail unless process `pid` ends within ten seconds."""
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return
        time.sleep(0.1)
    raise AssertionError(f"the server {pid} outlived its test")
