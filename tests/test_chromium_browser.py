"""A browser whose drawing process hangs is made to draw again."""

import pytest
from chromium_browser import drawing_processes, kill, make_it_draw, running_chromium

pytestmark = [pytest.mark.prove, pytest.mark.browser]


def test_a_browser_that_draws_nothing_is_made_to_draw():
    with running_chromium() as browser:
        page = browser.new_page()
        page.set_content("<p>Something to draw</p>")
        page.screenshot()
        hanging = drawing_processes()
        try:
            for process in hanging:
                process.suspend()
            make_it_draw(page)
            page.screenshot()
            assert hanging and not set(hanging) & set(drawing_processes())
        finally:  # a suspended process outlives its browser
            kill(hanging)
