"""An hour of mistakes in a room of ten, led as the guide says: all works at once."""

import asyncio
import os
import re
import signal
from concurrent.futures import ThreadPoolExecutor

import pytest
from chromium_browser import running_chromium
from lab_page import A_CELL
from playwright.sync_api import expect
from test_after_a_stop_in_browser import devices, go_on, start_again
from test_room_in_browser import look
from test_workshop_in_browser import NAME, Person, code_of
from workshop_room import running_room, wait

from workshop import accounts
from workshop.crowd import Learner

pytestmark = [
    pytest.mark.prove,
    pytest.mark.browser,
    pytest.mark.xdist_group("workshop"),
]
LISTED = ("ada", "Müller, Jörg", *(f"learner{i}" for i in range(3, 10)))
FORGOTTEN = "Zoë Álvarez"
AT_ONCE = 4  # of ten, on two cores
SIZES = ("laptop", "phone")


def step(teacher, button, name, said):
    """Press a button of the day, and read what came of it."""
    teacher.page.get_by_role("button", name=button, exact=True).click()
    expect(teacher.page.locator(f"#{name}")).to_contain_text(said, timeout=2 * A_CELL)


def work(room, kinds):
    """Learners by script: sign in, answer, save; return name -> outcome.

    Args:
        room: the workshop.
        kinds: account -> the kind of answer.
    """
    turns = asyncio.Semaphore(AT_ONCE)

    async def one(name, kind):
        async with turns, Learner(room.url, name, room.password(name)) as learner:
            await learner.sign_in()
            notebook = await learner.get(NAME)
            async with learner.kernel(NAME) as kernel:
                for cell in notebook.cells:
                    mark = cell.metadata.get("nbgrader", {}).get("grade_id", "")
                    if mark == "my_step-fix":
                        cell.source = code_of(kind)
                    if mark in ("start", "tools", "my_step-fix", "my_step-check"):
                        ran = await kernel.run(cell.source, cell)
            await learner.save(NAME, notebook)
            await learner.submit(NAME)
            return name, ran.verdict["outcome"]

    async def all_of_them():
        return await asyncio.gather(*(one(*each) for each in kinds.items()))

    with ThreadPoolExecutor(1) as apart:  # Playwright has this thread's event loop
        return dict(apart.submit(asyncio.run, all_of_them()).result())


def at_course(room):
    return "--root", str(room.course)


def raise_hand(learner, teacher):
    """Ask for help from the notebook; the instructor sees the number on the page."""
    with learner.page.context.expect_page() as opened:
        learner.page.get_by_role("button", name="Ask for help").click()
    page = opened.value
    page.get_by_role("button", name="Raise your hand").click()
    (who,) = re.findall(r"Learner \d+", page.locator(".name").inner_text())
    needed = teacher.page.locator("#needed-body tr", has_text=who)
    expect(needed).to_contain_text("hand raised")
    needed.get_by_role("button", name="Take the hand down").click()
    expect(page.get_by_role("button", name="Raise your hand")).to_be_visible()
    page.close()


def test_an_hour_of_mistakes():
    with (
        running_room((NAME,), LISTED) as room,
        running_chromium() as browser,
    ):
        teacher = Person(room, browser, "teacher")
        teacher.sign_in("/services/room/")
        expect(teacher.page.get_by_role("heading", level=1)).to_have_text("The room")
        ada = Person(room, browser, "ada")
        ada.sign_in()
        expect(ada.page.locator(".jp-Notebook")).to_be_visible(timeout=A_CELL)
        ada.tab.wait_for_kernel()

        # a name was forgotten: who is in works on, and the slip is there
        said = room.workshop("add", FORGOTTEN)
        (late,) = re.findall(r"^Zoë Álvarez: (\S+)  ", said, re.M)
        devices(ada)
        slips = room.folders.slips
        added = slips.with_stem("slips-added")
        shown = [each.read_text(encoding="utf-8") for each in (slips, added)]
        assert all(late in each for each in shown)
        assert ["mueller.joerg" in each for each in shown] == [True, False]

        # a vote too early: nobody sees an answer, and the same question is asked later
        teacher.page.get_by_label("Question", exact=True).select_option(value="02")
        teacher.page.get_by_role("button", name="Open the vote").click()
        expect(ada.notice("The room votes: 02")).to_be_visible()
        teacher.page.get_by_role("button", name="Cancel: forget this vote").click()
        expect(ada.notice("The room votes: 02")).to_have_count(0, timeout=A_CELL)

        # the hub is killed: who is in works on, and nine others come, some wrong
        names = [each for each in accounts.known(room.folders) if each != "teacher"]
        assert len(names) == 10 and "mueller.joerg" in names
        os.kill(room.pid_of("hub"), signal.SIGKILL)
        devices(ada)
        wait(room.answers, 60)
        others = [name for name in names if name != "ada"]
        kinds = {
            n: "step_sum" if i % 3 == 0 else "sum_divided" for i, n in enumerate(others)
        }
        outcomes = work(room, kinds)
        assert outcomes.keys() == set(others)
        assert {
            outcomes[n] == "RIGHT" for n in others if kinds[n] == "sum_divided"
        } == {True}
        assert {outcomes[n] for n in others if kinds[n] == "step_sum"} == {"WRONG"}
        expect(teacher.page.locator("#people-count")).to_contain_text("10 learners")
        expect(teacher.page.locator("#now-mistake")).to_contain_text("3 of")

        # a laptop is closed, and opened after the break
        ada.page.context.set_offline(True)
        expect(ada.notice("The workshop does not answer")).to_be_visible(timeout=A_CELL)
        ada.page.context.set_offline(False)
        expect(ada.notice("The workshop does not answer")).to_have_count(
            0, timeout=A_CELL
        )
        ada.answer("sum_divided")
        expect(ada.check()).to_contain_text("RIGHT")
        ada.page.get_by_role("button", name="Hand in").click()
        expect(ada.notice("02 arrived at")).to_be_visible(timeout=A_CELL)

        raise_hand(ada, teacher)

        # the morning ends: collect, grade, feedback; then a stop by mistake
        teacher.page.get_by_role("link", name="The day").click()
        step(teacher, "Give feedback", "feedback", "collect and grade first")
        step(teacher, "Grade", "grade", "Collect first")  # pressed too early, too
        look(teacher.page, "day_early", SIZES)
        step(teacher, "Collect", "collect", "New submissions: 10.")
        step(teacher, "Grade", "grade", "of 10 graded")
        step(teacher, "Pause: what is graded stays", "grade", "Paused at")
        look(teacher.page, "day_paused", SIZES)
        step(teacher, "Grade", "grade", re.compile("Done at .* graded"))
        step(teacher, "Give feedback", "feedback", "handed out: 10.")
        expect(ada.notice(f"Feedback on {NAME} is here.")).to_be_visible(timeout=A_CELL)
        rows = teacher.page.locator("#submissions tbody tr")
        expect(rows.filter(has_text="4 of 7")).to_have_count(7)
        expect(rows.filter(has_text=FORGOTTEN)).to_have_count(1)
        look(teacher.page, "day_of_ten", SIZES)
        rows.first.get_by_role("button", name="Points or comment").click()
        expect(teacher.page.locator("#marks-body fieldset").first).to_be_visible()
        look(teacher.page, "day_marks", SIZES)
        # a comment that was not saved is not lost without a word
        teacher.page.get_by_label("Comment for the learner").first.fill("Look again.")
        close = teacher.page.get_by_role("button", name="Close")
        teacher.page.once("dialog", lambda asked: asked.dismiss())
        close.click()
        expect(teacher.page.locator("#marks")).to_be_visible()
        teacher.page.once("dialog", lambda asked: asked.accept())
        close.click()
        expect(teacher.page.locator("#marks")).to_be_hidden()
        page = ada.page.frame_locator(".jp-HTMLViewer iframe")
        ada.page.get_by_role("button", name="Feedback", exact=True).first.click()
        expect(page.locator("body")).to_contain_text("4 of 7", timeout=A_CELL)
        ada.tab.page.get_by_role("tab", name=NAME).first.click()
        # a terminal's command shows on the page as well, and in the learner's open page
        room.run("mark", "ada", "02", "my_step", "--points", "1", *at_course(room))
        expect(rows.filter(has_text="1 of 7")).to_have_count(1, timeout=A_CELL)
        room.workshop("feedback")
        ada.page.get_by_role("button", name="Feedback", exact=True).first.click()
        expect(page.locator("body")).to_contain_text("1 of 7", timeout=A_CELL)
        ada.page.get_by_role("tab", name=NAME).first.click()
        teacher.page.get_by_role("button", name="Stop the workshop").click()
        teacher.page.get_by_role("button", name="Stop it").click()
        stopped = "The workshop has stopped."
        expect(teacher.page.locator("#connection")).to_have_text(
            stopped, timeout=A_CELL
        )
        start_again(room)
        go_on(ada)
        ada.tab.wait_for_kernel()
        devices(ada)
        expect(teacher.page.locator("#connection")).to_have_text("Live", timeout=A_CELL)
        expect(rows).to_have_count(10)
