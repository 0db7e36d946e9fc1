"""nbclient's execution of a notebook, within the limits; its checks only observe."""

from __future__ import annotations

import asyncio
import contextlib
import math
import time
from pathlib import Path

import zmq
from jupyter_client import KernelClient
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient
from nbclient.exceptions import CellTimeoutError
from nbformat import NotebookNode
from nbformat.v4 import new_output

from autograder.grading.client import Client
from autograder.grading.jobs import Job
from autograder.grading.kernels import Kernels
from autograder.grading.limits import Limits
from autograder.grading.verdict_cells import checks_in
from course.checks.verdicts import OBSERVED_TYPE

LARGEST_MESSAGE = 64 * 2**20
READY_SECONDS = 60
LOOK_SECONDS = 0.5
DEEPEST = 30  # lists in lists of an output; figures and tables have a few
MOST_OBSERVED = 2**24  # characters of one answer; the course's own are below 2**20
INSTALL = (
    "__import__('importlib').import_module('course.checks.handing_over').install('{}')"
)


class NotStarted(RuntimeError):
    """No kernel could be started: the submission has no part in that."""


def all_too_long(limits: Limits) -> str:
    """Say that the cells together took too long."""
    return (
        f"its cells together ran longer than {limits.notebook_seconds:.0f} s, so the "
        "notebook was stopped there"
    )


class Runner(NotebookClient):
    """nbclient's execution, with the limits of grading.

    reasons, flags: as in Executed.
    observed: cell number -> what its check handed over, base64.
    """

    def __init__(
        self, notebook: NotebookNode, job: Job, kernels: Kernels, folder: Path
    ) -> None:
        """Prepare to execute `notebook` in place, with sockets in `folder`."""
        limits = job.limits
        self.job, self.kernels, self.folder = job, kernels, folder
        self.reasons: list[str] = []
        self.flags: list[str] = []
        self.cell_seconds = 0.0
        self._output = {"cell": 0, "notebook": 0}
        self.observed: dict[int, str] = {}
        self._began: float | None = None  # when the first cell did
        self._running: tuple[int, float] | None = None
        manager = AsyncKernelManager(
            kernel_name="python3",
            client_class=f"{Client.__module__}.{Client.__name__}",
            **({"transport": "ipc", "ip": str(folder / "s")} if kernels.warm else {}),
            connection_file=str(folder.parent / f"{folder.name}.json"),
        )
        self.provisioner = manager.provisioner = kernels.provisioner(manager)
        manager.context.setsockopt(zmq.MAXMSGSIZE, LARGEST_MESSAGE)
        super().__init__(
            notebook,
            km=manager,
            timeout_func=self._seconds_for,
            interrupt_on_timeout=True,
            iopub_timeout=limits.interrupt_seconds,
            raise_on_iopub_timeout=True,
            error_on_timeout={
                "ename": "CellTimeoutError",
                "evalue": f"stopped after {limits.cell_seconds:.0f} s",
                "traceback": [],
            },
            startup_timeout=READY_SECONDS,
            allow_errors=True,
            shutdown_kernel="immediate",
            store_widget_state=False,
            extra_arguments=["--log-level=CRITICAL"],
            skip_cells_with_tag="",
            on_cell_execute=self._begin_cell,
            on_cell_executed=self._end_cell,
        )

    def run(self) -> None:
        """Execute; raises what nbclient raises."""
        self.log.setLevel("CRITICAL")
        options = {"env": self._environment(), "cwd": str(self.folder)}
        if self.kernels.warm:
            options["server"] = self.kernels.server()
        if self.kernels.isolated:
            options["cage"] = self.kernels.cage(self.job, self.folder)
        # else nbclient leaves the kernel running, as it did not make the manager
        self.execute(cleanup_kc=True, **options)

    async def async_start_new_kernel_client(self) -> KernelClient:
        """Connect; the first thing that the kernel gets is what its checks try out.

        Raises:
            NotStarted: it can't take that.
        """
        client = await super().async_start_new_kernel_client()
        try:
            await self._give_cases(client)
        except BaseException:
            await self._async_cleanup_kernel()  # nbclient's does so for its own part
            raise
        return client

    async def _give_cases(self, client: KernelClient) -> None:
        asked = asyncio.ensure_future(
            client.execute(
                INSTALL.format(self.job.trials),
                silent=True,
                store_history=False,
                reply=True,
                timeout=READY_SECONDS,
            )
        )
        while not (await asyncio.wait({asked}, timeout=LOOK_SECONDS))[0]:
            if not await client.is_alive():  # a dead kernel answers nothing
                asked.cancel()
                raise NotStarted("its kernel died before its first cell")
        content = asked.result()["content"]
        if content["status"] != "ok":
            said = str(content.get("evalue"))[:200]
            raise NotStarted(f"its kernel does not know the course ({said})")

    async def async_execute_cell(
        self, cell: NotebookNode, cell_index: int, *arguments: object, **options: object
    ) -> NotebookNode:
        """Execute a cell, unless it is left out."""
        if cell_index in self.job.left_out:
            return cell
        return await super().async_execute_cell(cell, cell_index, *arguments, **options)

    def _cleanup_kernel(self) -> None:
        """At exit; nbclient does not expect that no kernel ever started."""
        if self.km is not None:
            super()._cleanup_kernel()

    def refuse_to_blame(self, error: Exception) -> None:
        """Raise NotStarted unless a cell has begun."""
        if self._running is None and not self.code_cells_executed:
            raise NotStarted(f"no kernel could be started ({error})") from error

    @property
    def where(self) -> str:
        """The cell that runs, in words."""
        return self._name(self.nb.cells[self._running[0]]) if self._running else "it"

    def _name(self, cell: NotebookNode) -> str:
        name = cell.metadata.get("nbgrader", {}).get("grade_id")
        first = next(filter(None, map(str.strip, cell.source.splitlines())), "")
        return f"the cell {name}" if name else f'the cell that begins "{first[:40]}"'

    def kernel_reason(self) -> str:
        """Say why the cage ended the kernel, if it did."""
        with contextlib.suppress(Exception):
            self.provisioner.forked.wait(2)
            if why := self.provisioner.forked.reason:
                return f"the notebook was stopped while {self.where} ran: {why}"
        return ""

    def seconds_left(self) -> float:
        """How long the notebook may still run."""
        now = time.monotonic()
        return self.job.limits.notebook_seconds - (now - (self._began or now))

    def finish(self) -> None:
        """Say in the check cells that did not run why."""
        if self._running is not None:  # a cell that never came to its end
            index, began = self._running
            self.cell_seconds += time.monotonic() - began
            if self.reasons:
                self._add_error(self.nb.cells[index], "Stopped", self.reasons[-1])
        for number, exercise in checks_in(self.nb):
            cell = self.nb.cells[number]
            if self.reasons and cell.execution_count is None:
                self._add_error(cell, "NotRun", f"Not run: {self.reasons[-1]}.")
            elif number not in self.observed and not _stopped(cell):
                self.flags.append(f"the check of {exercise} ran without the answer")

    def process_message(
        self, msg: dict, cell: NotebookNode, cell_index: int
    ) -> NotebookNode | None:
        """Take out what checks hand over, and cut output beyond the limits."""
        content = msg.get("content", {})
        data = content.get("data") if isinstance(content.get("data"), dict) else {}
        if OBSERVED_TYPE in data:
            self._take(data[OBSERVED_TYPE], cell, cell_index)
            return None
        if msg["msg_type"].startswith("comm_"):
            return None  # widgets are not shown in feedback
        size = _size(content)
        if msg["msg_type"] == "status" or size == 0:
            return super().process_message(msg, cell, cell_index)
        limits, used = self.job.limits, self._output
        room = min(
            limits.cell_output - used["cell"],
            limits.notebook_output - used["notebook"],
        )
        if size > room:
            return self._cut(msg, cell, cell_index, room)
        used["cell"] += size
        used["notebook"] += size
        return super().process_message(msg, cell, cell_index)

    def _cut(self, msg, cell, cell_index, room: int) -> NotebookNode | None:
        """Keep what fits of a stream, drop other output, and say so once a cell."""
        if self._output["cell"] < self.job.limits.cell_output:
            self._output["cell"] = self.job.limits.cell_output
            note = "\n[More output was cut: it is beyond the limit of grading.]\n"
            text = msg["content"].get("text", "") if room > 0 else ""
            kept = text[: max(room, 0)] if isinstance(text, str) else ""
            cell.outputs.append(new_output("stream", name="stdout", text=kept + note))
            self.flags.append("a cell's output was cut")
        return None

    def _seconds_for(self, cell: NotebookNode) -> float:
        return max(min(self.job.limits.cell_seconds, self.seconds_left()), 0.1)

    def _begin_cell(self, cell: NotebookNode, cell_index: int) -> None:
        if self.kernels.closed:
            raise RuntimeError("grading was stopped")
        self._began = self._began or time.monotonic()
        if self.seconds_left() <= 0:
            raise CellTimeoutError(all_too_long(self.job.limits))
        self._output["cell"] = 0
        self._running = (cell_index, time.monotonic())

    def _end_cell(self, cell, cell_index: int, execute_reply: dict) -> None:
        self.cell_seconds += time.monotonic() - self._running[1]
        self._running = None
        content = execute_reply["content"]
        if content.get("ename") == "CellTimeoutError":
            sentence = f"{self._name(cell)} was interrupted: {content['evalue']}"
            self.reasons.append(sentence)
            self._add_error(cell, "CellTimeoutError", content["evalue"])

    def _take(self, handed: object, cell: NotebookNode, cell_index: int) -> None:
        """Keep what the check of this cell handed over; what can't be is noted."""
        exercise = dict(checks_in(self.nb)).get(cell_index)
        if exercise is None:
            return  # checks in cells of the learner's own don't count
        sound = isinstance(handed, dict) and isinstance(handed.get("npz"), str)
        if not sound or handed.get("exercise") != exercise:
            self.flags.append(f"something else than {exercise} was handed over for it")
        elif len(handed["npz"]) > MOST_OBSERVED:
            self.flags.append(f"more was handed over for {exercise} than can be")
        elif cell_index in self.observed:
            self.flags.append(f"{exercise} was handed over more than once")
            self.observed[cell_index] = ""
        else:
            self.observed[cell_index] = handed["npz"]

    def _add_error(self, cell: NotebookNode, name: str, sentence: str) -> None:
        cell.outputs.append(
            new_output("error", ename=name, evalue=sentence, traceback=[sentence])
        )

    def _environment(self) -> dict[str, str]:
        return {
            **self.kernels.environment(self.folder),
            "COURSE_SEED": "",  # the class's is nobody's business here
            "COURSE_GRADING": "1",
            "TF_CPP_MIN_LOG_LEVEL": "3",
        }


def _stopped(cell: NotebookNode) -> bool:
    """Whether an error ended the cell."""
    return any(each.output_type == "error" for each in cell.outputs)


def _size(content: object) -> float:
    """About how many characters a message holds; endless where it is nested deeply."""
    size, level = 0, [content]
    for _ in range(DEEPEST):
        below = []
        for each in level:
            if isinstance(each, str):
                size += len(each)
            elif isinstance(each, dict):
                below += each.values()
            elif isinstance(each, list):
                below += each
        if not below:
            return size
        level = below
    return math.inf
