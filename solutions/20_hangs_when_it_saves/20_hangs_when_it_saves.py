# ---
# course:
#   number: "20"
#   title: "Hangs when it saves"
#   part: 3
#   minutes: {core: 25, further: []}
#   symptoms:
#     - "TODO(room): what somebody with this failure types into a search box"
#     - "TODO(room): a second symptom, such as a line of a log"
#   in_a_hurry:
#     cause: "TODO(room): the cause, for who has no time"
#     probe: "TODO(room): what to print in one's own job"
#     fix: "TODO(room): the repair"
# ---

# %% [markdown] beat="symptom"
# ## 1 · Symptom
#
# TODO(room): the failure as it is met at work, without its cause; what the reader will do.

# %% role="start"
from course import check, mirrored, predict, show, virtual_devices
import tensorflow as tf
devices = virtual_devices(4)

# %% role="setup" key="tools"
import numpy as np

from course.lessons.n20_hangs_when_it_saves import each_replica, totals

parts = [np.float32([1, 2, 3]), np.float32([7, 8])]
alone = float(np.concatenate(parts).sum())

# %% [markdown] beat="predict"
# ## 2 · Predict
#
# TODO(room): what is run, and on what; nothing here or above tells the answer.
#
# Each replica calls the function below with its own `numbers` and its replica context.

# %% role="broken" exercise="my_total"
def broken_total(numbers, context):
    """Return the sum of the numbers of all replicas."""
    return tf.reduce_sum(numbers)

# %% key="ask"
predict("20")

# %% [markdown] beat="observe"
# ## 3 · Observe
#
# TODO(room): how to read the figure.

# %% key="run-broken"
broken = totals(broken_total, parts, devices[:2])
show(each_replica({"broken_total": broken}, alone), prediction="20")

# %% [markdown] beat="locate"
# ## 4 · Locate
#
# TODO(room): an exercise on where it goes wrong, with cells as below and three hints.

# %% key="look"
for replica, returned in enumerate(broken):
    print(f"replica {replica} returned {returned:g}")

# %% [markdown] beat="fix"
# ## 5 · Fix
#
# TODO(room): what must be so afterwards; never the call or the line that does it.
#
# Make `my_total` return the sum of all numbers, on **every** replica.

# %% role="fix" exercise="my_total"
def my_total(numbers, context):
    """Return the sum of the numbers of all replicas."""
    return context.all_reduce("SUM", tf.reduce_sum(numbers))

# %% role="check" points=4
check("20/my_total", my_total)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# TODO(room): a question about the reader's own numbers. Who knows the numbers of replica 1?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# TODO(room): the rule. A sum of sums is the sum of all.
#
# </details>
# <details><summary>Hint 3: a line with holes</summary>
#
# TODO(room): a line with holes: `context.all_reduce("____", ____)`
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** TODO(room): why the repair holds, and where it would not.

# %% [markdown] beat="confirm"
# ## 6 · Confirm
#
# Before and after, on the same numbers:

# %% key="run-mine" tags=["raises-exception"]
mine = totals(my_total, parts, devices[:2])
show(each_replica({"broken_total": broken, "my_total": mine}, alone))

# %% [markdown]
# **Would `model.fit` have saved you?** TODO(room): what `fit` does, as a run shows it.
#
# **On real GPUs this would differ:** TODO(room): what is another there.

# %% [markdown] beat="aside"
# ### Probe for work
#
# TODO(room): where to paste the probe, and what it says; 15 lines, a name of its own.

# %% key="probe"
import tensorflow as tf

def probe_21(strategy, value):
    """Return what each replica holds of a value that should be the same on all."""
    return [float(each) for each in strategy.experimental_local_results(value)]

strategy = mirrored(devices[:2])
total = strategy.run(tf.function(lambda: tf.constant(21.0)))
print("totals:", probe_21(strategy, total))
