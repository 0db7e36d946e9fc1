"""A JupyterHub with the room, on free ports of this machine, for the tests."""

import contextlib
import http.client
import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import psutil
from checkout import clean_environment

from workshop import node
from workshop.room import catalogue

START_SECONDS, STOP_SECONDS, END_SECONDS = 60, 15, 10
PASSWORD = "for the tests"
CONFIG = """\
import os, sys
from workshop.room.hub_settings import add_room
from jupyterhub.services import service
from traitlets import Integer

class Watchful(service._ServiceSpawner):
    poll_interval = Integer(1)  # else it takes 30 s until a dead service is seen

service._ServiceSpawner = Watchful
c = get_config()
c.JupyterHub.bind_url = os.environ["HUB_URL"]
c.JupyterHub.hub_bind_url = os.environ["HUB_INSIDE"]
c.JupyterHub.db_url = "sqlite://"
c.JupyterHub.cookie_secret = os.urandom(32)
c.JupyterHub.log_level = "WARN"
c.ConfigurableHTTPProxy.command = {proxy!r}
c.ConfigurableHTTPProxy.api_url = os.environ["PROXY_URL"]
c.ConfigurableHTTPProxy.pid_file = "proxy.pid"
c.JupyterHub.authenticator_class = "dummy"
c.JupyterHub.spawner_class = "simple"
c.SimpleLocalProcessSpawner.home_dir_template = os.getcwd() + "/{{username}}"
c.DummyAuthenticator.password = {password!r}
c.Authenticator.allow_all = True
c.Spawner.cmd = [sys.executable, "-m", "jupyterhub.singleuser"]
c.Spawner.args = ["--allow-root"]
c.Spawner.environment = {{
    "JUPYTERHUB_SINGLEUSER_APP": "jupyter_server.serverapp.ServerApp",
    "JUPYTER_CONFIG_DIR": os.getcwd() + "/jupyter",
}}
c.JupyterHub.services = [{{"name": "tests", "api_token": os.environ["TESTS_TOKEN"]}}]
c.JupyterHub.load_roles = [
    {{"name": "tests", "services": ["tests"],
      "scopes": ["admin:users", "tokens", "admin:servers", "access:services"]}},
]
add_room(
    c,
    instructors=["teacher"],
    url=os.environ["ROOM_URL"],
    environment={{
        "COURSE_ROOM_SOCKET": os.environ["ROOM_SOCKET"],
        "COURSE_ROOM_STATE": os.environ["ROOM_STATE"],
        "COURSE_ROOM_ADDRESS": os.environ["HUB_URL"] + "/services/room/",
    }},
    report_url="http+unix://" + os.environ["ROOM_SOCKET"].replace("/", "%2F")
    + "/services/room/",
)
"""
EXTENSION = {"ServerApp": {"jpserver_extensions": {"workshop.inside.live_view": True}}}


@dataclass
class Answer:
    """Status, text and headers (by lower-case name) of an answer."""

    status: int
    text: str
    headers: dict


class Hub:
    """A running hub: its address, and requests to it and to the room."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.url = f"http://127.0.0.1:{free_port()}"
        self.room_port = free_port()
        self.room = f"{self.url}/services/room/"
        self.socket = folder / "room.sock"
        self.state = folder / "room.json"
        self._token = secrets.token_hex(16)
        self._tokens = {}

    def environment(self):
        return clean_environment(
            HUB_URL=self.url,
            HUB_INSIDE=f"http://127.0.0.1:{free_port()}",
            PROXY_URL=f"http://127.0.0.1:{free_port()}",
            TESTS_TOKEN=self._token,
            ROOM_URL=f"http://127.0.0.1:{self.room_port}",
            ROOM_SOCKET=str(self.socket),
            ROOM_STATE=str(self.state),
            CONFIGPROXY_AUTH_TOKEN=secrets.token_hex(16),
        )

    def ask(self, method, path, token=None, body=None, headers=None, port=None):
        """Send one request, to the hub's proxy or to a port."""
        parts = urlsplit(self.url)
        line = http.client.HTTPConnection("127.0.0.1", port or parts.port, timeout=30)
        headers = dict(headers or {})
        if token:
            headers["Authorization"] = f"token {token}"
        if isinstance(body, dict):
            body = json.dumps(body)
        try:
            line.request(method, path, body, headers)
            answer = line.getresponse()
            text = answer.read().decode("utf-8", "replace")
            headers = {key.lower(): value for key, value in answer.getheaders()}
            return Answer(answer.status, text, headers)
        finally:
            line.close()

    def token(self, name):
        """A token of a learner, who is made where there is none."""
        if name not in self._tokens:
            made = self.ask("POST", f"/hub/api/users/{name}", self._token)
            assert made.status in (201, 409), made
            given = self.ask("POST", f"/hub/api/users/{name}/tokens", self._token, {})
            assert given.status == 201, given
            self._tokens[name] = json.loads(given.text)["token"]
        return self._tokens[name]

    def send(self, path, name, body=None, **more):
        """A request to the room in the name of a learner, past the proxy."""
        path = f"/services/room/{path}"
        method = "GET" if body is None else "POST"
        token = self.token(name)
        return self.ask(method, path, token, body, port=self.room_port, **more)

    def report(self, name, **tables):
        answer = self.send("report", name, tables)
        assert answer.status == 204, answer
        return answer

    def start_server(self, name):
        """Start the Jupyter server of a learner."""
        self.token(name)
        home = self.folder / name
        home.mkdir(exist_ok=True)
        made = self.ask("POST", f"/hub/api/users/{name}/server", self._token, {})
        assert made.status in (201, 202), made
        return home

    def service_process(self):
        """The process of the room's service."""
        for process in psutil.process_iter(["cmdline"]):
            if (process.info["cmdline"] or [])[-1:] == ["workshop.room"] and (
                f"http://127.0.0.1:{self.room_port}"
                == process.environ().get("JUPYTERHUB_SERVICE_URL")
            ):
                return process
        return None

    def wait_for_room(self):
        wait(lambda: self._answers("/services/room/static/room.css"))

    def _answers(self, path):
        with contextlib.suppress(OSError, http.client.HTTPException):
            return self.ask("GET", path).status == 200
        return False


def wait(until, seconds=START_SECONDS):
    end = time.monotonic() + seconds
    while not (found := until()):
        assert time.monotonic() < end, f"nothing within {seconds} s"
        time.sleep(0.05)
    return found


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextlib.contextmanager
def running_hub(folder):
    """A hub with the room until the end of the block; then nothing of it is left."""
    catalogue.load()  # else the hub would wait for TensorFlow
    config = CONFIG.format(proxy=node.proxy_command(), password=PASSWORD)
    (folder / "jupyterhub_config.py").write_text(config)
    (folder / "jupyter").mkdir()
    (folder / "jupyter" / "jupyter_server_config.json").write_text(
        json.dumps(EXTENSION)
    )
    hub = Hub(folder)
    with (folder / "hub.log").open("w") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "jupyterhub"],
            cwd=folder,
            env=hub.environment(),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        try:
            wait(lambda: process.poll() is not None or hub._answers("/hub/api/"))
            assert process.poll() is None, "the hub ended"
            hub.wait_for_room()
        except AssertionError as error:
            raise AssertionError((folder / "hub.log").read_text()[-4000:]) from error
        yield hub
    finally:
        mine = []
        with contextlib.suppress(psutil.NoSuchProcess):
            mine = psutil.Process(process.pid).children(recursive=True)
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        for left in psutil.wait_procs(mine, 5)[1]:
            with contextlib.suppress(psutil.NoSuchProcess):
                left.kill()


def left_behind(folder):
    """The processes that work in `folder` and do not end."""
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error, OSError):
            if process.pid != os.getpid() and Path(process.cwd()) == folder:
                found.append(process)
    return psutil.wait_procs(found, END_SECONDS)[1]
