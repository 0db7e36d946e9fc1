"""What this notebook draws: masks of replicas, and the table of sources."""

import numpy as np
from picture_rules import picture_tests

from course.checks.declared import find_prediction
from course.lessons.n04_changes_with_replica_count.dropout_masks import MaskRecording
from course.lessons.n04_changes_with_replica_count.mask_film import mask_film
from course.lessons.n04_changes_with_replica_count.mask_stripes import mask_stripes
from course.lessons.n04_changes_with_replica_count.playing import (
    SOURCES as PLAYED,
)
from course.lessons.n04_changes_with_replica_count.playing import picture, run, told
from course.pictures.parts import parts_at
from course.pictures.tick_table import tick_table


def stripes(labels, counts=(2, 2, 2, 2)):
    """Masks of one step on one device and on replicas, other ones for half the rows."""
    rng = np.random.default_rng(3)
    ids = tuple(range(sum(counts)))
    masks = (rng.random((len(ids), 16)) < 0.75).astype(float)
    other = masks.copy()
    other[::2] = 1 - other[::2]
    cuts = np.cumsum(counts)[:-1]
    shards = tuple(tuple(part.tolist()) for part in np.split(np.array(ids), cuts))
    pairs = []
    for label in labels:
        drawn = masks if label == "my_mask" else other
        one = MaskRecording(label, ((ids,),), ((masks,),))
        many = MaskRecording(label, (shards,), (tuple(np.split(drawn, cuts)),))
        pairs.append((one, many))
    return mask_stripes(*pairs)


def film():
    """Two steps of 8 rows: on replicas, row 2 is as row 0; row 7 stays as it was."""
    rng = np.random.default_rng(5)
    first, second = (rng.random((2, 8, 16)) < 0.75).astype(float)
    second[7] = first[7]
    many = [first.copy(), second.copy()]
    for step in many:
        step[2] = step[0]
    ids = tuple(range(8))
    shards = tuple(tuple(ids[r : r + 2]) for r in range(0, 8, 2))
    one = MaskRecording("source", ((ids,),) * 2, ((first,), (second,)))
    split = tuple(tuple(np.split(step, 4)) for step in many)
    return mask_film(one, MaskRecording("source", (shards,) * 2, split))


SOURCES = find_prediction("04")
PICTURES = {
    "other masks": lambda: stripes(["broken_mask"]),
    "masks before and after": lambda: stripes(["broken_mask", "my_mask"]),
    "masks, nothing mended": lambda: stripes(["broken_mask", "my_mask as shipped"]),
    "a replica without rows": lambda: stripes(["broken_mask"], (3, 3, 2, 0)),
    "a film of masks": film,
    "sources": lambda: tick_table(SOURCES.columns, SOURCES.rows, {}),
    "sources, as predicted": lambda: tick_table(
        SOURCES.columns, SOURCES.rows, dict.fromkeys(SOURCES.rows, (True, False))
    ),
}


test_a_figure_can_be_read_and_has_words = picture_tests(PICTURES)


def test_the_sentence_says_how_many_rows_have_another_mask():
    assert "4 of 8 rows have another mask" in PICTURES["other masks"]().sentence
    assert "; my_mask: on 4 replicas, 0 of 8" in (
        PICTURES["masks before and after"]().sentence
    )


def test_a_table_of_ticks_says_how_to_read_it():
    reading = "A filled dot means yes, an empty one no."
    assert PICTURES["sources"]().sentence == reading
    all_right = tick_table(SOURCES.columns, SOURCES.rows, SOURCES.rows)
    assert all_right.sentence == reading
    said = PICTURES["sources, as predicted"]().sentence
    assert (
        said == f"{reading} If you said something else, it is written beside the dot."
    )


def test_a_film_of_masks_says_which_rows_are_equal():
    drawn = film()
    assert drawn.moments == ["step 0", "step 1"] and len(drawn.said) == 2
    assert "7 of 8 rows have the mask that they have on one" in drawn.said[0]
    assert "; 2 share one with another row; 0 had the same in" in drawn.said[0]
    assert "; 2 share one with another row; 1 had the same in" in drawn.said[1]
    said = parts_at(drawn.figure, 1)
    assert len([words for words in said if "step 1" in words]) == len(said) == 16
    assert any(
        words.startswith("replica 1, step 1, row 2: keeps")
        and words.endswith("; not as on one device; as row 0")
        for words in said
    )
    assert any(words.endswith("; as in step 0") for words in said)


REPEATS = "; each step repeats the masks"
# source -> rows that are as on one device in every step on 4 replicas; how its steps
# are alike; on the last step, rows that share a mask with another
SEEN = {
    "tf.random": ("no row", "", 0),
    "tf.random, seed=7": ("no row", "", 8),
    "stateless, seed=[7, 7]": ("rows 0, 1", REPEATS, 8),
    "tf.random.Generator": ("no row", "", 0),
    "Keras Dropout": ("rows 0, 1", "", 8),
    "np.random": ("all rows", REPEATS, 0),
}


def test_the_instrument_shows_what_each_source_does(devices):
    assert list(SEEN) == list(PLAYED)
    for source, (rows, alike, again) in SEEN.items():
        four = run(source, 4)
        assert told(four) == (
            f"{source}, replicas 4: in every step as on one device: {rows}{alike}"
        )
        assert f"; {again} share one with another row" in picture(four, None).said[-1]
        assert told(run(source, 1)).endswith(f"as on one device: all rows{alike}")
        assert len(picture(run(source, 2), None).moments) == 3
        in_step_0 = set(range(8)) - set(four.many.differing(four.one, 0))
        assert in_step_0 == (set(range(8)) if source == "np.random" else {0, 1})
