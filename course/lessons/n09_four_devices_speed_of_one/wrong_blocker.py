"""Wrong answers to 09/my_blocker: each is the mistake of its name."""

from collections import Counter

from course.checks.exercises import wrong_answers
from course.lessons.n09_four_devices_speed_of_one.jobs import later, most


def with_first_step(events):
    """It counts the events of all steps, also of the first one. What is paid once, such
    as a first trace, does not slow down a long training.
    """
    return most(Counter(event[1] for event in events))


def events_not_steps(events):
    """It counts events. A line may have many in one step, and none in those that
    follow: asked is in how many STEPS it has an event.
    """
    return most(Counter(event[1] for event in events if event[0] > 0))


def steps_with_first(events):
    """It counts steps, but also the first one: a line that is paid for only there makes
    no later step wait.
    """
    return most(_steps(events))


def times_with_first_step(events):
    """The line is right, but the first step is counted, too."""
    found = most(later(events))
    return found and (found[0], _steps(events)[found[0]])


def events_of_the_line(events):
    """The line is right, but the number is that of its events, not of the steps in
    which it has some.
    """
    found = most(later(events))
    return found and (found[0], sum(e[0] > 0 and e[1] == found[0] for e in events))


def line_with_first_step(events):
    """The line is chosen by all its events, also those of the first step; only their
    number leaves that step out.
    """
    line = Counter(line for step, line, what in events).most_common(1)[0][0]
    times = later(events)[line]
    return (line, times) if times else None


def line_by_events(events):
    """The line is the one with the most events after the first step, and not the one
    that has an event in the most steps.
    """
    found = events_not_steps(events)
    return found and (found[0], later(events)[found[0]])


def without_first_event(events):
    """It leaves out the first event of each line, whenever it came. A line may have
    several in the first step, or none.
    """
    counts = Counter(line for step, line, what in events)
    counts -= Counter(set(counts))
    return most(counts)


def traces_only(events):
    """It looks at traces only. Reads and steps done in turn cost time too."""
    return most(later(event for event in events if event[2] == "trace"))


def reads_only(events):
    """It looks at reads only. Traces and steps done in turn cost time too."""
    return most(later(event for event in events if event[2] == "read"))


def in_turn_only(events):
    """It looks only at steps done in turn. Traces and reads cost time too."""
    return most(later(event for event in events if event[2] == "in turn"))


def without_in_turn(events):
    """It leaves out steps that were done in turn."""
    return most(later(event for event in events if event[2] != "in turn"))


def without_reads(events):
    """It leaves out reads: while the host waits for a value, it prepares nothing."""
    return most(later(event for event in events if event[2] != "read"))


def without_traces(events):
    """It leaves out traces. One in the first step is normal, one in every step is
    not.
    """
    return most(later(event for event in events if event[2] != "trace"))


def each_kind_apart(events):
    """It counts a step twice where the line has events of two kinds in it."""
    return most(Counter(e[1] for e in sorted(set(events)) if e[0] > 0))


def earliest(events):
    """It takes the line of the first event after the first step, not the line that
    makes the most steps wait.
    """
    line = next((line for step, line, _ in events if step > 0), None)
    return None if line is None else (line, later(events)[line])


def topmost(events):
    """It takes the topmost line with an event after the first step, not the line that
    makes the most steps wait.
    """
    return min(later(events).items(), default=None)


def last_step_only(events):
    """It looks at the last step with an event only. A line may cost something in every
    second step.
    """
    return most(later(event for event in events if event[0] == events[-1][0]))


def all_lines_together(events):
    """The line is right, but the number is that of all lines together."""
    found = most(later(events))
    return found and (found[0], later(events).total())


def per_step(events):
    """The line is right, but the number is divided by that of all steps. Asked is in
    how many.
    """
    found = most(later(events))
    return found and (found[0], found[1] / max(step for step, _, _ in events))


def fewest(events):
    """It takes the line that makes the fewest steps wait."""
    return min(later(events).items(), key=lambda item: item[1], default=None)


def from_step_2(events):
    """It leaves out two steps: the first one has the number 0."""
    return most(later(event for event in events if event[0] > 1))


def first_step_with_events(events):
    """It leaves out the step of the first event. That need not be step 0: a job may
    cost nothing there.
    """
    first = min(step for step, _, _ in events)
    return most(later(event for event in events if event[0] > first))


def blames_a_healthy_job(events):
    """In the healthy job it names a line of the first step. Nothing costs anything
    later there: the answer is None.
    """
    return most(later(events) or _steps(events))


def _steps(events):
    return Counter(line for _, line in sorted({e[:2] for e in events}))


MISTAKES = wrong_answers(__name__)
