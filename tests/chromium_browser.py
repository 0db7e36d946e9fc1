"""Chromium for the browser tests: the one that Debian or the machine has."""

import contextlib
import os
import shutil

import pytest
from playwright.sync_api import sync_playwright

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
