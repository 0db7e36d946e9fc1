# ---
# course:
#   number: "19"
#   title: "Six jobs, five of them broken"
#   part: 3
#   minutes: {core: 60, further: [8]}
#   symptoms:
#     - "the distributed training job is wrong or slow, and nobody knows why"
#     - "more than one thing is wrong with a distributed training job"
#   in_a_hurry:
#     cause: Another one in every job; in one of them, none.
#     probe: >-
#       Read the table of a job from the earliest step on and from left to right; at work,
#       go through the five questions of docs/triage.md.
#     fix: The one of the notebook whose failure it is.
# ---

# %% [markdown] beat="symptom"
# ## Six jobs, and no label
#
# Six people bring you their training jobs. Four have one fault, one has two, and **one
# is healthy**. You get the code, and what its owner says; owners do not always blame
# the right thing. For every job:
#
# 1. **Name** it: the number of the notebook whose failure it is (2 points).
# 2. **Locate** where it first shows (3 points).
# 3. **Repair** it: it must do what one device does, on other data too (5 points).
#
# A check of a name says RIGHT or WRONG, never the right name. As long as you name a
# failure in the healthy job, you get nothing for that job.

# %% role="start"
from course import check, mirrored, predict, show, virtual_devices
import tensorflow as tf
devices = virtual_devices(4)

# %% role="setup" key="jobs"
import numpy as np

from course.lessons.n19_mystery_jobs import card, job_views, keeps, mystery, sums
from course.runs.worker_steps import step_over_workers

jobs = mystery(seed=19)

# %% [markdown] beat="aside"
# ## What all jobs should do
#
# What one device does: it takes the numbered rows in order, in batches of `size`; the
# last batch is smaller. Each step is plain SGD with learning rate 0.1 on the
# batch's mean squared error.
#
# - **Rows left out.** Some jobs use a row only if `keeps(id)` says so.
# - **Workers** start from `tf.random.stateless_normal([2], [3, 0])`. If an earlier run
#   was stopped, its checkpoint `saved` holds `w`, and `done`: how many batches it used.
#
# Leave the calls of `probe` in the code, and use the `x` that `probe.rows` returns: it is
# the same `x`, and shows what is done.

# %% key="helpers"
import inspect

print(inspect.getsource(keeps), inspect.getsource(sums), sep="\n")

# %% [markdown] beat="aside"
# ## What you see of a job
#
# | column | of each step | in a healthy job |
# |:--|:--|:--|
# | `rows` | rows used otherwise than by one device: left out, twice, of another batch | 0 |
# | `working` | replicas, or workers, that worked | all that have rows; all workers |
# | `python` | times that Python ran through a replica's code | 1 in the first step and the last, at most |
# | `reads` | times that the host waited for a value | 0 |
# | `apart` | largest distance between two copies of the weights | below 1e-5 |
# | `off` | largest distance from one device | below 1e-5 |
#
# **A failure first shows** in the earliest step with a number that is not right, and
# there in the leftmost such column. What stands to the right often follows from it.

# %% [markdown] beat="aside"
# ## How to answer
#
# - A name is a set: `{"02"}`, or `{"02", "06"}` for two faults, or `set()` for a
#   healthy job.
# - A place is read from the table: `(3, "reads", 1)` is step 3, column `reads`, number 1.
#   `None` says: nothing shows anywhere.
# - Run your repair as often as you like: `show(job_views(jobs[1].watch(my_job_1)))`.
#   Runs are counted, not graded.

# %% [markdown] beat="aside"
# ## The names
#
# | | failure | | failure |
# |:--|:--|:--|:--|
# | 01 | rows lost, or seen several times | 10 | another batch or rate |
# | 02 | gradients not, or wrongly, combined | 11 | out of memory |
# | 03 | shares of unequal size | 12 | the workers do not form one cluster |
# | 04 | random numbers per replica | 13 | workers read the wrong rows |
# | 05 | races, late updates | 14 | workers begin with other weights |
# | 06 | work on the wrong device | 15 | too many messages |
# | 07 | slow input | 16 | workers make other calls, and wait |
# | 08 | eager steps, new traces, host reads | 17 | lost or repeated by a restart |
# | 09 | stages of a split model wait | 18 | restored, but not the right values |

# %% role="jobs"

# %% [markdown] beat="confirm"
# ## What you recognised
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
# Jobs at work have no seed, and nobody put their faults in on purpose. There you have no
# table either: go through the five questions of `docs/triage.md`, in their order. It has a
# probe of a few lines for each, to paste into a training script as it is.

# %% [markdown] role="claims"
