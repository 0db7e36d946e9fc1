"""What the probe prints, in jobs without the course: all that triage.md shows."""

import os

import pytest
from triage_page import FIT, LOOP, SECTIONS, script, shows
from triage_runs import in_each_keras, run, run_outside, run_workers

pytestmark = [pytest.mark.prove, pytest.mark.xdist_group(__name__)]

# probe, which of the texts that its section prints (0 is the healthy one), run
CASES = [
    ("late", 0, "sound"),
    ("late", 1, "a_minute_later"),
]
# form for `fit`, which of its texts, job; a fourth: with this Keras only
FIT_CASES = [
    ("late", 0, "sound"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("job")


@pytest.fixture(scope="module")
def sound(folder):
    job = script("worker").paste("late", ("before", LOOP))
    job = job.put(SECTIONS["late"].calls[0], "after", "    loss = train_step(batch)")
    return run_workers(job.text, folder) + run_outside("late", folder)


@pytest.fixture(scope="module")
def a_minute_later(sound, folder):
    """Nobody has made a step for over a minute."""
    for file in (folder / "steps").iterdir():
        as_if = file.stat().st_mtime - 70
        os.utime(file, (as_if, as_if))
    return run_outside("late", folder)


@pytest.mark.parametrize(("probe", "which", "run"), CASES)
def test_a_probe_prints_what_the_page_shows(request, probe, which, run):
    shows(probe, which, request.getfixturevalue(run))


FITTED = script("keras_fit").edit("ROWS = 21", "index, ROWS = 0, 21")
FIT_JOBS = {"sound": FITTED.paste_in_fit("late")}


@pytest.mark.parametrize(("probe", "which", "job", "keras"), in_each_keras(FIT_CASES))
def test_a_form_prints_what_the_page_shows(probe, which, job, keras, tmp_path):
    run(FIT_JOBS[job].text, tmp_path, keras=keras)
    assert [file.name for file in (tmp_path / "steps").iterdir()] == ["worker 0"]
    shows(probe, which, run_outside(probe, tmp_path), page=FIT)
