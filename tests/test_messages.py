"""docs/messages.md: each message is printed by its code, or cited."""

import re

import pytest
from triage_runs import output_of

from autograder.field import read_field
from autograder.messages import HEAD, Message, read_messages
from autograder.messages_page import render_messages
from autograder.places import CourseError, Places, course_places
from autograder.source import read_source

PLACES = course_places()
SOURCES = [read_source(PLACES.source(name)) for name in PLACES.names()]
MESSAGES = read_messages(PLACES)
RUN = [each for each in MESSAGES if each.code]
ROW = {"text": "It is wrong", "means": "It is.", "first": "Stop.", "code": "1 / 0"}


@pytest.mark.prove
@pytest.mark.parametrize("message", RUN, ids=lambda each: each.text[:40])
def test_its_code_prints_it(message, tmp_path):
    output = output_of(f"{HEAD}\n{message.code}", tmp_path)
    assert message.is_in(output), output


def test_one_message_is_printed(tmp_path):
    (message,) = [each for each in RUN if "No duplicates allowed" in each.text]
    output = output_of(f"{HEAD}\n{message.code}", tmp_path)
    assert message.is_in(output), output
    assert not any(each.is_in(output) for each in RUN if each is not message)


def test_there_are_enough_and_nearly_all_were_made_to_happen():
    assert len(MESSAGES) >= 40
    assert len(RUN) >= len(MESSAGES) - 5
    addresses = {thread.address for thread in read_field(PLACES)}
    assert {each.cited for each in MESSAGES if each.cited} <= addresses


def test_all_stand_on_the_page_and_the_page_is_led_to():
    page = render_messages(PLACES, SOURCES)
    for each in MESSAGES:
        assert each.means.replace("|", "\\|") in page
        assert each.text.split(" ... ")[0] in page
    for notebook in re.findall(r"\]\(\.\./(notebooks/[^)]+)\)", page):
        assert (PLACES.root / notebook).is_file()
    assert "(docs/messages.md)" in PLACES.readme.read_text(encoding="utf-8")
    triage = (PLACES.docs / "triage.md").read_text(encoding="utf-8")
    assert "(messages.md)" in triage


@pytest.mark.parametrize("gone", SOURCES, ids=lambda source: source.header.number)
def test_a_room_goes_with_its_messages(gone):
    page = render_messages(PLACES, [each for each in SOURCES if each is not gone])
    own = [each for each in MESSAGES if each.lesson == gone.header.number]
    assert not any(each.means.replace("|", "\\|") in page for each in own)


def test_a_message_is_found_whatever_stands_in_its_gaps_and_where_lines_break():
    message = Message("The `task_id` ... exceeds the maximum", "m", "f", "code")
    assert message.is_in("ValueError: The `task_id` 7\n  exceeds the   maximum id")
    assert not message.is_in("ValueError: exceeds the maximum. The `task_id`")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"means": ""}, "it lacks means"),
        ({"lesson": "02"}, "it can't have lesson"),
        ({"cited": "https://example.org"}, "one of the two"),
        ({"code": ""}, "one of the two"),
        ({"first": "word " * 50}, "more than 45 words"),
    ],
)
def test_a_row_that_does_not_fit_is_refused(tmp_path, change, said):
    row = "\n".join(f'{name} = "{value}"' for name, value in {**ROW, **change}.items())
    (tmp_path / "solutions").mkdir()
    (tmp_path / "solutions" / "messages.toml").write_text(f"[[message]]\n{row}\n")
    with pytest.raises(CourseError, match=said):
        read_messages(Places(tmp_path))


def test_a_message_stands_once(tmp_path):
    row = "\n".join(f'{name} = "{value}"' for name, value in ROW.items())
    (tmp_path / "solutions").mkdir()
    text = f"[[message]]\n{row}\n\n" * 2
    (tmp_path / "solutions" / "messages.toml").write_text(text)
    with pytest.raises(CourseError, match="stands in two places"):
        read_messages(Places(tmp_path))
