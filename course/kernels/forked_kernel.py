"""Turn a fork with TensorFlow imported into an ipykernel like any other."""

from __future__ import annotations

import atexit
import logging
import os
import sys
from multiprocessing.connection import Connection
from pathlib import Path

INLINE = "module://matplotlib_inline.backend_inline"


def run(request: dict, line: Connection, home: str | None = None) -> None:
    """Run the kernel until it ends.

    Args:
        request: `arguments` for ipykernel, `env` and `cwd`; for a caged kernel also
            the text of its connection file.
        line: to the keeper, for siblings.
        home: the folder that stands in for HOME and the working directory.
    """
    from course.kernels import notice, siblings

    atexit._clear()  # what the fork server would do at its end
    arguments = _furnish(request, home)
    siblings.use(line)
    from ipykernel.kernelapp import IPKernelApp

    sys.argv = ["ipykernel_launcher", *arguments]
    before = sys.stdout, sys.stderr
    # it looks whether its parent lives, and tells nobody how to connect
    app = IPKernelApp.instance(parent_handle=os.getppid())
    app.initialize(arguments)
    _point_loggers_at_the_notebook(*before)
    if path := os.environ.get(notice.VARIABLE):
        notice.show(app.shell, Path(path))
    app.start()
    atexit._run_exitfuncs()  # a fork ends by os._exit, which leaves them out


def _furnish(request: dict, home: str | None) -> list[str]:
    """Give this process the environment and folder that a new one would have."""
    os.environ.clear()
    os.environ.update(request["env"])
    arguments = list(request["arguments"])
    if home is not None:
        os.environ.update(HOME=home, TMPDIR="/tmp")
        for name in ("IPYTHONDIR", "MPLCONFIGDIR", "COURSE_DATA_DIR"):
            os.environ[name] = f"{home}/{name.lower()}"
        connection = f"{home}/connection.json"
        with open(connection, "w", encoding="utf-8") as file:
            file.write(request["connection"])
        arguments = ["-f", connection, *arguments]
    os.chdir(home or request["cwd"])
    added = [
        each for each in os.environ.get("PYTHONPATH", "").split(os.pathsep) if each
    ]
    sys.path[:0] = added
    sys.path.append("")  # the notebook's own files, which the fork server must not see
    _reseed()
    import matplotlib

    matplotlib.rcParams["backend"] = os.environ.get("MPLBACKEND", INLINE)
    return arguments


def _reseed() -> None:
    """Give forks different random numbers (`random` does so by itself)."""
    import numpy as np

    np.random.seed()


def _point_loggers_at_the_notebook(stdout: object, stderr: object) -> None:
    """Send what was logged to the server's streams to this kernel's own."""
    loggers = [
        logging.getLogger(),
        *map(logging.getLogger, logging.root.manager.loggerDict),
    ]
    for logger in loggers:
        for handler in logger.handlers:
            for old, new in ((stdout, sys.stdout), (stderr, sys.stderr)):
                if getattr(handler, "stream", None) is old:
                    handler.setStream(new)
