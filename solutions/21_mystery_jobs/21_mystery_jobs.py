# ---
# course:
#   number: "21"
#   title: "Six jobs, and no label"
#   part: 3
#   minutes: {core: 60, further: [8]}
#   symptoms:
#     - "the distributed training job is wrong or slow, and nobody knows why"
#     - "more than one thing is wrong with a distributed training job"
#     - "the training code is right, and the distributed job still is not"
#   in_a_hurry:
#     cause: Another one in every job; in some of them, none.
#     probe: >-
#       Look at the rows first, then at the weights; at work, go through the five questions
#       of [Which probe first?](../../docs/triage.md).
#     fix: The one of the notebook whose failure it is.
# ---

# %% [markdown] beat="symptom"
# ## Six jobs, and no label
#
# Six people bring you their training jobs. What they saw is true; what they blame is
# not. Some jobs have a fault, or two: in the code, the settings, the data, the
# environment. **Some are healthy.** For every job:
#
# 1. **Look** at it. A look costs coins; at the end stands what an expert spends.
# 2. **Name** it: the number of the notebook whose failure it is (2 points). Each wrong
#    name costs a point; to leave it open costs nothing.
# 3. **Locate** where it first shows (3 points).
# 4. **Repair** it: it must do what one device does, on other data too (5 points). A
#    repair that fails costs two coins.

# %% role="start"
from course import check, mirrored, show, virtual_devices
import tensorflow as tf
devices = virtual_devices(4)

# %% role="setup" key="jobs"
import contextlib
import json
import os
import runpy
import time

import keras
import numpy as np

from course.lessons.n21_mystery_jobs import card, desk, keeps, mystery, sums

jobs = mystery(seed=19)

# %% [markdown] beat="aside"
# ## What all jobs should do
#
# What one device does: it takes the numbered rows in order, each once, in batches; the
# last batch may be smaller (not in a job that calls `fit`). Each step is plain SGD with
# learning rate 0.1 on the batch's mean squared error.
#
# - **Rows left out.** Some jobs use a row only if `keeps(id)` says so.
# - **A split model**, which some sets have, has a weight on each of two devices.
# - **Workers** start from `tf.random.stateless_normal([2], [3, 0])`. If an earlier run
#   was stopped, its checkpoint `saved` holds the weights, and `done`: how many batches it
#   used. `hosts.json` lists all workers' addresses.

# %% [markdown] beat="aside"
# ## What all jobs are called with
#
# A `folder` with files, and a `probe`. Leave the calls of `probe` in the code, and use the
# `x` that `probe.rows` returns. `probe.decode` decodes a row: it takes a while, and changes
# nothing. Two functions stand in many jobs:

# %% key="helpers"
import inspect

print(inspect.getsource(keeps), inspect.getsource(sums), sep="\n")

# %% [markdown] beat="aside"
# ## What you can look at
#
# | look | coins | what it shows of each step | in a healthy job |
# |:--|:--|:--|:--|
# | `rows` | 2 | `rows`: used otherwise than by one device | 0 |
# | `devices` | 2 | `working`: replicas, or workers, that worked | all that have rows; all workers |
# | `stages` | 2 | `pieces` of a batch that a split model gets | 2 or more |
# | `host` | 2 | `python`: runs through a replica's code; `reads`: waits for a value | 1 in first and last step, at most; 0 |
# | `input` | 1 | `readers`: most rows decoded at once | 2 or more |
# | `memory` | 1 | `kept`: batches in memory | 2 at most |
# | `messages` | 1 | `messages`: times that something is sent | 3 at most |
# | `weights` | 2 | `apart`: between copies; `off`: from one device | below 1e-5 |

# %% [markdown] beat="aside"
# ## What stands beside a job
#
# Two more looks tell what the code reads: `folder` (5 coins), the files; `environment` (4
# coins), the variables that its processes find.
#
# `jobs[1].look("rows")` does what the button does; to look again is free. With
# `of=my_job_1`, it looks at your repair, for the same price. What an expert spends is for
# the name; a repair may need a look more.

# %% [markdown] beat="aside"
# ## How to answer
#
# - **A name** is a set: `{"02"}`, or `{"02", "07"}` for two faults, or `set()` for a
#   healthy job. `my_name_1 = "not enough seen yet"` leaves it open.
# - **A failure first shows** in the earliest step with a number that is not right, and
#   there in the column that comes first in the table above.
# - **A place** is `(3, "reads", 1)`: step 3, column `reads`, number 1. Before step 0
#   stands `"start"`. `None` says: nothing shows anywhere. A wrong place costs nothing.
# - **A repair** runs on other data, beside the same settings, files and variables, with
#   whatever is wrong with them; but not while your name is wrong.

# %% [markdown] beat="aside"
# ## The names
#
# | | failure | | failure |
# |:--|:--|:--|:--|
# | 01 | rows lost, or seen several times | 11 | another batch or rate |
# | 02 | gradients not, or wrongly, combined | 12 | out of memory |
# | 03 | unequal shares | 13 | workers form no common cluster |
# | 04 | random numbers per replica | 14 | workers read the wrong rows |
# | 05 | races, late updates | 15 | workers begin with other weights |
# | 06 | a rule used on parts of a sum | 16 | too many messages |
# | 07 | work on the wrong device | 17 | workers make other calls, and wait |
# | 08 | slow input | 18 | lost or repeated by a restart |
# | 09 | eager steps, new traces, host reads | 19 | restored, but not the right values |
# | 10 | stages of a split model wait | 20 | one worker reads what all sum |

# %% role="jobs"

# %% [markdown] beat="confirm"
# ## What you recognised, and what it cost
#
# Run this cell again whenever you like. It names no failure that you have not named.

# %% key="card"
card(jobs)

# %% [markdown] beat="further"
# ## Further · What has changed: eight questions (8 minutes)
#
# These are parallel to the eight at the beginning of notebook 00: other jobs, the same
# aims. When both forms are answered, the next cell shows them side by side, with the
# reasons. (If you left those out, answer them now: `ask("A")`.)

# %% key="form-b"
from course.widgets.questions import ask, compare, export

ask("B")

# %% key="compare"
compare()

# %% [markdown]
# Your answers stay on this computer. If you want to hand them to somebody, `export()`
# writes them to a file, without your name.

# %% [markdown] beat="aside"
# ## And at work
#
# Jobs at work have no seed, and nobody put their faults in on purpose. There is no desk
# either: go through the five questions of [Which probe first?](../../docs/triage.md), in
# their order. It has a probe of a few lines for each, to paste into a training script as it
# is. Look at settings, files and variables as well: what is wrong need not stand in the code.

# %% [markdown] role="claims"
