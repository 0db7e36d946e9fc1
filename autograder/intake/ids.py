"""What a student's id may be, and how a name becomes one.

An id names a folder and a file, is found by nbgrader with glob(), and stands in its
gradebook. Held by all of them (tried with nbgrader 0.9.6): blanks, "+", "@", quotes,
letters of every script. Not held: outer blanks, which nbgrader strips; "*", "?" and
"[", by which it finds other students too; a line's end, which its search stops at; a
leading dot, which hides the folder.
"""

from __future__ import annotations

import re
import unicodedata

FORBIDDEN = re.compile(r"[/\\*?\[]")  # "\" is a path in a zip that Windows made
MAX_LETTERS = 128  # in nbgrader's gradebook
MAX_BYTES = 200  # a file's name has 255; the records add an ending and a prefix


def as_id(said: str) -> str:
    """The name as an id: composed, each blank one blank, without invisible signs."""
    text = unicodedata.normalize("NFC", said)
    seen = "".join(c for c in text if unicodedata.category(c) != "Cf")
    return " ".join(seen.split())


def why_not(name: str) -> str:
    """Why a name can't be an id, as the end of a sentence; "" where it can."""
    bad = FORBIDDEN.search(name)
    if not name:
        return "is empty"
    if any(unicodedata.category(c).startswith("C") for c in name):
        return "holds signs that are no text"
    if name[0] in ".-":
        return f'begins with "{name[0]}"'
    if bad:
        return f'holds "{bad.group()}"'
    if len(name) > MAX_LETTERS or len(name.encode()) > MAX_BYTES:
        return f"is longer than {MAX_LETTERS} letters or {MAX_BYTES} bytes"
    return ""


def plain_id(name: str, said: str) -> bool:
    """Whether an id shows the name as it was written, or with "_" for blanks."""
    text = unicodedata.normalize("NFC", said)
    return name in (text, re.sub(r"\s+", "_", text))


def alike(name: str) -> str:
    """What is equal for names that some disks, and some readers, take for one."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    return unicodedata.normalize("NFKC", folded)
