"""What wrong answers to 06/my_scaled return: rules for all replicas at once."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

MOST = 65504  # in float16
GROW_AFTER = 3  # good steps in a row

# shares times scale, shape (replicas, 2), scales and counts, shape (replicas,)
# -> gradients, scales, counts
Rule = Callable[[np.ndarray, np.ndarray, np.ndarray], tuple]


def _finite(shares: np.ndarray) -> np.ndarray:
    return np.isfinite(shares).all(axis=1)


def _next(finite, scales, goods, grow_after: int = GROW_AFTER, factor: float = 2.0):
    """Scales and counts for the next step, as `finite` decides."""
    more = goods + 1
    grown = finite & (more >= grow_after)
    scales = np.where(finite, np.where(grown, factor * scales, scales), scales / factor)
    return scales, np.where(finite & ~grown, more, 0)


def _applied(total, finite):
    return np.where(finite, total, 0.0)


def right(shares: np.ndarray, scales: np.ndarray, goods: np.ndarray) -> tuple:
    """Return the sum without its scale; all skip, and halve, where one overflows."""
    finite = _finite(shares).all()
    return _applied(shares.sum(axis=0) / scales[0], finite), *_next(
        finite, scales, goods
    )


def _fixed(shares, scales, goods):
    return shares.sum(axis=0) / scales[0], scales, goods


def _own_decision(shares, scales, goods):
    finite = _finite(shares)
    total = (shares / scales[:, None]).sum(axis=0)
    return _applied(total, finite[:, None]), *_next(finite, scales, goods)


def _own_decision_own_scale(shares, scales, goods):
    finite = _finite(shares)
    gradients = shares.sum(axis=0) / scales[:, None]
    return _applied(gradients, finite[:, None]), *_next(finite, scales, goods)


def _replica_0_decides(shares, scales, goods):
    finite = _finite(shares)[0]
    return _applied(shares.sum(axis=0) / scales[0], finite), *_next(
        finite, scales, goods
    )


def _left_out(shares, scales, goods):
    kept = _finite(shares)
    total = np.where(kept[:, None], shares, 0.0).sum(axis=0) / scales[0]
    return total, *_next(kept.all(), scales, goods)


def _left_out_and_own_scale(shares, scales, goods):
    kept = _finite(shares)
    total = np.where(kept[:, None], shares / scales[:, None], 0.0).sum(axis=0)
    return total, *_next(kept, scales, goods)


def _left_out_own_decision(shares, scales, goods):
    kept = _finite(shares)
    total = np.where(kept[:, None], shares, 0.0).sum(axis=0) / scales[:, None]
    return total, *_next(kept, scales, goods)


def _applied_all_the_same(shares, scales, goods):
    finite = _finite(shares).all()
    return shares.sum(axis=0) / scales[0], *_next(finite, scales, goods)


def _own_skip(shares, scales, goods):
    finite = _finite(shares)
    gradients = shares.sum(axis=0) / scales[0]
    return _applied(gradients, finite[:, None]), *_next(finite.all(), scales, goods)


def _by_component(shares, scales, goods):
    total = shares.sum(axis=0) / scales[0]
    total = _applied(total, np.isfinite(total))
    return total, *_next(_finite(shares).all(), scales, goods)


def _only_infinity(shares, scales, goods):
    total = shares.sum(axis=0) / scales[0]
    finite = ~np.isinf(total).any()
    return _applied(total, finite), *_next(finite, scales, goods)


def _only_nan(shares, scales, goods):
    total = shares.sum(axis=0) / scales[0]
    finite = ~np.isnan(total).any()
    return _applied(total, finite), *_next(finite, scales, goods)


def _sum_in_float16(shares, scales, goods):
    finite = bool((np.abs(shares.sum(axis=0)) <= MOST).all())
    return _applied(shares.sum(axis=0) / scales[0], finite), *_next(
        finite, scales, goods
    )


def _never_grows(shares, scales, goods):
    finite = _finite(shares).all()
    total = _applied(shares.sum(axis=0) / scales[0], finite)
    return total, scales / (1 if finite else 2), np.where(finite, goods + 1, 0)


def _never_halved(shares, scales, goods):
    finite = _finite(shares).all()
    gradients, grown, goods = right(shares, scales, goods)
    return gradients, grown if finite else scales, goods


def _scale_only_halved(shares, scales, goods):
    finite = _finite(shares).all()
    total = _applied(shares.sum(axis=0) / scales[0], finite)
    return total, scales / (1 if finite else 2), goods


def _grows_every_step(shares, scales, goods):
    finite = _finite(shares).all()
    total = _applied(shares.sum(axis=0) / scales[0], finite)
    return total, *_next(finite, scales, goods, 1)


def _grows_late(shares, scales, goods):
    finite = _finite(shares).all()
    total = _applied(shares.sum(axis=0) / scales[0], finite)
    return total, *_next(finite, scales, goods, GROW_AFTER + 1)


def _count_goes_on(shares, scales, goods):
    finite = _finite(shares).all()
    total = _applied(shares.sum(axis=0) / scales[0], finite)
    more = goods + 1
    grown = finite & (more >= GROW_AFTER)
    scales = np.where(finite, np.where(grown, 2 * scales, scales), scales / 2)
    return total, scales, np.where(finite, more, 0)


def _overflow_keeps_count(shares, scales, goods):
    finite = _finite(shares).all()
    total = _applied(shares.sum(axis=0) / scales[0], finite)
    scales, counts = _next(finite, scales, goods)
    return total, scales, np.where(finite, counts, goods)


def _never_unscaled(shares, scales, goods):
    finite = _finite(shares).all()
    return _applied(shares.sum(axis=0), finite), *_next(finite, scales, goods)


def _new_scale(shares, scales, goods):
    finite = _finite(shares).all()
    scales, counts = _next(finite, scales, goods)
    return _applied(shares.sum(axis=0) / scales[0], finite), scales, counts


def _averaged(shares, scales, goods):
    gradients, scales, goods = right(shares, scales, goods)
    return gradients / len(shares), scales, goods


def _own_share(shares, scales, goods):
    finite = _finite(shares).all()
    return _applied(shares / scales[:, None], finite), *_next(finite, scales, goods)


RULES = {
    _fixed: "nothing is skipped and the scale never changes: an infinite share makes "
    "the sum infinite on every replica.",
    _own_decision: "each replica decides by its own share whether the step counts, and "
    "changes its own scale. From then on the replicas differ.",
    _own_decision_own_scale: "each replica decides by its own share, and divides the "
    "sum by its own scale, although shares with other scales are in it.",
    _replica_0_decides: "replica 0 decides for all by its own share. What overflows on "
    "another replica is applied.",
    _left_out: "a replica that overflowed sends zeros, and the others make the step. "
    "All have to skip it.",
    _left_out_and_own_scale: "a replica that overflowed sends zeros, and it alone "
    "halves its scale.",
    _left_out_own_decision: "a replica that overflowed sends zeros and alone halves "
    "its scale. After that, replicas divide the same sum by different scales.",
    _applied_all_the_same: "the scale is right, but the step with the overflow is "
    "applied all the same.",
    _own_skip: "the scale is right, but a replica leaves out the step by its own "
    "share: the others apply it.",
    _by_component: "only the components that are not finite become 0; the others of "
    "that step are applied.",
    _only_infinity: "it looks for infinity only. But plus infinity and minus infinity "
    "add up to NaN.",
    _only_nan: "it looks for NaN only. A share that overflowed is infinite, and so is "
    "the sum.",
    _sum_in_float16: "it takes a sum beyond 65504 for an overflow. But the sum is a "
    "float32: it is finite if all shares are.",
    _never_grows: "the scale never grows. Three good steps in a row double it.",
    _never_halved: "the scale is not halved after an overflow.",
    _scale_only_halved: "the scale is halved after an overflow, but good steps are not "
    "counted.",
    _grows_every_step: "the scale is doubled after every good step, not after three in "
    "a row.",
    _grows_late: "the scale is doubled after four good steps, not after three.",
    _count_goes_on: "the count is not set to 0 when the scale is doubled, so the scale "
    "doubles again in the next step.",
    _overflow_keeps_count: "the count is not set to 0 after an overflow. It counts "
    "good steps in a row.",
    _never_unscaled: "the sum is never divided by the scale.",
    _new_scale: "the sum is divided by the scale of the next step. The shares were "
    "multiplied by the scale of this step.",
    _averaged: "the mean of the shares is applied. Their sum is the gradient.",
    _own_share: "each replica applies its own share; nothing is added up.",
}
