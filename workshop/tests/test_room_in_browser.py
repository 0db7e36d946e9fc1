"""The room as people see it: live, on a phone, on a wall, in the dark."""

import json
import re
import time
from urllib.parse import quote

import pytest
from axe_playwright_python.sync_playwright import Axe
from checkout import ROOT
from chromium_browser import make_it_draw, running_chromium
from playwright.sync_api import expect
from room_class import FORM, NAMES, SHOWN, fill, prediction, vote
from room_hub import PASSWORD, left_behind, running_hub

pytestmark = [
    pytest.mark.prove,
    pytest.mark.browser,
    pytest.mark.xdist_group("room"),
]

SCREENS = ROOT / "artifacts" / "screens"
SIZES = {"laptop": (1366, 768), "wall": (1920, 1080), "phone": (390, 844)}
UPDATE_SECONDS = 2


@pytest.fixture(scope="module")
def hub(tmp_path_factory):
    folder = tmp_path_factory.mktemp("hub")
    with running_hub(folder) as hub:
        yield hub
    assert left_behind(folder) == []


@pytest.fixture(scope="module")
def chromium():
    with running_chromium() as browser:
        yield browser


def sign_in(chromium, hub, name, path="", width=1366, height=768, **options):
    """A page of the room in a browser of its own; its complaints are collected."""
    options |= {"viewport": {"width": width, "height": height}}
    page = chromium.new_context(**options).new_page()
    page.set_default_timeout(15_000)
    page.complaints = []
    page.on("pageerror", lambda error: page.complaints.append(str(error)))
    page.on("console", lambda said: _note(page, said))
    page.goto(hub.room + path)
    page.fill("#username_input", name)
    page.fill("#password_input", PASSWORD)
    page.press("#password_input", "Enter")
    page.wait_for_url(hub.room + path)
    return page


def _note(page, said):
    # that the service was away is in the console of every browser
    if said.type == "error" and "Failed to load resource" not in said.text:
        page.complaints.append(said.text)


@pytest.fixture(scope="module")
def instructor(chromium, hub):
    """The instructor's page, of a room of thirty."""
    fill(hub)
    page = sign_in(chromium, hub, "teacher")
    expect(page.get_by_role("heading", level=1)).to_have_text("The room")
    expect(page.locator("#people-count")).to_have_text("30 learners")
    expect(page.locator("#connection")).to_have_text("Live")
    yield page
    assert page.complaints == []


@pytest.fixture
def teacher(instructor):
    """The same page, which draws: on a busy machine Chromium was seen to stop."""
    make_it_draw(instructor)
    return instructor


@pytest.fixture(scope="module")
def learner(chromium, hub):
    """The page of one learner, on a small phone."""
    page = sign_in(chromium, hub, NAMES[4], "me", width=360, height=740)
    yield page
    assert page.complaints == []


def faults(page):
    """Everything axe complains about."""
    return [
        (rule["id"], node["html"])
        for rule in Axe().run(page).response["violations"]
        for node in rule["nodes"]
    ]


def look(page, name, sizes=SIZES, schemes=("light", "dark")):
    """Take pictures; nothing may be cut off, be too small, or be against the rules."""
    SCREENS.mkdir(parents=True, exist_ok=True)
    before = page.viewport_size
    for size in sizes:
        width, height = SIZES[size]
        page.set_viewport_size({"width": width, "height": height})
        for scheme in schemes:
            page.emulate_media(color_scheme=scheme)
            page.wait_for_timeout(200)  # the charts are drawn anew
            make_it_draw(page)
            page.screenshot(
                path=SCREENS / f"room_{name}_{size}_{scheme}.png",
                full_page=size == "phone",
            )
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            assert faults(page) == []
        smallest = page.evaluate(
            "Math.min(...[...document.querySelectorAll('.chart text')].map("
            "text => parseFloat(getComputedStyle(text).fontSize)))"
        )
        assert smallest >= 14
    page.emulate_media(color_scheme="light")
    page.set_viewport_size(before)


def test_what_most_need_now_stands_at_the_top(teacher):
    expect(teacher.locator("#now-title")).to_have_text(
        "02 · Other weights on four devices than on one"
    )
    expect(teacher.locator("#now-mistake")).to_contain_text(
        "Most frequent mistake, in my_step: 9 of 30, the step is as many times"
    )
    row = teacher.locator("#now-body tbody tr", has_text="my_step")
    assert row.locator("td").all_inner_texts() == ["22", "17", "5"]
    expect(teacher.locator("#now-body .chart svg")).to_be_visible()
    label = teacher.locator("#now-body .chart").get_attribute("aria-label")
    assert "Fix · my_step: 5 of 30 solved, 17 tried" in label
    look(teacher, "progress")


ONE_LEARNER = {
    "learners": 1,
    "now": "00",
    "atNow": 1,
    "notebooks": [
        {"number": "00", "started": 1, "exercises": [{"name": "00/my_spread"}]}
    ],
}
TEXTS = {"00": {"title": "Start here", "exercises": {"00/my_spread": "Fix"}}}


def test_a_room_of_one_in_good_english_and_nothing_twice(teacher):
    show = """async ([state, texts, told]) => {
        Object.assign(state.notebooks[0].exercises[0], told);
        const { showNow } = await import("/services/room/static/notebooks.js");
        showNow(state, texts);
    }"""
    told = {"tried": 1, "solved": 0, "mistakes": [{"cause": "So.", "now": 1, "met": 1}]}
    now = teacher.locator("#now")
    teacher.evaluate(show, [ONE_LEARNER, TEXTS, told])
    expect(now).to_contain_text("1 of 1 is in this notebook now.")
    expect(now.locator("caption")).to_have_text("Of 1 learner")
    expect(now.get_by_text("So.")).to_have_count(1)
    told["mistakes"][0]["now"] = 0
    teacher.evaluate(show, [ONE_LEARNER, TEXTS, told])
    expect(now).to_contain_text("No known mistake right now.")
    expect(now).to_contain_text("0 of 1: So. (1 has met it so far.)")
    teacher.reload()


def test_the_wall_speaks_of_no_mistake_that_one_person_makes_alone(teacher):
    show = """async ([state, texts, told]) => {
        Object.assign(state.notebooks[0].exercises[0], told);
        const { notebookOnWall } = await import("/services/room/static/notebooks.js");
        state.notebook = state.notebooks[0];
        const shown = document.createElement("div");
        shown.append(...notebookOnWall(state, texts[state.now]));
        return shown.innerText;
    }"""
    told = {"tried": 2, "solved": 0, "mistakes": [{"cause": "So.", "now": 1, "met": 1}]}
    assert "So." not in teacher.evaluate(show, [ONE_LEARNER, TEXTS, told])
    told["mistakes"][0]["now"] = 2
    assert "So." in teacher.evaluate(show, [ONE_LEARNER, TEXTS, told])


def test_a_report_is_seen_within_two_seconds(teacher, hub, record_property):
    expect(teacher.locator("#others-body details").nth(5)).to_contain_text("nobody yet")
    begin = time.monotonic()
    hub.report(NAMES[29], opened={"05": 1})
    opened = teacher.locator("#others-body summary", has_text="05 ·")
    expect(opened).to_contain_text("1 started", timeout=3000 * UPDATE_SECONDS)
    seconds = time.monotonic() - begin
    record_property("measured", f"report to page: {seconds:.1f} s of {UPDATE_SECONDS}")


def test_folds_open_by_keyboard_and_stay_open(teacher, hub):
    fold = teacher.locator("#others-body details").nth(1)
    fold.locator("summary").press("Enter")
    chart = fold.locator(".chart svg")
    expect(chart).to_be_visible()
    hub.report(NAMES[28], opened={"01": 1})
    expect(fold.locator("summary")).to_contain_text("25 started")
    expect(chart).to_be_visible()
    expect(fold.locator("summary")).to_be_focused()
    fold.locator("summary").press("Enter")


def one_by_one(teacher):
    """The table of learners, unfolded."""
    fold = teacher.locator("#people details")
    if fold.get_attribute("open") is None:
        fold.locator("summary").click()
    return teacher.locator("#people-body")


def test_names_are_shown_only_while_the_learner_agrees(teacher, learner):
    name = NAMES[4]
    people = one_by_one(teacher)
    expect(people.get_by_role("row")).to_have_count(31)
    for each in NAMES:
        expect(people.get_by_text(each)).to_have_count(int(each in SHOWN))
    box = learner.get_by_role("checkbox", name="Show my name")
    expect(box).not_to_be_checked()
    box.press("Space")
    expect(learner.locator("#told")).to_have_text("Saved.")
    expect(people.get_by_text(name)).to_be_visible()
    learner.reload()
    expect(box).to_be_checked()
    box.press("Space")
    expect(people.get_by_text(name)).to_have_count(0)
    assert name not in teacher.content()


def test_a_script_in_a_name_is_text(teacher, hub):
    name = "<img src=x onerror=alert(1)>"
    path = quote(name, safe="")
    hub.report(path, opened={"00": 1})
    sent = hub.send("me/name", path, "named=yes", headers=FORM)
    assert sent.status == 303
    people = one_by_one(teacher)
    expect(people.get_by_text(name)).to_be_visible()
    assert people.locator("img").count() == 0


def test_vote_discuss_vote_again_reveal(teacher, learner, hub):
    expect(learner.get_by_role("heading", level=1)).to_have_text("No vote now")
    assert faults(learner) == []
    choice = teacher.get_by_label("Question", exact=True)
    expect(choice).to_have_value("02")
    teacher.get_by_role("button", name="Open the vote").press("Enter")
    state = teacher.locator("#vote-state")
    expect(state).to_have_text("Vote is open: 0 of 31 have voted.")
    expect(teacher.locator("#vote")).to_contain_text(f"or at {hub.room}me. Phones")

    # by keyboard, on the phone
    expect(learner.get_by_role("heading", level=1)).to_have_text("Vote")
    learner.get_by_role("radio", name="B.").press("Space")
    learner.get_by_role("button", name="Vote").press("Enter")
    expect(learner.locator(".mine")).to_contain_text("You voted B.")
    assert faults(learner) == []
    learner.screenshot(path=SCREENS / "room_me_voted.png", full_page=True)
    expect(state).to_have_text("Vote is open: 1 of 31 has voted.")
    others = {n: i for i, n in enumerate(NAMES[:27]) if n != NAMES[4]}
    vote(hub, "first", {name: prediction(index) for name, index in others.items()})
    # in the notebook, by its own prediction
    hub.report(NAMES[29], opened={"05": 1}, predictions={"02": "A"}, saves={"02": 1})
    expect(state).to_have_text("Vote is open: 28 of 31 have voted.")

    # nobody is swayed: no numbers on either page, unless the instructor asks
    assert teacher.locator("#vote table").count() == 0
    assert "of 28" not in learner.content() and "right" not in learner.content()
    show = teacher.get_by_role("button", name="Show the votes so far")
    show.press("Enter")
    expect(teacher.locator("#vote .bar").first).to_be_visible()
    assert "✓" not in teacher.locator("#vote").inner_text().replace("✓ Show", "")
    expect(show).to_be_focused()  # a second Enter hides them, and goes no further
    look(teacher, "votes_so_far", ["laptop"])

    teacher.get_by_role("button", name="Discuss, then vote again").press("Enter")
    expect(state).to_have_text(
        "Discuss, then vote again: 0 of 31 have voted a second time."
    )
    expect(state).to_be_focused()
    expect(teacher.locator("#vote table")).to_have_count(0)
    expect(learner.get_by_role("heading", level=1)).to_have_text(
        "Discuss, then vote again"
    )
    expect(learner.get_by_role("radio", name="B.")).not_to_be_checked()
    learner.get_by_role("radio", name="C.").check()
    learner.get_by_role("button", name="Vote").click()
    expect(learner.locator(".mine")).to_have_text("First vote: B. Second vote: C.")
    again = {n: prediction(i, second=True) for n, i in others.items() if i < 25}
    vote(hub, "second", again)
    expect(state).to_contain_text("25 of 31")
    look(teacher, "second_vote", ["laptop"], ["light"])

    teacher.get_by_role("button", name="Reveal").press("Enter")
    expect(state).to_have_text("The vote is over.")
    expect(teacher.locator("#vote-body")).to_contain_text(
        "C is right. First 7 of 28 chose it, after the discussion 19 of 25."
    )
    right = teacher.locator("#vote-body tr", has_text="✓ right")
    assert right.locator("td").all_inner_texts() == ["7", "19"]
    expect(teacher.locator("#vote-body")).to_contain_text(
        "takes it for granted that the copies"
    )
    look(teacher, "revealed")
    expect(learner.locator(".answer")).to_contain_text("It was C: The copy of")
    assert faults(learner) == []
    learner.screenshot(path=SCREENS / "room_me_revealed.png", full_page=True)

    teacher.get_by_role("button", name="Close the question").press("Enter")
    expect(state).to_have_text("No question is open.")
    expect(learner.get_by_role("heading", level=1)).to_have_text("No vote now")


def test_ticks_are_voted_on_too(teacher, learner):
    teacher.get_by_label("Question", exact=True).select_option("04")
    teacher.get_by_role("button", name="Open the vote").click()
    boxes = learner.get_by_role("group").get_by_role("checkbox")
    expect(boxes).to_have_count(12)
    boxes.nth(1).press("Space")
    learner.get_by_role("button", name="Vote").click()
    expect(learner.locator(".mine")).to_contain_text("You voted 1 of 12 ticked")
    expect(boxes.nth(1)).to_be_checked()
    learner.screenshot(path=SCREENS / "room_me_ticks.png", full_page=True)
    assert faults(learner) == []
    teacher.get_by_role("button", name="Reveal").click()
    expect(teacher.get_by_role("region", name="Answers")).to_be_visible()
    look(teacher, "ticks", ["laptop"], ["light"])
    teacher.get_by_role("button", name="Close the question").click()


def test_a_phone_without_scripts_votes_as_well(chromium, hub, teacher):
    page = sign_in(chromium, hub, NAMES[6], "me", java_script_enabled=False)
    teacher.get_by_label("Question", exact=True).select_option("02")
    teacher.get_by_role("button", name="Open the vote").click()
    expect(teacher.locator("#vote-state")).to_contain_text("Vote is open")
    page.reload()
    page.get_by_role("radio", name="D.").check()
    page.get_by_role("button", name="Vote").click()
    expect(page.locator(".mine")).to_contain_text("You voted D.")
    page.get_by_role("checkbox", name="Show my name").check()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("checkbox", name="Show my name")).to_be_checked()
    teacher.get_by_role("button", name="Reveal").click()
    teacher.get_by_role("button", name="Close the question").click()


def test_the_export_is_a_download(teacher):
    with teacher.expect_download() as download:
        teacher.get_by_role("link", name="Export as JSON").press("Enter")
    told = json.loads(download.value.path().read_text())
    named = {one["learner"] for one in told["learners"]} & set(NAMES)
    assert named == SHOWN | {NAMES[6]}
    assert [ballot["notebook"] for ballot in told["votes"]][:3] == ["02", "04", "02"]
    with teacher.expect_download() as download:
        teacher.get_by_role("link", name="Export as CSV").click()
    assert download.value.suggested_filename == "room.csv"


@pytest.fixture(scope="module")
def wall(instructor, chromium, hub):
    """What the projector shows, of a room of thirty."""
    page = sign_in(chromium, hub, "teacher", "wall", width=1280, height=720)
    expect(page.locator("#connection")).to_have_text("Live")
    yield page
    assert page.complaints == []


def letters(page):
    """The height of its smallest letters that matter, in pixels of a screen of 720."""
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    cut = page.locator("#body :not(svg *)").evaluate_all(
        "all => all.filter((e) => e.clientWidth && e.scrollWidth > e.clientWidth + 1)"
        ".map((e) => e.outerHTML)"
    )
    assert cut == []
    size = "parseFloat(getComputedStyle(document.querySelector('#body')).fontSize)"
    return page.evaluate(size)


def test_the_wall_shows_every_question_whole_in_letters_for_ten_metres(
    teacher, wall, hub
):
    """Letters of 24 of 720 pixels: on a picture 1.5 m high, 5 cm with their lines."""
    for number in [f"{n:02}" for n in range(21)]:
        teacher.get_by_label("Question", exact=True).select_option(number)
        teacher.get_by_role("button", name="Open the vote").click()
        expect(wall.locator("#title")).to_contain_text(f"{number} ·")
        expect(wall.locator(".asked")).to_be_visible()
        assert letters(wall) >= 24, number
        assert wall.locator("#body .votes").count() == 0  # nobody is swayed
        assert wall.locator("#join img").evaluate("(code) => code.naturalWidth") > 0
        if number in ("02", "04"):
            look_at_wall(wall, f"asks_{number}")
        teacher.get_by_role("button", name="Cancel: forget this vote").click()
        expect(teacher.locator("#vote-state")).to_have_text("No question is open.")


def look_at_wall(wall, name):
    for scheme in ("light", "dark"):
        wall.emulate_media(color_scheme=scheme)
        make_it_draw(wall)
        wall.screenshot(path=SCREENS / f"wall_{name}_{scheme}.png")
        assert faults(wall) == []
    wall.emulate_media(color_scheme="light")


def test_the_wall_shows_a_notebook_that_the_instructor_pins_and_nobody(teacher, wall):
    expect(wall.locator("#title")).to_contain_text("02 ·")
    expect(wall.locator(".sentence")).to_contain_text("9 of 3")
    assert letters(wall) >= 20
    look_at_wall(wall, "notebook")
    assert not [name for name in NAMES if name in wall.content()]
    teacher.get_by_label("On the wall").select_option("05")
    expect(wall.locator("#title")).to_contain_text("05 ·")
    teacher.get_by_label("On the wall").select_option("")
    expect(wall.locator("#title")).to_contain_text("02 ·")


def test_a_vote_opened_by_mistake_is_cancelled_and_shows_no_answer(
    teacher, learner, wall
):
    choice = teacher.get_by_label("Question", exact=True)
    choice.select_option("07")
    teacher.get_by_role("button", name="Open the vote").click()
    expect(learner.get_by_role("heading", level=1)).to_have_text("Vote")
    teacher.get_by_role("button", name="Cancel: forget this vote").click()
    expect(learner.get_by_role("heading", level=1)).to_have_text("No vote now")
    assert "right" not in teacher.locator("#vote").inner_text()


def test_a_chosen_question_stays_chosen_while_the_room_goes_on(teacher, hub):
    choice = teacher.get_by_label("Question", exact=True)
    choice.select_option("09")
    teacher.locator("#now-title").click()  # the choice has lost the focus
    for each in NAMES:
        hub.report(each, opened={"01": 2})
    expect(teacher.locator("#now-title")).to_contain_text("01 ·")
    expect(choice).to_have_value("09")


def test_a_question_of_ones_own_is_voted_on_by_a_phone_without_an_account(
    teacher, wall, chromium, hub
):
    teacher.get_by_text("Ask a question of your own").click()
    teacher.get_by_label("Your question").fill("Shall we take a break?")
    answers = teacher.get_by_label("Answers, one a line")
    answers.fill("yes")
    opens = teacher.get_by_role("button", name="Ask the room")
    opens.click()
    expect(teacher.locator("#ask-told")).to_have_text(
        "Not opened: a question has 2 to 6 answers."
    )
    answers.fill("yes\n* <b>later</b>\n")
    opens.click()
    expect(wall.locator(".asked")).to_have_text("Shall we take a break?")
    expect(wall.locator("#body li").last).to_have_text("B. <b>later</b>")

    size = {"width": 360, "height": 740}
    phone = chromium.new_context(viewport=size).new_page()
    phone.goto(f"{hub.room}phone")
    assert phone.url == f"{hub.room}join" and faults(phone) == []
    phone.get_by_label("The five letters").fill("AAAAA")
    phone.get_by_role("button", name="Join").click()
    expect(phone.get_by_role("status")).to_contain_text("not the code on the wall")
    phone.get_by_label("The five letters").fill(code(wall).lower())
    phone.get_by_role("button", name="Join").press("Enter")
    expect(phone.get_by_role("heading", level=1)).to_have_text("Vote")
    phone.get_by_label("B.").check()
    phone.evaluate("document.getElementById('part').dataset.shown = 'older'")
    teacher.get_by_role("button", name="Show the votes so far").click()
    expect(phone.get_by_label("B.")).to_be_checked()  # news takes no choice away
    phone.get_by_role("button", name="Vote").click()
    expect(phone.locator(".mine")).to_contain_text("You voted B.")
    phone.screenshot(path=SCREENS / "room_phone_voted.png", full_page=True)
    assert faults(phone) == []
    expect(wall.locator(".state")).to_have_text(re.compile(r"1 of 3\d has voted\."))
    expect(wall.locator("#count")).to_contain_text("1 phone")
    for other in ("texts", "stream", "export.json", "code.svg", "me/part"):
        assert phone.request.get(hub.room + other).status == 403, other
    for other in ("", "me", "wall"):
        assert "/hub/login" in phone.request.get(hub.room + other).url, other
    teacher.get_by_role("button", name="Reveal").click()
    expect(wall.locator("li.right-answer")).to_contain_text("<b>later</b>")
    expect(wall.locator(".state")).to_have_text("B is right: 1 of 1 chose it.")
    look_at_wall(wall, "own")
    teacher.get_by_role("button", name="Close the question").click()


def code(wall):
    return wall.locator("#join b").evaluate("(shown) => shown.textContent")


def test_hands_go_up_and_down_from_both_sides(teacher, learner):
    needed = teacher.locator("#needed-body")
    learner.get_by_role("button", name="Raise your hand").press("Enter")
    expect(needed.get_by_role("row")).to_have_count(2)
    expect(needed).to_contain_text("hand raised just now")
    down = learner.get_by_role("button", name="Your hand is raised: take it down")
    expect(down).to_be_focused()
    needed.get_by_role("button", name="Take the hand down").press("Enter")
    expect(learner.get_by_role("button", name="Raise your hand")).to_be_visible()
    learner.get_by_role("button", name="Raise your hand").click()
    expect(needed.get_by_role("row")).to_have_count(2)
    down.click()
    expect(needed.get_by_role("row")).to_have_count(0)


def test_an_older_answer_that_comes_later_is_not_shown(teacher, learner):
    """Responses may arrive out of order; the page keeps the newest."""
    first, hand = [], learner.get_by_role("button", name="Raise your hand")

    def hold_the_first(route):
        if first:
            route.continue_()
        else:
            first.append((route, route.fetch()))

    learner.route("**/me/part", hold_the_first)
    hand.click()
    down = teacher.locator("#needed-body").get_by_role("button", name="Take the hand")
    down.click()
    expect(hand).to_have_attribute("aria-pressed", "false")
    ((route, older),) = first
    assert "take it down" in older.text()
    with learner.expect_response("**/me/part"):
        route.fulfill(response=older)
    learner.wait_for_function("() => new Promise((done) => setTimeout(done, 50, true))")
    expect(hand).to_be_visible()
    learner.unroute("**/me/part")


def test_who_makes_the_same_mistake_three_times_is_seen(teacher, hub):
    needed = teacher.locator("#needed-body")
    for tries in (1, 2, 3):
        hub.report(
            NAMES[3],
            outcomes={"02/my_step": "WRONG"},
            mistakes={"02/my_step": "divided_twice"},
            tries={"02/my_step": tries},
        )
    expect(needed).to_contain_text("the same mistake 3 times")
    look(teacher, "needed", ["laptop"])
    hub.report(NAMES[3], outcomes={"02/my_step": "RIGHT"}, tries={"02/my_step": 4})
    expect(needed).not_to_contain_text("the same mistake")


def test_minutes_since_the_last_attempt(teacher):
    asked = """async ([people, now]) => (await import(
        "/services/room/static/needed.js")).needed(people, now).map((p) => p.why)"""
    last = {"exercise": "02/my_step", "at": 0, "tries": 4, "same": 1}
    quiet, busy = {"last": last}, {"last": {**last, "at": 500}}
    assert teacher.evaluate(asked, [[busy, {}, quiet], 600]) == [
        ["last attempt 10 min ago, number 4"]
    ]


def test_a_second_tab_of_one_browser_comes_back_too(instructor, hub):
    """Whose token another tab's new sign-in replaced, takes the new one."""
    page = instructor.context.new_page()
    page.goto(hub.room)
    expect(page.locator("#connection")).to_have_text("Live")
    page.context.clear_cookies(name="_xsrf")
    hub.service_process().kill()
    expect(page.locator("#connection")).to_have_text(
        "Connecting again …", timeout=20_000
    )
    hub.wait_for_room()
    expect(page.locator("#connection")).to_have_text("Live", timeout=20_000)
    page.close()


def test_another_page_of_the_same_hub_cannot_use_the_instructors_cookie(teacher):
    """A learner's own server has pages at the same address."""
    for path, method in (("stream", "GET"), ("texts", "GET"), ("step", "POST")):
        asked = f"fetch('/services/room/{path}', {{method: '{method}'}})"
        assert teacher.evaluate(f"{asked}.then(answer => answer.status)") == 403


def test_a_learner_is_led_to_the_right_page(chromium, hub):
    page = sign_in(chromium, hub, NAMES[7])
    expect(page.get_by_role("heading")).to_have_text("This page is for instructors")
    assert faults(page) == []
    page.get_by_role("link", name="Your page").click()
    expect(page.get_by_role("heading")).to_have_text("No vote now")


def test_pages_come_back_by_themselves_when_the_service_was_away(teacher, learner, hub):
    hub.service_process().kill()
    expect(teacher.locator("#connection")).to_have_text(
        "Connecting again …", timeout=20_000
    )
    hub.wait_for_room()
    expect(teacher.locator("#connection")).to_have_text("Live", timeout=20_000)
    expect(teacher.locator("#people-count")).to_contain_text("31 learners")
    hub.report(NAMES[27], opened={"07": 1})
    opened = teacher.locator("#others-body summary", has_text="07 ·")
    expect(opened).to_contain_text("1 started")
    teacher.get_by_role("button", name="Open the vote").click()
    expect(learner.get_by_role("heading", level=1)).to_have_text("Vote")
