"""The faults a job can have, and the notebooks whose subject they are."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Fault:
    """One mistake in a job's code.

    code: its name in this package.
    slot: the place in the code it changes; a job has at most one fault in a slot.
    part: the part of the course it belongs to.
    notebook: the number of the notebook whose subject it is.
    report: what a person says who met it.
    also: other notebooks that name it as well.
    """

    code: str
    slot: str
    part: int
    notebook: str
    report: str
    also: tuple[str, ...] = ()


FAULTS = (
    Fault(
        "dropped_tail",
        "data",
        1,
        "01",
        "I corrected the last rows of my file. The weights stayed the same, to the "
        "last digit.",
    ),
    Fault(
        "sharded_twice",
        "data",
        1,
        "01",
        "An epoch is over much sooner than on one device, and I was glad. But the "
        "model is worse.",
    ),
    Fault(
        "same_batch",
        "data",
        1,
        "01",
        "The weights are those of one device. But an epoch takes as long as on one "
        "device, although all devices are busy all the time.",
    ),
    Fault(
        "own_gradient",
        "update",
        1,
        "02",
        "The log of the training looks fine. But the model predicts other values when "
        "I evaluate it on another device.",
    ),
    Fault(
        "sum_of_means",
        "update",
        1,
        "02",
        "The learning rate that is fine on one device is too large here: the loss "
        "jumps up and down.",
    ),
    Fault(
        "mean_of_means",
        "update",
        1,
        "03",
        "A colleague runs the same code on her file, and gets the weights of one "
        "device. With my file I do not.",
        also=("02",),
    ),
    Fault(
        "fixed_size",
        "update",
        1,
        "03",
        "The weights are not those of one device, and the difference is the same at "
        "every run.",
        also=("02",),
    ),
    Fault(
        "same_mask",
        "thin",
        1,
        "04",
        "On one device, and on four, the job leaves out about as many rows. But the "
        "weights differ.",
    ),
    Fault(
        "replica_mask",
        "thin",
        1,
        "04",
        "Every run gives the same weights again. But with another number of devices "
        "they are others.",
    ),
    Fault(
        "pinned",
        "device",
        2,
        "06",
        "The weights are right. But the job gets no faster, however many devices I "
        "add.",
    ),
    Fault(
        "eager",
        "step",
        2,
        "08",
        "The weights are right. But each of the devices seems to wait for most of the "
        "time.",
    ),
    Fault(
        "new_function",
        "step",
        2,
        "08",
        "The weights are right. The first step takes long, as I was told it would; but "
        "so does every other step.",
    ),
    Fault(
        "step_number",
        "step",
        2,
        "08",
        "The weights are right. But memory grows from step to step, and the steps are "
        "slow.",
    ),
    Fault(
        "host_read",
        "guard",
        2,
        "08",
        "The weights are right. But after each step all devices stop, until my "
        "program goes on.",
    ),
    Fault(
        "larger_batch",
        "data",
        2,
        "10",
        "Since I have more devices, an epoch has fewer steps, and that is what I paid "
        "for. But after as many epochs as before, the model is worse.",
        also=("01",),
    ),
    Fault(
        "alone",
        "strategy",
        3,
        "12",
        "Both machines came to the end, without an error or a warning. But they saved "
        "different models.",
    ),
    Fault(
        "first_half",
        "data",
        3,
        "13",
        "Both machines saved the same model. But it is no better than that of one "
        "machine alone.",
    ),
    Fault(
        "whole_file",
        "data",
        3,
        "13",
        "Two machines take as many steps as one would with half of the batch. And the "
        "model is not the one I expected.",
    ),
    Fault(
        "own_start",
        "start",
        3,
        "14",
        "The two machines never agree, from the first line of their logs on.",
    ),
    Fault(
        "own_steps",
        "data",
        3,
        "16",
        "It trained for a while. Now nothing moves, and there is no error.",
    ),
    Fault(
        "from_row_0",
        "resume",
        3,
        "17",
        "The machine was switched off in the night, and I started the job again. The "
        "final weights are not those of a run without a break.",
    ),
    Fault(
        "other_name",
        "restore",
        3,
        "18",
        "I trained on from the weights of my last run. They were loaded without an "
        "error; but the loss begins as high as it did then.",
    ),
)

BY_CODE = {fault.code: fault for fault in FAULTS}

# pairs of which one hides the other; a test tries every pair there is
HIDING = frozenset(
    frozenset(pair)
    for pair in (
        # equal shares of equal rows: what is done with them comes to the same
        ("same_batch", "own_gradient"),
        ("same_batch", "mean_of_means"),
        # the last batch, with which it shows, is never used
        ("dropped_tail", "mean_of_means"),
        ("dropped_tail", "fixed_size"),
        # what is left may divide
        ("sharded_twice", "mean_of_means"),
        ("sharded_twice", "fixed_size"),
        # who trains alone does not wait, and equal rows keep two of them equal
        ("alone", "first_half"),
        ("alone", "whole_file"),
        ("alone", "own_steps"),
        # too few steps are left, of which the first and the last may make a graph
        ("larger_batch", "eager"),
        ("larger_batch", "new_function"),
        ("larger_batch", "step_number"),
    )
)

HEALTHY_REPORTS = {
    "replicas": (
        "The weights agree with those of one device in six digits, but not in all. "
        "Which replica is wrong?",
        "With several virtual devices, my two cores train no faster than with one. "
        "What is wrong?",
    ),
    "workers": (
        "In the last step, one of the machines has no rows at all. Is that what makes "
        "the model bad?",
        "I changed nothing, and all looks fine. I don't trust it.",
    ),
}
