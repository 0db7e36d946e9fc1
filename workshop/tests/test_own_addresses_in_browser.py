"""Each session at a web address of its own: one learner's page acts for nobody else.

Browsers know where *.localhost is, without a name server.
"""

import pytest
from chromium_browser import running_chromium
from lab_page import A_CELL
from playwright.sync_api import expect
from test_after_a_stop_in_browser import devices, go_on, start_again
from test_workshop_in_browser import NAME, Person
from workshop_room import running_room

pytestmark = [
    pytest.mark.prove,
    pytest.mark.browser,
    pytest.mark.xdist_group("workshop"),
]
HOST = "room.localhost"
# a learner's code in the instructor's browser: it opens the instructor's page, reads
# its token, and presses a button there
ACTS = """async (room) => {
  const page = window.open(room);
  const wait = (ms) => new Promise((done) => setTimeout(done, ms));
  for (let i = 0; i < 50; i += 1) {
    await wait(200);
    try {
      const token = page.document.querySelector("meta[name=room-xsrf]")?.content;
      if (!token) continue;
      const body = JSON.stringify({ action: "pin", number: "02" });
      const headers = { "X-XSRFToken": token };
      const done = await page.fetch(`${room}step`, { method: "POST", body, headers });
      return done.status;
    } catch (error) {
      return error.name;
    }
  }
  return "not read";
}"""


@pytest.fixture(scope="module")
def browser():
    with running_chromium() as browser:
        yield browser


def as_the_instructor_who_opens_it(room, browser):
    """Open ada's session in the instructor's browser, and let her code act there."""
    teacher = Person(room, browser, "teacher")
    teacher.sign_in("/services/room/")
    expect(teacher.page.get_by_role("heading", level=1)).to_have_text("The room")
    hers = teacher.page.context.new_page()
    hers.goto(f"{room.url}/user/ada/lab")
    hers.get_by_role("button", name="Authorize").click()
    expect(hers.locator(".jp-LabShell")).to_be_visible(timeout=A_CELL)
    acted = hers.evaluate(ACTS, f"{room.url}/services/room/")
    return hers.url, acted, teacher.page.locator("#pin")


def ada_in(room, browser):
    ada = Person(room, browser, "ada")
    ada.sign_in()
    expect(ada.page.locator(".jp-Notebook")).to_be_visible(timeout=A_CELL)
    return ada


def test_a_learners_page_can_act_for_the_instructor_where_all_share_an_address(browser):
    with running_room((NAME,), ("ada",)) as room:
        ada_in(room, browser)
        _, acted, pinned = as_the_instructor_who_opens_it(room, browser)
        assert acted == 204
        expect(pinned).to_have_value("02")


def test_with_addresses_of_their_own_it_can_not_and_all_else_works(browser):
    with running_room((NAME,), ("ada",), "--subdomains", host=HOST) as room:
        ada = ada_in(room, browser)
        assert ada.page.url.startswith(f"http://ada.{HOST}:{room.port}/user/ada/")
        place, acted, pinned = as_the_instructor_who_opens_it(room, browser)
        assert place.startswith(f"http://ada.{HOST}:")
        assert acted == "SecurityError"
        expect(pinned).to_have_value("")

        ada.tab.wait_for_kernel()
        devices(ada)
        ada.page.get_by_role("button", name="Hand in").click()
        expect(ada.notice("02 arrived at")).to_be_visible(timeout=A_CELL)
        start_again(room)
        go_on(ada)
        expect(ada.notice("There is a new kernel")).to_be_visible(timeout=A_CELL)
        ada.tab.wait_for_kernel()
        devices(ada)
