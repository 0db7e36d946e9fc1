# ---
# course:
#   number: "12"
#   title: The cluster never starts
#   part: 3
#   minutes: {core: 25, further: [15, 10]}
#   symptoms:
#     - "MultiWorkerMirroredStrategy hangs at start without an error"
#     - "TF_CONFIG is set on all workers, and nothing happens"
#     - "UnavailableError: failed to connect to all addresses, Connection refused"
#     - "every worker trains, but nothing is shared"
#   in_a_hurry:
#     cause: >-
#       The workers' TF_CONFIGs do not fit together. Worker 0 waits until the others have
#       called, without a limit and without an error; one without TF_CONFIG trains alone.
#     probe: >-
#       While the job starts, call every address of TF_CONFIG from every machine. After
#       the start, compare `strategy.num_replicas_in_sync` with what you ordered.
#     fix: >-
#       The same `cluster`, in the same order, on every worker; `index` is the position of
#       the worker's own address in it; `json.dumps` writes the text.
# ---

# %% [markdown] beat="symptom"
# ## 1 · Symptom
#
# A job starts on two machines, and its first step never comes. In TensorFlow [issue 46931](https://github.com/tensorflow/tensorflow/issues/46931), two
# machines stand like this after "Started server", and the question is whether ports or a
# firewall are to blame.
#
# Below, each worker is a real process with its own port on this machine. Worker 0 adds 1
# to a shared total, worker 1 adds 2: **together** they get 3.

# %% role="start"
from course import check, mirrored, predict, show, virtual_devices
import tensorflow as tf
devices = virtual_devices(4)

# %% role="setup" key="tools"
import json
from course.lessons.n12_cluster_never_starts import cluster_map, start_cluster

def train(number, kind=tf.distribute.MultiWorkerMirroredStrategy):
    strategy = kind()
    with strategy.scope():
        total = tf.Variable(0.0)
    def step():
        context = tf.distribute.get_replica_context()
        total.assign_add(context.all_reduce("SUM", tf.constant(number + 1.0)))
    strategy.run(tf.function(step))
    return strategy.num_replicas_in_sync, float(total.numpy())

# %% [markdown] beat="predict"
# ## 2 · Predict
#
# A worker reads from the environment variable `TF_CONFIG` where all workers are
# (`cluster`) and which of them it is itself (`task`). This function writes the texts, one
# for each worker:

# %% role="broken" exercise="my_tf_configs"
def broken_tf_configs(hosts):
    """Return a TF_CONFIG text for each worker; hosts: such as ["a:2222", "b:2222"]."""
    texts = []
    for own in hosts:
        others = [host for host in hosts if host != own]
        config = {"cluster": {"worker": [own, *others]}}
        config["task"] = {"type": "worker", "index": 0}
        texts.append(json.dumps(config))
    return texts

# %% key="ask"
print(*broken_tf_configs(["a:2222", "b:2222"]), sep="\n")
predict("12")

# %% [markdown] beat="observe"
# ## 3 · Observe
#
# Two real workers start. The run is stopped when nobody has used the processor for four
# seconds. Each box shows the port on which that worker listens (read from outside), and
# which worker it believes to be. An arrow shows where its list says that another is.

# %% key="run-broken"
broken = start_cluster(train, broken_tf_configs)
show(cluster_map(broken), prediction="12")

# %% key="where"
for number, member in enumerate(broken.members):
    print(f"worker {number} is at {member.line}")

# %% [markdown] beat="aside"
# ### One wrong port: who gets the error?
#
# Now all is right but one port. In the first start, **worker 1's list** has a wrong port
# for worker 0: `wrong=(1, 0)`, the worker and the entry. In the second, worker 0's list has
# one for worker 1. Before you run the cell: in which start is there an error, and where?

# %% key="wrong-port"
first = start_cluster(train, wrong=(1, 0), label="worker 1's list is wrong")
other = start_cluster(train, wrong=(0, 1), label="worker 0's list is wrong")
show(cluster_map(first, other))

# %% key="errors"
for run in (first, other):
    print(f"{run.label}:", [member.error for member in run.members])

# %% [markdown]
# <details><summary>What this means (open it after the run)</summary>
#
# At the start, all others call worker 0, which waits for their calls. If worker 1 calls
# in vain, it tries again and again: **both** wait, without an error. In the other start,
# worker 1 comes through, so that both have their strategy. Worker 0 meets its wrong port
# only in the first all-reduce. Here the error is where the wrong list is. Worker 1 waits until
# worker 0's process has ended; then it gets an error, too, that blames worker 0. So read
# the **earliest** error.
#
# </details>

# %% [markdown] beat="locate"
# ## 4 · Locate
#
# `lists[k]` is the list of addresses in worker k's TF_CONFIG; `listens[k]` is where worker
# k really listens. Make `my_wrong_entry` return `(worker, entry)`: the **first** worker
# whose list is wrong, and in it the **first** entry that is not the address at which the
# worker of that number listens. A missing entry is wrong, too. `None` where all lists are
# right.
#
# (To try yours: `my_wrong_entry(broken.lists, broken.listens)`, or those of `first` and
# `other`. The check uses other starts, with more workers; no list has too many entries.)

# %% role="broken" exercise="my_wrong_entry"
def broken_wrong_entry(lists, listens):
    for worker, own in enumerate(lists):
        if own != lists[0]:
            return worker, 0
    return None

# %% role="fix" exercise="my_wrong_entry"
def my_wrong_entry(lists, listens):
    for worker, own in enumerate(lists):
        for entry, address in enumerate(listens):
            if own[entry : entry + 1] != [address]:
                return worker, entry
    return None

# %% role="check" points=3
check("12/my_wrong_entry", my_wrong_entry)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# What does the shipped function return for `other`? Which worker has the wrong list there,
# and with whose list is everything compared?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# Where a worker listens is a fact; every list is only what somebody believes, worker 0's
# too. Entry k of every list must be `listens[k]`. Whose length tells you how many entries
# there should be?
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# For every worker: `for entry, address in enumerate(____):`, and in it a comparison of
# `own[entry : entry + 1]` (empty where the list is too short) with `[____]`.
#
# </details>

# %% [markdown] beat="fix"
# ## 5 · Fix
#
# Fix `my_tf_configs`: text k is the TF_CONFIG of the worker that runs at `hosts[k]`. With
# these texts, all workers must come together in one cluster.
#
# (The check reads the texts first. Where they can work, it starts real clusters with them,
# of two and of three workers: each must count all replicas and get the sum over all.)

# %% role="fix" exercise="my_tf_configs"
def my_tf_configs(hosts):
    """Return a TF_CONFIG text for each worker; hosts: such as ["a:2222", "b:2222"]."""
    texts = []
    for index in range(len(hosts)):
        config = {"cluster": {"worker": hosts}}
        config["task"] = {"type": "worker", "index": index}
        texts.append(json.dumps(config))
    return texts

# %% role="check" points=4
check("12/my_tf_configs", my_tf_configs)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# Read the boxes in the figure: which worker does each believe to be? Which worker do
# both look for, and is there one that believes to be it?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# `cluster` is a plan of all workers: the same on each of them, in the same order. Only
# `task` differs: `index` is the position of the worker's own address in that plan, from 0.
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# `for index in range(len(____)):`, then `{"cluster": {"worker": ____}}` and
# `{"type": "worker", "index": ____}`.
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** Every worker has the same list, so all agree on who worker 0 is
# and where. The index makes each of them one entry of it. Worker 0 listens and waits; all
# others know where to call. `json.dumps` writes a text that TensorFlow can read; `str`
# would write single quotes.

# %% [markdown] beat="confirm"
# ## 6 · Confirm
#
# Before and after, with two real workers:

# %% key="run-mine" tags=["raises-exception"]
mine = start_cluster(train, my_tf_configs)
show(cluster_map(broken, mine))

# %% [markdown]
# **On real machines this would differ (not run here):** each machine may use the same port
# number, and two workers with the same list and index do not get in each other's way.
# (On one machine the second stops with `Could not start gRPC server`: the address is taken.)
# A firewall may drop calls without an answer: through such a port (this was run), worker 0
# had the error of `other` only after about 20 s. Neither Ctrl-C nor a plain `kill` ends a
# worker that waits for others; `kill -9` does.

# %% [markdown] beat="aside"
# ### It starts at once. Did they train together?
#
# An empty TF_CONFIG, and the right ones with `MirroredStrategy`. Before you run the cell:
# what are the totals?

# %% key="islands" tags=["raises-exception"]
empty = start_cluster(train, lambda hosts: ["{}"] * len(hosts), label="TF_CONFIG is {}")
kind = tf.distribute.MirroredStrategy
islands = start_cluster(train, my_tf_configs, kind, label="MirroredStrategy")
show(cluster_map(empty, islands))

# %% [markdown]
# <details><summary>What this means (open it after the run)</summary>
#
# Every worker has trained alone, on its own share, and reports success: the totals are 1
# and 2, not 3. Without a cluster in TF_CONFIG, `MultiWorkerMirroredStrategy` is a strategy
# for one worker. `MirroredStrategy` always is one: it does not use TF_CONFIG. In both,
# `strategy.num_replicas_in_sync` is 1: print it in every job.
#
# </details>

# %% [markdown] beat="aside"
# ### Would `model.fit` have saved you?
#
# `fit` on the right cluster, and with an empty TF_CONFIG:

# %% key="fit"
def fit(number):
    with tf.distribute.MultiWorkerMirroredStrategy().scope():
        model = tf.keras.Sequential([tf.keras.Input((2,)), tf.keras.layers.Dense(1)])
        model.compile("sgd", loss="mse")
    model.fit(tf.ones((8, 2)), tf.ones((8, 1)), verbose=0)

for configs in (None, lambda hosts: ["{}"] * len(hosts)):
    for number, member in enumerate(start_cluster(fit, configs).members):
        print(f"worker {number} {member.outcome} {member.error[:60]}")

# %% [markdown]
# <details><summary>What this means (open it after the run)</summary>
#
# No, on the contrary. With Keras 3, `fit` works where every worker is **alone**, and stops
# with an error in a cluster that is right, also in one with parameter servers. Write the
# loop yourself, as in `train` above: `strategy.run` and an all-reduce.
#
# </details>

# %% [markdown] role="claims"

# %% [markdown] beat="aside"
# ### Probe for work
#
# First read worker 0's log: "Waiting for 1/2 tasks to connect" says that it waits. (This
# course hides TensorFlow's log.) If **two** workers say so, both take themselves for worker
# 0. Then call this on **every machine, while the job is starting**, with
# `json.loads(os.environ["TF_CONFIG"])`. "No answer" may be a firewall. All answer, and still
# it waits? Compare the lists, and what each says it is, as in Further 1. After the start:
# `assert strategy.num_replicas_in_sync == ordered`.

# %% key="probe"
import socket

def who_answers(config, seconds=3.0):
    """Call every address in a TF_CONFIG from this machine, and print what came."""
    print("this is", config.get("task"), "of", config.get("cluster", "NO CLUSTER"))
    for kind, hosts in config.get("cluster", {}).items():
        for index, host in enumerate(hosts):
            try:
                name, port = host.rsplit(":", 1)
                socket.create_connection((name, int(port)), seconds).close()
                said = "answers"
            except ConnectionRefusedError:
                said = "refused: nobody listens there"
            except (OSError, ValueError) as error:
                said = f"no answer: {error}"
            print(f"{kind} {index} at {host}: {said}")

# %% [markdown] beat="aside"
# ### The probe at three ports
#
# The first answers; nobody listens at the second; the third takes no more calls:

# %% key="probe-use"
from course.lessons.n12_cluster_never_starts import three_ports

with three_ports() as addresses:
    task = {"type": "worker", "index": 0}
    who_answers({"cluster": {"worker": addresses}, "task": task}, seconds=0.5)

# %% [markdown] beat="further"
# ## Further 1 · What is wrong in these TF_CONFIGs? (15 minutes)
#
# Before a job of 64 workers hangs, let a function read all its TF_CONFIGs (as
# dictionaries here). `my_diagnose(configs)` returns a set of pairs `(worker, code)`:
#
# - `"alone"`: the TF_CONFIG is empty; then nothing else is said of it,
# - `"other cluster"`: not the cluster that **more than half** of all workers have (empty
#   ones count among all),
# - `"no task"`: no `task`, or one without `index`,
# - `"index out of range"`: no position in its own list,
# - `"index twice"`: another worker has this index, too: **both** get the code.
#
# One TF_CONFIG may have several codes. No index is negative. The shipped function is nearly right: three of the
# five rules are broken.

# %% role="broken" exercise="my_diagnose" jupyter={"source_hidden": true}
def broken_diagnose(configs):
    found = {(worker, "alone") for worker, config in enumerate(configs) if not config}
    tasks = [config.get("task") for config in configs]
    for worker, config in enumerate(configs):
        hosts = config.get("cluster", {}).get("worker", [])
        index = config.get("task", {}).get("index", -1)
        codes = {
            "other cluster": config.get("cluster") != configs[0].get("cluster"),
            "no task": index < 0,
            "index out of range": index > len(hosts),
            "index twice": config.get("task") in tasks[:worker],
        }
        found |= {(worker, code) for code in codes if config and codes[code]}
    return found

# %% role="fix" exercise="my_diagnose"
def my_diagnose(configs):
    found = {(worker, "alone") for worker, config in enumerate(configs) if not config}
    clusters = [config.get("cluster") for config in configs]
    indices = [config.get("task", {}).get("index", -1) for config in configs]
    for worker, config in enumerate(configs):
        index, hosts = indices[worker], config.get("cluster", {}).get("worker", [])
        codes = {
            "other cluster": 2 * clusters.count(clusters[worker]) <= len(configs),
            "no task": index < 0,
            "index out of range": index >= len(hosts),
            "index twice": index >= 0 and indices.count(index) > 1,
        }
        found |= {(worker, code) for code in codes if config and codes[code]}
    return found

# %% role="check" points=4
check("12/my_diagnose", my_diagnose)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# With whose cluster does the shipped function compare? With whose tasks does it compare
# that of worker 0? Which index is the last in a list of four?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# Some faults show in one TF_CONFIG alone, others only beside the others: collect all
# clusters and all indices first, then count in these lists.
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# `indices = [config.get("task", {}).get("index") for config in ____]`, then
# `indices.count(____) > 1`, where there is an index at all; and
# `2 * clusters.count(____) <= len(configs)`.
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** Each rule reads what it is about and nothing else: the majority
# is counted over all workers, an index is compared with the worker's **own** list, and
# one that occurs twice is wrong for both who have it. A rule that stops at the first
# fault of a worker would hide the second.

# %% [markdown] beat="further"
# ## Further 2 · From Slurm to TF_CONFIG (10 minutes)
#
# A cluster manager knows where the workers are. Slurm tells each task in environment
# variables; here two helpers read its short notation:

# %% role="setup" key="slurm-names"
from unittest.mock import patch
from course.lessons.n12_cluster_never_starts import node_names, task_counts

# %% key="slurm"
print(node_names("node[8-10],gpu2"), task_counts("2(x3),1"))
Resolver = tf.distribute.cluster_resolver.SlurmClusterResolver
slurm = {"PROCID": "0", "STEP_NODELIST": "node[8-10]", "STEP_TASKS_PER_NODE": "1(x3)"}
slurm["STEP_NUM_TASKS"] = "3"
with patch.dict("os.environ", {f"SLURM_{k}": slurm[k] for k in slurm}):
    print(Resolver(gpus_per_node=1, auto_set_gpu=False).cluster_spec().as_dict())

# %% [markdown]
# <details><summary>What this means (open it after the run)</summary>
#
# TensorFlow has a `SlurmClusterResolver`. It sorts the nodes by name, so that `node10` is
# worker 0. But Slurm numbers its tasks in the order of the node list, and task 0 runs on
# `node8`. Both are the same only where that list is in the order of the names.
#
# </details>

# %% [markdown] beat="further"
# ### Write the text
#
# `my_from_slurm(environ)` returns the TF_CONFIG of this task. Every **task** is a worker.
#
# - `SLURM_STEP_NODELIST`: the nodes, in order; `SLURM_STEP_TASKS_PER_NODE`: how many tasks
#   each has. Slurm fills the first node, then the next.
# - `SLURM_PROCID`: this task's number over all nodes, `SLURM_LOCALID`: on its own node,
#   `SLURM_NODEID`: its node's number. All are texts.
# - Task i **of a node** (from 0) gets the port 8888 + i.

# %% role="broken" exercise="my_from_slurm" jupyter={"source_hidden": true}
def broken_from_slurm(environ):
    hosts = []
    for node in sorted(node_names(environ["SLURM_STEP_NODELIST"])):
        hosts.append(f"{node}:8888")
    task = {"type": "worker", "index": int(environ["SLURM_PROCID"])}
    return json.dumps({"cluster": {"worker": hosts}, "task": task})

# %% role="fix" exercise="my_from_slurm"
def my_from_slurm(environ):
    hosts = []
    nodes = node_names(environ["SLURM_STEP_NODELIST"])
    counts = task_counts(environ["SLURM_STEP_TASKS_PER_NODE"])
    for node, count in zip(nodes, counts, strict=True):
        hosts += [f"{node}:{8888 + i}" for i in range(count)]
    task = {"type": "worker", "index": int(environ["SLURM_PROCID"])}
    return json.dumps({"cluster": {"worker": hosts}, "task": task})

# %% role="check" points=4
check("12/my_from_slurm", my_from_slurm)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# With two tasks on each of three nodes, how many workers are there, and how many addresses
# does the shipped function list?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# Go through nodes and counts together, in Slurm's order, and list one address for each
# task. `SLURM_PROCID` then is the position of this task's own address.
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# `for node, count in zip(____, ____, strict=True):`, and in it
# `hosts += [f"{node}:{8888 + i}" for i in range(____)]`.
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** All tasks must make the same list, so it comes only from what all
# of them are told: nodes and tasks per node. Only `index` differs; Slurm numbers the
# tasks in the same order, node after node, so `SLURM_PROCID` is the place in the list.
