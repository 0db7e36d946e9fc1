"""What the pages show of the room: plain data, made of the catalogue's own texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from workshop.room.catalogue import Exercise, Notebook, Question
from workshop.room.state import PHONE, Learner, Room
from workshop.room.votes import Ballot, Phase, tally

MOST_MISTAKES = 3  # of one exercise


def wall_view(room: Room) -> dict:
    """Return what the wall shows: one question, or one notebook, and nobody."""
    learners = room.learners
    places = Counter(one.at for one in learners.values() if one.at)
    # where two notebooks have as many, the room is moving on to the later one
    most = max(places, key=lambda number: (places[number], number), default=None)
    now = room.pinned or most
    return {
        "learners": len(learners),
        "phones": len(room.phones),
        "now": now,
        "pinned": room.pinned is not None,
        "atNow": places[now],
        "notebook": _notebook(room.catalogue.notebooks[now], learners) if now else None,
        "vote": _vote(room, learners),
    }


def instructor_view(room: Room) -> dict:
    """Return all that the instructor's page shows and that can change."""
    learners = room.learners
    wall = wall_view(room)
    del wall["notebook"]  # it is one of all
    return {
        **wall,
        "notebooks": [
            _notebook(notebook, learners)
            for notebook in room.catalogue.notebooks.values()
        ],
        "own": {number: asked.text for number, asked in room.own.items()},
        "people": [_person(room, name, one) for name, one in _in_order(room)],
    }


def _notebook(notebook: Notebook, learners: Mapping[str, Learner]) -> dict:
    started = [one for one in learners.values() if one.report.started(notebook.number)]
    solved = [
        sum(one.report.solved(exercise.name) for exercise in notebook.exercises)
        for one in started
    ]
    return {
        "number": notebook.number,
        "started": len(started),
        "solvedOne": sum(count > 0 for count in solved),
        "solvedAll": solved.count(len(notebook.exercises)),
        "exercises": [_exercise(each, started) for each in notebook.exercises],
    }


def _exercise(exercise: Exercise, started: list[Learner]) -> dict:
    name = exercise.name
    now = Counter(
        code
        for one in started
        for code in exercise.codes(one.report.mistakes.get(name, ""))
    )
    met = Counter(code for one in started for code in one.met.get(name, ()))
    codes = sorted(met, key=lambda code: (-now[code], -met[code], code))
    return {
        "name": name,
        "tried": sum(one.report.tried(name) for one in started),
        "solved": sum(one.report.solved(name) for one in started),
        "mistakes": [
            {"cause": exercise.mistakes[code], "now": now[code], "met": met[code]}
            for code in codes[:MOST_MISTAKES]
            if code in exercise.mistakes
        ],
    }


def _vote(room: Room, learners: Mapping[str, Learner]) -> dict | None:
    ballot = room.ballot
    question = room.question(ballot.number) if ballot else None
    if question is None:
        return None
    rounds = _rounds(ballot, learners)
    open_to_view = ballot.shown or ballot.phase is Phase.REVEALED
    return {
        "number": ballot.number,
        "title": room.title(ballot.number),
        "own": _asked(question) if ballot.number in room.own else None,
        "phase": ballot.phase.value,
        "shown": ballot.shown,
        "voted": {name: len(votes) for name, votes in rounds.items()},
        # not before somebody asked: a page on a wall sways the room
        "counts": {name: tally(votes, question) for name, votes in rounds.items()}
        if open_to_view
        else None,
    }


def _rounds(ballot: Ballot, learners: Mapping[str, Learner]) -> dict[str, dict]:
    def of_learners(votes: dict[str, str]) -> dict[str, str]:
        return {
            name: answer
            for name, answer in votes.items()
            if name in learners or name.startswith(PHONE)
        }

    rounds = {"first": of_learners(ballot.first)}
    if ballot.second or ballot.phase is Phase.SECOND:
        rounds["second"] = of_learners(ballot.second)
    return rounds


def _in_order(room: Room) -> list[tuple[str, Learner]]:
    """Those who agreed to show their name by name, then the others by number."""
    return sorted(
        room.learners.items(),
        key=lambda each: (
            not each[1].named,
            room.real_name(each[0]).casefold() if each[1].named else each[1].number,
        ),
    )


def label(room: Room, name: str, learner: Learner) -> str:
    """Return the real name of who agreed to show it, else a number."""
    return room.real_name(name) if learner.named else f"Learner {learner.number}"


def _person(room: Room, name: str, learner: Learner) -> dict:
    report, attempts = learner.report, learner.attempts
    last = attempts.last(report)
    here = [e for e in room.catalogue.exercises if e.split("/")[0] == learner.at]
    return {
        "label": label(room, name, learner),
        "number": learner.number,
        "hand": learner.hand,
        "last": last
        and {
            "exercise": last[0],
            "at": last[1],
            "tries": report.tries.get(last[0], 0),
            "same": attempts.same.get(last[0], 0),
        },
        "at": learner.at,
        "tried": sum(report.tried(exercise) for exercise in here),
        "solved": sum(report.solved(exercise) for exercise in here),
        "of": len(here),
        "mistakes": [
            known.mistakes[code]
            for known in map(room.catalogue.exercises.get, here)
            for code in known.codes(report.mistakes.get(known.name, ""))
        ],
    }


def learner_view(room: Room, name: str) -> dict:
    """Return what the page of `name` shows; never how others voted."""
    learner = room.learner(name)
    hand = learner.hand is not None
    own = {"named": learner.named, "number": learner.number, "hand": hand}
    return {**own, **voter_view(room, name)}


def news_view(room: Room, name: str) -> dict:
    """Return the vote that waits for `name`, for a notice beside their notebook."""
    ballot = room.ballot
    is_open = ballot and ballot.phase in (Phase.FIRST, Phase.SECOND)
    if not is_open or name in _votes_now(ballot):
        return {"vote": None}
    return {
        "vote": {
            "title": room.title(ballot.number),
            "second": ballot.phase is Phase.SECOND,
        }
    }


def voter_view(room: Room, name: str) -> dict:
    """Return the question as `name` sees it, a learner or a phone."""
    ballot = room.ballot
    question = room.question(ballot.number) if ballot else None
    if question is None:
        return {"question": None}
    return {
        "phase": ballot.phase.value,
        "question": question,
        "marked": question.chosen(_votes_now(ballot).get(name, "")) or (),
        "title": room.title(ballot.number),
        "first": _said(question, ballot.first.get(name)),
        "second": _said(question, ballot.second.get(name)),
        "right": _right(question) if ballot.phase is Phase.REVEALED else None,
    }


def _votes_now(ballot: Ballot) -> dict[str, str]:
    return ballot.second if ballot.phase is Phase.SECOND else ballot.first


def _said(question: Question, answer: str | None) -> str | None:
    """Return a vote in words, or None."""
    keys = question.chosen(answer) if answer else None
    if keys is None:
        return None
    if not question.columns:
        return answer
    return f"{len(keys)} of {len(question.bars)} ticked"


def _right(question: Question) -> str:
    """Return the right answer in a sentence or two."""
    if question.columns:
        ticked = [bar.label for bar in question.bars if bar.right]
        start = "This is yes" if len(ticked) == 1 else "These are yes"
        return f"{start}: {'; '.join(ticked)}."
    bar = next((bar for bar in question.bars if bar.right), None)
    return f"It was {bar.key}: {bar.label} {bar.comment}".rstrip() if bar else ""


def questions(room: Room) -> dict:
    """Return the texts that the instructor's page shows and that never change."""
    return {
        number: {
            "title": notebook.title,
            "exercises": {e.name: e.title for e in notebook.exercises},
            "question": notebook.question and _asked(notebook.question),
        }
        for number, notebook in room.catalogue.notebooks.items()
    }


def _asked(question: Question) -> dict:
    return {
        "text": question.text,
        "ticks": bool(question.columns),
        "columns": question.columns,
        "rows": question.rows,
        "bars": [vars(bar) for bar in question.bars],
    }
