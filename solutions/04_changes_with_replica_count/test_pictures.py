"""What this notebook draws: masks of replicas, and the table of sources."""

import numpy as np
from picture_rules import picture_tests

from course.checks.declared import find_prediction
from course.lessons.n04_changes_with_replica_count.dropout_masks import MaskRecording
from course.lessons.n04_changes_with_replica_count.mask_stripes import mask_stripes
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


SOURCES = find_prediction("04")
PICTURES = {
    "other masks": lambda: stripes(["broken_mask"]),
    "masks before and after": lambda: stripes(["broken_mask", "my_mask"]),
    "masks, nothing mended": lambda: stripes(["broken_mask", "my_mask as shipped"]),
    "a replica without rows": lambda: stripes(["broken_mask"], (3, 3, 2, 0)),
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
    assert "new at each step? yes for 4 of 6" in PICTURES["sources"]().sentence
