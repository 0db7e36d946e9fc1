"""Thirty learners as a room has them: ahead, at work, stuck, not there yet."""

from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlencode

NAMES = [f"learner{n:02}" for n in range(1, 31)]
SHOWN = {"learner03", "learner08", "learner21"}  # agreed to show their names


def tables(index):
    """What the server of learner `index` (from 0) reports."""
    opened, outcomes, mistakes = {"00": 1}, {}, {}
    outcomes["00/my_spread"] = "RIGHT" if index < 26 else "WRONG"
    if index < 24:
        opened["01"] = 1
        outcomes["01/my_first_faults"] = "RIGHT" if index < 19 else "CRASHED"
        outcomes["01/my_stages"] = "RIGHT" if index < 15 else "NOT ATTEMPTED"
    if index < 22:
        opened["02"] = 1
        outcomes["02/my_first_drift"] = "RIGHT" if index < 17 else "WRONG"
        if 17 <= index < 20:
            mistakes["02/my_first_drift"] = "shown_copy_only"
    if index < 17:
        outcomes["02/my_step"] = "RIGHT" if index < 5 else "WRONG"
        if 5 <= index < 14:
            mistakes["02/my_step"] = "sum_of_means"
        elif index >= 14:
            mistakes["02/my_step"] = "divided_twice"
    if index < 3:
        outcomes["02/my_finite_step"] = "RIGHT" if index == 0 else "WRONG"
        if index:
            mistakes["02/my_finite_step"] = "spreads"
    return {"opened": opened, "outcomes": outcomes, "mistakes": mistakes}


def prediction(index, second=False):
    """The vote on the question of 02; after the discussion more are right."""
    if second:
        return "C" if index % 4 else "AB"[index % 8 // 4]
    return "ABBCCADCAB"[index % 10]


FORM = {"Content-Type": "application/x-www-form-urlencoded"}


def fill(hub):
    """Let all learners report, at once; some show their names."""
    for name in NAMES:
        hub.token(name)

    def come(index):
        name = NAMES[index]
        hub.report(name, **tables(index))
        if name in SHOWN:
            answer = hub.send("me/name", name, "named=yes", headers=FORM)
            assert answer.status == 303, answer

    at_once(come, range(len(NAMES)))


def vote(hub, phase, answers):
    """Let learners vote on the question of 02, at once: `answers` by their names."""

    def one(name):
        body = urlencode({"answer": answers[name], "number": "02", "phase": phase})
        assert hub.send("me/vote", name, body, headers=FORM).status == 303

    at_once(one, answers)


def at_once(do, each):
    """Call `do` for each, ten at a time."""
    with ThreadPoolExecutor(10) as pool:
        list(pool.map(do, each))
