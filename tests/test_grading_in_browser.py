"""Feedback and Formgrader show what a hostile submission made, and run none of it."""

import json
import os
import sys
from html.parser import HTMLParser

import nbformat
import pytest
from checkout import ROOT, clean_environment
from chromium_browser import running_chromium
from hostile_course import (
    NAME,
    RIGHT,
    Submission,
    answer,
    cell,
    grade_class,
    hand_in,
    make_course,
)
from lab_page import CARD
from lab_process import running_lab
from nbformat.v4 import new_code_cell, new_markdown_cell, new_raw_cell
from nbgrader.api import Gradebook

pytestmark = [
    pytest.mark.prove,
    pytest.mark.browser,
    pytest.mark.xdist_group("browser"),
    pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning"),
]
START_SECONDS = 90
RUN = "window.pwned = 1; alert(1)"
HTML = (
    f"<script>{RUN}</script><b>bold</b>",
    f'<img src="x" onerror="{RUN}">',
    f"<svg onload='{RUN}'><script>{RUN}</script></svg>",
    "<iframe srcdoc='<script>parent.pwned = 1</script>'></iframe>",
    f"<a href='javascript:{RUN}'>link</a>",
    f"<details open ontoggle='{RUN}'>x</details>",
    f"<style>@import 'javascript:{RUN}'; body {{ display: none }}</style>",
    f"</div></body><script>{RUN}</script>",
    f"<form action='javascript:{RUN}'><button>ok</button></form>",
    f"<meta http-equiv='refresh' content='0;url=javascript:{RUN}'>",
    f"<base href='https://example.org/'><object data='javascript:{RUN}'></object>",
    f"<math><mtext></mtext><mglyph><style><img src=x onerror='{RUN}'></style></math>",
)
BUNDLES = {
    "application/javascript": RUN,
    "image/svg+xml": f"<svg onload='{RUN}'><script>{RUN}</script></svg>",
    "text/latex": rf"$\href{{javascript:{RUN}}}{{x}}$ <script>{RUN}</script>",
    "text/markdown": f"<script>{RUN}</script> [x](javascript:pwned=1)",
    "image/png": f'"><script>{RUN}</script>',
    "image/jpeg": f'"><script>{RUN}</script>',
    "text/plain": f"<script>{RUN}</script>",
    "application/vnd.jupyter.widget-view+json": {
        "model_id": f'"><script>{RUN}</script>',
        "version_major": 2,
        "version_minor": 0,
    },
    "application/vnd.plotly.v1+json": {"x": f"</script><script>{RUN}</script>"},
    "application/pdf": f'"><script>{RUN}</script>',
}
PRINTING = f"""\
import sys
from IPython.display import HTML, display
for html in {HTML!r}:
    display(HTML(html))
for kind, data in {BUNDLES!r}.items():
    display({{kind: data}}, raw=True)
    display({{kind: data, "text/plain": "x"}}, raw=True, metadata={{
        kind: {{"width": '"><script>{RUN}</script>', "unconfined": '"{RUN}"'}}}})
print("<script>{RUN}</script>", file=sys.stderr)
print("\\x1b[31m<script>{RUN}</script>\\x1b]8;;javascript:{RUN}\\x07x\\x1b]8;;\\x07")
raise ValueError("<script>{RUN}</script>")
"""
WIDGETS = {
    "application/vnd.jupyter.widget-state+json": {
        "version_major": 2,
        "version_minor": 0,
        "state": {"a": {"model_name": f"</script><script>{RUN}</script>"}},
    }
}


def hostile(notebook):
    answer(RIGHT)(notebook)
    notebook.cells.append(new_code_cell(PRINTING, id="own"))
    markdown = "\n\n".join((*HTML, rf"$\href{{javascript:{RUN}}}{{x}}$", "[l]: x"))
    notebook.cells.append(
        new_markdown_cell(
            f"{markdown}\n\n[x](javascript:{RUN.split(';')[0]})\n\n![p](attachment:a)",
            attachments={"a": {"image/svg+xml": f"<svg onload='{RUN}'></svg>"}},
            metadata={"tags": [f'"><script>{RUN}</script>']},
            id="prose",
        )
    )
    notebook.cells.append(new_raw_cell(f"<script>{RUN}</script>", id="raw"))
    cell(notebook, "my_first_drift-fix").source += f"\n# </script><script>{RUN}"
    notebook.metadata.widgets = nbformat.from_dict(WIDGETS)
    notebook.metadata.title = f"</title><script>{RUN}</script>"
    notebook.metadata.kernelspec.language = f'"><script>{RUN}</script>'


class Page(HTMLParser):
    """Collects what could run: scripts of the submission, handlers, addresses."""

    def __init__(self, html):
        super().__init__()
        self.inside, self.suspects = "", []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.inside = tag
        for name, value in attrs:
            address = (value or "").strip().lower().startswith(("javascript", "data:t"))
            if "pwned" in (value or "") and (name.startswith("on") or address):
                self.suspects.append((tag, name, value))
            if tag in ("iframe", "object", "embed", "base", "form"):
                self.suspects.append((tag, name, value))

    def handle_endtag(self, tag):
        self.inside = ""

    def handle_data(self, data):
        if self.inside in ("script", "style") and "pwned" in data:
            self.suspects.append((self.inside, data[:200]))


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    folder = tmp_path_factory.mktemp("browser")
    places = make_course(folder)
    hand_in(places, folder / "in", [Submission("s01", hostile)])
    with pytest.MonkeyPatch.context() as patch:
        return grade_class(places, folder / "in", patch, jobs=1)


@pytest.fixture(scope="module")
def server(graded, tmp_path_factory):
    """JupyterLab with nbgrader's Formgrader on the graded course."""
    home = tmp_path_factory.mktemp("jupyter")
    config = home / "config"
    config.mkdir()
    (config / "nbgrader_config.py").write_text(
        "from pathlib import Path\n"
        "from autograder.nbgrader_settings import configure\n"
        f"configure(get_config(), Path({str(graded.places.root)!r}))\n"
    )
    command = [
        *(sys.executable, "-m", "jupyterlab", "--port=0", "--no-browser"),
        f"--ServerApp.root_dir={graded.places.root}",
        *(["--allow-root"] if os.geteuid() == 0 else []),
    ]
    env = clean_environment(
        PATH=f"{os.path.dirname(sys.executable)}:{os.environ['PATH']}",
        PYTHONPATH=str(ROOT),
        JUPYTER_CONFIG_PATH=str(config),  # before that of the environment
        JUPYTER_CONFIG_DIR=str(home / "own"),
        JUPYTER_DATA_DIR=str(home / "data"),
        JUPYTER_RUNTIME_DIR=str(home / "runtime"),
    )
    with running_lab(command, graded.places.root, env, START_SECONDS) as running:
        yield running


@pytest.fixture(scope="module")
def look():
    """Open an address in Chromium: the page, and all dialogs it opened.

    At the end, no page may have fetched anything from elsewhere.
    """
    asked = []
    with running_chromium() as browser:

        def open_page(address):
            page, dialogs = browser.new_page(), []
            page.on("request", lambda each: asked.append(each.url))
            page.on(
                "dialog", lambda each: (dialogs.append(each.message), each.accept())
            )
            page.goto(address, wait_until="load")
            page.wait_for_timeout(1500)  # late scripts
            return page, dialogs

        yield open_page
    here = ("http://localhost", "http://127.0.0.1", "file:", "data:", "blob:")
    assert [url for url in asked if not url.startswith(here)] == []


def assert_harmless(page, dialogs):
    assert page.evaluate("window.pwned") is None
    assert dialogs == []
    assert page.locator('a[href^="javascript:" i]').count() == 0
    assert page.locator(f"body {CARD}").first.is_visible()
    assert "RIGHT" in page.locator(f"body {CARD}").first.inner_text()


def test_nothing_in_the_feedback_page_can_run(graded):
    html = graded.page("s01")
    assert Page(html).suspects == []
    assert "<b>bold</b>" in html and "Check of 02/my_first_drift" in html
    assert html.count("<title>") == 1
    assert "<h1" in html and "<details>" in html  # the course's own text stays


def test_feedback_in_the_browser(graded, look):
    address = graded.places.feedback("s01", NAME).as_uri()
    page, dialogs = look(address)
    assert_harmless(page, dialogs)
    page.close()


def test_formgrader_in_the_browser(graded, server, look):
    with Gradebook(f"sqlite:///{graded.places.gradebook}") as gradebook:
        number = gradebook.find_submission_notebook(NAME, NAME, "s01").id
    path = f"formgrader/submissions/{number}/"
    status, html = server.get(path)
    assert status == 200
    assert Page(html).suspects == []
    page, dialogs = look(f"{server.url}{path}?token={server.token}")
    assert_harmless(page, dialogs)
    # nbgrader's keys, which wait for MathJax
    focused = "document.activeElement.classList.contains('tabbable')"
    assert page.evaluate(focused)
    page.keyboard.press("Tab")
    assert page.evaluate(focused)
    page.close()


def test_widget_state_and_metadata_are_gone(graded):
    text = json.dumps(graded.notebook("s01").metadata)
    assert "pwned" not in text
