"""Say in words why a learner's function stopped with an error."""

from __future__ import annotations

import inspect
import re
import textwrap
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import chain, islice

from course.checks.patience import REST_SECONDS, OutOfTime, WaitsForEver

_ERROR_LINE = re.compile(r"^\w*(Error|Exception|Interrupt): ")
# names of operations and devices that TensorFlow puts around an error's own words
_OPERATIONS = re.compile(
    r"\[\[[A-Z]\w*\]\]\s*|"
    r"(\[\[)?\{\{(function_)?node .*?\}\}(\]\])?\s*|"
    r"\[Op:\w+\]( name:)?"
)

_COLOURS = re.compile(r"\x1b\[[0-9;]*m")  # Keras prints its errors in bold

_GRAPH_LINES = ("Graph execution error", "Detected at node", 'File "', "(0) ", "(1) ")

# (pattern in the error's text, what it means here): texts of TensorFlow 2.21
_MEANINGS = (
    (
        r"`merge_call` called while defining a new graph",
        "A call that joins the replicas stands inside an if or a loop over a tensor's "
        "value, or in a tf.function of its own. Every replica must reach it in every "
        "step: move it out, and choose what to send with tf.where.",
    ),
    (
        r"Unable to lift tensor|tf\.function only supports singleton tf\.Variables",
        "The step makes new variables, as a Keras optimizer or a tf.random.Generator "
        "does. Write an update yourself, w.assign_sub(...); draw random numbers with a "
        "stateless operation, or make the generator outside.",
    ),
    (
        r"different number of replica_context\(\)\.merge_call\(\)",
        "Not all replicas made the same calls to each other: an all_reduce, all_gather "
        "or merge_call stands where only some replicas reach it.",
    ),
    (
        r"'SymbolicTensor' object has no attribute 'numpy'",
        "Your function runs inside tf.function, where tensors have no value yet: "
        "use TensorFlow operations instead of .numpy().",
    ),
    (
        r"requested dtype u?int\d+ for Tensor with dtype b?float",
        "A mean or a division turned whole numbers into floats, and an integer "
        "variable cannot hold those. Does the exercise ask for a mean?",
    ),
    (
        r"Using a symbolic `tf\.Tensor` as a Python `bool`",
        "Your function runs inside tf.function, where a tensor has no value yet: "
        "use tf.where or tf.cond instead of Python's if on its value. (A function that "
        "needs a Python number, such as tf.random.set_seed, can't be given one.)",
    ),
    (
        r"Cannot convert a symbolic tf\.Tensor",
        "A NumPy function was given a TensorFlow tensor inside tf.function: "
        "use the TensorFlow operation of the same name.",
    ),
    (
        r"unsupported operand type\(s\) for [*/+-]+: .*NoneType",
        "One of the two values is None. If it is a gradient, the tape found no path "
        "from the variable to the loss: compute the loss inside the tape's block, and "
        "do not replace it afterwards.",
    ),
    (
        r"Mixing different tf\.distribute\.Strategy",
        "The step already runs inside a strategy. Do not open another one in it, nor "
        "use a layer, a generator or a variable that was made in another one's scope.",
    ),
    (
        r"Inputs to batch_reduce_to must be either all on the host",
        "What is reduced together must be of one kind: make the number of rows a "
        "float32 tensor like the gradient, tf.cast(tf.shape(x)[0], tf.float32).",
    ),
    (
        r"'Distributed\w+' object has no attribute",
        "A distributed dataset can only be iterated: batch, shard, shuffle and repeat "
        "come before it is distributed.",
    ),
    (
        r"Cannot batch tensors with different shapes",
        "What is put into one batch has different shapes: are batches batched again?",
    ),
    (
        r"requires being in cross-replica context",
        "That call is for use between steps, outside the replicas. Inside a replica "
        "use tf.distribute.get_replica_context().all_reduce(op, value).",
    ),
    (
        r"Dimension \d+ in both shapes must be equal.*AddN|"
        r"Shapes of all inputs must match",
        "What is reduced or stacked must have the same shape on all replicas; shards "
        "have not. Send one number from each replica, not one from each row; on the "
        "host, reduce with axis=0.",
    ),
    (
        r"zero-dimensional arrays cannot be concatenated",
        "What is concatenated here is no array. Of a per-replica value, list the parts "
        "first, with strategy.experimental_local_results(value).",
    ),
    (
        r"[Ii]terating over a symbolic",
        "A Python loop, or a, b = ..., cannot go over a tensor here: it has no length "
        "yet. Where several things are asked for, return several. Else use "
        "tf.map_fn, or an operation on the whole tensor.",
    ),
    (
        r"is out of scope and cannot be used here",
        "A tensor that was made inside a loop over a tensor can't be kept in a Python "
        "list. Use tf.map_fn, or an operation on the whole tensor.",
    ),
    (
        r"Expected int\d+.* but got \S+ of type 'float'",
        "Whole numbers and fractions do not mix in TensorFlow: tf.cast(x, tf.float32). "
        "tf.map_fn returns fractions with fn_output_signature=tf.float32 only.",
    ),
    (
        r"Shape must be rank 1 but is rank 0",
        "A list is wanted where a single number stands: a shape is [units], not units.",
    ),
    (
        r"Tensor is unhashable",
        "A tensor stands where a name is expected. tf.custom_gradient makes a tensor "
        "of each argument of its function: take a device's name from outside of it.",
    ),
    (
        r"TensorArray dtype is \w+ but|fn_output_signature|has dtype \w+, but expected",
        "tf.map_fn needs fn_output_signature=tf.float32 where what the function "
        "returns has another type than what it gets.",
    ),
    (
        r"Shapes must be equal rank",
        "Two things are put together that have different numbers of axes; a seed, for "
        "example, is two single numbers, not a vector of rows.",
    ),
    (
        r"replica_context|replica context",
        "That call is for use inside a replica only, where strategy.run calls you.",
    ),
    (
        r"distribute' has no attribute 'all_reduce'",
        "all_reduce belongs to the replica context: "
        "tf.distribute.get_replica_context().all_reduce(op, value).",
    ),
    (
        r"DataType string not in list of allowed values",
        "The order of the arguments is all_reduce(op, value): first the text "
        '"SUM" or "MEAN", then the value.',
    ),
    (
        r"has type float\d+ that does not match type float\d+|"
        r"expected to be a (double tensor but is a float|float tensor but is a double)",
        "float32 and float64 do not mix in TensorFlow. NumPy's numbers are float64; "
        "tf.constant(number, tf.float32) makes float32 of a Python or NumPy number.",
    ),
    (
        r"must have the same dtype|does not match type (float|int)\d+ of argument|"
        r"expected to be a (float|int\d+) tensor",
        "Whole numbers and fractions do not mix in TensorFlow: make a number of rows "
        "a fraction with tf.cast(count, tf.float32).",
    ),
    (
        r"destinations can not be empty",
        "all_reduce needs to know the device of what it sends, and this tensor has "
        "none: send tf.identity(tensor), or variable.read_value().",
    ),
    (
        r"passed to 'values' of 'ConcatV2' Op have types",
        "Tensors of different dtypes can't be joined. A message has one dtype.",
    ),
    (
        r"unsupported operations when trying to compile",
        "jit_compile=True cannot compile what the course puts into your step to watch "
        "it: leave it out.",
    ),
    (
        r"too few gradients|expected to return \d+ gradients",
        "The function of tf.custom_gradient must return one gradient for each of its "
        "arguments, in their order.",
    ),
    (
        r"indices must be integers or slices, not SymbolicTensor",
        "In a graph a tensor, such as the replica's id, has no value yet: it cannot be "
        "the index of a list. tf.gather takes one; a device can't be chosen by it.",
    ),
)


# follows the name of a function that was called with the wrong arguments
_OTHER_ARGUMENTS = r"\(\) (missing \d+ required|takes \d+) positional argument"

SHOWN = 300  # characters of an error's own words, or of a value that was returned


class StepFailed(RuntimeError):
    """A learner's step stopped with an error; shows sentences, not a traceback."""

    def __init__(self, sentences: tuple[str, ...]) -> None:
        super().__init__(" ".join(sentences))
        self.sentences = sentences

    def _render_traceback_(self) -> list[str]:
        # IPython calls this; TensorFlow's own traceback has hundreds of lines
        lines = (textwrap.wrap(sentence, 88) for sentence in self.sentences)
        return ["StepFailed:", *chain.from_iterable(lines)]


class WrongReturn(StepFailed):
    """A learner's function ran to its end and returned the wrong kind of thing.

    The check says WRONG, not CRASHED: Python raised nothing.
    """

    @classmethod
    def of(cls, returned: object, wanted: str, what: str = "") -> WrongReturn:
        """Return the error that tells what to return, then what was returned.

        Args:
            returned: the value; it is shortened.
            wanted: the kind of thing that is asked for; goes on after "Return".
            what: words for the value, where its repr says little.
        """
        words = what or repr(returned)
        if len(words) > SHOWN:
            words = f"{words[:SHOWN]}... (a {type(returned).__name__})"
        missing = " Is a `return` missing?" if returned is None else ""
        return cls((f"Return {wanted}.", f"Your function returned {words}.{missing}"))


@contextmanager
def sentences_of(function: Callable) -> Iterator[None]:
    """Turn an error of the block into a StepFailed about the learner's `function`."""
    try:
        yield
    except StepFailed:
        raise
    except (Exception, OutOfTime) as error:
        if wrong := wrong_return_in(error):
            raise wrong from None
        raise StepFailed(explain(error, function)) from error


def wrong_return_in(error: BaseException | None) -> WrongReturn | None:
    """Return the WrongReturn behind an error, or None.

    AutoGraph raises an error of its own, and keeps the first one as its context.
    """
    while error is not None and not isinstance(error, WrongReturn):
        error = error.__context__
    return error


def explain(error: BaseException, function: Callable) -> tuple[str, ...]:
    """Return sentences: the error, the learner's line it came from, its meaning."""
    if isinstance(error, WaitsForEver):
        return (
            f"It only waited, for {REST_SECONDS:.0f} s or longer, and was stopped: "
            "nothing that it could wait for was at work. Is there a sleep in it, or a "
            "wait for what never comes?",
        )
    if isinstance(error, OutOfTime):
        return (
            "It did not end in the processor time that it has, and was stopped. Is "
            "there a loop that never ends?",
        )
    if isinstance(error, StepFailed):
        return error.sentences
    name, text = _error_proper(type(error).__name__, _words(error))
    shown = _OPERATIONS.sub("", text).strip()
    shown = shown if len(shown) <= SHOWN else shown[: SHOWN - 3] + "..."
    sentences = [f"It stopped with {name}: {shown}"]
    line = _own_line(error, function)
    if line:
        sentences.append(f"In your code: {line}")
    meanings = (means for pattern, means in _MEANINGS if re.search(pattern, text))
    sentences += islice(meanings, 1)
    if re.search(rf"(?<!\w){re.escape(_name(function))}{_OTHER_ARGUMENTS}", text):
        sentences.append("The function must keep the arguments of the shipped version.")
    return tuple(sentences)


def _name(function: Callable) -> str:
    return getattr(inspect.unwrap(function), "__name__", "")


def _own_line(error: BaseException, function: Callable) -> str:
    try:
        file = inspect.getsourcefile(inspect.unwrap(function))
        lines, start = inspect.getsourcelines(inspect.unwrap(function))
    except (OSError, TypeError):
        return ""
    own = [f for f in traceback.extract_tb(error.__traceback__) if f.filename == file]
    # AutoGraph runs a converted copy and names its lines in the error's text only
    named = re.findall(r'File "([^"]+)", line (\d+)', _words(error))
    found = [frame.lineno for frame in own[-1:] if frame.lineno]
    found += [int(number) for name, number in named if name == file]
    for number in reversed(found):
        if start <= number < start + len(lines):
            return f"line {number - start + 1}, {lines[number - start].strip()}"
    return ""


def _words(error: BaseException) -> str:
    try:
        return _COLOURS.sub("", str(error))
    except Exception:
        return "an error without words"


def _error_proper(name: str, text: str) -> tuple[str, str]:
    """Return an error's name and own words, on one line, without code around them."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    # a graph's error comes after the places where its operation was made
    if text.startswith("Graph execution error"):
        lines = [line for line in lines if not line.startswith(_GRAPH_LINES)] or lines
    # AutoGraph puts the learner's code before the error proper
    starts = [i for i, line in enumerate(lines) if _ERROR_LINE.match(line)]
    if text.startswith("in user code") and starts:
        lines = lines[starts[-1] :]
        said = _ERROR_LINE.match(lines[0])
        # AutoGraph's own name for an error that it cannot make again
        name = said[0].rstrip(": ") if name == "StagingError" else name
        lines[0] = lines[0][said.end() :]
    return name, " ".join(lines)


def listed(function: Callable[[], object]) -> object:
    """Return what a learner's function returns: functions that it lists.

    Raises:
        StepFailed: it calls one of them, where the list needs its name.
    """
    try:
        return function()
    except TypeError as error:
        called = re.match(r"(\w+)\(\) missing", str(error))
        if not called or called[1] == getattr(function, "__name__", ""):
            raise
        sentence = (
            f"{called[1]}() calls the function at once, without its arguments. Name "
            f"the functions of the list without brackets: {called[1]}."
        )
        raise StepFailed((sentence,)) from error
