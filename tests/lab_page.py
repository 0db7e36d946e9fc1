"""A learner's hands and eyes in JupyterLab: open, run, type, read, take a picture."""

import re
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from checkout import ROOT
from playwright.sync_api import Locator, Page, expect

# Deadlines in milliseconds, so that nothing waits for ever; no test measures time.
A_CLICK = 30_000
A_CELL = 60_000
A_NOTEBOOK = 180_000
expect.set_options(timeout=A_CELL)  # 5 s, the default, is too short at times

SCREENS = ROOT / "artifacts" / "screens"
CARD = 'section[aria-label^="Check of"]'
_HAS_RUN = re.compile(r"\[\d+\]")


class LabPage:
    """One notebook in one browser tab.

    page: Playwright's page.
    url, token: of the JupyterLab server.
    screens: folder for screenshots.
    """

    def __init__(self, page: Page, url: str, token: str, screens: Path) -> None:
        self.page = page
        self._url = url
        self._token = token
        self._screens = screens
        page.set_default_timeout(A_CLICK)

    def open(self, path: str) -> None:
        """Open a notebook, named from the server's root, and wait for its kernel."""
        self.page.goto(f"{self._url}lab/tree/{path}?token={self._token}&reset")
        expect(self._code_cells().first).to_be_visible(timeout=A_CELL)
        self.wait_for_kernel()

    def wait_for_kernel(self) -> None:
        """Wait until the visible notebook has a kernel, with nothing to do."""
        # the toolbar's circle says idle even before there is a kernel; this does not
        state = self.page.locator(".jp-StatusBar-TextItem:visible")
        idle = state.filter(has_text=re.compile(r"^Python .* \| Idle$"))
        expect(idle).to_be_visible(timeout=A_CELL)

    def run_all(self) -> None:
        """Run all cells of a notebook that was not run before, and wait for the last.

        Cells whose source is folded show no number: the kernel's rest stands for them.
        A busy browser is still adding cells when the first ones run, so they are
        counted anew each time, and once more when the kernel rests.
        """
        self.menu("Run", "Run All Cells")
        prompts = self._code_cells().locator(".jp-InputArea-prompt")
        waiting = prompts.filter(has_not_text=_HAS_RUN)
        expect(prompts.first).to_have_text(_HAS_RUN, timeout=A_NOTEBOOK)
        for _ in range(2):
            expect(waiting).to_have_count(0, timeout=A_NOTEBOOK)
            self.wait_for_kernel()

    def menu(self, name: str, *entries: str) -> None:
        """Choose an entry of the menu bar; more than one for a submenu."""
        bar = self.page.locator(".lm-MenuBar-itemLabel")
        bar.get_by_text(name, exact=True).click()
        for entry in entries:
            label = self.page.locator(".lm-Menu-itemLabel:visible")
            found = label.filter(has_text=re.compile(f"^{re.escape(entry)}"))
            found.first.hover()
            found.first.click()

    def cell(self, text: str) -> Locator:
        """Return the only code cell whose text contains `text`."""
        return self._code_cells().filter(
            has=self.page.locator(".cm-content", has_text=text)
        )

    def start(self, cell: Locator) -> None:
        """Run a cell with Ctrl + Enter, and go on at once."""
        self._choose(cell)
        self.page.keyboard.press("Control+Enter")

    def run(self, cell: Locator) -> None:
        """Run a cell and wait for its end."""
        prompt = cell.locator(".jp-InputPrompt")
        before = prompt.inner_text()
        self.start(cell)
        expect(prompt).not_to_have_text(before, timeout=A_CELL)
        expect(prompt).to_have_text(_HAS_RUN, timeout=A_CELL)
        self.wait_for_kernel()

    def write(self, cell: Locator, source: str) -> None:
        """Replace the whole text of a cell by typing over it."""
        self._choose(cell)
        self.page.keyboard.press("Enter")
        self.page.keyboard.press("Control+A")
        self.page.keyboard.insert_text(source)
        self.page.keyboard.press("Escape")

    def _choose(self, cell: Locator) -> None:
        """Make a cell the active one, in command mode, wherever the focus was."""
        prompt = cell.locator(".jp-InputPrompt")
        prompt.scroll_into_view_if_needed()
        prompt.click()
        expect(cell).to_have_class(re.compile("jp-mod-active"))

    def faults(self, selector: str) -> list[tuple[str, str]]:
        """Return axe-core's serious and critical findings: (rule, what it is about).

        axe takes text for hidden where JupyterLab's body, which is 0 pixels high,
        clips its overflow; the style undoes that. A test of contrast that judged
        nothing would be worth nothing, so it must have run.
        """
        visible = "html, body, .jp-LabShell { overflow: visible !important }"
        style = self.page.add_style_tag(content=visible)
        context = {"include": [[selector]]}
        found = Axe().run(self.page, context=context).response
        style.evaluate("node => node.remove()")
        judged = {rule["id"] for rule in found["passes"] + found["violations"]}
        assert "color-contrast" in judged, f"axe saw no text in {selector}"
        return [
            (rule["id"], node["html"])
            for rule in found["violations"]
            if rule["impact"] in ("serious", "critical")
            for node in rule["nodes"]
        ]

    def picture(self, name: str, at: Locator | None = None) -> None:
        """Keep a screenshot, with `at` in view."""
        if at is not None:
            at.evaluate("node => node.scrollIntoView({block: 'center'})")
            self.page.wait_for_timeout(300)  # the scrolling ends
        self._screens.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=self._screens / f"{name}.png")

    def cards(self) -> Locator:
        """Return the check cards on show."""
        return self.notebook().locator(CARD)

    def panel(self) -> Locator:
        """Return the visible notebook with its toolbar."""
        return self.page.locator(".jp-NotebookPanel:visible")

    def notebook(self) -> Locator:
        """Return the visible notebook's cells."""
        return self.panel().locator(".jp-Notebook")

    def _code_cells(self) -> Locator:
        return self.notebook().locator(".jp-CodeCell")
