"""Start a command that runs JupyterLab, wait until it answers, and end it by its id."""

import contextlib
import http.client
import json
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit


@dataclass(frozen=True)
class Lab:
    """A server that answered `/api/status`: how soon, and how to reach it."""

    process: subprocess.Popen
    pid: int
    url: str
    token: str
    seconds: float

    def get(self, path: str) -> tuple[int, str]:
        """Return status and text of a page, asked for with the token."""
        return _get(self.url, self.token, path)


@contextlib.contextmanager
def running_lab(
    command: list[str],
    cwd: Path,
    env: dict[str, str],
    deadline: float,
) -> Iterator[Lab]:
    """Run `command` in `cwd` until its server answers; end both afterwards.

    `env` must name a JUPYTER_RUNTIME_DIR of its own. The command's output goes to
    the file `lab.log` there, and into the message if nothing answers in time.
    """
    runtime = Path(env["JUPYTER_RUNTIME_DIR"])
    runtime.mkdir(parents=True, exist_ok=True)
    begin = time.monotonic()
    with (runtime / "lab.log").open("w") as log:
        process = subprocess.Popen(
            command,
            cwd=cwd,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    server = None
    try:
        while server is None:
            out_of_time = time.monotonic() - begin > deadline
            if process.poll() is not None or out_of_time:
                raise AssertionError(
                    f"{command} gave no JupyterLab within {deadline} s:\n"
                    + (runtime / "lab.log").read_text()[-3000:]
                )
            time.sleep(0.2)
            server = _answering(runtime)
        seconds = time.monotonic() - begin
        yield Lab(process, server["pid"], server["url"], server["token"], seconds)
    finally:
        # The server may live in a session of its own: first it, then who waits for it.
        for path in runtime.glob("jpserver-*.json"):
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(path.stem.split("-")[1]), signal.SIGTERM)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _answering(runtime: Path) -> dict | None:
    for path in runtime.glob("jpserver-*.json"):
        try:
            server = json.loads(path.read_text())
            if _get(server["url"], server["token"], "api/status")[0] == 200:
                return server
        except (OSError, ValueError):
            continue
    return None


def _get(url: str, token: str, path: str) -> tuple[int, str]:
    parts = urlsplit(url)
    connection = http.client.HTTPConnection("127.0.0.1", parts.port, timeout=10)
    try:
        headers = {"Authorization": f"token {token}"}
        connection.request("GET", parts.path + path, headers=headers)
        response = connection.getresponse()
        return response.status, response.read().decode()
    finally:
        connection.close()
