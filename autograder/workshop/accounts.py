"""Who may sign in: accounts from a list, or learners who register themselves."""

from __future__ import annotations

import csv
import io
import secrets
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import bcrypt
from jupyterhub.handlers.login import LoginHandler
from limits import RateLimitItemPerMinute
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter
from nativeauthenticator import NativeAuthenticator
from nativeauthenticator.orm import UserInfo
from tornado.web import HTTPError
from traitlets import Dict

from autograder.places import CourseError
from autograder.whole_files import PRIVATE, write_whole
from autograder.workshop.folders import Folders
from autograder.workshop.options import NAME, NAMES_ARE

LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # none is easily taken for another
LONGEST_PASSWORD = 72  # bytes: bcrypt takes no more
A_MINUTE = RateLimitItemPerMinute(60)  # wrong, from one address: a room may share it
TRIES, WAIT_SECONDS = 5, 60  # wrong, with one name
ROUNDS = 10  # of bcrypt: these passwords were drawn at random


class Accounts(NativeAuthenticator):
    """NativeAuthenticator with accounts of its own from the start, and fewer tries.

    listed: name -> first password; an account that exists keeps the password it has.
    """

    listed = Dict().tag(config=True)

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.allowed_failed_logins, self.seconds_before_next_try = TRIES, WAIT_SECONDS
        self.minimum_password_length, self.check_common_password = 8, True
        self._wrong = MovingWindowRateLimiter(MemoryStorage())
        for name, password in self.listed.items():
            if not self.user_exists(name):
                hashed = bcrypt.hashpw(password.encode(), bcrypt.gensalt(ROUNDS))
                self.db.add(
                    UserInfo(username=name, password=hashed, is_authorized=True)
                )
        self.db.commit()

    async def authenticate(self, handler, data):
        """Return the name, or None where name and password do not fit.

        Raises:
            tornado.web.HTTPError: with a sentence for the form: too many tries, or the
                instructor has not approved the registration yet.
        """
        address = handler.request.remote_ip
        if not self._wrong.test(A_MINUTE, address):
            self.log.warning("Too many wrong sign-ins from %s", address)
            raise HTTPError(429, "Too many wrong tries from here. Wait a minute.")
        name = self.normalize_username(data["username"])
        if self.is_blocked(name):
            raise HTTPError(429, "Too many wrong passwords. Wait a minute.")
        signed_in = await self._compare(name, data)
        if signed_in is None:
            self._wrong.hit(A_MINUTE, address)
        return signed_in

    async def _compare(self, name, data):
        if len(data["password"].encode()) > LONGEST_PASSWORD:
            return None
        known = self.get_user(name)
        if known and not known.is_authorized:
            if not known.is_valid_password(data["password"]):
                self.add_login_attempt(name)
                return None
            raise HTTPError(403, "The instructor has not approved this account yet.")
        return await super().authenticate(None, data)

    def get_handlers(self, app):
        """The authenticator's pages; to sign in there is the hub's own.

        NativeAuthenticator's form needs an attribute that JupyterHub 6 has dropped.
        """
        pages = super().get_handlers(app)
        return [("/login", LoginHandler), *(p for p in pages if p[0] != "/login")]

    def create_user(self, username, password, **kwargs):
        """Make the account that somebody registers, or return None."""
        if len(password.encode()) > LONGEST_PASSWORD:
            return None
        return super().create_user(username, password, **kwargs)

    def validate_username(self, username):
        """Whether a name may be an account's."""
        return bool(NAME.fullmatch(username))


def read_list(path: Path) -> list[str]:
    """The names in a list: one a line, or the first column of a CSV file.

    Raises:
        CourseError: it can't be read, a name can't be used or stands there twice.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeError) as error:
        raise CourseError(
            f"The list of learners {path} can't be read: {error}."
        ) from None
    names = [row[0].strip() for row in csv.reader(io.StringIO(text)) if row]
    names = [name for name in names if name and not name.startswith("#")]
    if not names:
        raise CourseError(f"There is no name in {path}: write one on each line.")
    wrong = [name for name in names if not NAME.fullmatch(name)]
    if wrong:
        raise CourseError(
            f"In {path}, {', '.join(map(repr, wrong))} can't be an account's name: "
            f"{NAMES_ARE}."
        )
    if twice := [name for name, many in Counter(names).items() if many > 1]:
        raise CourseError(f"{path} names {', '.join(twice)} more than once.")
    return names


def known(folders: Folders) -> dict[str, str]:
    """The accounts handed out so far: name -> first password."""
    try:
        with folders.accounts.open(encoding="utf-8", newline="") as file:
            return {row["name"]: row["password"] for row in csv.DictReader(file)}
    except FileNotFoundError:
        return {}


def add(folders: Folders, names: Iterable[str]) -> dict[str, str]:
    """Draw a first password for each new name; return all accounts."""
    accounts = known(folders)
    for name in names:
        accounts.setdefault(name, new_password())
    table = io.StringIO()
    rows = csv.writer(table, lineterminator="\n")
    rows.writerow(["name", "password"])
    rows.writerows(accounts.items())
    write_whole(folders.accounts, table.getvalue().encode(), PRIVATE)
    return accounts


def new_password() -> str:
    """Three groups of four letters and digits, drawn from 31: 59 bits."""
    return "-".join("".join(secrets.choice(LETTERS) for _ in "1234") for _ in "123")
