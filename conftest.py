"""Own progress for every test, four devices for TensorFlow, measurements at the end."""

import os

import pytest

pytest.register_assert_rewrite("picture_rules")
pytest_plugins = ["rings", "receipts"]

os.environ.setdefault("MPLBACKEND", "Agg")
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("JUPYTER_DEFAULT_PROVISIONER_NAME", "course-warm")


@pytest.fixture(autouse=True)
def own_progress(tmp_path, monkeypatch):
    """Keep the tester's own progress out of the tests, and the tests out of it."""
    monkeypatch.setenv("COURSE_DATA_DIR", str(tmp_path / "progress"))
    monkeypatch.delenv("COURSE_SEED", raising=False)


@pytest.fixture(scope="session")
def devices():
    """The four virtual devices that every notebook starts with."""
    from course import virtual_devices

    return virtual_devices(4)


def pytest_terminal_summary(terminalreporter):
    """Print what tests measured (`record_property("measured", line)`), at every run."""
    lines = [
        value
        for report in terminalreporter.getreports("passed")
        + terminalreporter.getreports("failed")
        for name, value in report.user_properties
        if name == "measured" and report.when == "call"
    ]
    if lines:
        terminalreporter.section("measured against the limits")
        for line in sorted(lines):
            terminalreporter.line(line)
