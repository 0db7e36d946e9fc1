# Built by `course build` from the probes of the notebooks: edit those.
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, the course's authors
# fmt: off
# ruff: noqa
"""Probes for a TensorFlow job that is wrong, slow, or stands still when it is parallel.

Plain TensorFlow and NumPy; copy this file beside your job. Which probe comes first, how
to call it, and what a healthy job prints: triage.md, where each of them has a section.
"""

import contextlib
import faulthandler
import functools
import hashlib
import itertools
import json
import os
import signal
import socket
import threading
import time
import traceback
import zlib
from collections import Counter
from pathlib import Path
from time import perf_counter
from unittest import mock

import numpy as np
import tensorflow as tf


# notebook 05
def surviving_updates(update, read, count=4):
    """Run update(pause) in threads; return how much read() grows."""
    meet, before = threading.Barrier(count), read()
    def pause():
        try:
            meet.wait(timeout=1.0)
        except threading.BrokenBarrierError:
            return  # a lock lets only one thread at a time in here: fine
    threads = [threading.Thread(target=update, args=(pause,)) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return read() - before


# notebook 12
def rows_that_fit(step, rows):
    """Halve `rows` until step(rows) runs; return the number, 0 if none does."""
    while rows > 0:
        try:
            step(rows)
            return rows
        except tf.errors.ResourceExhaustedError as error:
            oom = [each for each in error.message.splitlines() if "OOM when" in each]
            print(rows, "rows do not fit:", *(oom[:1] or [error.message]))
        rows //= 2  # outside of `except`: there, the error still holds its tensors
    return 0


# notebook 19
def not_from_the_file(restore, variables):
    """Call `restore()` twice; return the names that it does not set."""
    before = {name: tf.identity(v) for name, v in variables.items()}
    seen, missed = [], list(variables)
    try:
        for fill in (tf.zeros_like, tf.ones_like):
            for variable in variables.values():
                variable.assign(fill(variable))
            restore()
            seen.append({name: v.numpy().tobytes() for name, v in variables.items()})
        missed = [name for name in variables if seen[0][name] != seen[1][name]]
    finally:  # all of them, where `restore` raises
        for name in missed:
            variables[name].assign(before[name])
    return missed


# notebook 00
def compare_runs(steps, variables, folder="first-run"):
    """Keep the weights after so many steps; in a later run, print how far off."""
    file, now = Path(folder, f"{steps}.npz"), [v.numpy() for v in variables]
    if not file.exists():
        file.parent.mkdir(exist_ok=True)
        np.savez(file, *now)
        return
    with np.load(file) as first:
        gaps = [np.abs(first[f"arr_{i}"] - each).max() for i, each in enumerate(now)]
    print(f"after {steps} steps: at most {max(gaps):.0e} from the first run")


# notebook 03
def weights_of_rows(strategy, replica_loss, counts):
    """Return the weight of every row in one step; counts: rows on each replica."""

    def derivative(losses):
        with tf.GradientTape() as tape:
            tape.watch(losses)
            loss = replica_loss(losses)
        return tape.gradient(loss, losses)

    def ones(ctx):
        return tf.ones([counts[ctx.replica_id_in_sync_group]])

    values = strategy.experimental_distribute_values_from_function(ones)
    result = strategy.run(derivative, args=(values,))
    return [part.numpy() for part in strategy.experimental_local_results(result)]


# notebook 04
def shared_and_repeated(strategy, source):
    """Return: do any two replicas draw the same numbers? Does a step repeat another?"""
    run_step = tf.function(lambda: strategy.run(source))
    drawn = []
    for _ in range(2):
        parts = strategy.experimental_local_results(run_step())
        drawn.append({np.asarray(part).tobytes() for part in parts})
    shared = any(len(step) < strategy.num_replicas_in_sync for step in drawn)
    return {"shared": shared, "repeated": bool(drawn[0] & drawn[1])}


# notebook 06
def largest_differences(make_model, strategies, x, y, **fit):
    """Return the largest difference of each weight, after fit under two strategies."""
    ended = []
    for strategy in strategies:
        tf.keras.utils.set_random_seed(1)
        with strategy.scope():
            model = make_model()
        model.fit(x, y, shuffle=False, verbose=0, **fit)
        ended.append(model.get_weights())
    names = [getattr(weight, "path", weight.name) for weight in model.weights]
    gaps = [float(abs(one - other).max()) for one, other in zip(*ended, strict=True)]
    return {name: round(gap, 4) for name, gap in zip(names, gaps, strict=True)}


# notebook 01
def row_report(strategy, batches, rows, numbers=lambda batch: batch, steps=None):
    """Print how many of `rows` row numbers an epoch repeats or never gives."""
    times, largest = np.zeros(rows, int), 0
    for batch in itertools.islice(batches, steps):
        ids = strategy.run(lambda each: tf.identity(numbers(each)), args=(batch,))
        for part in strategy.experimental_local_results(ids):
            np.add.at(times, part.numpy(), 1)
            largest = max(largest, len(part))
    for words, found in (("more than once", times > 1), ("never", times == 0)):
        print(f"{words}: {found.sum()} of {rows}, first {np.flatnonzero(found)[:5]}")
    print("largest share:", largest)


# notebook 01, for a job with fit
def rows_in_fit(model):
    """Note from now on which rows `fit` gives: replica -> ids of each step's rows."""
    seen, train_step = {}, model.train_step
    def note(replica, rows):
        ids = [zlib.crc32(row.tobytes()) for row in rows]
        seen.setdefault(int(replica), []).append(ids)
    def noting(data):
        replica = tf.distribute.get_replica_context().replica_id_in_sync_group
        tf.numpy_function(note, [replica, data[0]], [])
        return train_step(data)
    model.train_step, model.train_function = noting, None
    return seen


# notebook 14
def reads_over_workers(ids_of_workers, rows):
    """Print how often `rows` rows were read in an epoch: a list of ids per worker."""
    times = Counter(row for ids in ids_of_workers for row in ids)
    twice = sorted(row for row, count in times.items() if count > 1)
    print(f"{len(times)} of {rows} rows were read, {rows - len(times)} never;")
    print(f"{len(twice)} were read more than once:", twice[:10])


# notebook 11
def describe_training(strategy, dataset, rate):
    """Print and return the rows of each replica in a step, in order of steps."""
    steps = []
    for batch in dataset:
        part = tf.nest.flatten(batch)[0]
        shares = strategy.experimental_local_results(part)
        steps.append([int(tf.shape(share)[0]) for share in shares])
    rate = float(tf.convert_to_tensor(rate))  # Keras's is a variable
    print("steps in an epoch:", len(steps), " learning rate:", round(rate, 6))
    print("global batch:", sum(steps[0]), " of the last step:", sum(steps[-1]))
    print("rows of each replica:", steps[0], " in the last step:", steps[-1])
    return steps


# notebook 02
def largest_spread(strategy, variables):
    """Return the largest difference between any two replicas' copies."""
    spreads = [0.0]
    for variable in variables:
        copies = [c.numpy() for c in strategy.experimental_local_results(variable)]
        if len(copies) != strategy.num_replicas_in_sync:
            raise ValueError("not a mirrored variable; of a Keras one, pass v.value")
        spreads.append(np.ptp(np.stack(copies), axis=0).max())
    return float(np.max(spreads))  # NaN where a copy has one


# notebook 02, for a job with fit
def spread_in_fit(strategy, model):
    """Return a callback: it prints the largest spread at the end of each epoch."""
    def after(epoch, logs):
        own = [v if callable(v.value) else v.value for v in model.trainable_variables]
        print(f"epoch {epoch}, spread:", largest_spread(strategy, own))
    return tf.keras.callbacks.LambdaCallback(on_epoch_end=after)


# notebook 15
def workers_that_differ(strategy, values):
    """Return the workers whose `values` are not worker 0's; all must call it."""
    digest = hashlib.sha256(repr(values).encode()).digest()
    numbers = tf.constant([list(digest)])

    def gather():
        return tf.distribute.get_replica_context().all_gather(numbers, axis=0)

    rows = strategy.run(gather).numpy()
    return [worker for worker, row in enumerate(rows) if (row != rows[0]).any()]


# notebook 09
def meet(x, barrier):
    """Return `x` when all replicas are here, or time is up."""
    def wait(value):
        with contextlib.suppress(threading.BrokenBarrierError):
            barrier.wait()
        return value

    # declared stateless, so that it changes nothing of what it shows
    y = tf.numpy_function(wait, [x], x.dtype, stateful=False)
    y.set_shape(x.shape)
    return y


# notebook 09, for a job with fit
def meet_in_fit(model, barrier):
    """Let replicas meet in each step of `fit`; note each trace of a replica's step."""
    train_step, traced = model.train_step, []
    def met(data):
        traced.append(data)
        return train_step((meet(data[0], barrier), *data[1:]))
    model.train_step, model.train_function = met, None
    return traced


# notebook 09
def count_reads():
    """Count from now on how often each line of the program reads a tensor's value."""
    counts, kind = Counter(), type(tf.constant(0)).__mro__[1]
    read = kind._numpy
    def counted(tensor):
        own = [f for f in traceback.extract_stack() if "-packages" not in f.filename]
        counts[f"{Path(own[-2].filename).name}:{own[-2].lineno} {own[-2].line}"] += 1
        return read(tensor)
    mock.patch.object(kind, "_numpy", counted).start()  # mock.patch.stopall() ends it
    return counts


# notebook 08
def waits(dataset, times):
    """Yield the elements; add up the seconds spent waiting for them, and on steps."""
    elements = iter(dataset)
    while True:
        asked = time.perf_counter()
        try:
            element = next(elements)
        except StopIteration:
            return
        came = time.perf_counter()
        yield element
        times["wait"] = times.get("wait", 0) + came - asked
        times["step"] = times.get("step", 0) + time.perf_counter() - came


# notebook 08, for a job with fit
def waits_in_fit(model, seconds):
    """Return a callback for `fit`; add to a Counter what its steps' seconds went to."""
    train_step, last = model.train_step, ["", 0.0]
    def ends(part):  # each replica ends "input": the rest of them belong to the step
        if seconds or part == "step":  # the first step's graph is made before its input
            seconds["step" if part == last[0] else part] += perf_counter() - last[1]
        last[:] = part, perf_counter()
    def arrived(data):
        with tf.control_dependencies(tf.nest.flatten(data)):
            tf.numpy_function(lambda: ends("input"), [], [])
        return train_step(data)
    model.train_step, model.train_function = arrived, None
    return tf.keras.callbacks.LambdaCallback(
        on_train_batch_begin=lambda batch, logs: ends("between"),
        on_train_batch_end=lambda batch, logs: ends("step"),
    )


# notebook 08, for a job with fit
def seconds_of_callbacks(callbacks, seconds):
    """Add up in a Counter, from now on, what each callback takes; return them."""
    def timed(name, hook, *given, **more):
        began = time.perf_counter()
        hook(*given, **more)
        seconds[name] += time.perf_counter() - began
    plain = tf.keras.callbacks.Callback
    for each in callbacks:
        for name in [name for name in dir(plain) if name.startswith("on_")]:
            hook = getattr(each, name)
            if getattr(hook, "__func__", None) is not getattr(plain, name):
                setattr(each, name, functools.partial(timed, type(each).__name__, hook))
    return callbacks


# notebook 07
def places_of_work(concrete):
    """Count heavy operations by the device they ask for; list those that exist."""
    heavy = ("MatMul", "BatchMatMul", "Conv2D", "Conv3D", "Einsum", "DepthwiseConv2d")
    graph = concrete.graph.as_graph_def()
    nodes = list(graph.node)
    for function in graph.library.function:
        nodes += function.node_def
    asked = [n.device.split("device:")[-1] for n in nodes if n.op.startswith(heavy)]
    exist = [d.name.split("device:")[-1] for d in tf.config.list_logical_devices()]
    return {name: asked.count(name) for name in sorted(set(asked))}, exist


# notebook 10
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


# notebook 16
def messages_of(step, *arguments):
    """Count the collectives in one call of a tf.function, by kind and dtype."""
    graph = step.get_concrete_function(*arguments).graph.as_graph_def()
    nodes = list(graph.node)
    for function in graph.library.function:
        nodes += function.node_def
    sent = [node for node in nodes if node.op.startswith("Collective")]
    dtypes = [tf.as_dtype(node.attr["T"].type).name for node in sent]
    return Counter(f"{n.op} {d}" for n, d in zip(sent, dtypes, strict=True))


# notebook 17
def entering(name, *tensors, seconds=0):
    """Log which collective this worker enters, with the numbers of elements."""
    if seconds:
        faulthandler.dump_traceback_later(seconds)  # each call begins anew
    task = json.loads(os.environ.get("TF_CONFIG", "{}")).get("task", "alone")
    parts = tf.nest.flatten(tensors, expand_composites=True)  # a batch's parts, too
    sizes = [int(tf.size(each)) for each in parts]
    print(f"{time.time():.3f} {task} enters {name} {sizes}", flush=True)


# notebook 17, for a job with fit
def stands_in_fit(seconds):
    """Return a callback: it logs a worker's steps, and its stacks after a silence."""
    task = json.loads(os.environ.get("TF_CONFIG", "{}")).get("task", "alone")
    def say(what, step):
        faulthandler.dump_traceback_later(seconds)  # each call begins anew
        print(f"{time.time():.3f} {task} {what} {step}", flush=True)
    faulthandler.register(signal.SIGUSR1)
    say("waits for step", 0)
    return tf.keras.callbacks.LambdaCallback(
        on_train_batch_begin=lambda batch, logs: say("enters step", batch),
        on_train_batch_end=lambda batch, logs: say("has made step", batch),
        on_train_end=lambda logs: faulthandler.cancel_dump_traceback_later(),
    )


# notebook 18
def late(folder, seconds=60):
    """Return name -> age of each process that made no step for `seconds`."""
    now = time.time()
    files = sorted(Path(folder).iterdir())
    ages = {file.name: round(now - file.stat().st_mtime) for file in files}
    return {name: age for name, age in ages.items() if age > seconds}


# notebook 20
def read_together(variables):
    """Return the names of variables that all workers must read, and save, together."""
    names = [getattr(each, "path", each.name) for each in variables]
    how = [str(each.synchronization).lower() for each in variables]
    pairs = zip(names, how, strict=True)
    return [name for name, kind in pairs if "on_read" in kind]


# notebook 13
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
