"""Names, lists and first passwords of a workshop."""

import os

import pytest

from autograder.places import CourseError
from autograder.workshop import accounts, options
from autograder.workshop.folders import Folders


@pytest.mark.parametrize(
    "text, said",
    [
        ("", "no name"),
        ("# only a remark\n", "no name"),
        ("ada\nAda Lovelace\n", "name 2: 'Ada Lovelace'"),
        ("../ada\n", "'../ada'"),
        ("ada\nbob\nada\n", "'ada' twice"),
        (f"{'a' * 33}\n", "at most 32"),
    ],
)
def test_a_list_that_cannot_be_used_says_why(tmp_path, text, said):
    path = tmp_path / "names.txt"
    path.write_text(text)
    with pytest.raises(CourseError) as error:
        accounts.read_list(path)
    assert said in str(error.value)


def test_a_list_is_lines_or_the_first_column_of_a_table(tmp_path):
    path = tmp_path / "names.csv"
    path.write_text("\ufeffada,Ada Lovelace\n\nbob,\n", encoding="utf-8")
    assert accounts.read_list(path) == ["ada", "bob"]


def test_first_passwords_are_drawn_once_and_read_by_this_user_only(tmp_path):
    folders = Folders(tmp_path / "room")
    folders.make()
    first = accounts.add(folders, ["teacher", "ada"])
    assert accounts.known(folders) == first
    assert os.stat(folders.accounts).st_mode & 0o077 == 0
    second = accounts.add(folders, ["teacher", "bob", "ada"])
    assert {name: second[name] for name in first} == first
    assert len(set(second.values())) == 3
    assert all(len(password) == 14 for password in second.values())


@pytest.mark.parametrize("name", ["", "-a", ".a", "a b", "A", "a+b", "a/b", "ä", "a\n"])
def test_names_that_could_be_taken_for_something_else_are_refused(name):
    with pytest.raises(CourseError):
        options.check_name(name)


def test_a_folder_too_deep_for_a_socket_is_named(tmp_path):
    with pytest.raises(CourseError, match="--data"):
        Folders(tmp_path / ("deep" * 30)).make()


def test_options_come_back_as_they_were_saved(tmp_path):
    folders = Folders(tmp_path / "room")
    folders.make()
    chosen = options.Options("/course", "teacher", port=8001, secret="s")
    chosen.save(folders)
    assert options.load(folders) == chosen
    folders.options.write_text("{")
    with pytest.raises(CourseError, match="can't be read"):
        options.load(folders)
