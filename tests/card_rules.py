"""What must hold of every card, whatever the exercise."""

import re
from difflib import SequenceMatcher

from course.checks.verdicts import Outcome

WORDS = 160
LONG = 150  # characters before the words that say what to do
ALIKE = 0.6  # of two sentences without their numbers, from which on they are compared
NUMBER = re.compile(r"(?<![\w.:])[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?(?![\w])")
WITH_DIGITS = re.compile(r"[^\s,;]*\d[^\s,;]*(?<![.])")
BEGINS = re.compile(r"^(It returned|Expected:?)\s*")
COUNTED = (
    "addition|batch(?:e)|byte|call|case|change|copie|cop|core|device|element|epoch|"
    "event|file|gradient|id|key|label|layer|line|loss(?:e)|name|number|operation|"
    "output|pair|part|process(?:e)|record|replica|row|run|sample|server|share|span|"
    "stage|step|task|tensor|thread|trace|value|variable|weight|worker"
)
PLURAL = re.compile(rf"(?:^|[^\w.:,/+-])1 (?:\w+ )?(?:{COUNTED})s\b")
# "worker 1 steps on": a name, no count; "2 + 1 rows": a sum
NAMED = "worker|replica|step|device|index|row|case|task|call|job|stage|thread|server"
NOT_COUNTED = re.compile(rf"(\b({NAMED})|\+) 1 ", re.I)
STOPPED = re.compile(r"stopped with \w+: .*(function|it) (returned|must)")
RETURNED = re.compile(r"\b(function|it) returned\b", re.I)
ADVICE = re.compile(r"must (return|be)\b|\b[Rr]eturn (a|one|two|the|\()")


def faults_of(verdict):
    """Say what is wrong with a Verdict's card, cause and place included, as a list."""
    return faults_in(verdict.outcome, verdict.opened(named=True, placed=True).message)


def faults_in(outcome, message):
    """Say what is wrong with the text of a card; [] if nothing is."""
    found = []
    if (words := len(message.split())) > WORDS:
        found.append(f"{words} words; {WORDS} at most")
    for line in message.splitlines():
        for match in PLURAL.finditer(line):
            before = line[max(0, match.start() - 12) : match.end()]
            if not NOT_COUNTED.search(before):
                found.append(f"plural: {match[0].strip()!r} in {line[:120]!r}")
        if STOPPED.search(line):
            found.append(f"it ran to its end and is said to have stopped: {line[:120]}")
        advice = ADVICE.search(line)
        if RETURNED.search(line) and advice and advice.start() > LONG:
            found.append(f"what to do stands behind a long value: {line[:200]}")
    lines = message.splitlines()
    if outcome == Outcome.WRONG and len(lines) > 2:
        found += same_numbers(*lines[1:3])
    return found


def same_numbers(came, expected):
    """Say so if two sentences of one kind, about two results, have equal numbers."""
    shapes = [BEGINS.sub("", NUMBER.sub("", each)) for each in (came, expected)]
    alike = SequenceMatcher(None, *shapes).ratio() >= ALIKE
    numbers = [WITH_DIGITS.findall(each) for each in (came, expected)]
    if alike and numbers[0] and numbers[0] == numbers[1]:
        return [f"equal as printed: {came!r} and {expected!r}"]
    return []
