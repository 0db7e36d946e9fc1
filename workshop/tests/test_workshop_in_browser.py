"""One morning in a workshop, in browsers: an instructor and two learners."""

import os
import signal
import time

import pytest
from checkout import ROOT
from chromium_browser import running_chromium
from lab_page import A_CELL, A_CLICK, LabPage
from playwright.sync_api import expect
from workshop_room import running_room, wait

from autograder.answers.reading import find_answer
from autograder.places import course_places

pytestmark = [
    pytest.mark.prove,
    pytest.mark.browser,
    pytest.mark.xdist_group("workshop"),
]
FIRST, NAME = "00_start_here", "02_replicas_drift_apart"
SCREENS = ROOT / "artifacts" / "screens"
UPDATE_SECONDS = 2
BACK_SECONDS = 30


def code_of(kind):
    return find_answer(course_places(), NAME, f"my_step/{kind}").code


class Person:
    """Somebody at a browser; with a context, in another tab of theirs."""

    def __init__(self, room, browser, name, context=None):
        self.room, self.name = room, name
        size = {"width": 1366, "height": 768}
        context = context or browser.new_context(viewport=size)
        self.page = context.new_page()
        self.page.set_default_timeout(A_CLICK)
        self.tab = LabPage(self.page, f"{room.url}/user/{name}/", "", SCREENS)

    def sign_in(self, path=""):
        self.page.goto(f"{self.room.url}{path or '/'}")
        self.page.fill("#username_input", self.name)
        self.page.fill("#password_input", self.room.password(self.name))
        self.page.click("#login_submit")

    def picture(self, name):
        SCREENS.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=SCREENS / f"workshop_{name}.png")

    def notice(self, text):
        """A notice in the corner of JupyterLab."""
        return self.page.locator(".Toastify__toast", has_text=text)

    def check(self):
        """Run the check of my_step; return its card."""
        cell = self.tab.cell('check("02/my_step"')
        self.tab.run(cell)
        return cell.locator('section[aria-label="Check of 02/my_step"]')

    def answer(self, kind):
        """Write an answer into the learner's cell and run it."""
        cell = self.tab.cell("def my_step(w, x, y):")
        self.tab.write(cell, code_of(kind))
        self.tab.run(cell)


def test_a_morning(record_property):
    with (
        running_room((FIRST, NAME), ("ada", "bob"), "--release", "00") as room,
        running_chromium() as browser,
    ):
        ada, bob, teacher = (
            Person(room, browser, name) for name in ("ada", "bob", "teacher")
        )
        teacher.sign_in("/services/room/")
        expect(teacher.page.get_by_role("heading", level=1)).to_have_text("The room")
        for learner in (ada, bob):
            learner.sign_in()
            title = learner.page.locator(".jp-RenderedHTMLCommon h1").first
            expect(title).to_contain_text("Start here", timeout=A_CELL)
        ada.picture("first")

        room.workshop("release", "02")
        ada.notice(f"{NAME} was handed out.").get_by_role("button").first.click()
        expect(ada.page.locator(".jp-NotebookPanel:visible h1")).to_contain_text("02 ·")
        ada.tab.wait_for_kernel()
        ada.tab.run_all()

        mistakes(ada, bob, teacher, record_property)
        vote(ada, bob, teacher)
        without_the_hub(room, ada, teacher)
        feedback(ada, teacher)


def mistakes(ada, bob, teacher, record_property):
    """A wrong check is seen by the instructor, in words, without a name."""
    ada.answer("step_sum")
    expect(ada.check()).to_contain_text("WRONG")
    said = teacher.page.locator("#now-mistake")
    began = time.monotonic()
    expect(said).to_contain_text("1 of 2", timeout=3000 * UPDATE_SECONDS)
    seconds = time.monotonic() - began
    record_property("measured", f"check to live view: {seconds:.1f} of 2 s")
    expect(said).to_contain_text("added up")
    teacher.picture("mistake")
    assert "ada" not in teacher.page.locator("main").inner_text()

    bob.tab.open(f"{FIRST}/{FIRST}.ipynb")
    bob.tab.run_all()
    expect(teacher.page.locator("#people-count")).to_have_text("2 learners")


def vote(ada, bob, teacher):
    """Vote, discuss, vote again, reveal."""
    room = ada.room
    bob.page.goto(f"{room.url}/services/room/me")
    teacher.page.get_by_label("Question", exact=True).select_option(value="02")
    teacher.page.get_by_role("button", name="Open the vote").click()
    expect(ada.notice("The room votes: 02")).to_be_visible()
    bob.page.get_by_role("radio", name="A.").check()
    bob.page.get_by_role("button", name="Vote").click()
    teacher.page.get_by_role("button", name="Discuss, then vote again").click()
    expect(bob.page.get_by_role("radio", name="A.")).not_to_be_checked()
    expect(ada.notice("The room votes once more: 02")).to_be_visible()
    bob.page.get_by_role("radio", name="C.").check()
    bob.page.get_by_role("button", name="Vote").click()
    expect(bob.page.get_by_role("main")).to_contain_text("C")
    teacher.page.get_by_role("button", name="Reveal").click()
    result = "First 0 of 1 chose it, after the discussion 1 of 1."
    expect(teacher.page.get_by_text(result)).to_be_visible()
    expect(ada.notice("The room votes")).to_have_count(0)
    teacher.picture("revealed")


def without_the_hub(room, ada, teacher):
    """A right check counts although the hub was killed; then the hub is back."""
    os.kill(room.pid_of("hub"), signal.SIGKILL)
    ada.answer("sum_divided")
    expect(ada.check()).to_contain_text("RIGHT")
    ada.tab.menu("File", "Save Notebook")
    row = teacher.page.locator("#now-body tbody tr", has_text="my_step").first
    expect(row.locator("td").nth(2)).to_have_text("1", timeout=1000 * BACK_SECONDS)
    wait(room.answers)


def feedback(ada, teacher):
    """Hand in, collect, grade, points by hand, feedback, and the learner reads it."""
    ada.page.get_by_role("button", name="Hand in").click()
    expect(ada.notice("02 arrived at")).to_contain_text("RIGHT in it: 1 of 4; not")
    ada.picture("handed_in")
    page = teacher.page
    page.get_by_role("link", name="The day").click()

    def step(button, name, said):
        page.get_by_role("button", name=button, exact=True).click()
        expect(page.locator(f"#{name}")).to_contain_text(said, timeout=A_CELL)

    step("Collect", "collect", "New submissions: 1.")
    step("Grade", "grade", "1 graded.")
    row = page.locator("#submissions tbody tr")
    expect(row).to_contain_text("4 of 7")
    row.get_by_role("button", name="Points or comment").click()
    first = page.locator("#marks fieldset").first
    first.get_by_label("Points").fill("2")
    first.get_by_label("Comment for the learner").fill("It's the other axis.")
    first.get_by_role("button", name="Save").click()
    expect(first).to_contain_text("2 of 3 by hand (its check gave 0)", timeout=A_CELL)
    teacher.picture("by_hand")
    page.get_by_role("button", name="Close").click()
    expect(row).to_contain_text("6 of 7")
    step("Give feedback", "feedback", "handed out: 1.")
    row.get_by_role("button", name="Grade again").click()
    expect(page.locator("#again")).to_contain_text("1 graded.", timeout=A_CELL)
    expect(row).to_contain_text("6 of 7")
    teacher.picture("day")

    news = ada.notice(f"Feedback on {NAME} is here.")
    news.get_by_role("button", name="Open it").click()
    page = ada.page.frame_locator(".jp-HTMLViewer iframe")
    expect(page.locator("body")).to_contain_text(
        "6 of 7, further 0 of 8", timeout=A_CELL
    )
    expect(page.locator("body")).to_contain_text("It's the other axis.")
    expect(news).to_have_count(0)
    expect(page.get_by_text("RIGHT").first).to_be_attached()
    ada.picture("feedback")
