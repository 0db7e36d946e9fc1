"""Make the course's virtual environment, or say in one sentence why it can't be made.

`make` runs this file with whatever Python 3 the machine has, before anything is
installed. It therefore uses the standard library only, and no syntax that an old
Python 3 would not read: "your Python is too old" must reach the reader.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import deque
from pathlib import Path
from typing import List, NamedTuple, Tuple

ROOT = Path(__file__).resolve().parent.parent
OLDEST, NEWEST = (3, 11), (3, 13)
GB = 1e9
# What an installation takes with the pinned versions, rounded up. The numbers for
# cpu were measured on Linux (with the test tools); those for gpu are estimates.
DOWNLOAD_GB = {"cpu": 0.5, "gpu": 3.5}
VENV_GB = {"cpu": 2.3, "gpu": 8.0}
SPARE_DISK_GB = 0.8
MEMORY_GB = 2.0
AGAIN = "then run the same command again"
UNFINISHED = "unfinished"


class Machine(NamedTuple):
    """What the installation needs to know about this machine (sizes in GB)."""

    version: Tuple[int, int, int]
    has_venv: bool
    free_disk: float
    free_temp: float
    free_memory: float


def look_at_machine(folder: Path) -> Machine:
    """Return the facts about this machine, with the disk that holds `folder`."""
    try:
        import ensurepip  # noqa: F401 - Debian leaves it out of python3
        import venv  # noqa: F401

        has_venv = True
    except ImportError:
        has_venv = False
    return Machine(
        version=tuple(sys.version_info[:3]),
        has_venv=has_venv,
        free_disk=shutil.disk_usage(str(folder)).free / GB,
        free_temp=shutil.disk_usage(tempfile.gettempdir()).free / GB,
        free_memory=free_memory(),
    )


def free_memory() -> float:
    """Return the memory in GB that programs can still get; infinity if unknown."""
    sizes = []
    try:
        text = Path("/proc/meminfo").read_text()
        found = re.search(r"MemAvailable:\s+(\d+) kB", text)
        sizes.append(int(found.group(1)) * 1024 / GB)
        limit = Path("/sys/fs/cgroup/memory.max").read_text().strip()
        if limit != "max":
            sizes.append(int(limit) / GB)
    except (OSError, ValueError, AttributeError):
        pass
    return min(sizes) if sizes else float("inf")


def problem(machine: Machine, extra: str, new: bool) -> str:
    """Return the one sentence that says what is missing, or an empty string.

    Args:
        machine: the facts.
        extra: `cpu` or `gpu`, which need different space.
        new: whether everything must be installed, not only a few packages changed.
    """
    have = ".".join(str(part) for part in machine.version)
    if not OLDEST <= machine.version[:2] <= NEWEST:
        wrong = "old" if machine.version[:2] < OLDEST else "new"
        return (
            "Python {} is too {}: the course needs Python 3.11, 3.12 or 3.13. Install "
            "one of them, {}; if make does not find it, add "
            "PYTHON=/path/to/python3.12.".format(have, wrong, AGAIN)
        )
    if not machine.has_venv:
        return (
            "Python {} lacks the module venv: install it (on Debian and Ubuntu: "
            "sudo apt install python{}.{}-venv), {}.".format(
                have, machine.version[0], machine.version[1], AGAIN
            )
        )
    need_disk = VENV_GB[extra] + SPARE_DISK_GB
    if new and machine.free_disk < need_disk:
        return (
            "Only {:.1f} GB of disk are free in {}: the course needs {:.1f} GB. Free "
            "some space, {}.".format(machine.free_disk, ROOT, need_disk, AGAIN)
        )
    if new and machine.free_temp < DOWNLOAD_GB[extra] + 0.2:
        return (
            "Only {:.1f} GB are free for temporary files in {}, the download needs "
            "{:.1f} GB: free some space or set TMPDIR to a larger folder, {}.".format(
                machine.free_temp,
                tempfile.gettempdir(),
                DOWNLOAD_GB[extra] + 0.2,
                AGAIN,
            )
        )
    if machine.free_memory < MEMORY_GB:
        return (
            "Only {:.1f} GB of memory are free: the course needs {:.1f} GB. Close "
            "other programs, {}.".format(machine.free_memory, MEMORY_GB, AGAIN)
        )
    return ""


def reason_to_start_over(venv: Path, extra: str) -> str:
    """Say why the environment `venv`, if there is one, can't be used any more."""
    if not venv.exists():
        return ""
    if (venv / UNFINISHED).exists():
        return "the last installation did not finish"
    if any(stamp.read_text() != str(ROOT) for stamp in venv.glob("ready-*")):
        return "this folder has moved"
    code = "import sys; print(*sys.version_info[:2])"
    try:
        command = [str(venv / "bin" / "python"), "-c", code]
        answer = subprocess.check_output(command, stderr=subprocess.DEVNULL)
        version = tuple(int(part) for part in answer.split())
    except (OSError, ValueError, subprocess.CalledProcessError):
        return "its Python does not run"
    if not OLDEST <= version <= NEWEST:
        return "its Python is {}.{}".format(*version)
    other = {"cpu": "tensorflow-*", "gpu": "tensorflow_cpu-*"}[extra]
    if sys.platform == "linux" and list(
        venv.glob("lib/python3*/site-packages/{}.dist-info".format(other))
    ):
        return "it holds the other build of TensorFlow"
    return ""


def pip(venv: Path, *arguments: str) -> None:
    """Run pip in `venv`; show the large downloads, and everything if it fails."""
    command = [str(venv / "bin" / "python"), "-m", "pip", "install", *arguments]
    environment = dict(os.environ, PIP_DISABLE_PIP_VERSION_CHECK="1", PIP_USER="0")
    last = deque(maxlen=25)
    with subprocess.Popen(
        command,
        cwd=str(ROOT),
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        universal_newlines=True,
    ) as child:
        for line in child.stdout:
            last.append(line)
            found = re.search(r"Downloading (\S+?)-\d\S* \((\d{2,})\.?\d* MB\)", line)
            if found:
                say("  downloading {} ({} MB)".format(*found.groups()))
            elif line.startswith("Installing collected packages") and "," in line:
                say("  installing {} packages".format(line.count(",") + 1))
    if child.returncode:
        sys.stderr.write("".join(last))
        raise SystemExit(
            "\npip could not install the requirements; its last lines stand above. "
            "Check the network and the disk, {}: finished downloads are kept.".format(
                AGAIN
            )
        )


def say(text: str) -> None:
    """Print a line at once, also into a pipe."""
    print(text, flush=True)


def install(venv: Path, extra: str, more: List[str]) -> None:
    """Make or complete `venv` and leave its stamps; raise SystemExit with a sentence.

    Args:
        venv: the folder of the environment, beside the course or elsewhere.
        extra: `cpu` or `gpu`.
        more: further locks: `workshop`, and `dev` for the tests.
    """
    over = reason_to_start_over(venv, extra)
    new = bool(over) or not venv.exists()
    trouble = problem(look_at_machine(ROOT), extra, new)
    if trouble:
        raise SystemExit(trouble)
    if new:
        say(
            "Setting up the course in {}{}. This happens once: about {:.1f} GB to "
            "download (most of it TensorFlow), {:.1f} GB on disk, a few "
            "minutes.".format(
                venv,
                " again, because " + over if over else "",
                DOWNLOAD_GB[extra],
                VENV_GB[extra],
            )
        )
        # The marker tells the next run about an interruption, of venv's work too.
        shutil.rmtree(str(venv), ignore_errors=True)
        venv.mkdir(parents=True)
        (venv / UNFINISHED).touch()
        subprocess.check_call([sys.executable, "-m", "venv", str(venv)])
    else:
        say("Bringing {} up to date.".format(venv))
    locks = [extra, *more]
    for lock in locks:
        pip(venv, "-r", "requirements-{}.txt".format(lock))
    if "dev" in more:
        pip(venv, "--no-deps", "-r", "requirements-tf-keras.txt")
    pip(venv, "--no-deps", "-e", ".")
    # Matplotlib lists the fonts at its first import, and says so in red after 5 s.
    prepare = [str(venv / "bin" / "python"), "-c", "import matplotlib.font_manager"]
    subprocess.call(prepare, stderr=subprocess.DEVNULL)
    (venv / "ready-{}".format(extra)).write_text(str(ROOT))
    for each in more:
        (venv / "ready-{}-{}".format(extra, each)).write_text(str(ROOT))
    if new:
        (venv / UNFINISHED).unlink()
    say("The course is installed.")


def main() -> None:
    """Read the command line that the Makefile writes, and install."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--venv", type=Path, required=True)
    parser.add_argument("--extra", choices=["cpu", "gpu"], required=True)
    parser.add_argument("--more", nargs="*", choices=["workshop", "dev"], default=[])
    options = parser.parse_args()
    try:
        install(options.venv, options.extra, options.more)
    except KeyboardInterrupt:
        raise SystemExit("\nStopped. The same command starts over.") from None


if __name__ == "__main__":
    main()
