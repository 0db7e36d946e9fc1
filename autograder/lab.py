"""Start JupyterLab at the course's first notebook, and end it cleanly at Ctrl-C."""

import os
import signal
import socket
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from course.kernels.warm import NAME as WARM
from course.kernels.warm import PROVISIONER_VARIABLE

ROOT = Path(__file__).resolve().parent.parent
FIRST = "notebooks/00_start_here/00_start_here.ipynb"
FIRST_PORT = 8888
STOP_SECONDS = 15


def start(open_browser: bool = True, port: int | None = None) -> int:
    """Run JupyterLab until it ends or Ctrl-C is pressed; return its exit code.

    The server's root is the course, not notebooks/: nbgrader's Validate and
    Formgrader look for the course's folders under the server's root. The file
    browser still opens in notebooks/.

    Args:
        open_browser: open the first notebook; over SSH only its address is printed.
        port: where to listen, or the next free port; None for the first free one
            from 8888.

    Raises:
        ModuleNotFoundError: JupyterLab is not installed.
    """
    if not (ROOT / FIRST).exists():
        print(
            f"{FIRST} is missing in {ROOT}: run `course build` to make the notebooks.",
            file=sys.stderr,
        )
        return 1
    if find_spec("jupyterlab") is None:
        raise ModuleNotFoundError("No module named jupyterlab", name="jupyterlab")
    remote = "SSH_CONNECTION" in os.environ and "DISPLAY" not in os.environ
    port = free_port(port or FIRST_PORT)
    print(
        "Starting JupyterLab; its address follows. To stop it: save your notebooks, "
        "then press Ctrl-C here."
    )
    if remote:
        print(
            "This is a remote machine. To reach it, run on your own: "
            f"ssh -N -L {port}:localhost:{port} <this machine>"
        )
    sys.stdout.flush()
    server = subprocess.Popen(
        command(port, open_browser and not remote),
        cwd=ROOT,
        env=environment(),
        stdin=subprocess.DEVNULL,
        # Ctrl-C in the terminal must reach us only: Jupyter would ask "Shut down?".
        start_new_session=True,
    )
    for name in ("SIGTERM", "SIGHUP"):  # a closed terminal ends the server too
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.default_int_handler)
    try:
        code = server.wait()
    except KeyboardInterrupt:
        print("\nStopping JupyterLab ...", flush=True)
        stop(server)
        return 0
    if code:
        print("JupyterLab ended with an error: its own words stand above.")
    return code


def command(port: int, open_browser: bool) -> list[str]:
    """Return the command line of the server."""
    # In a container everybody is root; the server listens on this machine only.
    root = ["--allow-root"] if getattr(os, "geteuid", lambda: 1)() == 0 else []
    return [
        sys.executable,
        "-m",
        "jupyterlab",
        f"--port={port}",
        f"--ServerApp.open_browser={open_browser}",
        f"--ServerApp.root_dir={ROOT}",
        f"--FileContentsManager.preferred_dir={ROOT / 'notebooks'}",
        f"--LabApp.default_url=/lab/tree/{FIRST}",
        "--Application.log_level=WARN",
        *root,
    ]


def environment() -> dict[str, str]:
    """Return the environment of the server, which its kernels inherit."""
    programs = str(Path(sys.executable).parent)
    return {
        "TF_CPP_MIN_LOG_LEVEL": "3",
        PROVISIONER_VARIABLE: WARM,
        **os.environ,
        # nbgrader starts programs of the environment by their bare names.
        "PATH": os.pathsep.join([programs, os.environ.get("PATH", os.defpath)]),
    }


def free_port(port: int) -> int:
    """Return `port` or the next one above it that nobody listens on."""
    for candidate in range(port, port + 100):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", candidate))
            except OSError:
                continue
            return candidate
    raise SystemExit(
        f"No free port from {port} to {port + 99}: name another one with --port."
    )


def stop(server: subprocess.Popen) -> None:
    """Let the server end its kernels; after a while end it by force."""
    server.terminate()
    try:
        server.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()
