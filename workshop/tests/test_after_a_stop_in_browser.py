"""Learners come back to where they were: after a stop, in two tabs, from a sleep."""

import pytest
from chromium_browser import running_chromium
from lab_page import A_CELL
from playwright.sync_api import expect
from test_workshop_in_browser import FIRST, NAME, Person
from workshop_room import running_room, wait

pytestmark = [
    pytest.mark.prove,
    pytest.mark.browser,
    pytest.mark.xdist_group("workshop"),
]
NOTE = "# typed, and not saved"
IDLE = "0.1"  # minutes until a kernel ends of idleness


@pytest.fixture(scope="module")
def browser():
    with running_chromium() as browser:
        yield browser


def devices(person):
    """Run a cell that needs a kernel."""
    person.tab.run(person.tab.cell("devices = virtual_devices(4)"))


def look(person):
    """Wait until the page has looked which kernels it has."""
    with person.page.expect_response("**/course/news*"):
        pass


def go_on(person, password=None):
    """Press the notice's button; the tab that it opens closes by itself."""
    with person.page.context.expect_page() as opened:
        person.page.get_by_role("button", name="Go on").click()
    other = opened.value
    if password:
        other.fill("#username_input", person.name)
        other.fill("#password_input", password)
    with other.expect_event("close", timeout=A_CELL):
        if password:
            other.click("#login_submit")


def join(room, browser, teacher):
    """A phone that joins by the code; its clock can be moved."""
    code = teacher.page.locator("#vote-address b").inner_text()
    page = browser.new_context(viewport={"width": 390, "height": 844}).new_page()
    page.clock.install()
    page.goto(f"{room.url}/services/room/join?code={code}")
    expect(page.get_by_role("heading", level=1)).to_have_text("No vote now")
    return page


def start_again(room):
    room.workshop("stop")
    room.workshop("start")


def test_two_tabs_go_on_and_nothing_typed_is_lost(browser):
    with running_room((FIRST, NAME), ("ada",)) as room:
        ada = Person(room, browser, "ada")
        ada.sign_in()
        expect(ada.page.locator(".jp-Notebook")).to_be_visible(timeout=A_CELL)
        ada.page.goto(f"{room.url}/user/ada/lab/tree/{NAME}/{NAME}.ipynb")
        ada.tab.wait_for_kernel()
        devices(ada)
        second = Person(room, browser, "ada", ada.page.context)
        second.tab.open(f"{FIRST}/{FIRST}.ipynb")
        look(ada)
        look(second)

        # a cell that has changed, in a tab that cannot save it
        ada.page.context.set_offline(True)
        cell = ada.tab.cell("def my_step(w, x, y):")
        ada.tab.write(cell, NOTE)
        expect(ada.notice("The workshop does not answer")).to_be_visible(timeout=A_CELL)
        ada.page.context.set_offline(False)

        start_again(room)
        go_on(ada)
        for each in (ada, second):
            expect(each.notice("There is a new kernel")).to_be_visible(timeout=A_CELL)
            expect(each.notice("can go on")).to_have_count(0)
            each.tab.wait_for_kernel()
        devices(ada)
        expect(ada.page.locator(".jp-Notebook:visible")).to_contain_text(NOTE)
        ada.tab.wait_for_kernel()  # later output would make it unsaved again
        ada.tab.menu("File", "Save Notebook")
        unsaved = ada.page.locator(".lm-mod-dirty, .jp-mod-dirty")
        expect(unsaved).to_have_count(0, timeout=A_CELL)

        # who is not known any more signs in, and the page goes on
        room.workshop("stop")
        ada.page.context.clear_cookies()
        room.workshop("start")
        go_on(ada, room.password("ada"))
        expect(ada.notice("can go on")).to_have_count(0, timeout=A_CELL)
        ada.tab.wait_for_kernel()
        devices(ada)

        # another computer: they are where they were
        elsewhere = Person(room, browser, "ada")
        elsewhere.sign_in()
        title = elsewhere.page.locator(".jp-NotebookPanel:visible h1").first
        expect(title).to_contain_text("02 ·", timeout=A_CELL)
        expect(elsewhere.page.locator(".jp-Notebook:visible")).to_contain_text(NOTE)


def test_a_laptop_that_was_closed_for_an_hour_has_a_kernel(browser):
    with running_room((FIRST, NAME), ("ada",), "--idle", IDLE) as room:
        ada = Person(room, browser, "ada")
        ada.page.clock.install()
        ada.sign_in()
        expect(ada.notice("You are in the workshop")).to_be_visible(timeout=A_CELL)
        ada.tab.wait_for_kernel()
        look(ada)
        ada.page.context.set_offline(True)  # the lid is closed
        expect(ada.notice("The workshop does not answer")).to_be_visible(timeout=A_CELL)
        ada.page.clock.fast_forward("01:00:00")
        session = room.folders.logs / "session-ada.log"
        wait(lambda: "Culling 'idle' kernel" in session.read_text(), A_CELL / 1000)
        ada.page.context.set_offline(False)
        expect(ada.notice("There is a new kernel")).to_be_visible(timeout=A_CELL)
        ada.tab.wait_for_kernel()


def test_a_phone_that_slept_votes_and_after_a_stop_it_joins_again(browser):
    with running_room((NAME,), ("ada",), host="127.0.0.1") as room:
        teacher = Person(room, browser, "teacher")
        teacher.sign_in("/services/room/")
        teacher.page.get_by_label("Question", exact=True).select_option(value="02")
        phone = join(room, browser, teacher)
        phone.context.set_offline(True)
        phone.clock.fast_forward("01:00:00")
        teacher.page.get_by_role("button", name="Open the vote").click()
        phone.context.set_offline(False)
        phone.get_by_role("radio", name="A.").check()
        phone.get_by_role("button", name="Vote").click()
        expect(phone.locator(".mine")).to_contain_text("You voted A.")
        expect(teacher.page.locator("#vote-state")).to_contain_text("1")

        phone.context.set_offline(True)
        start_again(room)
        phone.clock.fast_forward("01:00:00")
        phone.context.set_offline(False)
        title = phone.get_by_role("heading", level=1)
        expect(title).to_have_text("Vote with this phone", timeout=A_CELL)
