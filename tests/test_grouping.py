"""Tests of one group run in one process: servers and kernels are started once."""

import subprocess
import sys

TESTS = """
import os, pathlib, pytest

@pytest.mark.xdist_group("together")
@pytest.mark.parametrize("n", range(6))
def test_together(n):
    here = pathlib.Path(__file__).parent
    (here / f"ran-{n}").write_text(os.environ["PYTEST_XDIST_WORKER"])
"""


def test_a_group_stays_in_one_process(tmp_path):
    (tmp_path / "test_group.py").write_text(TESTS)
    options = ["-n", "2", "--dist", "loadgroup", "-p", "no:cacheprovider", "-q"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, str(tmp_path)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stdout
    workers = {file.read_text() for file in tmp_path.glob("ran-*")}
    assert len(list(tmp_path.glob("ran-*"))) == 6
    assert len(workers) == 1, workers
