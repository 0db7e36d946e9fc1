"""Who may sign in: accounts from a list, or learners who register themselves."""

from __future__ import annotations

import asyncio
import csv
import io
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from weakref import WeakValueDictionary

import bcrypt
from jupyterhub import handlers as hub
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter
from nativeauthenticator import NativeAuthenticator
from nativeauthenticator.orm import UserInfo
from tornado.web import HTTPError
from traitlets import Dict

from autograder.places import CourseError
from course.whole_files import PRIVATE, write_whole
from workshop.account_pages import (
    A_MINUTE,
    INSTEAD,
    OF_A_NAME,
    address_of,
)
from workshop.folders import Folders
from workshop.names import Person, account_of
from workshop.options import NAME

LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # none is easily taken for another
LONGEST_PASSWORD = 72  # bytes: bcrypt takes no more
ROUNDS = 10  # of bcrypt, 50 ms; the first passwords were drawn at random


class Accounts(NativeAuthenticator):
    """NativeAuthenticator with accounts of its own from the start, and fewer tries.

    listed: name -> first password; an account that exists keeps the password it has.
    limits: counts what is allowed a few times a minute.
    """

    listed = Dict().tag(config=True)

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.minimum_password_length, self.check_common_password = 8, True
        self.limits = MovingWindowRateLimiter(MemoryStorage())
        self._turns = WeakValueDictionary()  # address -> lock, while it is in use
        for name, password in self.listed.items():
            if not self.user_exists(name):
                self.db.add(
                    UserInfo(
                        username=name, password=hashed(password), is_authorized=True
                    )
                )
        self.db.commit()

    def turn(self, address: str) -> asyncio.Lock:
        """What one address does one after the other: many at once count, too."""
        return self._turns.setdefault(address, asyncio.Lock())

    async def authenticate(self, handler, data):
        """Return the name, or None where name and password do not fit.

        Raises:
            tornado.web.HTTPError: with a sentence for the form: too many tries, or the
                instructor has not approved the registration yet.
        """
        address = address_of(handler.request)
        name = self.normalize_username(data["username"])
        if not self.validate_username(name):
            name = ""  # nobody's; what is counted is kept, and this may be long
        async with self.turn(address):
            # by name and address: who locks a name out does so for itself alone
            if not self.limits.test(A_MINUTE, "wrong", address):
                self.log.warning("Too many wrong sign-ins from %s", address)
                raise HTTPError(429, "Too many wrong tries from here. Wait a minute.")
            if not self.limits.test(OF_A_NAME, "wrong", address, name):
                raise HTTPError(429, "Too many wrong passwords. Wait a minute.")
            known = self.get_user(name)
            if not (known and await fits(data["password"], known.password)):
                self.limits.hit(A_MINUTE, "wrong", address)
                if name:
                    self.limits.hit(OF_A_NAME, "wrong", address, name)
                return None
        if not known.is_authorized:
            raise HTTPError(403, "The instructor has not approved this account yet.")
        return name

    def get_handlers(self, app):
        """The authenticator's pages, and in front of the hub's own some of those."""
        pages = super().get_handlers(app)
        pages += [page for page in hub.default_handlers if page[1] in INSTEAD]
        return [(path, INSTEAD.get(page, page)) for path, page, *_ in pages]

    def create_user(self, username, password, **kwargs):
        """Make the account that somebody registers, or return None.

        As NativeAuthenticator does, which hashes four times as long.
        """
        name = self.normalize_username(username)
        if not self.enable_signup or self.user_exists(name):
            return None
        if not (self.validate_username(name) and self.is_password_strong(password)):
            return None
        user = UserInfo(
            username=name,
            password=hashed(password),
            is_authorized=self.open_signup or name in self.get_authed_users(),
        )
        self.db.add(user)
        self.db.commit()
        return user

    def get_user(self, username):
        """The account as it stands in the database, or None.

        SQLAlchemy gives back what it read before, where something still holds it; and
        `course workshop approve` writes beside the hub.
        """
        user = super().get_user(username)
        if user is not None:
            self.db.refresh(user)
        return user

    def is_password_strong(self, password):
        """Whether somebody may choose this password."""
        fit = len(password.encode()) <= LONGEST_PASSWORD
        return fit and super().is_password_strong(password)

    def normalize_username(self, username):
        """The account that a name stands for: who types a real name comes in, too."""
        try:
            return account_of(Person(username.strip()), ())
        except CourseError:
            return username

    def validate_username(self, username):
        """Whether a name may be an account's."""
        return bool(NAME.fullmatch(username))


def hashed(password: str) -> bytes:
    """What is kept of a password."""
    return bcrypt.hashpw(password.encode(), bcrypt.gensalt(ROUNDS))


async def fits(password: str, kept: bytes) -> bool:
    """Whether it is the password; beside the event loop, as it takes a while."""
    if len(password.encode()) > LONGEST_PASSWORD:
        return False
    return await asyncio.to_thread(bcrypt.checkpw, password.encode(), kept)


@dataclass(frozen=True)
class Account:
    """What was handed out: the account, its first password, and the real name."""

    name: str
    password: str
    shown: str


def known(folders: Folders) -> dict[str, Account]:
    """The accounts handed out so far, by their names."""
    try:
        with folders.accounts.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
    except FileNotFoundError:
        return {}
    return {
        row["name"]: Account(
            row["name"], row["password"], row.get("shown") or row["name"]
        )
        for row in rows
    }


def learners(folders: Folders, instructor: str) -> list[Account]:
    """All accounts handed out, but the instructor's."""
    return [each for each in known(folders).values() if each.name != instructor]


def add(folders: Folders, people: Iterable[Person]) -> dict[str, Account]:
    """Make an account for each new person; return those of all, in the people's order.

    Who has one keeps it, also by another list with the same name in it.
    """
    accounts = known(folders)
    by_shown = {each.shown: each for each in accounts.values()}
    theirs = {}
    for person in people:
        had = by_shown.get(person.shown) or accounts.get(person.account)
        name = had.name if had else account_of(person, accounts)
        account = (
            had or accounts.get(name) or Account(name, new_password(), person.shown)
        )
        accounts[account.name] = theirs[account.name] = account
    table = io.StringIO()
    rows = csv.writer(table, lineterminator="\n")
    rows.writerow(["name", "password", "shown"])
    rows.writerows((each.name, each.password, each.shown) for each in accounts.values())
    write_whole(folders.accounts, table.getvalue().encode(), PRIVATE)
    return theirs


def new_password() -> str:
    """Three groups of four letters and digits, drawn from 31: 59 bits."""
    return "-".join("".join(secrets.choice(LETTERS) for _ in "1234") for _ in "123")
