"""What is wrong with a repaired job, in a sentence."""

from __future__ import annotations

from course.lessons.n21_mystery_jobs.job_record import JobRecord
from course.lessons.n21_mystery_jobs.job_signs import START, first_sign, step_name

NUMBERS = 12  # sent in a step; a gradient and a count are 3
WORDS = {
    "rows": "In step {step}, rows were used otherwise than on one device (left out, "
    "used again, or of another batch): {s.value:.0f}.",
    "working": "In step {step}, {s.value:.0f} of {s.wanted:.0f} {parts} worked.",
    "pieces": "In step {step}, the batch went through the stages in {s.value:.0f} "
    "piece: while one stage works, the other waits.",
    "python": "In step {step}, Python ran through the code of the replicas again. "
    "Only the first batch, and the last, smaller one, need a graph.",
    "reads": "In step {step}, the host waited for a value.",
    "readers": "Never more than {s.value:.0f} row was decoded at a time.",
    "kept": "After step {step}, {s.value:.0f} batches are still in memory.",
    "messages": "In step {step}, something was sent {s.value:.0f} times.",
    "apart": "After step {step}, the copies of the weights differ from each other, "
    "by {s.value:.2g}.",
    "off": "After step {step}, the weights differ from those of one device, by "
    "{s.value:.2g}.",
}


def what_is_wrong(record: JobRecord) -> str:
    """Return a sentence on the first sign in a record, or "" where there is none."""
    sign, task = first_sign(record), record.task
    if not record.steps:
        return "probe.step was never called: call it with w after each step."
    if not any(own for seen in record.steps for own in seen.rows):
        return "No rows were seen: call probe.rows(ids, x), and use the x it returns."
    stopped = "" if record.ended else " It never came to its end."
    if sign is not None:
        words = WORDS[sign.column].format(
            s=sign, step=step_name(sign.step), parts=task.kind
        )
        if sign.step == START:
            words = words.replace("After step start", "Before the first step")
        return f"{words}{stopped}"
    if stopped:
        return stopped.strip()
    if record.gathered:
        return (
            "The replicas gathered the rows of all (all_gather), and each worked on "
            "all of them: the work is not shared."
        )
    most = max(seen.numbers for seen in record.steps)
    if most > NUMBERS:
        return (
            "In a step, each of them sent more than a gradient and a number of rows "
            f"({NUMBERS} numbers are plenty): that grows with the rows."
        )
    for step, seen in enumerate(record.steps):
        most, rows = max(map(len, seen.rows)), len(task.batches[step])
        fair = -(-task.size // task.copies)  # of a smaller batch, some may have all
        if most > fair:
            return (
                f"In step {step}, one of the {task.parts} {task.kind} worked on "
                f"{most} of {rows} rows: the work is not shared."
            )
    return ""
