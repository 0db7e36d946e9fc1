"""Runs hub, proxy and live view under supervisord, which starts again what ends."""

from __future__ import annotations

import configparser
import contextlib
import http.client
import io
import json
import shlex
import ssl
import subprocess
import sys
import time
import urllib.error
import urllib.request
import xmlrpc.client
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import psutil
from supervisor.xmlrpc import SupervisorTransport

from autograder.places import CourseError
from course.whole_files import PRIVATE, write_whole
from workshop.folders import Folders
from workshop.options import Options
from workshop.reachable import outside_url
from workshop.room.hub_settings import service_environment
from workshop.sessions import WORKSHOP_VARIABLE

START_SECONDS = 90
STOP_SECONDS = 30
AWAY = (OSError, http.client.HTTPException, xmlrpc.client.Error)  # nobody answers
CONFIG = Path(__file__).resolve().with_name("hub_config.py")
ROOM = "/services/room/"
ROOM_FILE = f"{ROOM}static/room.css"
LAST_LINES = 12
CLEAR = 'rm -f "$0"; exec "$@"'


def write_config(folders: Folders, options: Options, proxy: list[str]) -> Path:
    """Write supervisord's configuration; `proxy` is the proxy's command."""
    listens = ["--ip", options.address, "--port", str(options.port)]
    if options.certificate:
        listens += ["--ssl-cert", options.certificate, "--ssl-key", options.key]
    listens += ["--api-socket", str(folders.proxy_socket)]
    # 503 as long as the hub is away: of a 404 JupyterLab says that a folder is gone
    listens += ["--default-target", options.hub_url]
    if options.subdomains:
        listens += ["--host-routing"]
    python = [sys.executable, "-P", "-m"]
    programs = {
        # a socket that a killed proxy left behind would keep the next one out
        "proxy": ["sh", "-c", CLEAR, str(folders.proxy_socket), *proxy, *listens],
        "hub": [*python, "workshop.hub", "-f", str(CONFIG)],
        "room": [*python, "workshop.room"],
        "turns": [*python, "workshop.turns", str(folders.queue)],
        # what it holds is in the memory of all sessions: it starts without variables
        "zygote": [
            *("env", "-i", f"{WORKSHOP_VARIABLE}={folders.data}", "LANG=C.UTF-8"),
            f"HOME={Path.home()}",  # Matplotlib's list of fonts is there
            *(*python, "workshop.zygote"),
            *(str(folders.zygote_socket), str(options.tasks)),
        ],
    }
    outside = outside_url(options)
    room = service_environment(
        url=f"http://127.0.0.1:{options.room_port}",
        api_token=options.secret,
        api_url=f"{options.hub_url}/hub/api",
    )
    if options.subdomains:  # JupyterHub tells the host to services that it starts only
        room["JUPYTERHUB_OAUTH_CALLBACK_URL"] = f"{outside}{ROOM}oauth_callback"
    secrets = {
        "proxy": {"CONFIGPROXY_AUTH_TOKEN": options.proxy_secret},
        "room": {
            **room,
            "COURSE_ROOM_SOCKET": str(folders.room_socket),
            "COURSE_ROOM_STATE": str(folders.room_state),
            "COURSE_ROOM_ACCOUNTS": str(folders.accounts),
            "COURSE_ROOM_WORKSHOP": str(folders.data),
            "COURSE_ROOM_ADDRESS": outside and f"{outside}{ROOM}",
        },
    }
    parser = configparser.RawConfigParser()
    parser["supervisord"] = {
        "logfile": _text(str(folders.logs / "supervisord.log")),
        "childlogdir": _text(str(folders.logs)),
        "pidfile": _text(str(folders.private / "supervisord.pid")),
        "umask": "077",
        "environment": _variables({WORKSHOP_VARIABLE: str(folders.data)}),
    }
    parser["unix_http_server"] = {
        "file": _text(str(folders.control)),
        "chmod": "0600",
    }
    parser["rpcinterface:supervisor"] = {
        "supervisor.rpcinterface_factory": (
            "supervisor.rpcinterface:make_main_rpcinterface"
        )
    }
    for name, command in programs.items():
        parser[f"program:{name}"] = {
            "command": _text(shlex.join(command)),
            "directory": _text(str(folders.private)),
            "environment": _variables(secrets.get(name, {})),
            "autorestart": "true",
            "startretries": "3",
            "stopwaitsecs": "15",
            "redirect_stderr": "true",
            "stdout_logfile": _text(str(folders.logs / f"{name}.log")),
            "stdout_logfile_maxbytes": "10MB",
            "stdout_logfile_backups": "2",
        }
    path = folders.private / "supervisord.conf"
    text = io.StringIO()
    parser.write(text)
    write_whole(path, text.getvalue().encode(), PRIVATE)
    return path


def start(folders: Folders, options: Options, config: Path) -> None:
    """Start supervisord in the background, and wait until hub and live view answer.

    Raises:
        CourseError: it does not; with the last lines of what it said.
    """
    command = [sys.executable, "-P", "-m", "supervisor.supervisord", "-c", str(config)]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=START_SECONDS
    )
    if done.returncode:
        raise CourseError(f"supervisord did not start: {done.stderr.strip()}")
    try:
        _wait_for_answers(folders, options)
    except CourseError:
        stop(folders)
        raise


def last_words(folders: Folders, name: str, lines: int = LAST_LINES) -> str:
    """The last lines of a program's log."""
    try:
        text = (folders.logs / f"{name}.log").read_text(errors="replace")
    except OSError:
        return "(it said nothing)"
    return "\n".join(text.splitlines()[-lines:])


def answers(options: Options) -> bool:
    """Whether hub and live view answer behind the proxy, whose way to both is known."""
    own = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(options.address)
    url = options.url.replace(options.address, own) if own else options.url
    # with a name for each session, the proxy looks at the name that was typed
    host = {"Host": urlsplit(options.public).netloc} if options.subdomains else {}
    any_certificate = ssl.create_default_context()  # it is this machine's own
    any_certificate.check_hostname = False
    any_certificate.verify_mode = ssl.CERT_NONE
    try:
        asked = urllib.request.Request(f"{url}/hub/api/", headers=host)
        with urllib.request.urlopen(asked, timeout=5, context=any_certificate) as found:
            known = "version" in json.load(found)
        asked = urllib.request.Request(f"{url}{ROOM_FILE}", headers=host)
        with urllib.request.urlopen(asked, timeout=5, context=any_certificate):
            return known
    except (OSError, ValueError, http.client.HTTPException):
        return False


def programs(folders: Folders) -> list[dict]:
    """What supervisord says of its programs; nothing where it does not run."""
    try:
        with _supervisor(folders) as asked:
            return asked.getAllProcessInfo()
    except AWAY:
        return []


def restart_hub(folders: Folders, options: Options) -> None:
    """Start the hub anew, so that it reads its accounts; sessions go on meanwhile.

    Raises:
        CourseError: it does not come back; with the last lines of what it said.
    """
    with _supervisor(folders) as asked:
        with contextlib.suppress(xmlrpc.client.Fault):  # it does not run just now
            asked.stopProcess("hub")
        asked.startProcess("hub")
    _wait_for_answers(folders, options)


def stop(folders: Folders) -> None:
    """Tell supervisord to end its programs and itself; wait for it."""
    with (
        contextlib.suppress(*AWAY, psutil.NoSuchProcess),
        _supervisor(folders) as asked,
    ):
        process = psutil.Process(asked.getPID())
        asked.shutdown()
        try:
            process.wait(STOP_SECONDS)
        except psutil.TimeoutExpired:
            process.kill()


def _wait_for_answers(folders: Folders, options: Options) -> None:
    until = time.monotonic() + START_SECONDS
    while not answers(options):
        states = {each["name"]: each["statename"] for each in programs(folders)}
        late = time.monotonic() > until
        failed = [
            name
            for name, state in states.items()
            if state == "FATAL" or (late and state != "RUNNING")
        ]
        if failed or late:
            name = (failed or ["hub"])[0]
            raise CourseError(
                f"The workshop did not start: {name} does not run. Its last words "
                f"({folders.logs / f'{name}.log'}):\n{last_words(folders, name)}"
            )
        time.sleep(0.2)


def _text(value: str) -> str:
    """`value` as supervisord reads it back: it puts values in for percent signs."""
    return value.replace("%", "%%")


def _variables(values: dict[str, str]) -> str:
    return ",".join(f'{name}="{_text(value)}"' for name, value in values.items())


@contextlib.contextmanager
def _supervisor(folders: Folders) -> Iterator[xmlrpc.client.ServerProxy]:
    transport = SupervisorTransport(serverurl=f"unix://{folders.control}")
    server = xmlrpc.client.ServerProxy("http://127.0.0.1", transport=transport)
    try:
        yield server.supervisor
    finally:
        transport.close()
