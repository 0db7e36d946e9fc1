"""Learners driven by a script: they sign in, run notebooks, fail, mend and submit.

They use what a browser uses: the hub's form, its API, the contents and kernels of their
own Jupyter server, and the Assignment List. It is for one's own machine only.
"""

from __future__ import annotations

import asyncio
import json
import re
import time
import uuid
from dataclasses import dataclass, field

import aiohttp
import nbformat
from nbformat import NotebookNode, v4

from course.checks.verdicts import MIME_TYPE

POLL = 0.25
SIGN_IN_SECONDS = 300


@dataclass
class Ran:
    """One cell that was run.

    seconds: until the kernel was done.
    verdict: the JSON of the check in it.
    error: names of the exceptions that reached the top.
    text: what it printed.
    """

    seconds: float
    verdict: dict | None
    error: str
    text: str


@dataclass
class Learner:
    """One learner with an account at the hub at `url`.

    tls: whether its certificate is looked at.
    ready_seconds: from sign-in until the Jupyter server answered.
    kernel_seconds: from asking for a kernel until it ran its first line.
    """

    url: str
    name: str
    password: str
    tls: bool = True
    ready_seconds: float = 0.0
    kernel_seconds: list[float] = field(default_factory=list)

    async def __aenter__(self) -> Learner:
        """Open a browser, so to speak."""
        # a learner's own connections; cookies for an address without a name, too
        self.http = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(ssl=self.tls),
            cookie_jar=aiohttp.CookieJar(unsafe=True),
            timeout=aiohttp.ClientTimeout(total=SIGN_IN_SECONDS),
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close it; the server goes on."""
        await self.http.close()

    async def sign_in(self) -> None:
        """Fill in the form, start the server, and wait until it answers.

        Raises:
            PermissionError: name and password do not fit.
            TimeoutError: there is no server after SIGN_IN_SECONDS.
        """
        began = time.perf_counter()
        async with self.http.get(f"{self.url}/hub/login") as page:
            mark = re.search(r'name="_xsrf" value="([^"]+)"', await page.text())
        form = {"username": self.name, "password": self.password, "_xsrf": mark[1]}
        # behind it waits the page that starts the server; we ask for that ourselves
        async with self.http.post(
            f"{self.url}/hub/login", data=form, allow_redirects=False
        ) as answer:
            if answer.status != 302:
                text = await answer.text()
                said = re.search(r'class="login_error">\s*(.*?)\s*<', text)
                why = said[1] if said else answer.status
                raise PermissionError(f"{self.name} can't sign in: {why}")
        async with self.http.get(f"{self.url}/hub/home") as page:
            mark = re.search(r'xsrf_token: "([^"]+)"', await page.text())
        async with self.http.post(
            f"{self.url}/hub/api/users/{self.name}/tokens",
            headers={"X-XSRFToken": mark[1]},
            json={"note": "script", "expires_in": 86400},
        ) as answer:
            token = (await answer.json())["token"]
        self.http.headers["Authorization"] = f"token {token}"
        async with self.http.post(
            f"{self.url}/hub/api/users/{self.name}/server"
        ) as answer:
            if answer.status not in (201, 202, 400):  # 400: it runs already
                answer.raise_for_status()
        while not await self._answers():
            if time.perf_counter() > began + SIGN_IN_SECONDS:
                raise TimeoutError(f"{self.name} has no server")
            await asyncio.sleep(POLL)
        self.ready_seconds = time.perf_counter() - began

    async def get(self, name: str) -> NotebookNode:
        """Open one of the learner's notebooks."""
        async with self.http.get(self._own(f"api/contents/{name}/{name}.ipynb")) as got:
            got.raise_for_status()
            return nbformat.from_dict((await got.json())["content"])

    async def save(self, name: str, notebook: NotebookNode) -> None:
        """Save it."""
        body = {"type": "notebook", "format": "json", "content": notebook}
        path = self._own(f"api/contents/{name}/{name}.ipynb")
        async with self.http.put(path, json=body) as answer:
            answer.raise_for_status()

    async def submit(self, name: str) -> None:
        """Press Submit in the Assignment List."""
        form = {"course_id": "tf-parallel-course", "assignment_id": name}
        async with self.http.post(self._own("assignments/submit"), data=form) as done:
            said = await done.json(content_type=None)  # it says text/html
        if not said.get("success"):
            raise RuntimeError(f"{self.name} could not submit {name}: {said}")

    def kernel(self, name: str) -> Kernel:
        """A kernel for one notebook; an asynchronous context manager."""
        return Kernel(self, name)

    def _own(self, path: str) -> str:
        return f"{self.url}/user/{self.name}/{path}"

    async def _answers(self) -> bool:
        async with self.http.get(
            self._own("api/status"), allow_redirects=False
        ) as answer:
            return answer.status == 200 and "started" in await answer.json()


class Kernel:
    """A learner's kernel with its channel."""

    def __init__(self, learner: Learner, name: str) -> None:
        self._learner, self._name = learner, name
        self.http = learner.http

    async def __aenter__(self) -> Kernel:
        """Start the kernel and run one line in it."""
        began = time.perf_counter()
        body = {"name": "python3", "path": f"{self._name}/{self._name}.ipynb"}
        async with self.http.post(
            self._learner._own("api/kernels"), json=body
        ) as answer:
            answer.raise_for_status()
            self._id = (await answer.json())["id"]
        await self.connect()
        await self.run("import tensorflow")
        self._learner.kernel_seconds.append(time.perf_counter() - began)
        return self

    async def connect(self) -> None:
        """Open the channel; anew where it was lost on the way."""
        self._channel = await self.http.ws_connect(
            self._learner._own(f"api/kernels/{self._id}/channels"), max_msg_size=0
        )

    async def __aexit__(self, *_: object) -> None:
        """End it."""
        await self._channel.close()
        await self.http.delete(self._learner._own(f"api/kernels/{self._id}"))

    async def run(self, code: str, cell: NotebookNode | None = None) -> Ran:
        """Run code; where it is a cell's, its outputs are put into the cell."""
        message = uuid.uuid4().hex
        began = time.perf_counter()
        header = {"msg_id": message, "msg_type": "execute_request", "version": "5.3"}
        header |= {"username": "", "session": self._id, "date": ""}
        content = {"code": code, "silent": False, "store_history": True}
        content |= {
            "user_expressions": {},
            "allow_stdin": False,
            "stop_on_error": False,
        }
        await self._channel.send_json(
            {"header": header, "parent_header": {}, "metadata": {}, "content": content}
            | {"channel": "shell", "buffers": []}
        )
        outputs, verdict, replied, idle = [], None, False, False
        while not (replied and idle):
            got = await self._channel.receive()
            if got.type != aiohttp.WSMsgType.TEXT:
                if got.type == aiohttp.WSMsgType.BINARY:
                    continue  # a widget's buffers
                raise ConnectionError(f"{self._learner.name}'s kernel is gone")
            said = json.loads(got.data)
            if said["parent_header"].get("msg_id") != message:
                continue
            kind, content = said["msg_type"], said["content"]
            replied |= kind == "execute_reply"
            idle |= kind == "status" and content["execution_state"] == "idle"
            if kind in ("display_data", "execute_result", "stream", "error"):
                outputs.append(v4.output_from_msg(said))
                verdict = content.get("data", {}).get(MIME_TYPE, verdict)
        if cell is not None:
            cell.outputs = outputs
        errors = [each.ename for each in outputs if each.output_type == "error"]
        text = "".join(o.text for o in outputs if o.output_type == "stream")
        return Ran(time.perf_counter() - began, verdict, ", ".join(errors), text)
