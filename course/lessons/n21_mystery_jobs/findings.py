"""What is wrong with a repaired job, in a sentence."""

from __future__ import annotations

from course.lessons.n21_mystery_jobs.job_record import JobRecord
from course.lessons.n21_mystery_jobs.job_signs import START, first_sign, step_name

NUMBERS = 12  # sent in a step; a gradient and a count are 3
WORDS = {
    "rows": "In step {step}, {s.value:.0f} row{s_} used differently than on one device "
    "(left out, used again, or from another batch).",
    "working": "In step {step}, {s.value:.0f} of {s.wanted:.0f} {parts} worked.",
    "pieces": "In step {step}, the batch went through the stages in {s.value:.0f} "
    "piece: while one stage works, the other waits.",
    "python": "In step {step}, Python ran the code of the replicas again. Only the "
    "first batch and the last, smaller one need a new graph.",
    "reads": "In step {step}, the host waited for a value.",
    "readers": "At most {s.value:.0f} row was decoded at a time.",
    "kept": "After step {step}, {s.value:.0f} batches are still in memory.",
    "messages": "In step {step}, each of them sent something {s.value:.0f} times.",
    "apart": "After step {step}, the copies of the weights differ by {s.value:.2g}.",
    "off": "After step {step}, the weights differ from one device's by {s.value:.2g}.",
}


def what_is_wrong(record: JobRecord) -> str:
    """Return a sentence about the first sign in a record, or "" if there is none."""
    sign, task = first_sign(record), record.task
    if not record.steps:
        return "probe.step was never called: call it with w after each step."
    if not any(own for seen in record.steps for own in seen.rows):
        return "No rows were seen: call probe.rows(ids, x), and use the x it returns."
    stopped = "" if record.ended else " It did not reach its end."
    if sign is not None:
        words = WORDS[sign.column].format(
            s=sign,
            s_=" was" if sign.value == 1 else "s were",
            step=step_name(sign.step),
            parts=task.kind,
        )
        if sign.step == START:
            words = words.replace("After step start", "Before the first step")
        return f"{words}{stopped}"
    if stopped:
        return stopped.strip()
    if record.gathered:
        return (
            "The replicas gathered all rows (all_gather), and each worked on all of "
            "them: the work is not shared."
        )
    most = max(seen.numbers for seen in record.steps)
    if most > NUMBERS:
        return (
            f"In one step, each of them sent {most} numbers. A gradient and a count "
            f"need 3; more than {NUMBERS} must grow with the rows."
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
