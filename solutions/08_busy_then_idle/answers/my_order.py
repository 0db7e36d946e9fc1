"""Answers to 08/my_order, right and wrong, and what the check says of each."""

from autograder.answers import crashed, right, wrong


@right
def augmented_first():
    """Augmented before mixing."""
    return [decode, keep, augment, mix, batched]


@right
def mixed_first():
    """Augmented after mixing."""
    return [decode, keep, mix, augment, batched]


def ahead(data, work):
    return data.prefetch(1)


@right
def own_piece():
    """A piece of one's own."""
    return [decode, keep, mix, augment, batched, ahead]


@right
def whole_batches():
    """Whole batches are augmented."""
    return (decode, keep, mix, batched, augment)


@wrong("no_batches+decoded_again+not_mixed")
def all_in_one():
    """Nothing but decode and augment."""
    return [decode, augment]


@wrong("augmented_before_keep")
def augment_kept():
    """The augmented examples are kept."""
    return [decode, augment, keep, mix, batched]


@wrong("not_augmented_once")
def augment_twice():
    """Augmented twice."""
    return [decode, keep, augment, mix, augment, batched]


@crashed
def augments_names():
    """augment before decode."""
    return [augment, decode, keep, mix, batched]


@wrong("decoded_again+not_mixed")
def batched_first():
    """Batches first."""
    return [batched, keep, mix, decode, augment]


@crashed
def batched_twice():
    """Batches of batches."""
    return [decode, keep, mix, augment, batched, batched]


@wrong("not_mixed")
def batches_mixed():
    """Batches are mixed."""
    return [decode, keep, batched, mix, augment]


@crashed
def called():
    """A piece is called."""
    return [decode(), keep, mix, augment, batched]


@wrong("augmented_before_keep+not_mixed")
def keep_last():
    """Everything is kept."""
    return [decode, mix, augment, batched, keep]


@wrong("augmented_before_keep+not_mixed")
def mix_last():
    """Whole batches are mixed."""
    return [decode, augment, keep, batched, mix]


@wrong("not_mixed")
def mixed_once():
    """The order is kept."""
    return [decode, mix, keep, augment, batched]


@wrong("decoded_again")
def names_kept():
    """The file names are kept."""
    return [keep, decode, mix, augment, batched]


@crashed
def never_decoded():
    """decode is missing."""
    return [keep, mix, batched]


@wrong("not_mixed")
def never_mixed():
    """Not mixed at all."""
    return [decode, keep, augment, batched]


@wrong("not_augmented_once")
def no_augment():
    """Not augmented."""
    return [decode, keep, mix, batched]


@wrong("not_augmented_once+decoded_again")
def no_augment_and_no_keep():
    """Not augmented, and nothing is kept."""
    return [decode, mix, batched]


@wrong("no_batches")
def no_batches():
    """No batches."""
    return [decode, keep, mix, augment]


@wrong("decoded_again")
def no_keep():
    """Nothing is kept."""
    return [decode, mix, augment, batched]


@wrong
def nothing():
    """Nothing."""
    return None


@wrong
def text():
    """Names as text."""
    return ["decode", "keep", "mix", "augment", "batched"]
