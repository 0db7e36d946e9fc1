"""Core exercise: dropout masks that belong to the row and the step, not the replica."""

from __future__ import annotations

from course.lessons.n04_changes_with_replica_count.mask_properties import (
    MUST_HOLD,
    draw,
    holds,
    observe,
)

FROZEN = (
    "the numbers are drawn by NumPy while the function is traced; afterwards they are "
    "constants, the same in every step."
)

# code -> the properties that do not hold, the cause
MISTAKES = {
    "stateful": (
        ("pairs", "repeatable", "equal"),
        "the numbers come from an operation with a state. What a row gets depends on "
        "all that was drawn before, on its replica, and on the global seed.",
    ),
    "same_on_all_replicas": (
        ("shared", "equal"),
        "the seed knows the step, but not the number of the row in the whole data (a "
        "place in the shard is no such number): every replica draws the same masks and "
        "gives them to its own rows.",
    ),
    "operation_seed": (
        ("pairs", "repeatable", "shared", "equal"),
        "the operation of every replica starts from the same state, as it does with "
        "seed=... and inside tf.map_fn, and it starts again when TensorFlow prepares "
        "the function for another batch size: masks come again on other rows.",
    ),
    "by_replica": (
        ("equal",),
        "the masks differ between replicas and are reproducible, but they belong to "
        "the place in a shard. With another number of replicas, a row has another "
        "place.",
    ),
    "constant_seed": (
        ("steps", "pairs", "shared", "equal"),
        "the seed is a constant, so every step and every replica repeats the same "
        "masks.",
    ),
    "frozen": (
        ("steps", "repeatable", "equal"),
        FROZEN,
    ),
    "frozen_in_the_shard": (
        ("steps", "pairs", "repeatable", "equal"),
        f"{FROZEN} They belong to a place in the shard, not to a row.",
    ),
    "frozen_for_all_rows": (
        ("rows", "steps", "pairs", "repeatable", "equal"),
        f"{FROZEN} All rows get the same ones.",
    ),
    "set_seed_inside": (
        ("pairs", "equal"),
        "masks belong to a place in a shard and to what was drawn before, and come "
        "again on other rows. tf.random.set_seed makes draws repeatable, but ties them "
        "to no row.",
    ),
    "row_only": (
        ("steps",),
        "the seed knows the row, but not the step, or not all of it (step % 3 comes "
        "again): a row drops the same units in other steps, too.",
    ),
    "one_mask_for_all_rows": (
        ("rows", "shared"),
        "one mask is drawn for the step and used for all rows.",
    ),
    "row_in_part": (
        ("rows",),
        "the seed knows a part of the row's number only (row % 64 and row // 2 come "
        "again): different rows have the same mask. Use the whole number.",
    ),
    "colliding_seeds": (
        ("pairs",),
        "step and row are joined to one number, and different pairs give the same one: "
        "3 + 5 is 4 + 4, and 2 * 100 + 105 is 3 * 100 + 5. Give the seed both, as two "
        "numbers.",
    ),
    "product_of_step_and_row": (
        ("rows", "steps", "pairs", "shared"),
        "step and row are multiplied to one number: it is 0 for every row of step 0, "
        "and for row 0 in every step. Give the seed both, as two numbers.",
    ),
    "fixed_pattern": (
        ("rows", "steps", "pairs"),
        "the masks follow a pattern that comes again after a few rows and steps.",
    ),
    "fixed_count": (
        ("counts",),
        "every row drops the same number of units, so its units are not independent. "
        "Compare a random number of each unit with KEEP.",
    ),
    "moved_masks": (
        ("independent",),
        "masks, or units, follow each other: one is another that is moved along. Draw "
        "each anew.",
    ),
    "raw_numbers": (
        ("binary", "dropped", "rate", "varied"),
        "the random numbers themselves are returned. Compare them with KEEP.",
    ),
    "no_dropout": (
        ("dropped", "rate", "varied"),
        "all units are kept. That is equal on any number of replicas, and no dropout.",
    ),
    "one_number_for_a_row": (
        ("varied",),
        "one number decides for the whole row. Draw one for each of its units.",
    ),
    "units_alike": (
        ("copied",),
        "a few numbers are tiled or repeated along the row, so some units share one. "
        "Draw one for each unit.",
    ),
    "other_rate": (
        ("rate",),
        "the numbers are compared with something else than KEEP.",
    ),
    "rate_swapped": (
        ("not_swapped", "rate"),
        "the comparison is the wrong way round: what should be dropped is kept.",
    ),
    "scaled": (
        ("binary",),
        "the mask is divided by the probability already, as the dropout layer does "
        "later.",
    ),
}
MASK = MUST_HOLD.exercise(
    name="04/my_mask",
    cases=draw,
    observe=observe,
    holds=holds,
    agreeing=1,  # a case has hundreds of draws, and a property is seen in all of them
    mistakes=tuple(
        MUST_HOLD.mistake(code, failing, cause)
        for code, (failing, cause) in MISTAKES.items()
    ),
    right="A row's mask depends on step and row only: it is the same on 1, 2 and 4 "
    "replicas, new for every row and step, and keeps the right share.",
    locate="04/my_first_shared",
)
