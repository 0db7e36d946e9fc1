"""Binder's files: read by repo2docker, and run here as far as it goes unboxed."""

import os
import re
import subprocess
import sys
import venv

import pytest
from checkout import ROOT, clean_environment, copy_course
from lab_process import running_lab

BINDER = ROOT / "binder"


def run(command, **options):
    """Run `command` to its end and return its stdout; fail with all that it said."""
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, **options
    )
    assert done.returncode == 0, (done.stdout + done.stderr)[-3000:]
    return done.stdout


def test_links_lead_to_the_files_everybody_else_uses():
    for name in ("environment.yml", "requirements-cpu.txt"):
        assert (BINDER / name).is_symlink()
        assert (BINDER / name).resolve() == ROOT / name
    for name in ("postBuild", "start"):
        assert os.access(BINDER / name, os.X_OK)


def test_start_sets_the_environment_and_hands_over():
    env = clean_environment(JUPYTER_CONFIG_PATH="/before")
    env.pop("TF_CPP_MIN_LOG_LEVEL", None)
    said = run([BINDER / "start", "env"], env=env, timeout=20).splitlines()
    assert "TF_CPP_MIN_LOG_LEVEL=3" in said
    assert f"JUPYTER_CONFIG_PATH={BINDER}:/before" in said
    lines = (BINDER / "start").read_text().strip().splitlines()
    assert lines[-1] == 'exec "$@"'


@pytest.mark.prove
@pytest.mark.depends_on("binder/*", "environment.yml")
def test_repo2docker_reads_our_files(tmp_path):
    course = copy_course(tmp_path / "course")
    command = [sys.executable, "-m", "repo2docker", "--no-build", "--debug", course]
    dockerfile = run(command, cwd=tmp_path, env=clean_environment(), timeout=120)
    # The lock is a file of ours: the checkout must be there before pip runs.
    parts = [
        r"COPY .*src/ \$\{REPO_DIR\}",
        r'env update .*--file "binder/environment\.yml"',
        r"RUN \./binder/postBuild",
        r'R2D_ENTRYPOINT="\$\{REPO_DIR\}/binder/start"',
    ]
    places = [re.search(part, dockerfile) for part in parts]
    missing = [p for p, found in zip(parts, places, strict=True) if not found]
    assert not missing, f"not in the Dockerfile: {missing}\n{dockerfile[-4000:]}"
    begins = [found.start() for found in places]
    assert begins == sorted(begins)


@pytest.mark.prove
@pytest.mark.depends_on("binder/*", "environment.yml")
@pytest.mark.xdist_group("installs")
def test_the_image_s_steps_end_in_a_running_lab(tmp_path):
    course = copy_course(tmp_path / "course")
    venv.create(tmp_path / "env", with_pip=True)
    programs = tmp_path / "env" / "bin"
    env = clean_environment(
        PATH=f"{programs}{os.pathsep}{os.environ['PATH']}",
        JUPYTER_RUNTIME_DIR=str(tmp_path / "runtime"),
        COURSE_DATA_DIR=str(tmp_path / "data"),
    )
    # conda writes this line of environment.yml to a file and runs pip beside it.
    line = re.search(r"- (-r \S+)", (course / "environment.yml").read_text()).group(1)
    pip = ["python", "-m", "pip", "install", "--quiet", *line.split()]
    run(pip, cwd=course / "binder", env=env, timeout=600)
    run([course / "binder" / "postBuild"], cwd=course, env=env, timeout=120)

    start = str(course / "binder" / "start")
    code = (
        "import tensorflow as tf; print(tf.reduce_sum([1, 2]).numpy(), tf.__version__)"
    )
    said = run([start, "python", "-c", code], cwd=tmp_path, env=env, timeout=120)
    assert said == "3 2.21.0\n"
    show = [start, "jupyter", "server", "--show-config-json"]
    assert '"cull_idle_timeout": 1200' in run(show, cwd=course, env=env, timeout=60)

    command = [start, "jupyter", "lab", "--no-browser", "--port=0", "--ip=127.0.0.1"]
    if os.geteuid() == 0:
        command.append("--allow-root")
    with running_lab(command, course, env, deadline=90) as lab:
        status, text = lab.get("api/status")
        assert status == 200
        assert '"kernels": 0' in text
        assert lab.get("api/contents/notebooks")[0] == 200
