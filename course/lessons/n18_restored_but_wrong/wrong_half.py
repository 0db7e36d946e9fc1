"""Wrong answers to 18/my_half: each is the mistake of its name."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

import numpy as np

from course.checks.exercises import wrong_answers
from course.lessons.n18_restored_but_wrong.checkpoint_files import Arrays

LARGEST = 65504.0  # of float16
SHARE = 1e-3  # by which a number may change


def half(value: np.ndarray) -> np.ndarray:
    """Return what float16 keeps, as float32."""
    return value.astype(np.float16).astype(np.float32)


def changes(value: np.ndarray) -> bool:
    """Whether a finite number changes by more than SHARE of itself in float16."""
    with np.errstate(all="ignore"):
        return bool((np.abs(half(value) - value) > SHARE * np.abs(value)).any())


def _refusing(finds: Callable[[np.ndarray], bool]) -> Callable[[Arrays], Arrays]:
    """Return the cast that refuses the arrays in which `finds` finds a fault."""

    @wraps(finds)
    def cast(weights: Arrays) -> Arrays:
        wrong = [name for name, value in weights.items() if finds(value)]
        if wrong:
            raise ValueError(f"not for float16: {wrong}")
        return silent(weights)

    return cast


def _at_fault(weights: Arrays) -> list[str]:
    return [name for name, value in weights.items() if changes(value)]


def silent(weights: Arrays) -> Arrays:
    """It casts and returns. Large numbers become infinite and small ones zero, in
    silence.
    """
    return {name: value.astype(np.float16) for name, value in weights.items()}


@_refusing
def infinity_only(value: np.ndarray) -> bool:
    """It looks for numbers that become infinite, and not for those that become zero or
    lose their digits.
    """
    return bool((np.isinf(half(value)) & np.isfinite(value)).any())


@_refusing
def any_infinity(value: np.ndarray) -> bool:
    """It looks for infinity after the cast. One that was there before is no fault, and
    small numbers become zero or lose their digits.
    """
    return bool(np.isinf(half(value)).any())


@_refusing
def above_largest(value: np.ndarray) -> bool:
    """It looks for numbers above float16's largest. 65510 becomes 65504, which is near
    enough; infinity stays as it is; and small numbers lose digits.
    """
    return bool((np.abs(value) > LARGEST).any())


@_refusing
def whole_array(value: np.ndarray) -> bool:
    """It compares with the size of the whole array: beside a number near 1, a small one
    can vanish. Compare each number with itself.
    """
    off = np.linalg.norm(half(value) - value)
    return bool(off > SHARE * np.linalg.norm(value))


@_refusing
def zero_only(value: np.ndarray) -> bool:
    """It looks for numbers that become zero, and not for those that become infinite or
    lose their digits.
    """
    return bool(((half(value) == 0) & (value != 0)).any())


@_refusing
def infinity_and_zero(value: np.ndarray) -> bool:
    """It looks for infinity and zero. Between zero and 6e-5, float16 has fewer and
    fewer digits: such a number can change by a quarter.
    """
    new = half(value)
    lost = (new == 0) & (value != 0)
    return bool((lost | (np.isinf(new) & np.isfinite(value))).any())


@_refusing
def by_range(value: np.ndarray) -> bool:
    """It compares with float16's range. 65510 becomes 65504, which is near enough, and
    small powers of 2 are exact: look at how much they change.
    """
    info, size = np.finfo(np.float16), np.abs(value)
    large = np.isfinite(value) & (size > float(info.max))
    return bool((large | ((size > 0) & (size < float(info.tiny)))).any())


@_refusing
def allclose(value: np.ndarray) -> bool:
    """Np.allclose also allows 1e-8, whatever the number is: of 5e-9 nothing need be
    left. Set atol=0.
    """
    return not np.allclose(half(value), value, rtol=SHARE, equal_nan=True)


@_refusing
def allclose_and_nan(value: np.ndarray) -> bool:
    """Np.allclose also allows 1e-8, whatever the number is, and takes NaN for unequal
    to NaN. Set atol=0 and equal_nan=True.
    """
    return not np.allclose(half(value), value, rtol=SHARE)


@_refusing
def small_atol(value: np.ndarray) -> bool:
    """It also allows a small difference, whatever the number is: of 1e-30 nothing need
    be left. Set atol=0.
    """
    return not np.allclose(half(value), value, SHARE, 1e-12, equal_nan=True)


@_refusing
def wider(value: np.ndarray) -> bool:
    """It allows more than 0.1 %."""
    return not np.allclose(half(value), value, 2 * SHARE, 0, equal_nan=True)


@_refusing
def narrower(value: np.ndarray) -> bool:
    """It allows less than 0.1 %."""
    return not np.allclose(half(value), value, SHARE / 2, 0, equal_nan=True)


@_refusing
def largest_ratio(value: np.ndarray) -> bool:
    """Of a zero the share is 0 / 0, which is NaN, and so is the largest of them. No
    comparison with NaN is true: such an array is never refused.
    """
    return bool(np.max(np.abs((half(value) - value) / value)) > SHARE)


@_refusing
def mean_ratio(value: np.ndarray) -> bool:
    """It looks at the mean: one bad number among thousands does not change it."""
    return bool(np.nanmean(np.abs((half(value) - value) / value)) > SHARE)


@_refusing
def allclose_as_it_is(value: np.ndarray) -> bool:
    """Np.allclose allows a share of 1e-5, and ordinary rounding to float16 is up to
    5e-4: it refuses nearly everything.
    """
    return not np.allclose(half(value), value, equal_nan=True)


@_refusing
def absolute(value: np.ndarray) -> bool:
    """A difference of 0.001 is small for a large number, and too large for a small one:
    compare it with the number.
    """
    return not np.allclose(half(value), value, 0, SHARE, equal_nan=True)


@_refusing
def any_change(value: np.ndarray) -> bool:
    """It refuses any change, so that nearly no weights can be used. A change of 0.1 %
    is allowed.
    """
    return not np.array_equal(half(value), value, equal_nan=True)


@_refusing
def infinity_refused(value: np.ndarray) -> bool:
    """Infinity and NaN were there before: the cast does not change them."""
    return changes(value) or not np.isfinite(value).all()


@_refusing
def nan_refused(value: np.ndarray) -> bool:
    """A NaN was there before: the cast does not change it."""
    return changes(value) or bool(np.isnan(value).any())


def clipped(weights: Arrays) -> Arrays:
    """Large numbers were set to float16's largest. That is another model, and nobody is
    told.
    """
    return silent({n: np.clip(v, -LARGEST, LARGEST) for n, v in weights.items()})


def float32(weights: Arrays) -> Arrays:
    """The refusals are right, but the arrays come back as float32."""
    if wrong := _at_fault(weights):
        raise ValueError(f"not for float16: {wrong}")
    return weights


def first_named(weights: Arrays) -> Arrays:
    """Only the first array at fault is named."""
    if wrong := _at_fault(weights):
        raise ValueError(f"not for float16: {wrong[0]}")
    return silent(weights)


def nobody_named(weights: Arrays) -> Arrays:
    """It refuses where it should, but its message does not name the arrays."""
    if _at_fault(weights):
        raise ValueError("not for float16: something")
    return silent(weights)


@_refusing
def always_refused(value: np.ndarray) -> bool:
    """It refuses everything."""
    return True


MISTAKES = wrong_answers(__name__, half, changes)
