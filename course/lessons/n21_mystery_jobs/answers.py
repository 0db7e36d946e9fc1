"""Read a name or a place, written in any clear way."""

from __future__ import annotations

from course.lessons.n21_mystery_jobs.job_signs import COLUMNS, START

OWN = __name__.split(".")[2][1:3]  # the number of this notebook, which comes last
KNOWN = frozenset(f"{number:02d}" for number in range(int(OWN)))


NOT_YET = "not enough seen yet"


def is_open(answer: object) -> bool:
    """Whether a name or place is still open, which costs nothing."""
    if isinstance(answer, str):
        return answer.strip(" .").lower() == NOT_YET
    return answer is ...


def names_in(answer: object) -> frozenset[str]:
    """Return the notebooks' numbers in an answer: {"02"} for {"2"}, {2} or "02".

    Raises:
        ValueError: something in it is not the number of a notebook.
    """
    parts = [answer] if isinstance(answer, str | int) else answer
    if not isinstance(parts, set | frozenset | list | tuple):
        a_dict = " In Python, {} is a dict." if isinstance(answer, dict) else ""
        raise ValueError(
            'A name is a set of notebooks, such as {"02"}; a healthy job is set().'
            f"{a_dict} You wrote {answer!r}."
        )
    names = set()
    for part in parts:
        name = _number(part)
        if name not in KNOWN:
            raise ValueError(
                f'Notebooks are "00" to "{max(KNOWN)}"; a healthy job is set(). '
                f"You wrote {part!r}."
            )
        names.add(name)
    return frozenset(names)


def _number(part: object) -> str:
    """Return "02" for 2, "2" or " 02 "; anything else as it was written."""
    if isinstance(part, bool):
        return repr(part)  # Python counts True as 1
    text = str(part).strip()
    return f"{int(text):02d}" if text.isdecimal() else text


def place_in(answer: object) -> tuple[int, str, float] | None:
    """Return (step, column, number), or None; "start" is START.

    Raises:
        ValueError: it is something else.
    """
    if answer is None:
        return None
    try:
        step, column, value = answer
        named = isinstance(step, str) and step.strip().lower() == "start"
        place = START if named else int(step), str(column).strip().lower(), float(value)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(
            'A place is (step, column, number), such as (3, "reads", 1), or None. '
            f"You wrote {answer!r}."
        ) from None
    if place[1] not in COLUMNS:
        raise ValueError(f"Columns are {', '.join(COLUMNS)}. You wrote {column!r}.")
    return place
