"""Lists of real names, the accounts made of them, and the slips to print."""

import re

import pytest

from autograder.places import CourseError
from workshop import accounts, names, slips
from workshop.folders import Folders
from workshop.names import Person
from workshop.options import NAME
from workshop.room.real_names import RealNames


def listed(tmp_path, text, name="names.txt", encoding="utf-8"):
    path = tmp_path / name
    path.write_text(text, encoding=encoding)
    return names.read_list(path)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no name"),
        ("# only a remark\n", "no name"),
        ("ada\nbob\nAda\n", "ada more than once"),
        (f"{'a' * 81}\n", "more than 80"),
    ],
)
def test_a_list_that_cannot_be_used_says_why(tmp_path, text, said):
    with pytest.raises(CourseError, match=said):
        listed(tmp_path, text)


def test_a_list_that_is_no_text_says_which_it_must_be(tmp_path):
    with pytest.raises(CourseError, match="must be UTF-8"):
        listed(tmp_path, "Müller\n", encoding="latin-1")
    with pytest.raises(CourseError, match="can't be read"):
        names.read_list(tmp_path / "gone.txt")


@pytest.mark.parametrize(
    ("name", "text", "people", "header"),
    [
        ("n.txt", "Müller, Jörg\n\nada\n", [Person("Müller, Jörg"), Person("ada")], ""),
        ("n.txt", "Name\nada\n", [Person("ada")], "Name"),
        ("n.txt", "name\n", [Person("name")], ""),  # alone, it is somebody
        ("n.csv", "\ufeffada,Ada\nBob,\n", [Person("Ada", "ada"), Person("Bob")], ""),
        ("n.csv", "Name;Group\nÄnn;3\nada;\n", [Person("Änn"), Person("ada")], "Name"),
        ("n.csv", '"Müller, Jörg",B\n', [Person("Müller, Jörg")], ""),
    ],
)  # fmt: skip
def test_a_list_is_lines_or_a_table(tmp_path, name, text, people, header):
    assert listed(tmp_path, text, name) == (people, header)


@pytest.mark.parametrize(
    ("shown", "account"),
    [
        ("ada", "ada"),
        ("Ada", "ada"),
        ("Müller, Jörg", "mueller.joerg"),
        ("Ø. Ångström", "o.angstroem"),
        ("李雷", "li.lei"),
        ("../ada", "ada"),
        ("x" * 80, "x" * 28),
        ("a b c d e f g h i j k l m n o p q", "a.b.c.d.e.f.g.h.i.j.k.l.m.n"),
    ],
)
def test_an_account_is_made_of_any_name(shown, account):
    assert names.account_of(Person(shown), ()) == account
    assert NAME.fullmatch(account)


def test_two_who_would_have_one_account_get_two():
    taken = {"mueller", "mueller-2"}
    assert names.account_of(Person("Müller"), taken) == "mueller-3"
    with pytest.raises(CourseError, match="no letter or digit"):
        names.account_of(Person("…"), ())


def test_who_has_an_account_keeps_it_by_the_next_list(tmp_path):
    folders = Folders(tmp_path / "room")
    folders.make()
    first = accounts.add(folders, [Person("teacher", "teacher"), Person("Müller")])
    assert [*first] == ["teacher", "mueller"]
    again = accounts.add(folders, [Person("Mueller"), Person("Müller"), Person("ada")])
    assert [*again] == ["mueller-2", "mueller", "ada"]
    assert again["mueller"] == first["mueller"]
    known = accounts.known(folders)
    assert {*known} == {"teacher", "mueller", "mueller-2", "ada"}
    assert known["mueller"].shown == "Müller"


def test_a_list_of_an_older_workshop_is_read(tmp_path):
    folders = Folders(tmp_path / "room")
    folders.make()
    folders.accounts.write_text("name,password\nada,secret\n")
    assert accounts.known(folders) == {"ada": accounts.Account("ada", "secret", "ada")}


def test_slips_have_names_and_codes_and_only_their_owner_reads_them(tmp_path):
    path = tmp_path / "slips.html"
    told = [
        accounts.Account("mueller", "aaaa-bbbb-cccc", "Müller"),
        accounts.Account("x", "dddd-eeee-ffff", "<script>"),
    ]
    slips.write_slips(path, told, "https://room.example.org")
    page = path.read_text(encoding="utf-8")
    assert path.stat().st_mode & 0o077 == 0
    assert page.count("<section>") == page.count("https://room.example.org") == 2
    assert "Müller" in page and "aaaa-bbbb-cccc" in page
    assert "<script>" not in page and "&lt;script&gt;" in page
    assert not re.search(r'(?:src|href)="(?!data:)', page)


def test_the_room_shows_the_real_name_also_of_who_came_late(tmp_path):
    folders = Folders(tmp_path / "room")
    folders.make()
    real_name = RealNames(folders.accounts)
    assert real_name("mueller") == "mueller"
    accounts.add(folders, [Person("Müller")])
    assert real_name("mueller") == "Müller"
    accounts.add(folders, [Person("Jörg")])
    assert real_name("joerg") == "Jörg" and real_name("ada") == "ada"
    folders.accounts.unlink()
    assert real_name("joerg") == "Jörg"
