"""Errors in words: what a learner reads when their function stops."""

import numpy as np
import pytest
import tensorflow as tf

from course.checks.failures import SHOWN, WrongReturn, explain, sentences_of

pytestmark = pytest.mark.usefixtures("devices")  # before TensorFlow starts


def test_a_graph_s_error_is_told_without_the_places_of_its_operations():
    @tf.function
    def invert(n):
        return tf.linalg.inv(tf.zeros((n, n)))

    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        invert(tf.constant(2))
    stopped, line = explain(caught.value, invert.python_function)
    assert stopped == ("It stopped with InvalidArgumentError: Input is not invertible.")
    assert line == "In your code: line 3, return tf.linalg.inv(tf.zeros((n, n)))"


def sentences(function):
    with pytest.raises(Exception) as raised:
        function()
    return " ".join(explain(raised.value, function))


def test_a_function_that_ran_outside_of_a_graph_is_not_said_to_have_run_in_one():
    def reads_a_number():
        return np.float64(1.0).numpy()

    def picks():
        return [1, 2][tf.constant(0.5)]

    for eager in (reads_a_number, picks):
        assert "graph" not in sentences(eager)
        assert "tf.function" not in sentences(eager)

    @tf.function
    def in_a_graph():
        return tf.constant(1.0).numpy()

    assert "runs inside tf.function" in sentences(in_a_graph)


def test_what_is_none_is_not_said_to_be_a_gradient():
    def multiplies():
        return None * 2.0

    assert "If it is a gradient" in sentences(multiplies)


def test_arguments_are_those_of_the_learner_s_function_not_of_one_that_it_calls():
    def helper(x, y):
        return x + y

    def my_sum(x=1):
        return helper(x)

    def my_step(x, y):
        return x + y

    assert "shipped version" not in sentences(my_sum)
    with pytest.raises(TypeError) as raised:
        my_step(1)
    assert "must keep the arguments" in explain(raised.value, my_step)[-1]


def test_a_wrong_kind_of_value_is_shown_after_what_to_return_and_never_whole():
    said = WrongReturn.of(list(range(1000)), "one number").sentences
    assert said[0] == "Return one number."
    assert said[1].startswith("Your function returned [0, 1, 2,")
    assert said[1].endswith("... (a list).") and len(said[1]) < SHOWN + 60
    assert "Is a `return` missing?" in WrongReturn.of(None, "one number").sentences[1]


def test_sentences_of_passes_on_that_the_wrong_kind_was_returned():
    with pytest.raises(WrongReturn, match="one number"), sentences_of(sentences):
        raise WrongReturn.of("text", "one number")


def test_the_wrong_kind_is_known_even_from_inside_a_graph():
    def my_step(x):
        raise WrongReturn.of(x.shape, "one number")

    for autograph in (True, False):
        graph = tf.function(my_step, autograph=autograph)
        with pytest.raises(WrongReturn, match="one number"), sentences_of(my_step):
            graph(tf.zeros(2))
