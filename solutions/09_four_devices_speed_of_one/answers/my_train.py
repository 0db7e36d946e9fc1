"""Answers to 09/my_train, right and wrong, and what the check says of each."""

import numpy as np
import tensorflow as tf

from autograder.answers import changed, crashed, right, wrong


def _summing(strategy, step):
    @tf.function
    def one_step(x, y, rate):
        parts = strategy.run(step, args=(x, y, rate))
        return strategy.reduce("SUM", parts, axis=None)

    return one_step


@right
def read_at_the_end(strategy, step, batches):
    """All losses are read one by one, after the loop."""
    one_step, losses = _summing(strategy, step), []
    for x, y, rate in batches:
        losses.append(one_step(x, y, tf.convert_to_tensor(rate, tf.float32)))
    return [float(loss) for loss in losses]


@right
def run_of_a_function(strategy, step, batches):
    """strategy.run of a function made before the loop; reduced eagerly."""
    graph_step = tf.function(step)
    losses = []
    for x, y, rate in batches:
        parts = strategy.run(graph_step, args=(x, y, tf.constant(rate)))
        losses.append(strategy.reduce("SUM", parts, axis=None))
    return losses


@right
def signature(strategy, step, batches):
    """An input signature; parts added up by hand."""

    @tf.function(reduce_retracing=True)
    def one_step(x, y, rate):
        return strategy.run(step, args=(x, y, rate))

    every = [one_step(x, y, tf.constant(rate)) for x, y, rate in batches]
    losses = [tf.add_n(strategy.experimental_local_results(parts)) for parts in every]
    return [loss.numpy() for loss in losses]


@right
def tensor_rate(strategy, step, batches):
    """A function made once, the rate as a tensor."""

    @tf.function
    def one_step(x, y, rate):
        parts = strategy.run(step, args=(x, y, rate))
        return strategy.reduce("SUM", parts, axis=None)

    losses = [one_step(x, y, tf.constant(rate)) for x, y, rate in batches]
    return tf.stack(losses).numpy()


@right
def variable_rate(strategy, step, batches):
    """The rate in a variable that is assigned before each step."""
    rate_now = tf.Variable(0.0)

    @tf.function
    def one_step(x, y):
        parts = strategy.run(step, args=(x, y, tf.identity(rate_now)))
        return strategy.reduce("SUM", parts, axis=None)

    losses = []
    for x, y, rate in batches:
        rate_now.assign(rate)
        losses.append(one_step(x, y))
    return tf.stack(losses)


@right
def whole_loop(strategy, step, batches):
    """The whole loop in one function, with a TensorArray."""
    n = len(batches)
    xs, ys = (
        strategy.run(lambda *parts: tf.stack(parts), args=tuple(b[k] for b in batches))
        for k in (0, 1)
    )

    @tf.function
    def loop(xs, ys, rates):
        losses = tf.TensorArray(tf.float32, size=n)
        for i in tf.range(n):
            parts = strategy.run(
                lambda x, y, r, i=i: step(x[i], y[i], r[i]), args=(xs, ys, rates)
            )
            losses = losses.write(i, strategy.reduce("SUM", parts, axis=None))
        return losses.stack()

    return loop(xs, ys, tf.constant([batch[2] for batch in batches]))


@wrong("losses_added_up")
@changed(tensor_rate, ("tf.stack(losses).numpy()", "tf.add_n(losses)"))
def added_up():
    """The sum of all losses."""


@wrong("losses_averaged")
@changed(tensor_rate, ("tf.stack(losses)", "tf.reduce_mean(tf.stack(losses))"))
def averaged():
    """The mean of all losses."""


@wrong("eager")
@changed(run_of_a_function, ("graph_step = tf.function(step)", "graph_step = step"))
def eager():
    """No reads, still eager."""


@crashed
@changed(run_of_a_function, ("(graph_step,", "(lambda *a: graph_step(*a),"))
def eager_in_function():
    """tf.function inside of what runs eagerly: TensorFlow refuses it."""


@wrong("eager+reads")
def eager_reads(strategy, step, batches):
    """The shipped way, written differently."""
    losses = []
    for x, y, rate in batches:
        loss = strategy.reduce("SUM", strategy.run(step, args=(x, y, rate)), axis=None)
        losses.append(loss.numpy())
    return losses


@crashed
def endless(strategy, step, batches):
    """It waits for a loss that never comes."""
    one_step, losses = _summing(strategy, step), []
    while len(losses) != len(batches) + 1:
        losses = [one_step(x, y, tf.constant(rate)) for x, y, rate in batches]
    return losses


@wrong("function_in_the_loop")
def function_in_the_loop(strategy, step, batches):
    """A new function in every step."""
    losses = []
    for x, y, rate in batches:
        run = tf.function(lambda *a: strategy.run(step, args=a))
        losses.append(strategy.reduce("SUM", run(x, y, tf.constant(rate)), axis=None))
    return tf.stack(losses).numpy()


@wrong("function_in_the_loop+reads")
def function_in_the_loop_reads(strategy, step, batches):
    """A new function of the step in every step, and prints."""
    losses = []
    for x, y, rate in batches:
        parts = strategy.run(tf.function(step), args=(x, y, rate))
        loss = strategy.reduce("SUM", parts, axis=None)
        print("loss", loss)
        losses.append(loss)
    return losses


@wrong("eager")
def functions_run_eagerly(strategy, step, batches):
    """tf.config.run_functions_eagerly is on."""
    tf.config.run_functions_eagerly(True)
    try:
        one_step = _summing(strategy, step)
        return [one_step(x, y, tf.constant(rate)) for x, y, rate in batches]
    finally:
        tf.config.run_functions_eagerly(False)


@crashed
@changed(tensor_rate, ("@tf.function", "@tf.function(jit_compile=True)"))
def jit_compile():
    """Compiled with XLA, which the course's stamps cannot pass."""


@wrong("last_batch_skipped")
def last_batch_skipped(strategy, step, batches):
    """The last batch is missing."""
    one_step = _summing(strategy, step)
    return [one_step(x, y, tf.constant(rate)) for x, y, rate in batches[:-1]]


@wrong("last_loss")
@changed(tensor_rate, ("tf.stack(losses).numpy()", "losses[-1]"))
def last_loss():
    """Only the last loss."""


@wrong("last_loss+eager")
def last_loss_eager(strategy, step, batches):
    """Only the last loss, of eager steps."""
    for x, y, rate in batches:
        parts = strategy.run(step, args=(x, y, rate))
    return [float(strategy.reduce("SUM", parts, axis=None))]


@wrong("last_rate+eager+reads")
def last_rate_eager_reads(strategy, step, batches):
    """The last rate for all, eagerly, each loss read."""
    *_, (_, _, rate) = batches
    runs = (strategy.run(step, args=(x, y, rate)) for x, y, _ in batches)
    return [strategy.reduce("SUM", parts, axis=None).numpy() for parts in runs]


@wrong("last_rate")
@changed(tensor_rate, ("tf.constant(rate)", "tf.constant(batches[-1][2])"))
def last_rate():
    """The last rate for all."""


@wrong
def made_up(strategy, step, batches):
    """Numbers that no step gave."""
    return [0.0 for batch in batches]


@wrong("mean_loss")
@changed(tensor_rate, ("SUM", "MEAN"))
def mean_loss():
    """The mean of the parts."""


@wrong("mean_loss+eager+reads")
@changed(eager_reads, ("SUM", "MEAN"))
def mean_loss_eager_reads():
    """The mean of the parts, eagerly."""


@crashed
def no_strategy(strategy, step, batches):
    """The step is called without strategy.run."""
    return [step(x, y, rate) for x, y, rate in batches]


@wrong
@changed(tensor_rate, ("return tf.stack(losses).numpy()", ""))
def none():
    """The return is missing."""


@wrong("nothing_done")
def nothing(strategy, step, batches):
    """No step at all."""
    return []


@crashed
@changed(tensor_rate, ("axis=None)", "axis=None).numpy()"))
def numpy_in_graph():
    """A read inside of the graph."""


@crashed
@changed(tensor_rate, ("tf.constant(rate)", "np.asarray(rate)"))
def numpy_rate():
    """The rate as a NumPy number, which is float64."""


@wrong
def one_replica(strategy, step, batches):
    """Replica 0's share only, without the strategy's graph."""
    losses = []
    for x, y, rate in batches:
        x, y = (strategy.experimental_local_results(v)[0] for v in (x, y))
        losses.append(step(x, y, tf.constant(rate)))
    return losses


@wrong
def train_parts(strategy, step, batches):
    """The parts of the replicas, not added."""
    run = tf.function(lambda *a: strategy.run(step, args=a))
    return [run(x, y, tf.constant(rate)) for x, y, rate in batches]


@wrong("reads")
def prints(strategy, step, batches):
    """A graph, but the parts are printed in each step."""
    run = tf.function(lambda *a: strategy.run(step, args=a))
    losses = []
    for x, y, rate in batches:
        parts = run(x, y, tf.constant(rate))
        print(parts)
        losses.append(strategy.reduce("SUM", parts, axis=None))
    return losses


@wrong("python_rate")
@changed(tensor_rate, ("tf.constant(rate)", "rate"))
def python_rate():
    """The rate comes as a Python number."""


@wrong("python_rate+reads")
def python_rate_reads(strategy, step, batches):
    """The rate as a Python number, and a read in each step."""
    one_step = _summing(strategy, step)
    return [float(one_step(x, y, rate)) for x, y, rate in batches]


@wrong("python_rate")
@changed(run_of_a_function, ("tf.constant(rate)", "rate"))
def python_rate_run_of_a_function():
    """strategy.run of a function, with a Python number."""


@wrong("rate_frozen")
def rate_frozen(strategy, step, batches):
    """The first rate, found outside of the arguments."""

    @tf.function
    def one_step(x, y):
        parts = strategy.run(step, args=(x, y, rate))
        return strategy.reduce("SUM", parts, axis=None)

    losses = []
    for x, y, rate in batches:  # noqa: B007
        losses.append(one_step(x, y))
    return losses


@wrong("batch_and_rate_frozen")
@changed(rate_frozen, ("(x, y):", "():"), ("one_step(x, y))", "one_step())"))
def all_frozen():
    """Nothing is handed in."""


@wrong("batch_frozen")
@changed(
    rate_frozen,
    ("def one_step(x, y):", "def one_step(rate):"),
    ("losses.append(one_step(x, y))", "losses.append(one_step(tf.constant(rate)))"),
)
def batch_frozen():
    """The first batch, found outside of the arguments."""


@wrong("rate_frozen+reads")
@changed(
    rate_frozen,
    ("args=(x, y, rate)", "args=(x, y, tf.constant(rate))"),
    ("losses.append(one_step(x, y))", "losses.append(float(one_step(x, y)))"),
)
def rate_frozen_reads():
    """The first rate, as a tensor from outside, and reads."""


@wrong("rate_late")
def rate_late(strategy, step, batches):
    """The rate is assigned after the step."""
    rate_now = tf.Variable(batches[0][2])

    @tf.function
    def one_step(x, y):
        parts = strategy.run(step, args=(x, y, tf.identity(rate_now)))
        return strategy.reduce("SUM", parts, axis=None)

    losses = []
    for x, y, rate in batches:
        losses.append(one_step(x, y))
        rate_now.assign(rate)
    return losses


@wrong("reads")
@changed(tensor_rate, ("tf.constant(rate))", "tf.constant(rate)).numpy()"))
def reads():
    """Reads with .numpy() in each step."""


@wrong("reads")
def reads_asarray(strategy, step, batches):
    """np.asarray in each step."""
    one_step = _summing(strategy, step)
    return [np.asarray(one_step(x, y, tf.constant(rate))) for x, y, rate in batches]


@wrong("replica_0_loss")
def replica_0(strategy, step, batches):
    """The loss of replica 0."""
    run = tf.function(lambda *a: strategy.run(step, args=a))
    losses = []
    for x, y, rate in batches:
        parts = run(x, y, tf.constant(rate))
        losses.append(strategy.experimental_local_results(parts)[0])
    return tf.stack(losses)


@wrong("one_step_only")
def return_in_loop(strategy, step, batches):
    """The return stands in the loop."""
    one_step, losses = _summing(strategy, step), []
    for x, y, rate in batches:
        losses.append(one_step(x, y, tf.constant(rate)))
        return losses


@wrong("reads+one_step_only")
def return_in_loop_reads(strategy, step, batches):
    """The return stands in the loop, and the loss is read there."""
    one_step = _summing(strategy, step)
    for x, y, rate in batches:
        return [float(one_step(x, y, tf.constant(rate)))]


@wrong("reads")
def some_reads(strategy, step, batches):
    """Looks at a loss now and then."""
    one_step, losses = _summing(strategy, step), []
    for x, y, rate in batches:
        losses.append(one_step(x, y, tf.constant(rate)))
        if len(losses) == 2:
            print(float(losses[-1]))
    return losses


@wrong("python_rate")
def step_number(strategy, step, batches):
    """The rate is a tensor; the number of the step is not."""

    @tf.function
    def one_step(number, x, y, rate):
        return strategy.reduce("SUM", strategy.run(step, args=(x, y, rate)), axis=None)

    return [
        one_step(number, x, y, tf.constant(rate))
        for number, (x, y, rate) in enumerate(batches)
    ]


@wrong("reads")
@changed(
    some_reads,
    ("len(losses) == 2", "losses[-1] > 1e6"),
    ("print(float(losses[-1]))", 'raise ValueError("diverged")'),
)
def stops_when_large():
    """An if on the loss in each step."""


@wrong("unrolled")
def unrolled(strategy, step, batches):
    """One graph with all steps in it."""

    @tf.function
    def everything(batches):
        losses = []
        for x, y, rate in batches:
            parts = strategy.run(step, args=(x, y, rate))
            losses.append(strategy.reduce("SUM", parts, axis=None))
        return tf.stack(losses)

    return everything(batches).numpy()


@wrong
def unseen_read(strategy, step, batches):
    """np.float32 reads the memory of a tensor; nobody sees it."""
    one_step = _summing(strategy, step)
    return [np.float32(one_step(x, y, tf.constant(rate))) for x, y, rate in batches]


@wrong("one_step_more")
def warm_up(strategy, step, batches):
    """A step with rate 0 to warm up."""
    one_step, (x, y, _) = _summing(strategy, step), batches[0]
    one_step(x, y, tf.constant(0.0))
    return [one_step(x, y, tf.constant(rate)) for x, y, rate in batches]


@wrong("first_loss_missing")
@changed(tensor_rate, ("return tf.stack(losses).numpy()", "return losses[1:]"))
def warm_up_skipped():
    """The first loss is thrown away, as that of the trace."""


@wrong
@changed(warm_up, ("(x, y, _)", "(x, y, rate)"), ("0.0", "rate"))
def warm_up_step():
    """A step more, to trace before the loop."""


@wrong("reads")
@changed(
    tensor_rate,
    ("tf.stack(losses).numpy()", "losses"),
    (
        "losses = [one_step(x, y, tf.constant(rate)) for x, y, rate in batches]",
        """
losses = []
for x, y, rate in batches:
    losses.append(one_step(x, y, tf.constant(rate)))
    tf.print("loss", losses[-1])
""",
    ),
)
def tf_print():
    """tf.print of the loss in each step."""


@right
@changed(
    tensor_rate,
    ("return strategy.reduce", "loss = strategy.reduce"),
    (
        "axis=None)",
        """axis=None)
tf.print("loss", loss)
return loss""",
    ),
)
def tf_print_in_graph():
    """tf.print in the graph: no host waits for it."""


@right
@changed(
    read_at_the_end,
    ("return [", 'tf.print("losses", losses)\nreturn ['),
)
def tf_print_at_the_end():
    """tf.print of all losses, after the loop."""
