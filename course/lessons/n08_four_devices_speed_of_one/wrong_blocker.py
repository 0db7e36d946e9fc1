"""Wrong answers to 08/my_blocker: each is the mistake of its name."""

from collections import Counter

from course.checks.exercises import wrong_answers
from course.lessons.n08_four_devices_speed_of_one.jobs import later, most


def with_first_step(events):
    """It counts the first step too. What is paid once, such as the first trace, does
    not slow down a long training.
    """
    return most(Counter(event[1] for event in events))


def times_with_first_step(events):
    """The line is right, but its events of the first step are counted too."""
    found = most(later(events))
    return found and (found[0], sum(event[1] == found[0] for event in events))


def line_with_first_step(events):
    """The line is chosen by all its events, also those of the first step; only their
    number leaves that step out.
    """
    line = Counter(line for step, line, what in events).most_common(1)[0][0]
    times = sum(step > 0 and at == line for step, at, what in events)
    return (line, times) if times else None


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
    """It counts traces, reads and steps in turn apart. A line may cost two of them:
    asked is the number of its events of all kinds.
    """
    counts = Counter((line, what) for step, line, what in events if step > 0)
    found = most(counts)
    return found and (found[0][0], found[1])


def steps_not_events(events):
    """It counts the steps in which a line has an event. A line may have several in one
    step.
    """
    return most(Counter(line for _, line in sorted({e[:2] for e in events if e[0]})))


def earliest(events):
    """It takes the line of the first event after the first step, not the line with the
    most.
    """
    return next(iter(later(events).items()), None)


def topmost(events):
    """It takes the topmost line with an event after the first step, not the line with
    the most.
    """
    return min(later(events).items(), default=None)


def last_step_only(events):
    """It looks at the last step only. A line may cost something in every second
    step.
    """
    return most(Counter(event[1] for event in events if event[0] == events[-1][0]))


def all_lines_together(events):
    """The line is right, but the number is that of all lines together."""
    found = most(later(events))
    return found and (found[0], later(events).total())


def per_step(events):
    """The line is right, but the number is divided by the steps. Asked is how many
    events there are.
    """
    found = most(later(events))
    return found and (found[0], found[1] / max(step for step, _, _ in events))


def fewest(events):
    """It takes the line with the fewest events."""
    return min(later(events).items(), key=lambda item: item[1], default=None)


def from_step_2(events):
    """It leaves out two steps: the first one has the number 0."""
    return most(Counter(event[1] for event in events if event[0] > 1))


def first_step_with_events(events):
    """It leaves out the step of the first event. That need not be step 0: a job may
    cost nothing there.
    """
    first = min(step for step, _, _ in events)
    return most(Counter(event[1] for event in events if event[0] > first))


def blames_a_healthy_job(events):
    """In the healthy job it names a line of the first step. Nothing costs anything
    later there: the answer is None.
    """
    return most(later(events) or Counter(event[1] for event in events))


MISTAKES = wrong_answers(__name__)
