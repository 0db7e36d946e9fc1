# ---
# course:
#   number: "10"
#   title: Split over four devices, and no faster than one
#   part: 2
#   minutes: {core: 30, further: [15, 10]}
#   symptoms:
#     - "model parallelism with tf.device is as slow as one GPU"
#     - "model split over several GPUs, only one GPU works at a time"
#     - "layers on different GPUs with tf.device, training no faster"
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
# enough memory. The monitor never shows two GPUs at work at the same time.
#
# Huang and others describe this in "GPipe" (2019, arXiv 1811.06965), and how they solved it.

# %% role="start"
from course import check, mirrored, predict, show, virtual_devices
import tensorflow as tf
devices = virtual_devices(4)

# %% role="setup" key="tools"
from collections import Counter

from course.pictures.timeline import timeline
from course.lessons.n10_split_model_speed_of_one import (
    forward_visits, run_ordinary_layers, run_pipeline,
)

# %% [markdown] beat="predict"
# ## 2 · Predict
#
# Four stages, each one layer on its own device. `stage(h)` computes the layer's outputs,
# `tf.tanh(h @ stage.w)`, where the code around it says; its weights `stage.w` are on
# `stage.device`. A device works on one call at a time. (`micro` is not used yet.)

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
predict("10")

# %% [markdown] beat="observe"
# ## 3 · Observe
#
# The work is a wait: 3 ms a row, 16 rows. Order and overlap are TensorFlow's own. Dotted
# boxes: nothing to do.

# %% key="run-broken"
def tell(run):
    return f"{run.idle:.0%} idle, {run.seconds:.2f} s"

ordinary = run_ordinary_layers(broken_pipeline_grads)
show(timeline(ordinary, idle=True, tell=tell), prediction="10")

# %% [markdown] beat="aside"
# ### Fill the pipeline
#
# From here on, a stage keeps its backward pass on its own device. (How: Further 1.) The devices
# still work in turn. So the batch is cut into **micro-batches**, which go through the stages
# one after another.
#
# 1. With 4 stages: how many micro-batches until a device is idle for less than half of the
#    time? Why does a part of the idle time stay?
# 2. One stage is twice as slow. What do the other devices do, and can more micro-batches
#    help?
# 3. With 4 micro-batches: what is left of the gain where backward passes ask for no device?

# %% key="play"
from course.lessons.n10_split_model_speed_of_one import fill_the_pipeline

fill_the_pipeline()

# %% [markdown]
# <details><summary>What you should have seen</summary>
#
# 1. Four. p stages pass on M micro-batches: each direction takes M + p - 1 turns, and each
#    stage works in M of them. Forward, the last stages wait for the first micro-batch, and
#    the first ones have nothing left at the end; backward, it is the other way round. So
#    equal stages are idle for (p - 1) / (M + p - 1): for 43% of the time with four. These
#    p - 1 turns stay, but with more micro-batches they are shorter.
# 2. They wait for the slow stage. More micro-batches fill the pipeline, but it never gets
#    faster than its slowest stage.
# 3. About two thirds. Forward, the stages still overlap. But all backward passes run on
#    one device, one after the other: the devices are idle for about 60% of the
#    time, and 8 micro-batches hardly help more than 4.
#
# Each call has a cost of its own: so a little more is idle than the formula says, and on a
# busy machine 8 micro-batches may be slower than 4.
#
# </details>

# %% [markdown] beat="aside"
# ### A colleague's run
#
# A colleague uses the model without training it: forward only, in four micro-batches, and it
# is no faster than with one batch.

# %% key="colleague" thumbnail="0 0 100 100"
def predict_in_turn(stages, x, y, micro):
    outputs = []
    for part in tf.split(x, micro):
        with tf.control_dependencies(outputs[-1:]):  # "so that nothing gets mixed up"
            h = tf.identity(part)
            for stage in stages:
                with tf.device(stage.device):
                    h = stage(h)
            outputs.append(h)
    return tf.concat(outputs, axis=0)

colleague = run_pipeline(predict_in_turn, 4, "a colleague's 4 micro-batches")
show(timeline(colleague, idle=True, tell=lambda run: f"{run.idle:.0%} idle"))

# %% [markdown] beat="locate"
# ## 4 · Locate
#
# `visits` are all `(stage, micro, begin, end)` of a forward run, in order of begin; times in
# ms, numbers from 0. A pipeline without a fault has gaps, too: a visit has to wait for what
# it needs. (In stage 0, all micro-batches are there at time 0.) Make `my_first_stall` return
# the **first** visit that begins **more** than `slack` ms later than it could:
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
check("10/my_first_stall", my_first_stall)

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
# `-(-x.shape[0] // micro)` rows (rounded up; the last may be smaller). They must not
# wait for each other: once one has gone forward, it can go backward, and free its
# memory. Call each stage on its own device. It still returns the mean loss over **all** rows
# and its gradients, one for each stage. (`x` has the shape (rows, inputs), `y` (rows, 1).)
#
# The check draws other rows. It wants three stages at work at the same time, and the first
# micro-batch on its way back before the last one sets out. (Slices such as `x[6:12]` work.
# The function is called in a `tf.function`.)

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
check("10/my_pipeline_grads", my_pipeline_grads)

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
#
# In both runs, each stage keeps its backward pass on its own device: the first one is that of
# the instrument with one micro-batch, and not that of Observe.

# %% key="run-mine" tags=["raises-exception"]
broken = run_pipeline(broken_pipeline_grads)
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
# ### Probe for work
#
# Plain TensorFlow. Which device do the operations of your step ask for? What makes or uses
# a gradient counts as backward. (It does not look into a `tf.function` that the step
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

# %% [markdown] role="elsewhere"

# %% [markdown] beat="aside"
# ### The probe at work
#
# Plain layers under `tf.device`, as in many jobs:

# %% key="use-probe"
layers = [tf.Variable(tf.ones((3, 3))) for _ in devices]

@tf.function
def train_step(x):
    with tf.GradientTape() as tape:
        h = x
        for device, w in zip(devices, layers, strict=True):
            with tf.device(device):
                h = tf.tanh(h @ w)
        loss = tf.reduce_mean(h**2)
    return tape.gradient(loss, layers)

counts = devices_asked(train_step.get_concrete_function(tf.ones((8, 3))))
print(*counts.items(), sep="\n")

# %% [markdown] beat="further"
# ## Further 1 · Keep it on the device (15 minutes)
#
# In the last print, all backward work asks for no device, and it runs on the first one. In
# 2016, Keras had the same fault with TensorFlow 1 (keras-team/keras, pull request 3620).
#
# Make all work of `my_layer` ask for `device`, **forward and backward**. The outputs and the
# gradients for `h` and `w` stay the same. The gradient is taken later, by somebody else.
#
# In numbers: `z = h @ w`; where `upstream` is the gradient for the outputs and
# `inner = upstream * (1 - tf.tanh(z)**2)`, that for `h` is `inner @ tf.transpose(w)`, and that
# for `w` is `tf.transpose(h) @ inner`.

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
check("10/my_layer", my_layer)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# When does the tape make the operations of the backward pass: when the layer is called, or
# when the gradient is taken? Is the `with tf.device` of the layer still open then?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# A `with tf.device` counts for the operations made **in** it. `tf.custom_gradient` lets a
# function of tensors bring its own backward pass: it returns `(outputs, backward)`, and
# `backward(upstream)` returns one gradient for each argument. `backward` is called later: it
# needs a `with` of its own.
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# Under `@tf.custom_gradient`: `def layer(h, w):`, in it `outputs`, and
# `def backward(upstream):`, in it `with ____:`, in it `inner = upstream * ____` and the two
# gradients. After it, `return outputs, ____`. At the end, `return layer(____)`.
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** The gradient's operations are made where the tape is asked for
# it, far from the layer. `tf.custom_gradient` lets the layer bring its own, and the
# second `tf.device` is in force while `backward` runs. The numbers are those of the chain
# rule, so nothing else changes.

# %% [markdown] beat="further"
# ## Further 2 · Break it on the way back (10 minutes)
#
# Going backward, a micro-batch needs a large buffer, and there is memory for one of them. So
# forward, the micro-batches may overlap as before, but only **one at a time** may go
# backward. (The check holds the first one in stage 0, its last, and sees whether another
# begins.) Loss and gradients stay right, and each stage stays on its device.
#
# `my_stalled_grads` starts as a right pipeline (folded, as it shows how the core is solved:
# click on the three dots). Break it like that.

# %% role="broken" exercise="my_stalled_grads" jupyter={"source_hidden": true}
def broken_stalled_grads(stages, x, y, micro):
    rows, losses = x.shape[0], []
    size, weights = -(-rows // micro), [stage.w for stage in stages]
    with tf.GradientTape() as tape:
        for start in range(0, rows, size):
            h = x[start : start + size]
            for stage in stages:
                with tf.device(stage.device):
                    h = stage(h)
            losses.append(tf.reduce_sum((h - y[start : start + size])**2) / rows)
        loss = tf.add_n(losses)
    return loss, tape.gradient(loss, weights)

# %% role="fix" exercise="my_stalled_grads" jupyter={"source_hidden": true}
def my_stalled_grads(stages, x, y, micro):
    rows, weights = x.shape[0], [stage.w for stage in stages]
    size, loss, total = -(-rows // micro), 0.0, [tf.zeros_like(w) for w in weights]
    for start in range(0, rows, size):
        with tf.GradientTape() as tape:
            h = x[start : start + size]
            for stage in stages:
                with tf.device(stage.device):
                    h = stage(h)
            part = tf.reduce_sum((h - y[start : start + size])**2) / rows
        with tf.control_dependencies(total):
            own = tape.gradient(part, weights)
        loss, total = loss + part, [t + g for t, g in zip(total, own, strict=True)]
    return loss, total

# %% role="check" points=4
check("10/my_stalled_grads", my_stalled_grads)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# In the colleague's run above, each micro-batch waits for the one before, forward. Which line
# made it wait? And which line of your function makes the operations that go backward?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# What surrounds `tape.gradient` counts for the whole backward pass: a device, and also what
# it shall wait for. Ask for the gradients of each micro-batch apart.
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# A tape for each micro-batch (or `persistent=True`), `total` with a zero for each weight,
# then for each micro-batch `with tf.control_dependencies(____): own = tape.gradient(____)`,
# and `total` grows by `own`.
#
# </details>

# %% [markdown] solution_only=true
# **Why this is what was asked.** The operations of a backward pass are made in
# `tape.gradient`, so the `with` around it reaches them, and no other. Forward, no
# micro-batch waits for another. Backward, each waits for the sum of the gradients before.
