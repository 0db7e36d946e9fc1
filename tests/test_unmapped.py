"""What nobody maps is counted: files of memory, and System V's segments."""

import ctypes
import os
import subprocess

import pytest

from course.kernels import unmapped
from course.kernels.unmapped import Hidden, Unmapped

MB = 2**20


@pytest.fixture
def look(monkeypatch):
    """A look at this process as if it were in a cage, its folders left out."""
    monkeypatch.setattr(unmapped, "FOLDERS", ())
    return Unmapped(os.getpid())


@pytest.fixture
def file():
    made = os.memfd_create("x")
    os.set_inheritable(made, True)
    yield made
    os.close(made)


def test_a_file_of_memory_counts_once_whoever_holds_it(look, file):
    before = look.bytes([os.getpid()])
    os.ftruncate(file, 900 * MB)  # a size alone takes nothing
    os.write(file, bytes(3 * MB))
    with subprocess.Popen(["sleep", "60"], close_fds=False) as holder:
        two = [os.getpid(), holder.pid]
        assert look.bytes(two) - before == 3 * MB
        os.write(file, bytes(2 * MB))
        assert look.bytes(two) - before == 5 * MB
        assert look.bytes([holder.pid]) >= 5 * MB
        holder.kill()


def test_the_quick_bound_is_never_below_it(look, file):
    os.write(file, bytes(64 * MB))
    assert look.at_most() >= look.bytes([os.getpid()]) >= 64 * MB


def test_files_elsewhere_do_not_count(look, tmp_path):
    before = look.bytes([os.getpid()])
    with (tmp_path / "on a disk").open("wb") as other:
        other.write(bytes(3 * MB))
        other.flush()
        assert look.bytes([os.getpid()]) == before


def test_a_process_that_has_ended_holds_nothing(look):
    with subprocess.Popen(["true"]) as ended:
        pass
    assert look.bytes([ended.pid]) == look.bytes([])


def test_folders_in_memory_count_with_files_that_have_no_name(look, monkeypatch):
    if not os.path.ismount("/dev/shm"):
        pytest.skip("there is no /dev/shm")
    monkeypatch.setattr(unmapped, "FOLDERS", ("dev/shm",))
    look = Unmapped(os.getpid())
    before = look.bytes([])
    path = f"/dev/shm/course-test-{os.getpid()}"
    with open(path, "wb") as nameless:
        os.unlink(path)
        nameless.write(bytes(64 * MB))
        nameless.flush()
        # others may write there, too
        assert 32 * MB < look.bytes([]) - before < 512 * MB


def test_segments_of_system_v_count(look):
    libc = ctypes.CDLL(None)
    libc.shmat.restype = ctypes.c_void_p
    libc.shmdt.argtypes = [ctypes.c_void_p]
    before = look.bytes([])
    segment = libc.shmget(0, 8 * MB, 0o1600)
    try:
        place = libc.shmat(segment, None, 0)
        ctypes.memset(place, 1, 8 * MB)
        libc.shmdt(place)
        assert look.bytes([]) - before == 8 * MB
    finally:
        libc.shmctl(segment, 0, None)  # IPC_RMID


def refuse(*_):
    raise PermissionError


def test_who_hides_its_files_is_told_of(look, monkeypatch):
    monkeypatch.setattr(unmapped, "_open_files", refuse)
    with pytest.raises(Hidden):
        look.bytes([os.getpid()])


def test_where_a_machine_shows_no_files_nobody_hides_any(monkeypatch):
    monkeypatch.setattr(unmapped, "_open_files", refuse)
    assert Unmapped(os.getpid()).bytes([os.getpid()]) >= 0
