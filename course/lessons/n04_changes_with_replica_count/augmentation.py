"""Further exercise: noise in the input pipeline that belongs to epoch and row."""

from __future__ import annotations

from course.lessons.n04_changes_with_replica_count.noise_properties import (
    MUST_HOLD,
    draw,
    holds,
    observe,
)

UNIFORM = (
    "the noise is uniform: all numbers between two limits are equally likely, and none "
    "is beyond them. Asked is normal noise."
)

# code -> the properties that do not hold, the cause
MISTAKES = {
    "stateful": (
        ("repeatable", "equal"),
        "the noise comes from an operation with a state: it depends on the global seed "
        "and on what was drawn before, not on epoch and row only.",
    ),
    "state_of_the_dataset": (
        ("once_more", "place"),
        "the dataset keeps a state: each row gets the next numbers of one stream, and "
        "a second pass goes on where the first one ended.",
    ),
    "by_place": (
        ("place",),
        "the noise goes by the place of a row in this data: it is drawn one row after "
        "another, or its seed is a count. In another order, or in a part of the data, "
        "a row has another place. Use its id.",
    ),
    "numpy": (
        ("rows", "repeatable", "equal"),
        "the noise is drawn by NumPy while the function is traced; afterwards it is a "
        "constant, the same for all rows, and other when it is built again.",
    ),
    "epoch_missing": (
        ("epochs", "new_epochs"),
        "the epoch is not part of the seed, or not all of it (epoch % 2 comes again): "
        "later epochs repeat the noise of earlier ones.",
    ),
    "same_for_all_batches": (
        ("rows",),
        "the seed does not know the row, or not all of its number: rows at the same "
        "place in different batches, or row 1 and row 65, get the same noise.",
    ),
    "colliding_seeds": (
        ("pairs",),
        "epoch and row are joined to one number, and different pairs give the same "
        "one: 1 + 5 is 2 + 4, and 2 * 100 + 105 is 3 * 100 + 5. Give the seed both, as "
        "two numbers.",
    ),
    "same_everywhere": (
        ("rows", "epochs", "new_epochs", "pairs"),
        "the seed is a constant, so every row or every batch gets the same noise, in "
        "every epoch.",
    ),
    "product_of_epoch_and_row": (
        ("rows", "epochs", "pairs"),
        "epoch and row are multiplied to one number: it is 0 for every row of epoch 0, "
        "and for row 0 in every epoch. Give the seed both, as two numbers.",
    ),
    "one_seed_for_a_batch": (
        ("batch", "place"),
        "one draw serves the whole batch, so a row's noise depends on its place in the "
        "batch. With another batch size it changes.",
    ),
    "one_number_for_a_row": (
        ("features",),
        "one number is drawn for the row and added to all of its features.",
    ),
    "no_noise": (
        ("noise",),
        "no noise is added.",
    ),
    "x_gone": (
        ("kept",),
        "what is returned is noise without x, or x times noise. Return x plus NOISE "
        "times the noise.",
    ),
    "x_multiplied": (
        ("added",),
        "x is multiplied by the noise, so large features get more. Add it.",
    ),
    "unscaled": (
        ("scale",),
        "normal noise has a standard deviation of 1: add NOISE times it, once.",
    ),
    "uniform": (("scale", "centred", "normal"), UNIFORM),
    "uniform_around_0": (("scale", "normal"), UNIFORM),
    "uniform_of_the_right_size": (("normal",), UNIFORM),
    "other_batches": (
        ("ids",),
        "the batches are not those of data.batch(batch): rows are dropped, shuffled or "
        "batched differently.",
    ),
}
AUGMENTATION = MUST_HOLD.exercise(
    name="04/my_augment",
    cases=draw,
    observe=observe,
    holds=holds,
    agreeing=1,  # a case has hundreds of draws, and a property is seen in all of them
    mistakes=tuple(
        MUST_HOLD.mistake(code, failing, cause)
        for code, (failing, cause) in MISTAKES.items()
    ),
    right="Every row's noise depends on epoch and row only: to the last bit the same "
    "on 1, 2 and 4 replicas, and new for every row and epoch.",
)
