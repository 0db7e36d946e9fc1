"""`course grade --scheduler`: workers in other processes, lost and hostile ones."""

import contextlib
import json
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest
from checkout import clean_environment
from grading_class import (
    NAME,
    build_course,
    descendants,
    grade,
    gradebook,
    hand_in,
    hand_in_class,
    records,
    start_grading,
    still_run,
    wait_until,
)

from autograder.places import course_places

HERE = Path(__file__).resolve().parent
SHORT = "import time\ntime.sleep(0.3)"
ATTACKS = ("result", "error", "type", "warning", "nonsense", "unsendable")

pytestmark = [
    pytest.mark.prove,
    pytest.mark.class_path,
    pytest.mark.xdist_group("grading"),
    pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning"),
]


def certificate(folder):
    """A certificate that vouches for itself, and its key."""
    cert, key = folder / "cert.pem", folder / "key.pem"
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes"),
            *("-days", "2", "-subj", "/CN=grading"),
            *("-keyout", str(key), "-out", str(cert)),
        ],
        check=True,
        capture_output=True,
    )
    return cert, key


class Cluster:
    """A Dask scheduler with TLS on this machine, and its workers."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        cert, key = certificate(folder)
        self.tls = ["--tls-ca-file", str(cert), "--tls-cert", str(cert)]
        self.tls += ["--tls-key", str(key)]
        self.options = ["--tls-ca", str(cert), "--tls-cert", str(cert)]
        self.options += ["--tls-key", str(key)]
        self.started: list[subprocess.Popen] = []
        file = folder / "scheduler.json"
        self.scheduler = self.start(
            *("scheduler", "--protocol", "tls", "--host", "127.0.0.1", "--port", "0"),
            *("--scheduler-file", str(file)),
        )
        wait_until(lambda: file.is_file() and file.read_text().endswith("}"))
        self.address = json.loads(file.read_text())["address"]
        assert self.address.startswith("tls://127.0.0.1:")
        self.options += ["--scheduler", self.address]

    def start(self, what: str, *options: str, **env: str) -> subprocess.Popen:
        env["CLUSTER_TEST_FOLDER"] = str(self.folder)
        # one dead worker is enough to know which submissions it had
        env["DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES"] = "0"
        with (self.folder / f"{what}.log").open("ab") as log:
            started = subprocess.Popen(
                [
                    *(sys.executable, "-m", "dask", what, *options, *self.tls),
                    *("--dashboard-address", "127.0.0.1:0"),
                ],
                env=clean_environment(**env, PYTHONPATH=str(HERE)),
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        self.started.append(started)
        return started

    @contextlib.contextmanager
    def workers(self, *names: str, **env: str):
        """Workers of one thread each, for a while."""
        running = {
            name: self.start(
                *("worker", self.address, "--name", name, "--nthreads", "1"),
                *("--no-nanny", "--preload", "cluster_preload"),
                *("--local-directory", str(self.folder / name)),
                **env,
            )
            for name in names
        }
        try:
            yield running
        finally:
            for each in running.values():
                self.end(each)

    def end(self, started: subprocess.Popen) -> None:
        started.terminate()
        try:
            started.wait(10)
        except subprocess.TimeoutExpired:
            started.kill()
            started.wait()

    def jobs(self, name: str) -> int:
        """How many jobs a worker was given."""
        file = self.folder / f"jobs-{name}"
        return len(file.read_text().splitlines()) if file.is_file() else 0


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    made = Cluster(tmp_path_factory.mktemp("cluster"))
    yield made
    for each in made.started:
        if each.poll() is None:
            made.end(each)


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    return build_course(tmp_path_factory.mktemp("built") / "course")


@pytest.fixture
def copy(built, tmp_path):
    """Makes copies of the course that nobody has graded."""

    def make(name="course"):
        shutil.copytree(built.root, tmp_path / name)
        return course_places(tmp_path / name)

    return make


def results(places):
    """What is the same however a class was graded."""
    found = records(places).values()
    return [(each.student, each.exercises, each.reasons, each.flags) for each in found]


def test_a_cluster_grades_as_this_machine_does_and_survives_a_lost_worker(
    cluster, copy, tmp_path
):
    here, there, again = copy("here"), copy("there"), copy("again")
    handed_in = hand_in_class(tmp_path / "class", here, 4, more=SHORT)
    seed = ["--seed", "7"]
    with cluster.workers("one", "two") as workers:
        grade(handed_in, here, *seed)
        assert "4 graded" in grade(handed_in, there, *seed, *cluster.options)
        assert cluster.jobs("one") >= 1 and cluster.jobs("two") >= 1
        assert cluster.jobs("one") + cluster.jobs("two") == 4
        assert results(there) == results(here)
        assert gradebook(there) == gradebook(here)

        # one of them dies with a submission in its hands
        before = cluster.jobs("one")
        started = start_grading(handed_in, again, *seed, *cluster.options)
        wait_until(lambda: cluster.jobs("one") > before)
        below = descendants(workers["one"].pid)
        workers["one"].kill()
        out, err = started.communicate(timeout=90)
        assert started.returncode == 0 and "4 graded" in out, out + err
        assert results(again) == results(here)
        wait_until(lambda: not still_run(below), 5)


def test_a_submission_that_kills_its_workers_is_named_and_the_others_are_graded(
    cluster, copy, tmp_path
):
    places = copy()
    handed_in = hand_in_class(tmp_path / "class", places, 3)
    hand_in(handed_in / "s02" / NAME / f"{NAME}.ipynb", places, more="kill_the_worker")
    # one more than it kills: it may do so before the others' work is done
    with cluster.workers("three", "four", "spare") as workers:
        said = grade(handed_in, places, *cluster.options)
        died = [each.poll() for each in workers.values()]
    # it was tried twice, and not for ever
    assert sorted(died, key=str) == [-signal.SIGKILL] * 2 + [None]
    assert "3 graded" in said and "1 could not be run" in said
    found = records(places)
    assert [found[each].points for each in ("s01", "s03")] == [2, 2]
    assert not found["s01"].reasons and not found["s03"].reasons
    (reason,) = found["s02"].reasons
    assert "the worker that ran it died" in reason
    assert reason in places.feedback("s02", NAME).read_text().replace("&#39;", "'")
    # graded here, it is tried again, and only it
    assert "1 graded, 2 unchanged" in grade(handed_in, places)
    assert not records(places)["s02"].reasons


def test_nothing_that_a_hostile_worker_sends_is_executed(cluster, copy, tmp_path):
    places = copy()
    handed_in = hand_in_class(tmp_path / "class", places, 1)
    for kind in ATTACKS:
        path = handed_in / f"by_{kind}" / NAME / f"{NAME}.ipynb"
        hand_in(path, places, more=f"attack_by_{kind} = 1")
    with cluster.workers("five"):
        started = start_grading(handed_in, places, *cluster.options)
        out, err = started.communicate(timeout=90)
    assert started.returncode == 0, out + err
    attacked = {path.name for path in cluster.folder.glob("unpickled-*")}
    assert {each.split("-")[1] for each in attacked} <= set(ATTACKS)
    assert not [each for each in attacked if each.endswith(f"-{started.pid}")]
    assert "a worker prints here" not in out + err
    found = records(places)
    assert found.keys() == {"s01", *(f"by_{kind}" for kind in ATTACKS)}
    for kind in ("result", "error", "type", "nonsense", "unsendable"):
        (reason,) = found[f"by_{kind}"].reasons
        assert "can't be read" in reason or "died or failed" in reason
        assert found[f"by_{kind}"].points == 0
    for honest in ("s01", "by_warning"):
        assert found[honest].points == 2 and not found[honest].reasons


def test_a_worker_with_another_course_is_named(cluster, copy, tmp_path):
    places = copy()
    handed_in = hand_in_class(tmp_path / "class", places, 2)
    with cluster.workers("six", CLUSTER_TEST_OTHER_COURSE="yes"):
        said = grade(handed_in, places, *cluster.options, expect=2)
    assert "Another version of the course is installed on the worker" in said
    assert "tls://127.0.0.1" in said
    assert records(places) == {}


def test_no_worker_and_no_scheduler(cluster, copy, tmp_path):
    places = copy()
    handed_in = hand_in_class(tmp_path / "class", places, 2)
    code = "from autograder.grading import remote\nremote.WORKERS_SECONDS = 1"
    said = grade(handed_in, places, *cluster.options, expect=2, code=code)
    assert "has had no worker for 1 s" in said
    assert f"dask worker {cluster.address}" in said

    code = "from autograder.grading import remote\nremote.CONNECT_SECONDS = 2"
    started = start_grading(handed_in, places, *cluster.options, code=code)
    wait_until(lambda: (places.results / "seed").is_file())
    psutil.Process(cluster.scheduler.pid).kill()
    out, err = started.communicate(timeout=90)
    assert started.returncode == 2, out + err
    assert "The scheduler at" in err and "Traceback" not in err
    assert records(places) == {}

    said = grade(handed_in, places, *cluster.options, expect=2, code=code)
    assert "can't be reached" in said
