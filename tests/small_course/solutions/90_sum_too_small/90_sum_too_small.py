# ---
# course:
#   number: "90"
#   title: Sum too small
#   part: 1
#   minutes: {core: 5, further: [3]}
#   symptoms: ["the sum is too small", "the last shard is missing"]
#   in_a_hurry:
#     cause: The last shard is never added.
#     probe: Print `len(shards)`.
#     fix: Add **all** shards.
# ---

# %% [markdown] beat="symptom"
# Two shards go in, one comes out.

# %% role="start"
import json
import sys

from IPython.display import display

# %% role="setup" key="engine"
def check(exercise, function):
    """Judge a function on two cases and show a verdict."""
    shards = [[1, 2], [30, 40]]
    value = function(shards)
    outcome = "RIGHT" if value == 73 else "WRONG"
    verdict = {"exercise": exercise, "outcome": outcome, "mistake": None,
               "place": None, "seed": 0, "message": f"came {value}, expected 73"}
    print("a warning that must cost nothing", file=sys.stderr)
    display({"application/vnd.course.verdict+json": verdict,
             "text/plain": f"{outcome} {exercise}"}, raw=True)
    if outcome != "RIGHT":
        raise AssertionError(json.dumps(verdict))

# %% [markdown] beat="predict"
# What does it return?

# %% role="broken" exercise="my_sum"
def broken_sum(shards):
    # broken_sum forgets one
    return sum(shards[0])

# %% beat="observe"
print(broken_sum([[1, 2], [30, 40]]))

# %% [markdown] beat="fix"
# Mend it.
#
# <details><summary>Hint 1</summary>
#
# How many shards are there?
#
# </details>

# %% role="fix" exercise="my_sum"
def my_sum(shards):
    return sum(sum(shard) for shard in shards)

# %% role="check" points=4
check("90/my_sum", my_sum)

# %% [markdown] solution_only=true
# Why this is right: every shard is added once.

# %% role="edit"
play = 1

# %% [markdown] beat="confirm"
# Both agree.

# %% [markdown] role="claims"
