"""Further exercise: float32 weights for a float16 model, or a refusal."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from course.exercises import Exercise, Mistake
from course.jobs.checkpoint_files import Arrays
from course.lessons.n18_restored_but_wrong.half_case import (
    SHARE,
    changes,
    compare,
    draw,
    expect,
    half,
    observe,
)

LARGEST = 65504.0  # of float16

Finds = Callable[[np.ndarray], bool]


def _cast(finds: Finds, put=lambda v: v.astype(np.float16), pick=list) -> Callable:
    """Return a function that refuses the arrays in which `finds` finds a fault."""

    def cast(weights: Arrays) -> Arrays:
        wrong = pick(name for name, value in weights.items() if finds(value))
        if wrong:
            raise ValueError(f"not for float16: {wrong}")
        return {name: put(value) for name, value in weights.items()}

    return cast


def _to_infinity(value: np.ndarray) -> bool:
    return bool((np.isinf(half(value)) & np.isfinite(value)).any())


def _to_zero(value: np.ndarray) -> bool:
    return bool(((half(value) == 0) & (value != 0)).any())


def _any_infinity(value: np.ndarray) -> bool:
    return bool(np.isinf(half(value)).any())


def _above_largest(value: np.ndarray) -> bool:
    return bool((np.abs(value) > LARGEST).any())


def _whole_array(value: np.ndarray) -> bool:
    return bool(np.linalg.norm(half(value) - value) > SHARE * np.linalg.norm(value))


def _by_range(value: np.ndarray) -> bool:
    info, size = np.finfo(np.float16), np.abs(value)
    large = np.isfinite(value) & (size > float(info.max))
    return bool((large | ((size > 0) & (size < float(info.tiny)))).any())


def _not_close(equal_nan: bool = True, **limits: float) -> Finds:
    return lambda v: not np.allclose(half(v), v, equal_nan=equal_nan, **limits)


def _ratios(value: np.ndarray) -> np.ndarray:
    return np.abs((half(value) - value) / value)


def _any_change(value: np.ndarray) -> bool:
    return not np.array_equal(half(value), value, equal_nan=True)


def _not_finite_too(value: np.ndarray) -> bool:
    return changes(value) or not np.isfinite(value).all()


def _nan_too(value: np.ndarray) -> bool:
    return changes(value) or bool(np.isnan(value).any())


def _clipped(value: np.ndarray) -> np.ndarray:
    return np.clip(value, -LARGEST, LARGEST).astype(np.float16)


def _all_or_none(wrong) -> list[str]:
    return list(wrong)[:1]


def _nobody(wrong) -> list[str]:
    return ["something"] if any(True for _ in wrong) else []


def _mistake(code: str, function: Callable, cause: str) -> Mistake:
    return Mistake(code, cause, lambda case: observe(function, case))


MY_HALF = Exercise(
    name="18/my_half",
    cases=draw,
    observe=observe,
    expect=expect,
    compare=compare,
    mistakes=(
        _mistake(
            "silent",
            _cast(lambda value: False),
            "it casts and returns. Large numbers become infinite and small ones zero, "
            "in silence.",
        ),
        _mistake(
            "infinity_only",
            _cast(_to_infinity),
            "it looks for numbers that become infinite, and not for those that become "
            "zero or lose their digits.",
        ),
        _mistake(
            "any_infinity",
            _cast(_any_infinity),
            "it looks for infinity after the cast. One that was there before is no "
            "fault, and small numbers become zero or lose their digits.",
        ),
        _mistake(
            "above_largest",
            _cast(_above_largest),
            "it looks for numbers above float16's largest. 65510 becomes 65504, which "
            "is near enough; infinity stays as it is; and small numbers lose digits.",
        ),
        _mistake(
            "whole_array",
            _cast(_whole_array),
            "it compares with the size of the whole array: beside a number near 1, a "
            "small one can vanish. Compare each number with itself.",
        ),
        _mistake(
            "zero_only",
            _cast(_to_zero),
            "it looks for numbers that become zero, and not for those that become "
            "infinite or lose their digits.",
        ),
        _mistake(
            "infinity_and_zero",
            _cast(lambda value: _to_infinity(value) or _to_zero(value)),
            "it looks for infinity and zero. Between zero and 6e-5, float16 has fewer "
            "and fewer digits: such a number can change by a quarter.",
        ),
        _mistake(
            "by_range",
            _cast(_by_range),
            "it compares with float16's range. 65510 becomes 65504, which is near "
            "enough, and small powers of 2 are exact: look at how much they change.",
        ),
        _mistake(
            "allclose",
            _cast(_not_close(rtol=SHARE)),
            "np.allclose also allows 1e-8, whatever the number is: of 5e-9 nothing "
            "need be left. Set atol=0.",
        ),
        _mistake(
            "allclose_and_nan",
            _cast(_not_close(rtol=SHARE, equal_nan=False)),
            "np.allclose also allows 1e-8, whatever the number is, and takes NaN for "
            "unequal to NaN. Set atol=0 and equal_nan=True.",
        ),
        _mistake(
            "small_atol",
            _cast(_not_close(rtol=SHARE, atol=1e-12)),
            "it also allows a small difference, whatever the number is: of 1e-30 "
            "nothing need be left. Set atol=0.",
        ),
        _mistake(
            "wider",
            _cast(_not_close(rtol=2 * SHARE, atol=0)),
            "it allows more than 0.1 %.",
        ),
        _mistake(
            "narrower",
            _cast(_not_close(rtol=SHARE / 2, atol=0)),
            "it allows less than 0.1 %.",
        ),
        _mistake(
            "largest_ratio",
            _cast(lambda value: bool(np.max(_ratios(value)) > SHARE)),
            "of a zero the share is 0 / 0, which is NaN, and so is the largest of "
            "them. No comparison with NaN is true: such an array is never refused.",
        ),
        _mistake(
            "mean_ratio",
            _cast(lambda value: bool(np.nanmean(_ratios(value)) > SHARE)),
            "it looks at the mean: one bad number among thousands does not change it.",
        ),
        _mistake(
            "allclose_as_it_is",
            _cast(_not_close()),
            "np.allclose allows a share of 1e-5, and ordinary rounding to float16 is "
            "up to 5e-4: it refuses nearly everything.",
        ),
        _mistake(
            "absolute",
            _cast(_not_close(rtol=0, atol=SHARE)),
            "a difference of 0.001 is small for a large number, and too large for a "
            "small one: compare it with the number.",
        ),
        _mistake(
            "any_change",
            _cast(_any_change),
            "it refuses any change, so that nearly no weights can be used. A change of "
            "0.1 % is allowed.",
        ),
        _mistake(
            "infinity_refused",
            _cast(_not_finite_too),
            "infinity and NaN were there before: the cast does not change them.",
        ),
        _mistake(
            "nan_refused",
            _cast(_nan_too),
            "a NaN was there before: the cast does not change it.",
        ),
        _mistake(
            "clipped",
            _cast(lambda value: False, _clipped),
            "large numbers were set to float16's largest. That is another model, and "
            "nobody is told.",
        ),
        _mistake(
            "float32",
            _cast(changes, lambda value: value.copy()),
            "the refusals are right, but the arrays come back as float32.",
        ),
        _mistake(
            "first_named",
            _cast(changes, pick=_all_or_none),
            "only the first array at fault is named.",
        ),
        _mistake(
            "nobody_named",
            _cast(changes, pick=_nobody),
            "it refuses where it should, but its message does not name the arrays.",
        ),
        _mistake(
            "always_refused",
            _cast(lambda value: True),
            "it refuses everything.",
        ),
    ),
    right="Ordinary weights, exact small ones, 65510, infinity and NaN were cast; what "
    "would have changed by more than 0.1 % was refused by its name.",
)
