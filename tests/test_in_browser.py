"""A learner in JupyterLab: run, predict, slide, go wrong, get it right, come back."""

import json
import re
from pathlib import Path

import psutil
import pytest
from lab_page import A_CELL, A_NOTEBOOK, CARD
from playwright.sync_api import expect

pytest_plugins = ["learner_lab"]
pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

MEMORY_GB = 1.6  # for the server and the kernels of one learner
NOTEBOOK_00 = "notebooks/00_start_here/00_start_here.ipynb"
NOTEBOOK_02 = "notebooks/02_replicas_drift_apart/02_replicas_drift_apart.ipynb"
NOTEBOOK_04 = (
    "notebooks/04_changes_with_replica_count/04_changes_with_replica_count.ipynb"
)
NOTEBOOK_05 = "notebooks/05_different_every_run/05_different_every_run.ipynb"
WHITE, INK = "rgb(255, 255, 255)", "rgb(26, 26, 26)"
STEP = """\
def my_step(w, x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    context = tf.distribute.get_replica_context()
    w.assign_sub(LEARNING_RATE * context.all_reduce("{how}", gradient))
"""


@pytest.fixture(scope="module")
def notebook_02(tab):
    """Notebook 02 after Run All, nothing in it solved."""
    tab.open(NOTEBOOK_02)
    tab.picture("02_opened")
    tab.run_all()
    return tab


def check(tab, exercise):
    """Run an exercise's check cell again and return its card."""
    cell = tab.cell(f'check("{exercise}"')
    tab.run(cell)
    return cell.locator(CARD)


def predict_b(tab):
    """Predict B, certain, in notebook 02 and return the prediction's widget."""
    asked = tab.cell('predict("02")')
    asked.get_by_role("radio", name="B.").check()
    asked.get_by_role("button", name="certain", exact=True).click()
    asked.get_by_role("button", name="Save my prediction").click()
    expect(asked.get_by_text("Saved: B (certain).")).to_be_visible()
    return asked


def solve_core_of_02(tab):
    """Answer my_step right and return the card."""
    tab.write(tab.cell("def my_step(w, x, y):"), STEP.format(how="MEAN"))
    tab.run(tab.cell("def my_step(w, x, y):"))
    return check(tab, "02/my_step")


def test_run_all_reaches_the_end_and_nothing_was_attempted(notebook_02):
    tab = notebook_02
    checks = tab.cell('check("02/')
    assert checks.count() == 4
    expect(tab.cards()).to_have_count(4)
    for card in tab.cards().all():
        expect(card.locator("strong")).to_have_text(re.compile("NOT ATTEMPTED$"))
    # JupyterLab shows errors as stderr too: one short line for each check, no more
    stderr = '[data-mime-type="application/vnd.jupyter.stderr"]'
    said = tab.notebook().locator(stderr).all_inner_texts()
    short = r"CheckFailed: 02/my_\w+: NOT ATTEMPTED\. See the card of this check\."
    assert len(said) == 4
    assert all(re.fullmatch(short, line.strip()) for line in said), said
    observed = tab.cell("show(weights_plane(sequential, broken), prediction=")
    image = observed.locator("img")
    expect(image).to_be_visible()
    expect(observed.get_by_text(image.get_attribute("alt"))).to_be_visible()
    tab.picture("02_observed", at=image)
    tab.picture("02_not_attempted", at=tab.cards().nth(1))


@pytest.mark.prove
def test_a_line_says_what_a_slow_check_does_and_then_goes(notebook_02):
    tab = notebook_02
    first, rest = STEP.format(how="SUM").split("\n", 1)
    slow = f"from time import sleep\n{first}\n    sleep(3)\n{rest}"
    tab.write(tab.cell("def my_step(w, x, y):"), slow)
    tab.run(tab.cell("def my_step(w, x, y):"))
    cell = tab.cell('check("02/my_step"')
    line = cell.get_by_text(re.compile(r"^Checking 02/my_step, case \d of \d"))
    tab.start(cell)
    expect(line).to_be_visible(timeout=A_CELL)
    expect(line).to_have_text(re.compile(r"\(\d+ s\)$"))
    tab.picture("02_checking", at=line)
    expect(cell.locator(CARD)).to_be_visible(timeout=A_CELL)
    expect(line).to_have_count(0)
    tab.wait_for_kernel()
    tab.picture("02_checked", at=cell.locator(CARD))
    outputs = cell.locator(".jp-OutputArea-child")
    heights = [each.bounding_box() or {"height": 0} for each in outputs.all()]
    assert sum(box["height"] < 10 for box in heights) == 1, heights  # the empty line
    tab.write(tab.cell("def my_step(w, x, y):"), STEP.format(how="SUM"))  # fast again


@pytest.mark.prove
def test_server_and_kernel_fit_into_a_small_machine(
    notebook_02, server, record_property
):
    """The limit of memory holds for everything that runs (PSS), after Run All."""
    running = psutil.Process(server.pid)
    everything = [running, *running.children(recursive=True)]
    used = sum(one.memory_full_info().pss for one in everything) / 2**30
    assert len(everything) > 1
    record_property(
        "measured",
        f"02 in JupyterLab: server and kernel {used:.2f} GB of {MEMORY_GB}",
    )
    assert used < 3 * MEMORY_GB


def test_the_prediction_is_met_again_under_the_figure(notebook_02):
    tab = notebook_02
    asked = predict_b(tab)
    tab.picture("02_predicted", at=asked)
    observed = tab.cell("show(weights_plane(sequential, broken), prediction=")
    tab.run(observed)
    first_line = observed.locator("img ~ p").first
    expect(first_line).to_contain_text("You said B (certain). It was C:")
    tab.picture("02_prediction_met_again", at=first_line)


@pytest.mark.prove
def test_the_instrument_of_02_moves_by_keyboard(notebook_02):
    tab = notebook_02
    cell = tab.cell("paths_of_copies(broken_step)")
    slider = cell.get_by_role("slider", name="moment")
    at_the_end = cell.get_by_text(re.compile("^After 10 steps"))
    expect(at_the_end).to_be_visible()
    slider.focus()
    for _ in range(9):
        tab.page.keyboard.press("ArrowLeft")
    expect(cell.get_by_text(re.compile("^After 1 step:"))).to_be_visible()
    expect(at_the_end).to_be_hidden()
    tab.picture("02_film_after_1_step", at=slider)
    slider.press("End")
    cell.get_by_role("button", name="2", exact=True).press("Space")
    told = cell.locator(".course-told li").first
    expect(told).to_contain_text("broken_step, 2 replicas", timeout=A_CELL)
    tab.picture("02_instrument", at=slider)


@pytest.mark.prove
def test_hints_open_by_mouse_and_by_keyboard(notebook_02):
    tab = notebook_02
    hints = tab.notebook().locator("details", has_text="a line with holes")
    holes = hints.filter(has_text="Before the update")
    mouse, keys = holes.locator("summary"), hints.first.locator("summary")
    line = holes.get_by_text('all_reduce("____", ____)')
    expect(line).to_be_hidden()
    mouse.click()
    expect(line).to_be_visible()
    tab.picture("02_hint_open", at=line)
    line = hints.first.get_by_text("gaps = np.abs(")
    expect(line).to_be_hidden()
    keys.focus()
    tab.page.keyboard.press("Enter")
    expect(line).to_be_visible()


def test_a_mistake_is_named_the_second_time_and_a_right_answer_is_right(notebook_02):
    tab = notebook_02
    mine = tab.cell("def my_step(w, x, y):")
    tab.write(mine, STEP.format(how="SUM"))
    tab.run(mine)
    card = check(tab, "02/my_step")
    expect(card.locator("strong")).to_have_text(re.compile("WRONG$"))
    expect(card).not_to_contain_text("added up")
    tab.picture("02_wrong", at=card)
    card = check(tab, "02/my_step")
    expect(card).to_contain_text("Likely cause:")
    expect(card).to_contain_text("added up")
    assert tab.faults(CARD) == []
    tab.picture("02_wrong_named", at=card)
    card = solve_core_of_02(tab)
    expect(card.locator("strong")).to_have_text(re.compile("RIGHT$"))
    tab.picture("02_right", at=card)
    play = tab.cell("paths_of_copies(broken_step)")  # now with the learner's own step
    play.get_by_role("button", name="mine: my_step").click()
    told = play.locator(".course-told li").first
    expect(told).to_contain_text("my_step, ", timeout=A_CELL)
    at_the_end = play.locator(".course-film-said .now")
    expect(at_the_end).to_contain_text("copies agree and equal the sequential run")
    tab.picture("02_mine", at=told)


@pytest.mark.prove
def test_axe_finds_no_serious_fault(notebook_02):
    tab = notebook_02
    assert tab.cards().count() == 4
    assert tab.faults(CARD) == []
    assert tab.faults(".jp-OutputArea-output:has(#predict-02)") == []


@pytest.mark.prove
def test_axe_would_find_one(notebook_02):
    tab = notebook_02
    pale = "<p id='pale' style='color:#ddd;background:#fff'>pale</p>"
    tab.cards().first.evaluate(
        "(card, html) => card.insertAdjacentHTML('beforeend', html)", pale
    )
    assert [rule for rule, _ in tab.faults(CARD)] == ["color-contrast"]
    tab.page.locator("#pale").evaluate("node => node.remove()")


@pytest.mark.prove
def test_cards_and_figures_stay_white_in_the_dark_theme(notebook_02):
    tab = notebook_02
    tab.menu("Settings", "Theme", "JupyterLab Dark")
    expect(tab.page.locator("body[data-jp-theme-light='false']")).to_be_attached()
    for card in tab.cards().all():
        expect(card).to_have_css("background-color", WHITE)
        expect(card).to_have_css("color", INK)
    observed = tab.cell("show(weights_plane(sequential, broken), prediction=")
    image = observed.locator("img")
    expect(image).to_have_css("background-color", WHITE)
    tab.picture("02_dark_figure", at=image)
    tab.picture("02_dark_card", at=tab.cards().nth(1))
    tab.picture("02_dark_prediction", at=tab.cell('predict("02")'))
    tab.menu("Settings", "Theme", "JupyterLab Light")
    expect(tab.page.locator("body[data-jp-theme-light='true']")).to_be_attached()


@pytest.mark.prove
def test_the_validate_button_answers(notebook_02):
    tab = notebook_02
    tab.panel().get_by_role("button", name="Validate").click()
    dialog = tab.page.locator(".jp-Dialog")
    # it runs the whole notebook, and the server answers nobody meanwhile
    expect(dialog).to_contain_text("CheckFailed", timeout=A_NOTEBOOK)
    tab.picture("02_validate")
    dialog.get_by_role("button").last.click()
    expect(dialog).to_have_count(0)


@pytest.fixture(scope="module")
def notebook_00(notebook_02):
    """Notebook 00 after Run All; before, one exercise of 02 was solved."""
    tab = notebook_02
    predict_b(tab)
    solve_core_of_02(tab)
    tab.menu("Kernel", "Restart Kernel…")
    tab.page.get_by_role("button", name="Confirm Kernel Restart").click()
    tab.wait_for_kernel()
    tab.open(NOTEBOOK_00)
    tab.picture("00_opened")
    tab.run_all()
    return tab


def map_row(tab, number):
    """The map's row of a notebook: number and title, minutes, predicted, right."""
    row = tab.cell("course_map()").get_by_role("row", name=re.compile(f"^{number} "))
    return row.get_by_role("cell")


@pytest.mark.prove
def test_the_map_knows_what_was_done_before_a_kernel_restart(notebook_00):
    tab = notebook_00
    row = map_row(tab, "02")
    expect(row.nth(2)).to_have_text("yes")
    expect(row.nth(3)).to_have_text("1 of 4")
    expect(map_row(tab, "00").nth(3)).to_have_text("0 of 2")
    tab.picture("00_weights", at=tab.cell('prediction="00"').locator("img"))
    tab.picture("00_map", at=row.first)


@pytest.mark.prove
def test_progress_survives_as_a_file_where_the_machine_forgets(notebook_00, home):
    tab = notebook_00
    shown = tab.cell("course_map()")
    shown.get_by_role("button", name="Save progress").click()
    expect(shown.get_by_text("Saved. Download my_progress.json")).to_be_visible()
    saved = home / Path(NOTEBOOK_00).parent / "my_progress.json"
    assert json.loads(saved.read_text())["outcomes"]["02/my_step"] == "RIGHT"
    (home / "data" / "progress.json").unlink()  # what Binder does between two visits
    tab.run(shown)
    right = map_row(tab, "02").nth(3)
    expect(right).to_have_text("0 of 4")
    with tab.page.expect_file_chooser() as chooser:
        shown.get_by_role("button", name="Load progress").click()
    chooser.value.set_files(saved)
    expect(shown.get_by_text("Loaded. Run the map's cell again")).to_be_visible()
    tab.picture("00_progress_loaded", at=right)
    tab.run(shown)
    expect(right).to_have_text("1 of 4")


def open_and_run(tab, path, *texts):
    """Open a notebook and run the cells that hold these texts."""
    tab.open(path)
    for text in ("devices = virtual_devices(4)", *texts):
        tab.run(tab.cell(text))


@pytest.mark.prove
def test_ticks_by_keyboard_are_met_again_under_the_figure(tab):
    open_and_run(
        tab,
        NOTEBOOK_04,
        "from course.lessons.n04_changes_with_replica_count import (",
        "sources = {",
        'predict("04")',
    )
    asked = tab.cell('predict("04")')
    boxes = asked.get_by_role("checkbox")
    expect(boxes).to_have_count(12)
    boxes.nth(1).focus()  # tf.random.normal: new at each step
    tab.page.keyboard.press("Space")
    expect(boxes.nth(1)).to_be_checked()
    asked.get_by_role("button", name="a guess", exact=True).press("Space")
    save = asked.get_by_role("button", name="Save my prediction")
    expect(save).to_be_enabled()  # the kernel says so, once it knows how sure one is
    save.press("Enter")
    expect(asked.get_by_text("Saved: 1 yes, the rest no (a guess)")).to_be_visible()
    tab.picture("04_ticks", at=asked)
    assert tab.faults(".jp-OutputArea-output .widget-gridbox") == []
    tab.run(tab.cell("show(tick_table("))
    # six rows have seven ticks in all; one of them was set
    told = tab.cell("show(tick_table(").get_by_text("You had 6 of 12 right")
    expect(told).to_be_visible()
    tab.picture("04_ticks_met_again", at=told)


@pytest.mark.prove
def test_the_scheduler_works_by_keyboard(tab):
    open_and_run(
        tab,
        NOTEBOOK_05,
        "from course.lessons.n05_different_every_run import who_goes_next",
    )
    widget = tab.cell("who_goes_next()")
    for thread in (1, 1, 0):  # after thread 0's read
        button = widget.get_by_role("button", name=f"thread {thread}: next step")
        if thread == 0:  # thread 1 is done and has handed the focus on
            expect(button).to_be_focused()
        button.press("Space")
        said = f"thread {thread}'s" if thread == 0 else "so far"
        expect(widget.get_by_text(said).first).to_be_visible()
    expect(widget.get_by_text("so far (order): 1 (0 1 1 0).")).to_be_visible()
    expect(widget.get_by_role("button", name="start again")).to_be_focused()
    tab.picture("05_scheduler", at=widget)
    widget.get_by_role("button", name="start again").press("Enter")
    expect(widget.get_by_text("the variable holds 0 so far")).to_be_visible()
