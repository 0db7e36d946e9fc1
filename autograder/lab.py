"""Start JupyterLab at the course's first notebook, and end it cleanly at Ctrl-C."""

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

from jupyter_server.serverapp import list_running_servers

ROOT = Path(__file__).resolve().parent.parent
FIRST = "notebooks/00_start_here/00_start_here.ipynb"
FIRST_PORT = 8888
START_SECONDS = 120
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
    """
    if not (ROOT / FIRST).exists():
        print(
            f"{FIRST} is missing in {ROOT}: run `course build` to make the notebooks.",
            file=sys.stderr,
        )
        return 1
    remote = "SSH_CONNECTION" in os.environ and "DISPLAY" not in os.environ
    port = free_port(port or FIRST_PORT)
    print("Starting JupyterLab ...", flush=True)
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
        address = wait_for_address(server)
        if address:
            print(invitation(address, remote), flush=True)
        return server.wait()
    except KeyboardInterrupt:
        print("\nStopping JupyterLab ...", flush=True)
        stop(server)
        return 0


def command(port: int, open_browser: bool) -> list[str]:
    """Return the command line of the server."""
    return [
        sys.executable,
        "-m",
        "jupyterlab",
        f"--port={port}",
        f"--ServerApp.open_browser={open_browser}",
        f"--ServerApp.root_dir={ROOT}",
        f"--ServerApp.preferred_dir={ROOT / 'notebooks'}",
        f"--LabApp.default_url=/lab/tree/{FIRST}",
        "--Application.log_level=WARN",
    ]


def environment() -> dict[str, str]:
    """Return the environment of the server, which its kernels inherit."""
    programs = str(Path(sys.executable).parent)
    return {
        "TF_CPP_MIN_LOG_LEVEL": "3",
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


def wait_for_address(server: subprocess.Popen) -> str | None:
    """Return the address of the first notebook once the server can be asked for it.

    None when the server ends or says nothing for two minutes.
    """
    deadline = time.monotonic() + START_SECONDS
    while server.poll() is None and time.monotonic() < deadline:
        for running in list_running_servers():
            if running["pid"] == server.pid:
                token = f"?token={running['token']}" if running["token"] else ""
                return f"{running['url']}lab/tree/{FIRST}{token}"
        time.sleep(0.2)
    return None


def invitation(address: str, remote: bool) -> str:
    """Return what a person reads when the server runs."""
    lines = ["The course is open at", "", f"    {address}", ""]
    if remote:
        number = address.split("/")[2].split(":")[-1]
        lines += [
            "This is a remote machine: on your own, first run",
            "",
            f"    ssh -N -L {number}:localhost:{number} <this machine>",
            "",
        ]
    return "\n".join([*lines, "Save your notebooks, then press Ctrl-C here to stop it."])


def stop(server: subprocess.Popen) -> None:
    """Let the server end its kernels; after a while end it by force."""
    server.terminate()
    try:
        server.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()
