"""Chromium for the browser tests: the one that Debian or the machine has."""

import contextlib
import os
import shutil

import psutil
import pytest
from playwright.sync_api import Page, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
# whether ten seconds are enough for some frames: one may still come from a queue
DRAWS = """new Promise(told => {
    let frames = 6;
    const next = () => frames-- ? requestAnimationFrame(next) : told(true);
    next();
    setTimeout(() => told(false), 10000);
})"""


@contextlib.contextmanager
def running_chromium():
    """A browser; without Chromium the test is skipped, but fails in CI."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        sentence = "Chromium is missing. On Debian: sudo apt install chromium"
        if os.environ.get("CI") == "true":
            pytest.fail(sentence)
        pytest.skip(sentence)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=FLAGS)
        yield browser
        browser.close()


def make_it_draw(page: Page) -> None:
    """Return when the page draws frames; end Chromium's drawing process where it hangs.

    Without frames no click and no screenshot ends. Chromium starts another process.
    """
    for _ in range(2):  # Chromium itself gives up after a few lost processes
        if page.evaluate(DRAWS):
            return
        kill(drawing_processes())
    assert page.evaluate(DRAWS), "three drawing processes in turn have drawn nothing"


def kill(processes: list[psutil.Process]) -> None:
    """End these processes; some may be gone already."""
    for process in processes:
        with contextlib.suppress(psutil.NoSuchProcess):
            process.kill()


def drawing_processes() -> list[psutil.Process]:
    """Return the drawing process of each browser that this process has started."""
    found = []
    for process in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.NoSuchProcess):
            if "--type=gpu-process" in process.cmdline():
                found.append(process)
    return found
