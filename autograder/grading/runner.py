"""nbclient's execution of a notebook, within the limits; its checks only observe."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Mapping
from pathlib import Path
from queue import Empty

import zmq
from jupyter_client import KernelClient
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient
from nbclient.exceptions import CellTimeoutError
from nbformat import NotebookNode
from nbformat.v4 import new_output
from nbgrader.utils import is_locked

from autograder.grading.cell_code import name_of, only_defines
from autograder.grading.client import Client
from autograder.grading.jobs import Job
from autograder.grading.kernels import Kernels
from autograder.grading.limits import Limits
from autograder.grading.output import Output
from autograder.grading.verdict_cells import LOOK, checks_in, looks_in
from course.checks.handing_over import SOURCE

LARGEST_MESSAGE = 64 * 2**20
READY_SECONDS = 60
LOOK_SECONDS = 0.5
MOST_NAMES = 5  # of what one cell bound anew
MOST_OBSERVED = 2**24  # characters of one answer; the course's own are below 2**20
INSTALL = """\
__import__('importlib').import_module('course.checks.handing_over').install('{}')
__import__('importlib').import_module('course.checks.graded_kernel').prepare({})
"""
CHANGES = (
    "__import__('importlib').import_module('course.checks.graded_kernel')"
    ".report_changes()"
)
SHORTER = 4  # of the time for a cell, where one before it was interrupted
TIMES_LONGEST = 10  # and of the longest cell before it: a busy machine slows all cells
OUTPUT_SECONDS = 10.0  # for what a cell displayed, after its end; no verdict needs it


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

    reasons, flags, suspicions: as in Executed.
    waited: seconds that the last cell was given.
    observed: cell number -> what its check handed over, base64.
    """

    def __init__(
        self, notebook: NotebookNode, job: Job, kernels: Kernels, folder: Path
    ) -> None:
        """Prepare to execute `notebook` in place, with sockets in `folder`."""
        self.job, self.kernels, self.folder = job, kernels, folder
        self.reasons: list[str] = []
        self.flags: list[str] = []
        self.suspicions: list[str] = []
        self.cell_seconds = self._longest = self.waited = 0.0
        self._interrupted, self._output_seconds = False, OUTPUT_SECONDS
        self._exercises = {**dict(checks_in(notebook)), **dict(looks_in(notebook))}
        code = (n for n, c in enumerate(notebook.cells) if c.cell_type == "code")
        self._last = max(set(code) - set(job.left_out), default=0)
        self._output = Output(job.limits)
        self.observed: dict[int, str] = {}
        self._began: float | None = None  # when the first cell did
        self._running: tuple[int, float] | None = None
        self._watched = False  # whether it is known what was bound before own cells
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
        code = INSTALL.format(self.job.trials, 2 * self.job.limits.cell_output)
        content = await self._ask(client, code)
        if content is None:
            raise NotStarted("its kernel died before its first cell")
        if content["status"] != "ok":
            said = str(content.get("evalue"))[:200]
            raise NotStarted(f"its kernel does not know the course ({said})")

    async def _ask(self, client: KernelClient, code: str) -> dict | None:
        """The reply to code that is not the notebook's; None from a dead kernel."""
        asked = asyncio.ensure_future(
            client.execute(
                code,
                silent=True,
                store_history=False,
                reply=True,
                timeout=READY_SECONDS,
            )
        )
        while not (await asyncio.wait({asked}, timeout=LOOK_SECONDS))[0]:
            if not await client.is_alive():  # a dead kernel answers nothing
                asked.cancel()
                return None
        return asked.result()["content"]

    async def async_execute_cell(
        self, cell: NotebookNode, cell_index: int, *arguments: object, **options: object
    ) -> NotebookNode:
        """Execute a cell, unless it is left out, and note what it binds anew."""
        if cell_index in self.job.left_out:
            return cell
        own = cell.cell_type == "code" and not (
            is_locked(cell) or cell.metadata.get(LOOK)
        )
        if own and not self._watched:
            self._watched = True
            await self._note_changes("")
        done = await super().async_execute_cell(cell, cell_index, *arguments, **options)
        if own and not only_defines(cell.source):
            await self._note_changes(name_of(cell))
        elif self._watched and cell_index == self._last:
            await self._note_changes("what ran in the checks")
        return done

    async def _note_changes(self, who: str) -> None:
        with contextlib.suppress(Exception):  # a kernel that can't say it is judged
            content = await self._ask(self.kc, CHANGES) or {}
            for each in _payloads(content, "changed"):
                if who and isinstance(each, list):
                    names = ", ".join(str(name)[:80] for name in each[:MOST_NAMES])
                    self.suspicions.append(f"{who} replaced {names}")

    async def _async_poll_for_reply(
        self,
        msg_id: str,
        cell: NotebookNode,
        timeout: float,
        task_poll_output_msg: asyncio.Future,
        task_poll_kernel_alive: asyncio.Future,
    ) -> dict:
        """Return the kernel's reply, which alone is the end of a cell.

        nbclient's waits for a message that the kernel may drop where it displays much.

        Raises:
            CellTimeoutError: it went on for too long, also after it was interrupted.
        """
        self.waited = timeout
        reply = await self._reply(msg_id, timeout)
        if reply is None:
            self._interrupted = True
            await self.km.interrupt_kernel()
            reply = await self._reply(msg_id, self.job.limits.interrupt_seconds)
            if reply is None:
                task_poll_kernel_alive.cancel()
                await self._async_check_alive()
                raise CellTimeoutError(f"went on after {timeout:.0f} s")
            said = f"stopped after {timeout:.0f} s"
            reply["content"] |= {"ename": CellTimeoutError.__name__, "evalue": said}
        _, missing = await asyncio.wait(
            {task_poll_output_msg}, timeout=self._output_seconds
        )
        if missing:  # what displays nothing any more is not waited for again
            self._output_seconds = LOOK_SECONDS
            task_poll_output_msg.cancel()
        task_poll_kernel_alive.cancel()
        return reply

    async def _reply(self, msg_id: str, seconds: float) -> dict | None:
        """The reply to a request; None where none comes in so many seconds."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            with contextlib.suppress(Empty):
                reply = await self.kc.shell_channel.get_msg(timeout=left)
                if reply["parent_header"].get("msg_id") == msg_id:
                    return reply
        return None

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
        return name_of(self.nb.cells[self._running[0]]) if self._running else "it"

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
                self.suspicions.append(
                    f"the check of {exercise} ended and handed nothing over"
                )

    def process_message(
        self, msg: dict, cell: NotebookNode, cell_index: int
    ) -> NotebookNode | None:
        """Cut output beyond the limits."""
        kind = msg["msg_type"]
        if kind.startswith("comm_"):
            return None  # widgets are not shown in feedback
        kept = None if kind == "status" else self._output.take(msg.get("content", {}))
        if kept is None:
            return super().process_message(msg, cell, cell_index)
        if kept:
            cell.outputs.append(new_output("stream", name="stdout", text=kept))
            self.flags.append("a cell's output was cut")
        return None

    def _seconds_for(self, cell: NotebookNode) -> float:
        seconds = self.job.limits.cell_seconds
        if self._interrupted:  # whatever hangs the kernel may hang all that follows
            seconds = shorter(seconds, self._longest)
        return max(min(seconds, self.seconds_left()), 0.1)

    def _begin_cell(self, cell: NotebookNode, cell_index: int) -> None:
        if self.kernels.closed:
            raise RuntimeError("grading was stopped")
        self._began = self._began or time.monotonic()
        if self.seconds_left() <= 0:
            raise CellTimeoutError(all_too_long(self.job.limits))
        self._output.begin_cell()
        self._running = (cell_index, time.monotonic())

    def _end_cell(self, cell, cell_index: int, execute_reply: dict) -> None:
        seconds = time.monotonic() - self._running[1]
        self.cell_seconds += seconds
        self._running = None
        content = execute_reply["content"]
        for each in _payloads(content, "observed"):
            self._take(each, cell, cell_index)
        if content.get("ename") == CellTimeoutError.__name__:
            sentence = f"{name_of(cell)} was interrupted: {content['evalue']}"
            self.reasons.append(sentence)
            self._add_error(cell, "CellTimeoutError", content["evalue"])
            return
        self._longest = max(self._longest, seconds)
        if content.get("ename") == SystemExit.__name__:
            self.reasons.append(
                f"{name_of(cell)} ended the kernel, as exit() does: that cell ended "
                "there, and the cells below it were run"
            )

    def _take(self, handed: object, cell: NotebookNode, cell_index: int) -> None:
        """Keep what the check of this cell handed over; what can't be is noted."""
        exercise = self._exercises.get(cell_index)
        if exercise is None:
            return  # checks in cells of the learner's own don't count
        sound = isinstance(handed, dict) and isinstance(handed.get("npz"), str)
        if not sound or handed.get("exercise") != exercise:
            self.suspicions.append(
                f"something else than {exercise} was handed over for it"
            )
        elif len(handed["npz"]) > MOST_OBSERVED:
            self.suspicions.append(f"more was handed over for {exercise} than can be")
        elif cell_index in self.observed:
            self.suspicions.append(f"{exercise} was handed over more than once")
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


def shorter(seconds: float, longest: float) -> float:
    """How long a cell may run where one before it was interrupted.

    Args:
        seconds: for a cell.
        longest: of the cells that came to their end; all are slow on a busy machine.
    """
    return min(seconds, max(seconds / SHORTER, TIMES_LONGEST * longest))


def _payloads(content: Mapping, kind: str) -> list[object]:
    """What a reply brings of this kind; a submission may have put anything there."""
    found = content.get("payload")
    return [
        each.get("content")
        for each in (found if isinstance(found, list) else [])
        if isinstance(each, dict)
        and (each.get("source"), each.get("kind")) == (SOURCE, kind)
    ]


def _stopped(cell: NotebookNode) -> bool:
    """Whether an error ended the cell."""
    return any(each.output_type == "error" for each in cell.outputs)
