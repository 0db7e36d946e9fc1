# ---
# course:
#   number: "13"
#   title: The cluster never starts
#   part: 3
#   minutes: {core: 35, further: [12, 8]}
#   symptoms:
#     - "MultiWorkerMirroredStrategy hangs at start without an error"
#     - "TF_CONFIG is set on all workers, and nothing happens"
#     - "UnavailableError: failed to connect to all addresses, Connection refused"
#     - "every worker trains, but nothing is shared"
#   in_a_hurry:
#     cause: >-
#       The workers' TF_CONFIGs do not fit together. Worker 0 waits until all others have
#       called, without a limit and without an error. One without TF_CONFIG trains alone.
#     probe: >-
#       While the job starts, call every address of TF_CONFIG from every machine. After
#       the start, compare `strategy.num_replicas_in_sync` with the number you expect.
#     fix: >-
#       The same `cluster`, in the same order, on every worker; `index` is the position of
#       the worker's own address in it; `json.dumps` writes the text.
# ---

# %% [markdown] beat="symptom"
# ## 1 · Symptom
#
# Two processes should become one cluster. In TensorFlow
# [issue 46931](https://github.com/tensorflow/tensorflow/issues/46931), the log ends with
# "Started server", and nothing else happens. Other jobs stop with an error, some of them
# late. And some report success.
#
# Two short texts decide which of these you get, one in each process. Below, processes A and
# B are real: each has its own port on this machine.

# %% role="start"
from course import check, mirrored, predict, show, virtual_devices
import tensorflow as tf
devices = virtual_devices(4)

# %% role="setup" key="tools" jupyter={"source_hidden": true}
import json

from course.learner.predictions import ticks
from course.lessons.n13_cluster_never_starts import (
    QUESTIONS, cluster_map, make_ready, observe_ways, start_cluster, texts_of,
    tick_table, who_waits_for_whom,
)

make_ready()  # the processes import what they need while you read

# %% [markdown] beat="aside"
# ### The job
#
# Process A runs `train(0)` and adds 1 to a shared total. Process B runs `train(1)` and adds
# 2. **Together** they get 3.

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
# A process reads its environment variable `TF_CONFIG`. The text lists the addresses of
# worker 0, worker 1, ... (`cluster`) and says which of them this process is (`index`).
#
# A runs at address a and B at b. **Nobody runs at x.** This is how we write a TF_CONFIG:
#
# | short | worker 0 is at | worker 1 is at | this process is |
# |:--|:--|:--|:--|
# | `ab 0` | a | b | worker 0 |
# | `bx 1` | b | x | worker 1 |
# | `{}` | (no cluster) | | |
#
# A pair has A's text first, then B's. The function below writes `ab 0, ba 0`.

# %% role="broken" exercise="my_tf_config"
def broken_tf_config(own, others):
    """Return the TF_CONFIG of the process at `own`, such as "a:2222"."""
    config = {"cluster": {"worker": [own, *others]}}
    config["task"] = {"type": "worker", "index": 0}
    return json.dumps(config)

# %% key="ask"
print("A:", broken_tf_config("a:2222", ["b:2222"]))
print("B:", broken_tf_config("b:2222", ["a:2222"]))
predict("13")

# %% [markdown] beat="observe"
# ## 3 · Observe
#
# Two real processes start with each pair. A run ends when both processes have ended, or when
# nothing has moved for a while.

# %% key="run-ways"
show(tick_table(QUESTIONS, observe_ways(train), ticks("13")), prediction="13")

# %% [markdown] beat="aside"
# ### Who waits for whom?
#
# A box is a process: the port it listens on, and which worker it says it is. An arrow
# points to where its list says the other one is. **Full**: it called, and was answered.
# **Dotted**: it has not called. **Dashed**: nobody listens there, so a call is in vain. Orange
# with a "?": the list is wrong about who is there.

# %% key="play"
who_waits_for_whom(train)

# %% [markdown] beat="aside"
# ### Try it
#
# 1. `ab 0, xb 1`: which process got an answer? And in `ax 0, ab 1`, before the error?
# 2. `ab 0, ax 1`: whose text is wrong, and who gets the error?
# 3. Find two settings in which both finish with totals 1 and 2 instead of 3.
# 4. What if both texts are `ab 0`?
# 5. `abx 0, abx 1`: B has called A. Why does A still wait?
#
# <details><summary>What you should have seen</summary>
#
# 1. In `ab 0, xb 1`, neither: B calls x in vain, and A never calls. In `ax 0, ab 1`, B has
#    called A, but A has not called B.
# 2. B's text is wrong: it listens at x. A gets the error, although A's text is right.
# 3. `{}, {}`; `a 0, b 0`; or any pair with `MirroredStrategy`. Each trains alone.
# 4. One of them stops, because two processes can't listen on one port ("Could not start gRPC
#    server"). The other waits. (On two machines both could listen: see Confirm.)
# 5. A caller calls the **first** address of its list and sends its index. A has a call from 1,
#    and waits for one from 2, the third entry of its list.
#
# </details>

# %% [markdown] beat="locate"
# ## 4 · Locate
#
# The map shows two processes; a job may have 64. So find the fault in their texts. The
# function below looks for an address where nobody listens. But `ab 0, ba 0` waits forever
# although somebody listens everywhere. Make `my_missing_call(texts)` return `(process, task)`:
#
# - `process`: the first process that waits forever **to be called** (0 is A),
# - `task`: the smallest index in **its own** list whose worker never calls it.
#
# Return `None` if no process waits to be called, even if others call in vain. A process
# listens where its own text says that it is.
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
# check has up to four processes.

# %% role="broken" exercise="my_missing_call"
def broken_missing_call(texts):
    configs = [read(text) for text in texts]
    listens = [hosts[index] for hosts, index in configs if index in range(len(hosts))]
    for process, (hosts, index) in enumerate(configs):
        for task, address in enumerate(hosts):
            if address not in listens:
                return process, task

# %% role="fix" exercise="my_missing_call"
def my_missing_call(texts):
    configs = [read(text) for text in texts]
    calls = {(hosts[0], index) for hosts, index in configs if hosts}
    for process, (hosts, index) in enumerate(configs):
        for task in range(len(hosts)) if index == 0 else ():
            if (hosts[0], task) not in calls:
                return process, task

# %% role="check" points=3
check("13/my_missing_call", my_missing_call)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# Which full arrows are there in `ax 0, ab 1` and in `abx 0, abx 1`? So which process calls at
# the start, and which entry of its list?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# A process with index 0 waits and calls nobody. All others call the **first** address of
# their own list and send their index. Each number in the waiting process's list must call
# **it**. Where the callers listen matters only later.
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# `calls = {(hosts[____], ____) for hosts, index in configs if hosts}`: the address that is
# called, and the number that calls. For each process with index ____, and each number `task`
# of its list: `if (hosts[0], ____) not in calls:`.
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** The process with index 0 remembers who has called. It starts when
# each number of its own `cluster` has called. A call goes to the first address of the
# caller's list and carries the caller's index, so compare both.

# %% [markdown] beat="aside"
# ### The reasons
#
# <details><summary>Why each pair ends as it does (open it after Locate)</summary>
#
# - `ab 0, ba 0`: both wait to be called. `ab 0, xb 1`: B calls where nobody is, again and
#   again. Neither gets an error, because TensorFlow sets no limit.
# - `ax 0, ab 1`: B has called A, so both have their strategy. A uses its wrong entry in the
#   first all-reduce. `ab 0, ax 1`: B listens at x. A's list is right, and A gets the error.
#   B waits as long as A's process lives.
# - `a 0, ab 1`: A is a cluster of one. It refuses B and finishes alone.
# - `ab 0, {}`: B trains alone, A waits for it.
# - `ba 1, ba 0`: A is worker 1, B is worker 0. The lists agree, so any order works.
#
# </details>

# %% [markdown] beat="fix"
# ## 5 · Fix
#
# Fix `my_tf_config`. Each process calls it with its own address and those of all others, in
# any order. The processes can't ask each other. Their texts must lead them into one cluster.
#
# The check starts real clusters with your texts, of two and of three processes. Each process
# must count all replicas and get the sum over all.

# %% role="fix" exercise="my_tf_config"
def my_tf_config(own, others):
    """Return the TF_CONFIG of the process at `own`, such as "a:2222"."""
    hosts = sorted([own, *others])
    config = {"cluster": {"worker": hosts}}
    config["task"] = {"type": "worker", "index": hosts.index(own)}
    return json.dumps(config)

# %% role="check" points=4
check("13/my_tf_config", my_tf_config)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# In `ab 0, ba 0`, which worker does each process say it is? In `ba 1, ba 0`, what is the same
# in both texts, and what differs?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# `cluster` lists all workers: the same list on each of them, in the same order. Any order
# will do, but all must find the same one without asking. `index` is the position of the
# process's own address in it, from 0.
#
# </details>
# <details><summary>Hint 3: lines with holes</summary>
#
# `hosts = ____([own, *others])`, and the index is `hosts.index(____)`.
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** Sorted, the same addresses have the same order in every process. (A
# set would not do: each Python process hashes strings differently.) The index gives each
# process its own entry of the list. `json.dumps` writes text that TensorFlow can read; `str`
# would write single quotes.

# %% [markdown] beat="confirm"
# ## 6 · Confirm
#
# Before and after, with two real processes:

# %% key="run-mine" tags=["raises-exception"] thumbnail="50 0 100 100"
broken = start_cluster(train, broken_tf_config)
mine = start_cluster(train, my_tf_config)
show(cluster_map(broken, mine))

# %% [markdown]
# <details><summary>What differs on two machines, and how you end a worker that waits</summary>
#
# Run in two network namespaces of Linux, with one port number: no port is taken. With
# `ab 0, ab 0`, A, whose text is right, gets an `InternalError`: task 0 "tried to connect with
# a different incarnation. It has likely restarted". B waits. With `ab 0, ba 1`, both wait. A
# firewall may drop calls without an answer. Through such a port, A had the error of
# `ax 0, ab 1` only after about 20 s.
#
# Neither Ctrl-C nor a plain `kill` ends a process that waits for others; `kill -9` does.
#
# </details>

# %% [markdown] beat="aside"
# ### A line before the strategy
#
# The cluster is right. But the program makes one tensor before its strategy. What happens?

# %% key="woken"
def woken(number):
    tf.zeros(1)
    return train(number)

for name, member in start_cluster(woken, "ab 0, ab 1").processes.items():
    print(f"{name} {member.outcome}: {member.error}")

# %% [markdown]
# <details><summary>What this means (open it after the run)</summary>
#
# The first operation starts TensorFlow in the process **without** the cluster. So make the
# strategy first: before data, models, and helpers that list logical devices. In Jupyter,
# every cell that ran before counts.
#
# </details>

# %% [markdown] beat="aside"
# ### Would `model.fit` have saved you?
#
# This runs `fit` in the right cluster, then with an empty TF_CONFIG (click on the three dots
# for the code).

# %% key="fit" jupyter={"source_hidden": true}
def fit(number):
    with tf.distribute.MultiWorkerMirroredStrategy().scope():
        model = tf.keras.Sequential([tf.keras.Input((2,)), tf.keras.layers.Dense(1)])
        model.compile("sgd", loss="mse")
    model.fit(tf.ones((8, 2)), tf.ones((8, 1)), verbose=0)

for pair in ("ab 0, ab 1", "{}, {}"):
    for name, member in start_cluster(fit, pair).processes.items():
        print(f"{pair}: {name} {member.outcome} {member.error}")

# %% [markdown]
# <details><summary>What this means (open it after the run)</summary>
#
# No. Keras 3's `fit` works where every process is **alone**. In a right cluster it stops
# with an error, also in one with parameter servers: the strategy hands it a `PerReplica`,
# which Keras 3 can't read. Write the loop yourself, as in `train` above.
#
# </details>

# %% [markdown] role="claims"

# %% [markdown] beat="aside"
# ### Probe for work
#
# First read worker 0's log. "Waiting for 1/2 tasks to connect" says that it waits, and the
# next line says for whom. (This course hides TensorFlow's log.) Then call this on **every
# machine while the job is starting**, with `json.loads(os.environ["TF_CONFIG"])`. "No answer"
# may be a firewall. After the start: `assert strategy.num_replicas_in_sync == expected`.

# %% key="probe" jupyter={"source_hidden": true}
import socket

def who_answers(config, seconds=3.0):
    """Call every address in a TF_CONFIG from this machine, and print who answers."""
    print("this is", config.get("task"), "of", config.get("cluster", "NO CLUSTER"))
    for kind, hosts in config.get("cluster", {}).items():
        for index, host in enumerate(hosts):
            try:
                name, port = host.rsplit(":", 1)
                socket.create_connection((name, int(port)), seconds).close()
                answer = "answers"
            except ConnectionRefusedError:
                answer = "refused: nobody listens there"
            except (OSError, ValueError) as error:
                answer = f"no answer: {error}"
            print(f"{kind} {index} at {host}: {answer}")

# %% [markdown] role="elsewhere"

# %% [markdown] beat="aside"
# ### The probe on a job
#
# The same job three times, with a second shell beside A and B. One of the three trains. In
# another, all addresses answer, and it still waits. How does the probe show that?

# %% key="probe-use"
def second_shells(texts):
    for text in texts:
        who_answers(json.loads(text))

for pair in ("ab 0, xb 1", "ab 0, ba 0", "ab 0, ab 1"):
    job = start_cluster(train, pair, meanwhile=second_shells)
    print(f"-> {pair}:", *(member.outcome for member in job.members))

# %% [markdown]
# <details><summary>What you should have seen</summary>
#
# In `ab 0, ba 0`, all four calls are answered. But both first lines say `'index': 0`, and
# their lists differ. Compare these lines between machines before you look at ports.
#
# </details>

# %% [markdown] beat="further"
# ## Further 1 · An error that names the right address (12 minutes)
#
# All processes have their strategy and count all replicas. And then:

# %% key="late"
late = start_cluster(train, "ax 0, ab 1")
print("a, b, x:", late.at)
for name, member in late.processes.items():
    print(f"{name}:", member.error or member.outcome)

# %% [markdown] beat="aside"
# ### Break it so that the error helps nobody
#
# The error names x, and x is in the wrong text: you find it in a minute. `my_late_error`
# starts with right texts. (They are folded, because they solve the core: click on the three
# dots.) Break them, for two and for three processes:
#
# - **One** text is wrong, all others stay as they are.
# - All processes have their strategy and count all replicas.
# - Then a process whose text is right gets an error. Each address that an error names is one
#   of `hosts`. (Before TensorFlow 2.20, errors named no address.)
#
# `nobody` is an address on this machine where nobody listens.

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
# An entry of a list says where to call. One entry has a second meaning for the process that
# reads it. Which entry?
#
# </details>
# <details><summary>Hint 2: the rule</summary>
#
# A process listens at its own entry of its **own** list; the others call it by **theirs**. At
# the start only worker 0 is called. Which workers can listen elsewhere, and all still start?
#
# </details>
# <details><summary>Hint 3: a line with holes</summary>
#
# For one worker that is not ____: `own[____] = nobody`.
#
# </details>

# %% [markdown] solution_only=true
# **Why this is right.** The last worker listens at `nobody`, calls worker 0 and is counted.
# In the first all-reduce, the others look for it where their right lists say, and nobody is
# there. The error names a right address. If you examine the process that gets the error, or
# its text, you find nothing. The probe on **every** machine finds it, or `ss -ltnp` beside the
# last worker.

# %% [markdown] beat="further"
# ## Further 2 · From Slurm to TF_CONFIG (8 minutes)
#
# A cluster manager knows where the workers are. Slurm tells each task by environment
# variables. Two helpers read its short notation:

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
# TensorFlow has a `SlurmClusterResolver`. It sorts the nodes by name, so `node10` is worker
# 0. But Slurm numbers its tasks in the order of the node list, and task 0 runs on `node8`.
# They agree only if the node list is sorted by name.
#
# </details>

# %% [markdown] beat="further"
# ### Write the text
#
# `my_from_slurm(environ)` returns the TF_CONFIG of this task. Every **task** is a worker.
#
# - `SLURM_STEP_NODELIST`: the nodes, in order; `SLURM_STEP_TASKS_PER_NODE`: how many tasks
#   each has. Slurm fills the first node, then the next.
# - `SLURM_PROCID`: this task's number over all nodes; `SLURM_LOCALID`: its number on its own
#   node; `SLURM_NODEID`: its node's number. All are strings.
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
# **Why this is right.** All tasks must make the same list, so use only what is the same for
# all: nodes and tasks per node. Only `index` differs. Slurm numbers the tasks in the same
# order, node after node, so `SLURM_PROCID` is the position in the list.
