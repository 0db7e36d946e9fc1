# ---
# course:
#   number: "21"
#   title: "Six jobs, and no label"
#   part: 3
#   minutes: {core: 80, further: [8]}
#   symptoms:
#     - "the distributed training job is wrong or slow, and nobody knows why"
#     - "more than one thing is wrong with a distributed training job"
#     - "the training code is right, and the distributed job still is not"
#   in_a_hurry:
#     cause: >-
#       Each job has its own, and two are healthy. Most faults lie outside the code, in
#       settings, rows, environment or checkpoint.
#     probe: Look at the rows first, then at the weights.
#     fix: >-
#       Fix what made the first wrong number, in the earliest step. Then compare with one
#       device again, on other data: there may be a second fault.
# ---

# %% [markdown] beat="symptom"
# ## Six jobs, and no label
#
# Six people bring you their jobs. What they saw is true; what they blame is not. A job
# may have one fault, or two. **Some are healthy.** For every job:
#
# 1. **Look** at it, for coins.
# 2. **Name** the notebook whose failure it is (2 points). A wrong name takes a point
#    away; each name after the first costs 2 coins.
# 3. **Locate** where it first shows (3 points). A wrong place costs a coin.
# 4. **Repair** it (5 points). A failed repair costs 2 coins.
#
# Coins and points are separate: coins never lower your points. No job goes below 0
# points.
#
# The rules take 15 minutes, each job about 11. Stop after any job.

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
# ## What every job should do
#
# The same as one device. It takes the numbered rows in order, each once, in batches. The
# last batch may be smaller, unless the job calls `fit`. Each step is plain SGD with
# learning rate 0.1 on the batch's mean squared error.
#
# - **Rows left out.** Some jobs should use a row only if `keeps(id)` is true.
# - **A split model** has one weight on each of two devices. Not every set has such a job.
# - **Workers** start from `tf.random.stateless_normal([2], [3, 0])`. If an earlier run
#   was stopped, its checkpoint `saved` holds the weights and `done`, the number of
#   batches it used. `hosts.json` lists the addresses of all workers.

# %% [markdown] beat="aside"
# ## What every job is called with
#
# Each gets a `folder` with files, and a `probe` that watches. Keep the calls of `probe` in
# the code, and use the `x` that `probe.rows` returns. `probe.decode` takes time and changes
# nothing. Many jobs use these two functions:

# %% key="helpers"
import inspect

print(inspect.getsource(keeps), inspect.getsource(sums), sep="\n")

# %% [markdown] beat="aside"
# ## What you can look at
#
# | look | coins | what it shows of each step | in a healthy job |
# |:--|:--|:--|:--|
# | `rows` | 2 | `rows`: rows used differently than on one device | 0 |
# | `devices` | 2 | `working`: devices or workers that worked | as many replicas as have rows; all workers; all stages |
# | `stages` | 2 | `pieces`: parts of a batch | 2 or more |
# | `host` | 2 | `python`: runs of a replica's code | at most 1, and only in the first and last step |
# | | | `reads`: waits for a value | 0 |
# | `input` | 1 | `readers`: rows decoded at once | 2 or more |
# | `memory` | 1 | `kept`: batches in memory | at most 2 |
# | `messages` | 1 | `messages`: messages sent | at most 3 |
# | `weights` | 2 | `apart`: between copies; `off`: from one device | below 1e-5 |

# %% [markdown] beat="aside"
# ## What lies beside a job
#
# Two more looks show what the code reads: `folder` (5 coins), its files; `environment` (4
# coins), the variables that its processes find.
#
# A job's **desk** has a button for each look. On workers there is no `host`, `input` or
# `memory`. Only a split model has `stages`; it has no `messages`.
#
# `jobs[1].look("rows")` does what the button does. Looking again is free. Add
# `of=my_job_1` to look at your repair; you pay each time.
#
# **The coins are for you.** The answers lie in `course/` and `solutions/`; code that you
# run can change anything, even your coins. A grader's machine does not have the answers.

# %% [markdown] beat="aside"
# ## How to answer
#
# - **A name** is a set: `{"02"}`; `{"02", "07"}` for two faults; `set()` for a healthy
#   job. `my_name_1 = "not enough seen yet"` leaves it open.
# - **A place** is `(3, "reads", 1)`: step 3, column `reads`, number 1. Take the earliest
#   step with a wrong number and, there, the wrong column that stands first in the table
#   above. Before step 0 is `"start"`. `None`: nothing is wrong anywhere.
# - **A repair** runs on other rows, with the same settings and environment variables.

# %% [markdown] beat="aside"
# ## Name a job before you locate and repair it
#
# - **Its name is right:** a wrong place costs a coin, a failed repair 2, a look at your
#   repair its price.
# - **Open:** each of these, right or wrong, first buys all other looks, because code in an
#   open job can read everything there. A check says only "not right yet" of a repair.
# - **Wrong:** a place is not read, a repair does not run, and a look at it costs as if
#   open.
#
# A repair that gives the same result as the shipped job counts as not attempted. So does
# a healthy job, until you name it healthy. Then leave it as it is.

# %% [markdown] beat="aside"
# ## The names
#
# | | failure | | failure |
# |:--|:--|:--|:--|
# | 01 | rows lost, or used several times | 11 | wrong batch size or learning rate |
# | 02 | gradients wrongly combined | 12 | out of memory |
# | 03 | unequal shares | 13 | workers form no common cluster |
# | 04 | random numbers per replica | 14 | workers read the wrong rows |
# | 05 | races, late updates | 15 | workers start differently |
# | 06 | a rule applied to parts of a sum | 16 | too many messages |
# | 07 | work on the wrong device | 17 | workers make different calls |
# | 08 | slow input | 18 | rows lost or repeated by a restart |
# | 09 | eager steps, retracing, host reads | 19 | restored, but wrong |
# | 10 | stages of a split model wait | 20 | one worker reads what all sum |

# %% role="jobs"

# %% [markdown] beat="confirm"
# ## Your bill beside an expert's
#
# Run this cell at any time. It names no failure that you have not named. An expert's coins
# are for the name alone; yours include places and repairs.

# %% key="card"
card(jobs)

# %% [markdown] beat="further"
# ## Further · What has changed: eight questions (8 minutes)
#
# They test the same as the eight questions at the beginning of notebook 00, on other jobs.
# When you have answered both sets, the second cell compares them and gives the reasons. If
# you left out the first set, answer it now: `ask("A")`.
#
# Your answers stay on this computer. `export()` writes them to a file without your name,
# in case you want to give them to somebody.

# %% key="form-b"
from course.widgets.questions import ask, compare, export

ask("B")

# %% key="compare"
compare()

# %% [markdown] beat="aside"
# ## What you can do now
#
# You were given a complaint and a program, and no label. You can now
#
# - ask the job for numbers before you believe its owner;
# - find the first wrong number, and say which failure makes exactly that one wrong;
# - look for the cause outside the code: settings, rows, variables, checkpoint;
# - say that a job is healthy, and leave it alone;
# - prove a repair on other data, and look for a second fault.
#
# **Take to work.** At work there is no desk, and nobody planted the fault. Go through the
# five questions of [Which probe first?](../../docs/triage.md) in their order. Each has a
# probe of a few lines to paste into your training script.

# %% [markdown] role="claims"
