"""Instruments as a learner has them: turn, scrub, point, stop, restart, two at once."""

import re

import nbformat
import pytest
from lab_page import A_CELL, A_NOTEBOOK, SCREENS, LabPage
from playwright.sync_api import expect

pytest_plugins = ["learner_lab"]
pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

# A real run on virtual devices; ten thousand steps are there to be stopped.
INSTRUMENT = """\
from course import virtual_devices
import tensorflow as tf
from course.pictures.parts import part
from course.pictures.picture import Picture
from course.pictures.style import COLOURS, MARKERS, new_figure
from course.runs.replicas import train_on_replicas
from course.runs.workloads import regression
from course.widgets.instrument import instrument
from course.widgets.knobs import Choice, Slider, Switch

HOW_LONG = {"five": 5, "ten thousand steps, of which most are never made": 10**4}

def step(w, x, y):
    w.assign_sub(tf.reduce_mean(x, axis=0))

def run(rows, replicas, steps, named):
    if rows < replicas:
        raise ValueError(f"{rows} rows are too few for {replicas} replicas.")
    devices = virtual_devices(4)[:replicas]
    name = "named" if named else "step"
    return train_on_replicas(step, regression(rows), 8, steps, devices, label=name)

def picture(now, before):
    figure, (axis,) = new_figure()
    for k in range(now.steps + 1):
        for r in range(now.replicas):
            (point,) = axis.plot(*now.copies[k, r], MARKERS[r], color=COLOURS[r], ms=9)
            part(point, f"replica {r} after {k} steps", since=k)
            axis.text(*now.copies[k, r], str(r), bbox={"fc": "white"})  # lies on it
    moments = [f"after {k} steps" for k in range(now.steps + 1)]
    said = [f"{now.replicas} replicas, {each}." for each in moments]
    return Picture(figure, said[-1], ("replicas",), [(now.replicas,)], moments, said)

instrument(
    [
        Slider("rows", "rows", 1, 40, 24),
        Choice("replicas", "replicas", {"1": 1, "2": 2, "4": 4}, 4),
        Choice("steps", "how long", HOW_LONG, 5),
        Switch("named", "a name of its own"),
    ],
    run,
    picture,
    told=lambda now: f"{now.replicas} replicas, {now.steps} steps"
    + ", named" * (now.label == "named"),
)
"""
FILM = """\
from course.widgets.film import film
film(picture(run(24, 2, 5, False), None))
"""
CELLS = [INSTRUMENT, "1 + 1", FILM, INSTRUMENT.replace("24", "32")]


@pytest.fixture(scope="module")
def played(tab, home):
    """A notebook with two instruments and a film, after Run All."""
    cells = [nbformat.v4.new_code_cell(source) for source in CELLS]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    notebook = nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})
    nbformat.write(notebook, home / "played.ipynb")
    sent = []
    tab.page.on(
        "websocket", lambda socket: socket.on("framesent", lambda f: sent.append(f))
    )
    tab.open("played.ipynb")
    tab.run_all()
    return tab, sent


def output(tab, cell):
    return tab.notebook().locator(".jp-CodeCell").nth(cell)


def film_of(cell):
    return cell.locator(".course-film")


def position(cell):
    return film_of(cell).locator("output")


def status(cell):
    return cell.locator(".jupyter-widgets [role=status]").first


def type_rows(tab, cell, rows):
    """Type a number into the slider's readout, as one can with every slider."""
    readout = cell.locator(".widget-readout")
    readout.click()
    tab.page.keyboard.press("Control+A")
    tab.page.keyboard.type(str(rows))
    tab.page.keyboard.press("Enter")


def test_a_film_is_moved_without_the_kernel(played):
    tab, sent = played
    cell = output(tab, 0)
    slider = film_of(cell).get_by_role("slider", name="moment")
    expect(position(cell)).to_have_text("after 5 steps")
    slider.focus()
    before = len(sent)
    for _ in range(3):
        tab.page.keyboard.press("ArrowLeft")
    expect(position(cell)).to_have_text("after 2 steps")
    expect(cell.get_by_text("4 replicas, after 2 steps.")).to_be_visible()
    expect(cell.get_by_text("4 replicas, after 5 steps.")).to_be_hidden()
    tab.page.keyboard.press("Home")
    expect(position(cell)).to_have_text("after 0 steps")
    play = film_of(cell).get_by_role("button", name="Play")
    play.press("Space")
    expect(position(cell)).to_have_text("after 5 steps")
    slider.hover()
    box = slider.bounding_box()
    tab.page.mouse.click(box["x"] + 2, box["y"] + box["height"] / 2)
    expect(position(cell)).to_have_text("after 0 steps")
    assert len(sent) == before


def test_a_part_says_what_it_is_by_mouse_and_by_keyboard(played):
    tab, _ = played
    cell = output(tab, 2)
    says = film_of(cell).locator(".course-film-says")
    last = film_of(cell).locator("[data-says='replica 1 after 5 steps']")
    last.hover()
    expect(says).to_have_text("replica 1 after 5 steps")
    tab.picture("instrument_pointed", at=says)
    tab.page.mouse.move(0, 0)
    expect(says).to_contain_text("Point at a part")
    film_of(cell).get_by_role("group").focus()
    tab.page.keyboard.press("ArrowLeft")
    expect(says).to_have_text("replica 1 after 5 steps")
    tab.page.keyboard.press("ArrowLeft")
    expect(says).to_have_text("replica 0 after 5 steps")
    tab.page.keyboard.press("ArrowRight")
    tab.page.keyboard.press("ArrowDown")  # on, as to the right
    expect(says).to_have_text("replica 0 after 0 steps")  # from the last to the first


def test_each_kind_of_knob_turns_by_mouse_and_keyboard(played):
    tab, _ = played
    cell = output(tab, 0)
    runs = cell.locator(".course-told li")
    cell.get_by_role("button", name="2", exact=True).click()
    expect(runs.first).to_have_text("2 replicas, 5 steps")
    height = cell.bounding_box()["height"]
    cell.get_by_role("button", name="1", exact=True).press("Space")
    expect(runs.first).to_have_text("1 replicas, 5 steps")
    assert cell.bounding_box()["height"] - height < 30  # one more line, no jump
    switch = cell.get_by_role("checkbox", name="a name of its own")
    switch.click()
    expect(runs.first).to_have_text("1 replicas, 5 steps, named (a name of its own on)")
    switch.press("Space")
    expect(switch).not_to_be_checked()
    expect(runs.first).to_have_text("1 replicas, 5 steps (a name of its own off)")
    rows = cell.get_by_role("slider", name="rows")
    rows.press("ArrowRight")
    expect(cell.locator(".widget-readout")).to_have_text("25")
    expect(cell.get_by_text("1 replicas, after")).not_to_have_count(0)
    cell.get_by_role("button", name="4", exact=True).click()
    every = "4 replicas, 5 steps (rows 25, a name of its own off)"
    expect(runs.first).to_have_text(every)
    type_rows(tab, cell, 3)
    expect(status(cell)).to_have_text("3 rows are too few for 4 replicas.")
    type_rows(tab, cell, 24)
    expect(status(cell)).to_have_text("")
    tab.picture("instrument_turned", at=cell)


def test_a_run_says_that_it_runs_and_can_be_stopped(played):
    tab, _ = played
    cell = output(tab, 0)
    stop = cell.get_by_role("button", name="Stop the run")
    expect(stop).to_be_disabled()
    menu = cell.get_by_role("combobox")
    menu.select_option("ten thousand steps, of which most are never made")
    expect(status(cell)).to_have_text("Running ...")
    expect(stop).to_be_enabled()
    stop.press("Enter")
    expect(status(cell)).to_have_text("Stopped.")
    menu.select_option("five")
    expect(status(cell)).to_have_text("")
    menu.focus()
    tab.page.keyboard.press("ArrowDown")  # the menu by keyboard: it runs again
    expect(status(cell)).to_have_text("Running ...")
    tab.run(output(tab, 1))
    expect(status(cell)).to_have_text("Stopped, as another cell was run.")
    menu.select_option("five")
    expect(status(cell)).to_have_text("")


def test_two_instruments_do_not_disturb_each_other(played):
    tab, _ = played
    first, second = output(tab, 0), output(tab, 3)
    before = first.locator(".course-told").inner_text()
    second.get_by_role("button", name="2", exact=True).click()
    expect(second.locator(".course-told li").first).to_have_text("2 replicas, 5 steps")
    assert first.locator(".course-told").inner_text() == before


def test_axe_finds_no_serious_fault_in_light_and_dark(played):
    tab, _ = played
    for theme in ("JupyterLab Dark", "JupyterLab Light"):
        tab.menu("Settings", "Theme", theme)
        dark = "false" if theme.endswith("Dark") else "true"
        body = tab.page.locator(f"body[data-jp-theme-light='{dark}']")
        expect(body).to_be_attached()
        tab.picture(f"instrument_{theme[11:].lower()}", at=output(tab, 0))
        assert tab.faults(".jp-OutputArea-output .jupyter-widgets") == []


def test_after_a_restart_it_says_so_and_a_click_runs_it_again(played):
    tab, _ = played
    cell = output(tab, 0)
    tab.menu("Kernel", "Restart Kernel…")
    tab.page.get_by_role("button", name="Confirm Kernel Restart").click()
    tab.wait_for_kernel()
    expect(cell.get_by_text("The kernel was restarted")).to_be_visible()
    expect(output(tab, 2).get_by_text("The kernel was restarted")).to_have_count(0)
    film_of(output(tab, 2)).get_by_role("slider", name="moment").press("Home")
    expect(position(output(tab, 2))).to_have_text("after 0 steps")
    tab.picture("instrument_restarted", at=cell)
    cell.get_by_role("button", name="Run this cell again").click()
    expect(cell.get_by_text("The kernel was restarted")).to_have_count(0)
    expect(cell.locator(".course-told li")).to_have_count(1, timeout=A_CELL)


def test_the_same_in_notebook_7(played, chromium, server):
    page = chromium.new_page(viewport={"width": 1366, "height": 768})
    page.goto(f"{server.url}notebooks/played.ipynb?token={server.token}")
    cell = page.locator(".jp-CodeCell").first
    expect(cell.locator(".cm-content")).to_be_visible(timeout=A_CELL)
    idle = page.locator(".jp-Notebook-ExecutionIndicator[data-status='idle']")
    expect(idle).to_be_visible(timeout=A_CELL)
    cell.locator(".jp-InputPrompt").click()
    page.keyboard.press("Control+Enter")
    expect(cell.locator(".jp-InputPrompt")).to_have_text(
        re.compile(r"\[\d+\]"), timeout=A_NOTEBOOK
    )
    cell.get_by_role("button", name="2", exact=True).click()
    expect(cell.locator(".course-told li").first).to_have_text("2 replicas, 5 steps")
    film_of(cell).get_by_role("slider", name="moment").press("Home")
    expect(position(cell)).to_have_text("after 0 steps")
    LabPage(page, server.url, server.token, SCREENS).picture("notebook_7", at=cell)
    page.close()
