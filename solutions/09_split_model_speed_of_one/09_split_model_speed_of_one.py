# ---
# course:
#   number: "09"
#   title: Split over four devices, and no faster than one
#   part: 2
#   minutes: {core: 25, further: [15]}
#   symptoms:
#     - "model parallelism with tf.device is as slow as one GPU"
#     - "model split over several GPUs, only one GPU works at a time"
#     - "layers on different GPUs, but all gradients are computed on GPU:0"
#   in_a_hurry:
#     cause: >-
#       Each layer needs the layer before. With one batch, one device works at a time: a
#       pipeline of p stages is idle for the share (p - 1) / p.
#     probe: >-
#       List the device that each operation of the graph asks for, forward and backward.
#     fix: >-
#       Send the batch through in M micro-batches that do not wait for each other (idle:
#       (p - 1) / (M + p - 1)). Add up gradients of sums, divided by the number of all
#       rows. Pin the backward pass too, with `tf.custom_gradient`.
# ---

# %% [markdown] beat="symptom"
# ## 1 · Symptom
#
# A model is too large for one GPU. So its layers were put on four, with `tf.device`. Now it
# fits, and the results are right. But a step takes as long as it would on one GPU with
# enough memory. The monitor shows four GPUs at work, one after the other.
#
# Huang and others describe this in "GPipe" (2019, arXiv 1811.06965), and how they solved it.

# %% role="start"
from course import check, mirrored, predict, show, virtual_devices
import tensorflow as tf
devices = virtual_devices(4)

# %% role="setup" key="tools"
from collections import Counter

from course.pictures.timeline import timeline
from course.lessons.n09_split_model_speed_of_one import (
    CUTS, bubble, forward_visits, predict_in_turn, run_cells, run_in_micro_batches,
    run_pipeline,
)

# %% [markdown] beat="predict"
# ## 2 · Predict
#
# Four stages, each one layer on its own device. `stage(h)` computes the layer's outputs;
# `stage.w` are its weights, `stage.device` is its device. A stage runs where the code
# around it says; here, so does its backward pass. It works on one call at a time. The
# batch can be cut into `micro` parts that go through the stages one after another:
# **micro-batches**. (Not used yet.)

# %% role="broken" exercise="my_pipeline_grads"
def broken_pipeline_grads(stages, x, y, micro):
    """Return the mean loss over all rows, and its gradient for each stage."""
    with tf.GradientTape() as tape:
        h = x
        for stage in stages:
            with tf.device(stage.device):
                h = stage(h)
        loss = tf.reduce_mean(tf.square(h - y))
    return loss, tape.gradient(loss, [stage.w for stage in stages])

# %% key="ask"
predict("09")

# %% [markdown] beat="observe"
# ## 3 · Observe
#
# TensorFlow runs the step, once with the whole batch and then with 2, 4 and 8 micro-batches.
# The stages' work is a wait: 3 ms a row. Order and overlap are TensorFlow's own. Dotted
# boxes: nothing to do.

# %% key="run-broken"
broken = run_pipeline(broken_pipeline_grads)
runs = [broken] + [run_in_micro_batches(micro) for micro in (2, 4, 8)]

def tell(run):
    return f"{run.idle:.0%} idle, {broken.seconds / run.seconds:.1f} x speed"

show(timeline(*runs, idle=True, tell=tell), prediction="09")

# %% [markdown] beat="aside"
# ### What theory says
#
# p stages, here 4, pass on M micro-batches. Each direction takes M + p - 1 turns, and each
# stage works in M of them.

# %% key="theory"
for micro, run in zip((1, 2, 4, 8), runs, strict=True):
    theory = f"{bubble(4, micro):.0%} by (p - 1) / (M + p - 1)"
    print(f"{micro} micro-batches: idle {theory}, {run.idle:.0%} measured; "
          f"at most {run.most_at_once} stages at once")

# %% [markdown]
# <details><summary>What this means (open it after the run)</summary>
#
# Forward, the last stage has nothing to do until the first micro-batch arrives, and the
# first ones have nothing left to do at the end; backward, it is the other way round. These 3
# turns in each direction stay, however many micro-batches there are; with more, each is
# shorter. A little more is idle than the formula says: every
# call has a cost of its own, and a device takes the next call that is there, not the one
# that would fit best.
#
# </details>

# %% [markdown] beat="aside"
# ### A colleague's run
#
# A colleague uses the model without training it: forward only. The 16 rows are cut into
# four micro-batches, and it is no faster than with one batch. (The number in a bar is that
# of the micro-batch.)

# %% key="colleague"
colleague = run_pipeline(predict_in_turn, 4, "a colleague's 4 micro-batches")
show(timeline(colleague, idle=True, tell=lambda run: f"{run.idle:.0%} idle"))

# %% [markdown] beat="locate"
# ## 4 · Locate
#
# `visits` are all `(stage, micro, begin, end)` of a forward run, in order of begin; times in
# ms, numbers from 0. A visit can begin when its stage is free **and** its
# micro-batch is there. (In stage 0, all are there at time 0.) Make `my_first_stall` return
# the **first** visit that begins **more** than `slack` ms later than that:
# `(stage, micro, late)`, where `late` is how many ms later. If there is none, `None`. The
# function below reports a stall in every pipeline.
#
# (To try yours: `my_first_stall(forward_visits(colleague), 10)`. The check uses other runs.)

# %% role="broken" exercise="my_first_stall"
def broken_first_stall(visits, slack):
    free = {}  # stage -> when its last visit ended
    for stage, micro, begin, end in visits:
        late = begin - free.get(stage, 0)
        if late > slack:
            return stage, micro, late
        free[stage] = end

# %% role="fix" exercise="my_first_stall"
def my_first_stall(visits, slack):
    free, there = {}, {}  # when the stage, and (stage, micro), last ended
    for stage, micro, begin, end in visits:
        late = begin - max(free.get(stage, 0), there.get((stage - 1, micro), 0))
        if late > slack:
            return stage, micro, late
        free[stage] = there[stage, micro] = end

# %% role="check" points=3
check("09/my_first_stall", my_first_stall)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# Stage 3 does nothing at first, in every pipeline. What is it waiting for, and does the
# shipped function know when that came?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# Two things must be ready: the stage, and **this** micro-batch in the stage before. The
# later of both counts. Other micro-batches in the stage before do not matter.
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# Keep a second dictionary: `there[stage, micro] = ____`. Then
# `late = begin - max(____, there.get((____, micro), 0))`.
#
# </details>

# %% [markdown] beat="fix"
# ## 5 · Fix
#
# Make `my_pipeline_grads` send the rows through in `micro` micro-batches of at most
# `-(-x.shape[0] // micro)` rows (that rounds up). They must not wait for each other. It
# still returns the mean loss over **all** rows and its gradients, one for each stage. (`x`
# has the shape (rows, inputs), `y` has (rows, 1).)
#
# The rows need not divide: the last micro-batch may be smaller. Call each stage on its own
# device. The check draws other rows, and holds each stage until two others are at work,
# too: they meet only if they can work at the same time. (`x.shape[0]` is the number of rows; slices such
# as `x[6:12]` work. The function is called in a `tf.function`.)

# %% role="fix" exercise="my_pipeline_grads"
def my_pipeline_grads(stages, x, y, micro):
    """Return the mean loss over all rows, and its gradient for each stage."""
    rows = x.shape[0]
    size, losses = -(-rows // micro), []
    with tf.GradientTape() as tape:
        for start in range(0, rows, size):
            h = x[start : start + size]
            for stage in stages:
                with tf.device(stage.device):
                    h = stage(h)
            error = tf.square(h - y[start : start + size])
            losses.append(tf.reduce_sum(error) / rows)
        loss = tf.add_n(losses)
    return loss, tape.gradient(loss, [stage.w for stage in stages])

# %% role="check" points=4
check("09/my_pipeline_grads", my_pipeline_grads)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# Your micro-batches may have 6, 6, 6 and 3 rows. If you take the mean of each, and the mean
# of these four: how much does a row of the last one count?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# Gradients of **sums** can be added. Sum over the rows of each micro-batch, divide by the
# number of **all** rows, add up. In a `tf.function`, what does not need each other's results
# runs at the same time: a Python loop over slices is enough.
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# Under one tape: `for start in range(0, rows, ____):`, then the stages as before, on
# `x[start:____]`; `losses.append(tf.reduce_sum(____) / ____)`. After the loop:
# `loss = tf.add_n(____)`.
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** The whole loss is a sum over rows, divided by one number. So it is a
# sum over micro-batches too, and so is its gradient: the sizes do not matter. TensorFlow's
# graph has an arrow only where one operation needs another's result. Between micro-batches
# there is none, until the sums at the end. A tape for each micro-batch is right as well.

# %% [markdown] beat="confirm"
# ## 6 · Confirm

# %% key="run-mine" tags=["raises-exception"]
mine = run_pipeline(my_pipeline_grads, 4, "mine, 4 micro-batches")
show(timeline(broken, mine, idle=True, tell=tell))

# %% [markdown]
# **Would `model.fit` have saved you?** No: it sends whole batches. And where a Keras
# model was built under `tf.device`, its weights are on the four devices, but the
# operations of its training ask for none (TensorFlow [issue
# 44510](https://github.com/tensorflow/tensorflow/issues/44510) is about this).
#
# **On real GPUs this would differ (not run here):** every hand-over between devices takes
# time. Very small micro-batches use a GPU badly. And the activations (what the layers
# computed) of all micro-batches are kept until their backward pass.

# %% [markdown] role="claims"

# %% [markdown] beat="aside"
# ### What can be cut in a recurrent model
#
# Four rows go through 6 time steps of a recurrent cell, each with the state of the one
# before. "Off" is the distance from all of it on one device.

# %% key="recurrent"
for how in CUTS:
    run = run_cells(how)
    print(f"{how}: {run.cells} cells, at most {run.at_once} at once, {run.chain} in "
          f"a row; off by {run.off:.2g}")

# %% [markdown]
# <details><summary>What this means (open it after the run)</summary>
#
# Two devices share the rows, and work at the same time. They cannot share the time: each
# cell waits for the one before. Without the state, they can, and compute something else.
#
# </details>

# %% [markdown] beat="aside"
# ### Probe for work
#
# Plain TensorFlow. Which device do the operations of your step ask for? What makes or uses
# a gradient counts as backward. Much backward work with none, although the layers have a
# device, is what Further 1 is about. (It does not look into a `tf.function` that the step
# calls.)

# %% key="probe"
from collections import Counter

def devices_asked(concrete):
    """Count a graph's operations: (direction, device they ask for) -> number."""
    counts, backward = Counter(), set()
    for op in concrete.graph.get_operations():
        uses = any(tensor.op.name in backward for tensor in op.inputs)
        if uses or "gradient_tape/" in op.name:
            backward.add(op.name)
        if op.inputs and op.type not in ("Identity", "ReadVariableOp", "NoOp"):
            direction = "backward" if op.name in backward else "forward"
            counts[direction, op.device.split("/device:")[-1] or "none"] += 1
    return counts

# devices_asked(your_tf_function.get_concrete_function(...))

# %% [markdown] beat="further"
# ## Further 1 · Where does the backward pass run? (15 minutes)
#
# So far, a stage kept its backward pass on its device. An ordinary layer under `tf.device`
# does not. The same four micro-batches, with such layers and with our stages:

# %% key="unpinned"
ordinary = run_in_micro_batches(4, "ordinary layers", pinned=False)
show(timeline(ordinary, runs[2], idle=True, tell=tell))

# %% [markdown]
# <details><summary>What this means (open it after the run)</summary>
#
# A tape remembers operations, not their `tf.device`. The operations of the backward pass
# ask for whatever device surrounds `tape.gradient`: here none, so that TensorFlow takes the
# first. In 2016, Keras had the same fault with TensorFlow 1 (keras-team/keras, pull request
# 3620).
#
# </details>

# %% [markdown] beat="further"
# ### Keep it on the device
#
# Make all work of `my_layer` ask for `device`, **forward and backward**. The outputs and the
# gradients for `h` and `w` stay the same. The gradient is taken later, by somebody else, so
# a `tf.device` around the call of `my_layer` is too early.
#
# `tf.custom_gradient` wraps a function of **tensors only**, which returns
# `(outputs, backward)`; `backward(upstream)` returns one gradient for each argument. Here
# `z = h @ w`, and its gradient is `inner = upstream * (1 - tf.tanh(z)**2)`. That gives
# `inner @ tf.transpose(w)` for `h`, and `tf.transpose(h) @ inner` for `w`.

# %% role="broken" exercise="my_layer"
def broken_layer(h, w, device):
    with tf.device(device):
        return tf.tanh(h @ w)

# %% role="fix" exercise="my_layer"
def my_layer(h, w, device):
    @tf.custom_gradient
    def layer(h, w):
        with tf.device(device):
            outputs = tf.tanh(h @ w)

        def backward(upstream):
            with tf.device(device):
                inner = upstream * (1 - outputs**2)
                return inner @ tf.transpose(w), tf.transpose(h) @ inner

        return outputs, backward

    return layer(h, w)

# %% role="check" points=4
check("09/my_layer", my_layer)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# When is the code of `backward` run: when the layer is called, or when the gradient is
# taken? Is the `with tf.device` of the forward pass still open then?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# A `with tf.device` counts for the operations made **in** it. `backward` is a function of
# its own, called later: it needs its own.
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# `def backward(upstream):`, in it `with ____:`, in it `inner = upstream * ____` and the two
# gradients. After it, `return outputs, ____`. At the end, `return layer(____)`.
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** The gradient's operations are made where the tape is asked for
# it, far from the layer. `tf.custom_gradient` lets the layer bring its own, and the
# second `tf.device` is in force while `backward` runs. The numbers are those of the chain
# rule, so nothing else changes.
