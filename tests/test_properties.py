"""Properties of an answer: the first one that fails is named."""

import numpy as np
import pytest

from course.checks.properties import Properties, Property


def test_properties_name_the_first_that_fails():
    properties = Properties(
        {"a": Property("A fails.", "a."), "b": Property("B fails.", "b.")}
    )
    truth = properties.expect(None)
    got = properties.observation({"a": True, "b": False})
    assert properties.compare(None, got, truth).came == "B fails."
    assert properties.compare(None, got, truth).expected == "Expected: b."
    wrong = properties.mistake("code", ("b",), "it is b.").observe(None)
    assert np.array_equal(wrong.values, got.values)
    sign = properties.sign("code", "b", "it is b.")
    assert sign.change(None, truth).agrees(got, 0)
    assert sign.change(None, got).agrees(got, 0)
    with pytest.raises(KeyError, match="no property is called 'c'"):
        properties.mistake("code", ("c",), "it is c.").observe(None)
