"""Real workers that read one dataset from a tf.data service, a process of its own."""

from __future__ import annotations

import threading
import time

import tensorflow as tf

from course.runs.cluster import Cluster, note

ROWS, BATCH = 48, 4
SERVICE = "service 0"
TURN = 0.02  # seconds that a reader takes for a batch, so that the other comes to ask
DATA_WORKERS = 2  # that prepare the data, inside the service's process


def read_from_service(mode: str, job_name: str | None = None) -> list[list[int]]:
    """Let two workers read the rows 0 to 47 from one service.

    Args:
        mode: such as "parallel_epochs" or "distributed_epoch".
        job_name: workers that name the same job share one reading of the data.

    Returns:
        For each worker the numbers of the rows it read, in order.

    Raises:
        StepFailed: a worker stopped with an error; says which, and why.
    """
    with Cluster({"worker": 2, "service": 1}) as cluster:
        (address,) = cluster.hosts["service"]
        cluster.start(_serve_data, address, only=[SERVICE])
        cluster.wait_until(lambda: cluster.serves(SERVICE))
        readers = [name for name in cluster.configs if name != SERVICE]
        cluster.start(_read, address, mode, job_name, only=readers)
        cluster.wait_until(lambda: cluster.running() <= {SERVICE})
        run = cluster.finish()
    return [run[name].value for name in readers]


def _serve_data(address: str) -> None:
    service = tf.data.experimental.service
    port = int(address.rpartition(":")[2])
    dispatcher = service.DispatchServer(service.DispatcherConfig(port=port))
    kept = [dispatcher]
    for _ in range(DATA_WORKERS):
        config = service.WorkerConfig(
            dispatcher_address=address, heartbeat_interval_ms=100
        )
        kept.append(service.WorkerServer(config))
    note(serves=len(kept))
    threading.Event().wait()


def _read(address: str, mode: str, job_name: str | None) -> list[int]:
    data = tf.data.Dataset.range(ROWS).batch(BATCH)
    shared = tf.data.experimental.service.distribute(
        processing_mode=mode,
        service=f"grpc://{address}",
        job_name=job_name,
        max_outstanding_requests=1,  # or the first to ask may take all in advance
    )
    rows = []
    for batch in data.apply(shared):
        rows += batch.numpy().tolist()
        time.sleep(TURN)
    return rows
