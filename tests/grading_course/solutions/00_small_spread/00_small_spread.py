# ---
# course:
#   number: "00"
#   title: Small spread
#   part: 1
#   minutes: {core: 5, further: []}
#   symptoms: ["the spread is too small", "two copies are compared"]
#   in_a_hurry:
#     cause: Only two of the copies are compared.
#     probe: Print the spread.
#     fix: Compare **all** copies.
# ---

# %% [markdown] beat="symptom"
# Four copies of the weights, and one number that says how far they are apart.

# %% role="start"
import numpy as np

from course import check

# %% [markdown] beat="predict"
# What does it return?

# %% role="broken" exercise="my_spread"
def broken_spread(copies):
    return np.abs(copies[0] - copies[-1]).max()

# %% beat="observe"
print(broken_spread(np.eye(3)))

# %% [markdown] beat="fix"
# Mend it.
#
# <details><summary>Hint 1</summary>
#
# How many copies are there?
#
# </details>

# %% role="fix" exercise="my_spread"
def my_spread(copies):
    return np.ptp(copies, axis=0).max()

# %% role="check" points=2
check("00/my_spread", my_spread)

# %% role="edit"
play = 1

# %% [markdown] beat="confirm"
# Both agree.

# %% [markdown] role="claims"
