"""Run a program of PyTorch or JAX in processes of its own, with a deadline.

    python -m autograder.elsewhere_runs 02

prints what the programs of a room print, broken, mended and with the probe: that is
what its elsewhere.toml says.
"""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from autograder.elsewhere import Block, read_elsewhere
from autograder.places import course_places

DEADLINE = 90  # seconds for a program; the slowest takes about ten
PACKAGES = {"pytorch": "torch", "jax": "jax"}
# framework -> where its Python may be, the first that has the package counts
PYTHONS = {
    "pytorch": (
        os.environ.get("COURSE_TORCH_PYTHON"),
        sys.executable,
        "/usr/bin/python3",
    ),
    "jax": (os.environ.get("COURSE_JAX_PYTHON"), f"{sys.prefix}-jax/bin/python"),
}
HOW = {
    "pytorch": "PyTorch is missing: install it for /usr/bin/python3 (on Debian: "
    "sudo apt install --no-install-recommends python3-torch), or name a Python that "
    "has it in COURSE_TORCH_PYTHON.",
    "jax": "JAX is missing: make test installs it; or name a Python that has it in "
    "COURSE_JAX_PYTHON.",
}
DEVICES = 4  # that JAX makes of the CPU, shared out among its processes
STUCK = 10  # seconds after which XLA ends a program whose devices wait for each other
AN_ERROR = re.compile(r"^[A-Za-z_][\w.]*(?:Error|Exception|Failure)\b.*", re.M)

FATAL = re.compile(r"^F\d{4} .*?\] (.*)", re.M)  # how XLA logs why it ends a process
# threads of Gloo write to file descriptor 1 at once, piece by piece: only Python's
# stdout counts
SITE = """\
import atexit, os, sys
sys.stdout = open(os.environ["COURSE_STDOUT"], "a", buffering=1, encoding="utf-8")

@atexit.register
def end():
    with open(os.environ["COURSE_ENDED"], "w") as file:
        file.write(str(int(hasattr(sys, "last_value"))))
"""
# What C++ says when a thread of torch 1.13 asks for an interpreter that is being torn
# down: it ends a program whose last line has run, once in a hundred times.
TOO_LATE = "terminate called without an active exception\n"


@dataclass(frozen=True)
class Ran:
    """What the processes of a program did, in the order of their ranks.

    printed, complained: Python's stdout, and stderr. codes: how each program ended, as
    subprocess says it; None where the deadline came first.
    """

    printed: tuple[str, ...]
    complained: tuple[str, ...]
    codes: tuple[int | None, ...]

    @property
    def outcome(self) -> str:
        """All that was printed, rank by rank, then the first error."""
        printed = "".join(self.printed)
        errors = map(_error, self.complained, self.codes)
        first = next((error for error in errors if error), "")
        return "\n".join([*printed.splitlines(), *first.splitlines()])


@cache
def python_of(framework: str) -> tuple[str, str] | None:
    """Return a Python that has the framework, and its version; None without one."""
    package = PACKAGES[framework]
    for python in filter(None, PYTHONS[framework]):
        code = f"import {package}; print({package}.__version__)"
        try:
            command = [python, "-c", code]
            told = subprocess.check_output(
                command, stderr=subprocess.DEVNULL, text=True
            )
        except (OSError, subprocess.CalledProcessError):
            continue
        return python, told.strip()
    return None


def run(program: str, block: Block, deadline: float = DEADLINE) -> Ran:
    """Run a program to its end, or to the deadline, in a folder that is removed.

    Takes the program's text, and the block that says framework and processes. Raises
    LookupError, with what to do, where no Python has the framework.
    """
    found = python_of(block.framework)
    if found is None:
        raise LookupError(HOW[block.framework])
    until = time.monotonic() + deadline
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        file = folder / f"in_{block.framework}.py"
        file.write_text(program, encoding="utf-8")
        (folder / "sitecustomize.py").write_text(SITE, encoding="utf-8")
        for restart in range(block.restarts + 1):
            environment = os.environ | {"TORCHELASTIC_RESTART_COUNT": str(restart)}
            ran = _run_once([found[0], file.name], block, folder, environment, until)
            if not any(ran.codes):
                break
    return ran


def _run_once(
    command: list[str], block: Block, folder: Path, environment: dict, until: float
) -> Ran:
    """Start all processes, wait for all, and end those that are left."""
    port, ranks = _free_port(), range(block.processes)
    kinds = ("out", "err", "end")
    files = [[folder / f"{kind}-{rank}" for rank in ranks] for kind in kinds]
    with ExitStack() as stack:
        children = []
        for rank, out, err, end in zip(ranks, *files, strict=True):
            out.write_bytes(b"")
            end.unlink(missing_ok=True)
            ours = {
                "PYTHONPATH": str(folder),
                "COURSE_STDOUT": str(out),
                "COURSE_ENDED": str(end),
            }
            child = subprocess.Popen(
                command,
                cwd=folder,
                env=environment | _variables(block, rank, port) | ours,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=stack.enter_context(open(err, "wb")),
                start_new_session=True,
            )
            stack.callback(_end, child)
            children.append(child)
        codes = _wait(children, until)
    printed, complained = (
        tuple(each.read_text("utf-8", "replace") for each in kind) for kind in files[:2]
    )
    codes = tuple(map(_programs_code, codes, complained, files[2]))
    return Ran(printed, complained, codes)


def _programs_code(code: int | None, complained: str, end: Path) -> int | None:
    """How a program ended, whatever came of the interpreter's end."""
    if code == -signal.SIGABRT and complained.endswith(TOO_LATE) and end.exists():
        return int(end.read_text())
    return code


def agrees(expected: str, outcome: str) -> bool:
    """Whether a program printed what is said; "..." stands for any text of a line."""
    pattern = ".*".join(map(re.escape, expected.strip().split("...")))
    return re.fullmatch(pattern, outcome) is not None


def _variables(block: Block, rank: int, port: int) -> dict[str, str]:
    """What torchrun would set for a rank; or what a program of JAX is started with."""
    own = {"OMP_NUM_THREADS": "1", "PYTHONWARNINGS": "ignore"}
    own["RANK"] = str(rank)
    if block.framework == "pytorch":
        return own | {
            "LOCAL_RANK": str(rank),
            "WORLD_SIZE": str(block.processes),
            "MASTER_ADDR": "127.0.0.1",
            "MASTER_PORT": str(port),
            "GLOO_SOCKET_IFNAME": "lo",
        }
    devices = DEVICES // block.processes
    return own | {
        "JAX_PLATFORMS": "cpu",
        "JAX_COORDINATOR_ADDRESS": f"127.0.0.1:{port}",
        "XLA_FLAGS": f"--xla_force_host_platform_device_count={devices} "
        f"--xla_cpu_collective_call_warn_stuck_timeout_seconds={STUCK // 2} "
        f"--xla_cpu_collective_call_terminate_timeout_seconds={STUCK}",
    }


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


def _wait(children: list[subprocess.Popen], until: float) -> tuple[int | None, ...]:
    codes: list[int | None] = []
    for child in children:
        try:
            codes.append(child.wait(max(0.0, until - time.monotonic())))
        except subprocess.TimeoutExpired:
            codes.append(None)
    return tuple(codes)


def _end(child: subprocess.Popen) -> None:
    """End a process and those that it started; all of them have its session."""
    try:
        os.killpg(child.pid, signal.SIGKILL)
    except ProcessLookupError:
        return
    child.wait()


def _error(complained: str, code: int | None) -> str:
    if code == 0:
        return ""
    if code is None:
        return "(it still waited when it was stopped)"
    if code < 0:
        said = "".join(FATAL.findall(complained)[:1])
        return f"(ended by {signal.Signals(-code).name}) {said}".rstrip()
    errors = AN_ERROR.findall(complained)
    return errors[-1] if errors else f"(ended with code {code})"


def main(numbers: list[str]) -> None:
    """Print what the rooms' programs print, for elsewhere.toml."""
    places = course_places()
    for name in [places.find(number) for number in numbers] or places.names():
        for block in read_elsewhere(places, name).values():
            for kind in ("broken", "mended") if not block.cannot else ():
                program = getattr(block, kind)
                for what, text in (("", program), (" probed", block.probed(program))):
                    began = time.monotonic()
                    said = run(text, block).outcome
                    took = time.monotonic() - began
                    print(f"# {name} {block.name} {kind}{what}: {took:.1f} s\n{said}")


if __name__ == "__main__":
    main(sys.argv[1:])
