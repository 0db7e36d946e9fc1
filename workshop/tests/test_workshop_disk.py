"""A learner's share of the disk: what goes over it is ended, and said."""

import os
import signal
import subprocess
import sys

import pytest

from workshop import disk

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="/proc is Linux's")
MB = 2**20
FILLS = """
import sys, time
with open(sys.argv[1], "wb") as file:
    for _ in range(int(sys.argv[2])):
        file.write(bytes(2**20))
        file.flush()
print("written", flush=True)
time.sleep(600)
"""


@pytest.fixture
def writer(tmp_path):
    """Starts a process that writes so many MB into a file of `tmp_path`, and waits."""
    started = []

    def start(name, megabytes):
        command = [sys.executable, "-c", FILLS, str(tmp_path / name), str(megabytes)]
        process = subprocess.Popen(command, stdout=subprocess.PIPE)
        started.append(process)
        assert process.stdout.readline() == b"written\n"
        return process

    yield start
    for each in started:
        each.kill()
        each.wait()
        each.stdout.close()


def test_who_wrote_too_much_is_ended_and_told_and_who_saves_works_on(tmp_path, writer):
    watch = disk.Watch([tmp_path], 20 * MB)
    saves = writer("small", 1)
    assert watch.look([saves.pid]) == ""
    fills = writer("large", 30)
    told = watch.look([saves.pid, fills.pid])
    assert "Your folder has 0.0 GB" in told and "was ended" in told
    assert fills.wait(10) == -signal.SIGKILL
    assert saves.poll() is None
    # it is said once, and a kernel that is started to tidy up is left alone
    tidies = writer("note", 1)
    assert watch.look([saves.pid, tidies.pid]) == ""
    (tmp_path / "large").unlink()
    assert watch.look([saves.pid, tidies.pid]) == ""


def test_as_long_as_there_is_too_much_little_by_little_is_no_way_around(
    tmp_path, writer
):
    watch = disk.Watch([tmp_path], 20 * MB)
    first = writer("large", 30)
    watch.look([first.pid])
    for number in range(3):  # each so little that it is no reason by itself
        part = writer(f"part{number}", 6)
        assert watch.look([part.pid]) == ""
    more = writer("more", 9)
    assert "was ended" in watch.look([more.pid])


def test_a_million_small_files_are_too_much_as_well(tmp_path, monkeypatch):
    monkeypatch.setattr(disk, "MOST_FILES", 10)
    for number in range(12):
        (tmp_path / str(number)).touch()
    told = disk.Watch([tmp_path], 20 * MB).look([])
    assert told.startswith("Your folder has 11 files") and "ended" not in told


def test_a_link_out_of_the_folder_is_not_followed(tmp_path):
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    inside.mkdir()
    outside.mkdir()
    (outside / "large").write_bytes(os.urandom(2 * MB))
    (inside / "link").symlink_to(outside)
    assert disk.Watch([inside], MB).look([]) == ""


def test_without_project_quotas_it_says_that_it_is_watched(tmp_path):
    told = disk.said(tmp_path, 2**30, tmp_path / "quota.sh")
    assert told.startswith("Disk: 1 GB for each learner, watched: who goes over")
    assert not (tmp_path / "quota.sh").exists()


def test_where_quotas_are_kept_a_script_sets_them(tmp_path, monkeypatch):
    mount = disk._mount(tmp_path)._replace(opts="rw,prjquota")
    monkeypatch.setattr(disk, "_mount", lambda folder: mount)
    script = tmp_path / "quota.sh"
    told = disk.said(tmp_path, 2**30, script)
    assert told.endswith(f"`sudo sh {script}` lets the file system hold it.")
    assert subprocess.run(["sh", "-n", str(script)]).returncode == 0
    command = f"setquota -P \"$project\" 0 1048576 0 50000 '{mount.mountpoint}'"
    assert command in script.read_text()
    monkeypatch.setattr(disk, "held", lambda folder, allowed: True)
    assert disk.said(tmp_path, 2**30, script).endswith("held by the file system.")
    assert [each.name for each in tmp_path.iterdir()] == ["quota.sh"]


def test_a_whole_file_system_is_no_quota(tmp_path):
    assert not disk.held(tmp_path, MB)
