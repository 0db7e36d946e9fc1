"""Links between the processes of a cluster that are slow, thin, lossy, deaf or cut.

with Cluster({"worker": 2}) as cluster, Links(cluster, delay=0.01) as links:
    cluster.start(train, configs=links.configs)
    run = cluster.join()
links["worker 1"].requests
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import threading
import time
from collections.abc import Iterator

from course.runs.cluster.grpc_requests import RequestCounter
from course.runs.cluster.launcher import Cluster
from course.runs.cluster.ports import Ports

CHUNK = 1 << 16
END_SECONDS = 5.0
RESEND_SECONDS = 0.2  # Linux's shortest time until TCP sends a lost piece again


class Link:
    """What stands in front of one process's port and passes everything on.

    delay: seconds that each byte takes, one way.
    bandwidth: bytes a second, each way and connection; None: as fast as it goes.
    loss: share of the pieces that are lost. As TCP sends them again, such a piece and
        all behind it come RESEND_SECONDS late. Drawn from a seed.
    deaf: whether bytes are swallowed, as by a firewall that drops.
    passed: bytes that were passed on so far, both ways together.
    """

    def __init__(self, port: int, target: int) -> None:
        self.port, self._target = port, target
        self.delay = 0.0
        self.bandwidth: float | None = None
        self.loss = 0.0
        self.deaf = False
        self._chance = random.Random(0)
        self.is_cut = False
        self.passed = 0
        self._counters: list[RequestCounter] = []
        self._writers: set[asyncio.StreamWriter] = set()

    @property
    def requests(self) -> int:
        """How many gRPC requests have come for the process behind this link."""
        return sum(counter.requests for counter in list(self._counters))

    async def listen(self) -> asyncio.Server:
        """Begin to accept connections."""
        return await asyncio.start_server(self._serve, "127.0.0.1", self.port)

    def close_all(self) -> None:
        """Break all connections; to be called in the links' own thread."""
        for writer in list(self._writers):
            writer.transport.abort()

    async def _serve(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self._writers.add(writer)
        # cancelled where the links end while bytes are on their way
        with contextlib.suppress(OSError, asyncio.CancelledError):
            if not self.is_cut:
                there = await asyncio.open_connection("127.0.0.1", self._target)
                self._writers.add(there[1])
                self._counters.append(RequestCounter())
                await asyncio.gather(
                    self._pump(reader, there[1], self._counters[-1]),
                    self._pump(there[0], writer, None),
                )
                there[1].transport.abort()
        writer.transport.abort()

    async def _pump(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        counter: RequestCounter | None,
    ) -> None:
        """Pass on what comes, each piece when it is due, until one side closes."""
        due: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()
        sender = asyncio.ensure_future(_send(due, writer))
        free_at = 0.0
        try:
            with contextlib.suppress(OSError):
                while data := await reader.read(CHUNK):
                    if counter is not None:
                        counter.see(data)
                    if self.deaf:
                        continue
                    self.passed += len(data)
                    free_at = max(free_at, time.monotonic())
                    if self.bandwidth:
                        free_at += len(data) / self.bandwidth
                    if self._chance.random() < self.loss:
                        free_at += RESEND_SECONDS
                    due.put_nowait((free_at + self.delay, data))
        finally:
            due.put_nowait((0.0, b""))
            with contextlib.suppress(OSError):
                await sender


async def _send(
    due: asyncio.Queue[tuple[float, bytes]], writer: asyncio.StreamWriter
) -> None:
    while True:
        at, data = await due.get()
        if not data:
            writer.close()
            return
        await asyncio.sleep(max(0.0, at - time.monotonic()))
        writer.write(data)
        await writer.drain()


class Links:
    """A link in front of every process of a cluster; a context manager ends them.

    Args:
        cluster: not started yet.
        delay: seconds, of all links; change one by `links["worker 1"].delay`.
        bandwidth: bytes a second, of all links; None: as fast as it goes.

    configs: a TF_CONFIG for each name; others are reached through their links.
    """

    def __init__(
        self, cluster: Cluster, *, delay: float = 0.0, bandwidth: float | None = None
    ) -> None:
        self._ports = Ports(len(cluster.configs))
        self._links: dict[str, Link] = {}
        self.configs: dict[str, str] = {}
        ports = iter(self._ports.numbers)
        for kind, hosts in cluster.hosts.items():
            for index, host in enumerate(hosts):
                link = Link(next(ports), int(host.rpartition(":")[2]))
                link.delay, link.bandwidth = delay, bandwidth
                self._links[f"{kind} {index}"] = link
        for name in self._links:
            self.configs[name] = self._config(cluster, name)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._up = threading.Event()

    def __enter__(self) -> Links:
        self._thread.start()
        self._up.wait()
        return self

    def __exit__(self, *error: object) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(END_SECONDS)
        self._ports.close()

    def __getitem__(self, name: str) -> Link:
        return self._links[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._links)

    def cut(self, name: str) -> None:
        """Break the connections to a process, and refuse new ones."""
        self._links[name].is_cut = True
        self._loop.call_soon_threadsafe(self._links[name].close_all)

    def _config(self, cluster: Cluster, name: str) -> str:
        told = json.loads(cluster.configs[name])
        for kind, hosts in told["cluster"].items():
            for index in range(len(hosts)):
                other = f"{kind} {index}"
                if other != name:
                    hosts[index] = f"127.0.0.1:{self._links[other].port}"
        return json.dumps(told)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        for link in self._links.values():
            self._loop.run_until_complete(link.listen())
        self._up.set()
        self._loop.run_forever()
        for link in self._links.values():
            link.close_all()
        waiting = asyncio.all_tasks(self._loop)
        for task in waiting:
            task.cancel()
        self._loop.run_until_complete(asyncio.gather(*waiting, return_exceptions=True))
        self._loop.close()
