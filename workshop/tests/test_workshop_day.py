"""Whether the machine is large enough is said before the room comes."""

import pytest

from workshop import day
from workshop.day import GB, Machine
from workshop.folders import Folders
from workshop.options import Options, remembered


@pytest.mark.parametrize(
    ("learners", "there", "said"),
    [
        (30, Machine(12 * GB, 20 * GB, 2), []),
        (200, Machine(24 * GB, 100 * GB, 8), ["52 GB of memory (24 are here)"]),
        (30, Machine(12 * GB, 2 * GB, 2), ["4 GB of free disk (2 are here)"]),
        (90, Machine(64 * GB, 64 * GB, 2), ["3 cores (2 are here)"]),
    ],
)
def test_what_is_missing_is_said_with_numbers(learners, there, said):
    assert day.missing(learners, there) == said


@pytest.mark.parametrize(
    "there",
    [
        Machine(8 * GB, 50 * GB, 4),
        Machine(64 * GB, 5 * GB, 4),
        Machine(64 * GB, 50 * GB, 1),
        Machine(GB, GB, 1),
    ],
)
def test_as_many_fit_as_nothing_is_missing_for(there):
    most = day.most_learners(there)
    assert most == 0 or day.missing(most, there) == []
    assert day.missing(most + 1, there)


def test_this_machine_is_looked_at_also_where_the_folder_is_not_there_yet(tmp_path):
    there = day.machine(tmp_path / "room" / "later")
    assert there.memory > 0 and there.disk > 0 and there.cores > 0


def test_a_start_remembers_what_was_chosen_before_and_nothing_secret(tmp_path):
    folders = Folders(tmp_path / "room")
    folders.make()
    assert remembered(folders) == {}
    chosen = {"instructor": "grace", "address": "10.0.0.5", "without_tls": True}
    Options("/course", **chosen, hub_port=7, secret="s").save(folders)
    assert remembered(folders) == chosen
    folders.options.write_text("{")
    assert remembered(folders) == {}
