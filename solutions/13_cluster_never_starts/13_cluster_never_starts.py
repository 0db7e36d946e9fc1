# ---
# course:
#   number: "13"
#   title: The cluster never starts
#   part: 3
#   minutes: {core: 30, further: [15, 10]}
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
# Whether two machines become one cluster depends on two short texts, one for each. In
# TensorFlow [issue 46931](https://github.com/tensorflow/tensorflow/issues/46931), the log
# ends with "Started server", and the question is whether ports or a firewall are to blame.
# Other jobs stop with an error, some of them late. And some report success.
#
# Below, each worker is a real process with its own port on this machine.

# %% role="start"
from course import check, mirrored, predict, show, virtual_devices
import tensorflow as tf
devices = virtual_devices(4)

# %% role="setup" key="tools"
import json

from course.learner.predictions import ticks
from course.lessons.n13_cluster_never_starts import (
    QUESTIONS, cluster_map, make_ready, observe_ways, start_cluster, texts_of,
    tick_table, who_waits_for_whom,
)

make_ready()  # what the workers' processes need is imported while you read

# %% [markdown] beat="aside"
# ### The job
#
# Each worker runs this with its number. Worker 0 adds 1 to a shared total, worker 1 adds 2:
# **together** they get 3.

# %% key="train"
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
# A worker reads from the environment variable `TF_CONFIG` where worker 0, worker 1, ... are
# (`cluster`) and which of them it is itself (`index`). The function below writes this text;
# it is called on each worker, which has heard of the others in any order.
#
# In short, `ab 0` is a TF_CONFIG that lists a and b, with index 0; `{}` is an empty one.
# Worker 0 runs at a, worker 1 at b, **nobody at x**. The function writes `ab 0, ba 0`: the
# first for worker 0, the second for worker 1.

# %% role="broken" exercise="my_tf_config"
def broken_tf_config(own, others):
    """Return the TF_CONFIG of the worker at `own`, such as "a:2222"."""
    config = {"cluster": {"worker": [own, *others]}}
    config["task"] = {"type": "worker", "index": 0}
    return json.dumps(config)

# %% key="ask"
print(broken_tf_config("a:2222", ["b:2222"]))
print(broken_tf_config("b:2222", ["a:2222"]))
predict("13")

# %% [markdown] beat="observe"
# ## 3 · Observe
#
# Real workers start with each pair. A start is over when all have ended, or when nobody has
# been at work for a while. (The course starts them in an order in which nobody has to call
# twice who can be heard. So it makes no difference how fast this machine is.)

# %% key="run-ways"
show(tick_table(QUESTIONS, observe_ways(train), ticks("13")), prediction="13")

# %% [markdown] beat="aside"
# ### Who waits for whom
#
# Each box shows the port on which that worker listens (read from outside), and which worker
# it believes to be. An arrow shows where its list has the other one. **Full**: its call came
# through; **dotted**: it made none; **dashed**: nobody listens there. Orange, with a "?":
# there is another one than its list says, or nobody. Each turn of a knob starts two workers;
# the start before stays on the left.

# %% key="play"
who_waits_for_whom(train)

# %% [markdown] beat="aside"
# ### To be found out by playing
#
# * `ab 0, xb 1`: who has called whom? And in `ax 0, ab 1`, before the error?
# * `ab 0, ax 1`: in whose text is the fault, and who gets the error?
# * Find two settings in which both are done, and the totals are 1 and 2 instead of 3.
# * What if both texts say index 0, with the same list? (Here, two can't have one port. For
#   two machines, see Confirm.)

# %% [markdown] beat="locate"
# ## 4 · Locate
#
# The map shows two workers, a job may have 64. So read their TF_CONFIGs. A worker may wait
# for a call that never comes. The function below looks for an address at which nobody
# listens; that is not it. Make `my_missing_call` return `(worker, task)`:
#
# - the first worker that waits **to be called**, without end; its number is the position of
#   its text,
# - the smallest number in **its own** list from which no call comes.
#
# `None` if no worker waits to be called: where all start, or others call in vain, or an
# error comes later. Each worker runs at the address that its own text has for it.
#
# %% role="setup" key="read"
def read(text):
    """Return the list of workers in a TF_CONFIG, and the index; [], -1 if it is {}."""
    config = json.loads(text)
    hosts = config.get("cluster", {}).get("worker", [])
    return hosts, config["task"]["index"] if hosts else -1

# %% [markdown] beat="aside"
# ### Who is missing?
#
# Try yours with `my_missing_call(texts_of("ab 0, xb 1"))`, and compare with the map. The
# check has up to four workers.

# %% role="broken" exercise="my_missing_call"
def broken_missing_call(texts):
    told = [read(text) for text in texts]
    listens = [hosts[index] for hosts, index in told if index in range(len(hosts))]
    for worker, (hosts, index) in enumerate(told):
        for task, address in enumerate(hosts):
            if address not in listens:
                return worker, task

# %% role="fix" exercise="my_missing_call"
def my_missing_call(texts):
    told = [read(text) for text in texts]
    calls = {(hosts[0], index) for hosts, index in told if hosts}
    for worker, (hosts, index) in enumerate(told):
        for task in range(len(hosts)) if index == 0 else ():
            if (hosts[0], task) not in calls:
                return worker, task

# %% role="check" points=3
check("13/my_missing_call", my_missing_call)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# In the map: which full arrows are there in `ab 0, xb 1`, and in `abx 0, abx 1`? So who calls
# at the start, and which entry of its list?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# Whoever has index 0 waits, and calls nobody. Everybody else calls the **first** address of
# its own list and says which number it has: its index. All numbers in the waiting worker's
# list must have called **it**. Where the callers listen matters only later.
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# `calls = {(hosts[____], ____) for hosts, index in told if hosts}`: who is called, and by
# which number. For each worker with index ____, and each number `task` of its list:
# `if (hosts[0], ____) not in calls:`.
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** The worker with index 0 keeps a list of who has called, and starts
# when each number of its own `cluster` has. A call goes to the first address of the caller's
# list and carries the caller's index. So both must be compared, and nothing else.

# %% [markdown] beat="aside"
# ### The reasons
#
# <details><summary>Why each pair ended as it did (open it after Locate)</summary>
#
# - `ab 0, ba 0`: both wait to be called. `ab 0, xb 1`: worker 1 calls where nobody is, again
#   and again. Nobody gets an error, and TensorFlow sets no limit.
# - `ax 0, ab 1`: worker 1 comes through, so both have their strategy. Worker 0 meets its
#   wrong entry in the first all-reduce. `ab 0, ax 1`: worker 1 listens at x; worker 0's list is
#   right, and it gets the error. The other waits as long as that process lives.
# - `a 0, ab 1`: worker 0 is a cluster of one. It sends worker 1 away, and is done alone.
# - `ab 0, {}`: worker 1 trains alone, worker 0 waits for it.
# - `ba 1, ba 0`: the same list twice; any order will do.
#
# </details>

# %% [markdown] beat="fix"
# ## 5 · Fix
#
# Fix `my_tf_config`. It is called once on each worker, with the worker's own address and
# those of all others, in whatever order that worker has heard of them. The workers can't ask
# each other. With these texts, all of them must come together in one cluster.
#
# (The check reads the texts first. Where they can work, it starts real clusters with them,
# of two and of three workers: each must count all replicas and get the sum over all.)

# %% role="fix" exercise="my_tf_config"
def my_tf_config(own, others):
    """Return the TF_CONFIG of the worker at `own`, such as "a:2222"."""
    hosts = sorted([own, *others])
    config = {"cluster": {"worker": hosts}}
    config["task"] = {"type": "worker", "index": hosts.index(own)}
    return json.dumps(config)

# %% role="check" points=4
check("13/my_tf_config", my_tf_config)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# In `ab 0, ba 0`, which worker does each believe to be? In `ba 1, ba 0`, what is the same in
# both texts, and what is not?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# `cluster` is a plan of all workers: the same on each of them, in the same order. Which order
# does not matter, but all must find the same one without a word. `index` is the position of
# the worker's own address in it, from 0.
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# `hosts = ____([own, *others])`, and the index is `hosts.index(____)`.
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** Sorted, the same addresses have the same order on every worker, in
# whatever order they came. (A set has none: each Python process hashes texts anew.) The index
# makes each worker one entry of the list. `json.dumps` writes a text that TensorFlow can
# read; `str` would write single quotes.

# %% [markdown] beat="confirm"
# ## 6 · Confirm
#
# Before and after, with two real workers:

# %% key="run-mine" tags=["raises-exception"] thumbnail="50 0 100 100"
broken = start_cluster(train, broken_tf_config)
mine = start_cluster(train, my_tf_config)
show(cluster_map(broken, mine))

# %% [markdown]
# **On two machines this would differ** (run in two network namespaces of Linux, with one port
# number): no port is taken. With `ab 0, ab 0`, worker 0, whose text is right, gets an
# `InternalError`: task 0 "tried to connect with a different incarnation. It has likely
# restarted". The other waits. With `ab 0, ba 1`, both wait. A firewall may drop calls without
# an answer: through such a port, worker 0 had the error of `ax 0, ab 1` only after about 20 s.
# Neither Ctrl-C nor a plain `kill` ends a worker that waits for others; `kill -9` does.

# %% [markdown] beat="aside"
# ### A line before the strategy
#
# The cluster is right. The program makes one tensor before it makes its strategy. What do
# its workers say? Decide before you run the cell.

# %% key="woken"
def woken(number):
    tf.zeros(1)
    return train(number)

for number, member in enumerate(start_cluster(woken, "ab 0, ab 1").members):
    print(f"worker {number} {member.outcome}: {member.error}")

# %% [markdown]
# <details><summary>What this means (open it after the run)</summary>
#
# The first operation starts TensorFlow in the process, and it starts **without** the
# cluster. So the strategy comes first: before data, models, and helpers that list logical
# devices. In Jupyter, every cell that ran before counts.
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

for pair in ("ab 0, ab 1", "{}, {}"):
    for number, member in enumerate(start_cluster(fit, pair).members):
        print(f"{pair}: worker {number} {member.outcome} {member.error[:60]}")

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
# First read worker 0's log: "Waiting for 1/2 tasks to connect" says that it waits, and the
# line after it for whom. (This course hides TensorFlow's log.) Then call this on **every
# machine, while the job is starting**, with `json.loads(os.environ["TF_CONFIG"])`. "No answer"
# may be a firewall. After the start: `assert strategy.num_replicas_in_sync == ordered`.

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

# %% [markdown] role="elsewhere"

# %% [markdown] beat="aside"
# ### The probe on a job
#
# Three times the same job, and a second shell beside each of its workers. One of the
# three trains. In one, all addresses answer, and it still waits: by what does the probe
# show it?

# %% key="probe-use"
def second_shells(texts):
    for text in texts:
        who_answers(json.loads(text))

for pair in ("ab 0, xb 1", "ab 0, ba 0", "ab 0, ab 1"):
    job = start_cluster(train, pair, meanwhile=second_shells)
    print(f"-> {pair}:", *(member.outcome for member in job.members))

# %% [markdown] beat="further"
# ## Further 1 · An error that names the right address (15 minutes)
#
# Everybody has a strategy, `num_replicas_in_sync` is right on all workers, and then:

# %% key="late"
late = start_cluster(train, "ax 0, ab 1")
print("a, b, x:", late.at)
for number, member in enumerate(late.members):
    print(f"worker {number}:", member.error or member.outcome)

# %% [markdown] beat="aside"
# ### Break it so that this line helps nobody
#
# The error names x, and x stands in the wrong text: found in a minute. `my_late_error` starts
# with right texts (folded, as they show how the core is solved: click on the three dots).
# Break them for two and for three workers:
#
# - **One** text is wrong, all others stay as they are.
# - All workers have their strategy and count all replicas.
# - Then an error comes to a worker whose text is right. Each address that errors name is one
#   of `hosts`, where everybody expects it. (Before TensorFlow 2.20, errors named none.)
#
# `nobody` is an address on this machine at which nobody listens.

# %% role="broken" exercise="my_late_error" jupyter={"source_hidden": true}
def broken_late_error(hosts, nobody):
    texts = []
    for index in range(len(hosts)):
        own = list(hosts)
        config = {"cluster": {"worker": own}}
        config["task"] = {"type": "worker", "index": index}
        texts.append(json.dumps(config))
    return texts

# %% role="fix" exercise="my_late_error" jupyter={"source_hidden": true}
def my_late_error(hosts, nobody):
    texts = []
    for index in range(len(hosts)):
        own = list(hosts)
        if index == len(hosts) - 1:
            own[index] = nobody
        config = {"cluster": {"worker": own}}
        config["task"] = {"type": "worker", "index": index}
        texts.append(json.dumps(config))
    return texts

# %% role="check" points=4
check("13/my_late_error", my_late_error)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# An entry of a list says where to call. One entry says something else as well: which, and
# to whom?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# A worker listens at its own entry of its **own** list; the others call it by **theirs**. At
# the start only worker 0 is called. Which workers may listen elsewhere, and all still start?
#
# </details>
# <details><summary>Hint 3: a line with holes</summary>
#
# For one worker that is not ____: `own[____] = nobody`.
#
# </details>

# %% [markdown] solution_only=true
# **Why this is what was asked.** The last worker listens at `nobody`, calls worker 0 and is
# counted. In the first all-reduce, the others look for it by their own lists, which are
# right, and nobody is there. The error names the address that everybody expects; a look at the
# worker that has the error, or at its text, finds nothing. What sees it: the probe on **every**
# machine, or `ss -ltnp` beside the last worker.

# %% [markdown] beat="further"
# ## Further 2 · From Slurm to TF_CONFIG (10 minutes)
#
# A cluster manager knows where the workers are. Slurm tells each task in environment
# variables; here two helpers read its short notation:

# %% role="setup" key="slurm-names"
from unittest.mock import patch
from course.lessons.n13_cluster_never_starts import node_names, task_counts

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
check("13/my_from_slurm", my_from_slurm)

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
