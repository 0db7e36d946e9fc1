"""Figures say one thing, at a readable size, without overlapping text."""

import html
import re
from itertools import pairwise

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text
from test_name_joins import half_joined, restoration
from test_start_paths import run as from_starts

from course import pictures
from course.cluster import Beat, End
from course.exercises import find_prediction
from course.figures.device_rows import device_rows
from course.figures.divergence import divergence
from course.figures.encoding_errors import encoding_errors
from course.figures.example_bars import example_bars
from course.figures.id_grid import id_grid, small_id_grids
from course.figures.job_views import job_views
from course.figures.lanes import lanes
from course.figures.late_gradients import late_gradients
from course.figures.loss_curves import loss_curves
from course.figures.mask_stripes import mask_stripes
from course.figures.memory_curve import memory_curve
from course.figures.name_joins import name_joins
from course.figures.same_loss import same_loss
from course.figures.start_paths import start_paths
from course.figures.step_counter import step_counter
from course.figures.step_latency import step_latency
from course.figures.tick_table import tick_table
from course.figures.timeline import timeline
from course.figures.weights_plane import weights_plane
from course.figures.worker_reads import worker_reads
from course.jobs.delayed_training import DelayedRun
from course.jobs.epochs import Epoch
from course.jobs.job_record import JobRecord, StepSeen, Task
from course.jobs.lost_processes import Life, LostRun
from course.jobs.masks import MaskRecording
from course.jobs.memory_limit import StepMemory
from course.jobs.placed_training import PlacedRun
from course.jobs.placement import Work
from course.jobs.schedules import Event, Interleaving
from course.jobs.spans import Span, Timeline
from course.jobs.stepping import (
    Job,
    descend,
    each,
    follow,
    mean_gradient,
    mean_of_means,
    sum_over_rows,
)
from course.jobs.worker_input import Reading
from course.jobs.worker_training import WorkerRun
from course.jobs.workloads import regression
from course.lessons.n02_replicas_drift_apart.even_shards import EVEN
from course.pictures import Picture, png, show
from course.recording import Recording

JOB = Job(regression(24), 8, 4)


def own(copies, shards):
    return descend(copies, each(mean_gradient, copies, shards))


def averaged(copies, shards):
    return descend(copies, each(mean_gradient, copies, shards).mean(axis=0))


RIGHT = follow(averaged, JOB, "my_step")
BROKEN = follow(own, JOB, "broken_step")
SEQUENTIAL = Recording("sequential", RIGHT.copies[:, :1])


def row_weights(counts, *rules):
    """Bars for runs of these rules, the last step of an epoch split into `counts`."""
    job = Job(regression(8 + sum(counts)), 8, len(counts))
    truth = follow(sum_over_rows, Job(job.rows, 8, 1), "sequential")
    runs = [follow(rule, job, rule.__name__) for rule in rules]
    right = [np.full(n, 1 / sum(counts)) for n in counts]
    wrong = [np.full(n, 1 / (len(counts) * max(n, 1))) for n in counts]
    weights = {
        run.label: right if run.label == "sum_over_rows" else wrong for run in runs
    }
    return example_bars(truth, runs, weights, step=2)


def stripes(labels, counts=(2, 2, 2, 2)):
    """Masks of one step on one device and on replicas, other ones for half the rows."""
    rng = np.random.default_rng(3)
    ids = tuple(range(sum(counts)))
    masks = (rng.random((len(ids), 16)) < 0.75).astype(float)
    other = masks.copy()
    other[::2] = 1 - other[::2]
    cuts = np.cumsum(counts)[:-1]
    shards = tuple(tuple(part.tolist()) for part in np.split(np.array(ids), cuts))
    pairs = []
    for label in labels:
        drawn = masks if label == "my_mask" else other
        one = MaskRecording(label, ((ids,),), ((masks,),))
        many = MaskRecording(label, (shards,), (tuple(np.split(drawn, cuts)),))
        pairs.append((one, many))
    return mask_stripes(*pairs)


SOURCES = find_prediction("04")


def interleaving(label, final, *steps, done=True):
    """Two threads that add 1 and 10; a step is (thread, kind, value)."""
    events = tuple(Event(*step) for step in steps)
    return Interleaving(label, 2, (1.0, 10.0), 0.0, events, final, (done, done))


R0, R1, NAN = (0, "read", 0.0), (1, "read", 0.0), float("nan")
CROSSED = interleaving("crossed", 10.0, R0, R1, (0, "write", 1.0), (1, "write", 10.0))
IN_TURN = interleaving(
    "in turn", 11.0, R0, (0, "write", 1.0), (1, "read", 1.0), (1, "write", 11.0)
)
ADDED = interleaving("added", 11.0, R0, R1, (1, "add", 10.0), (0, "add", 11.0))
POOLED = interleaving("pooled", 11.0, R0, R1, (-1, "add", 11.0))
LOCKED = interleaving(
    "my_update",
    11.0,
    R0,
    (1, "waits", NAN),
    R0,
    (1, "waits", NAN),
    (0, "write", 1.0),
    (1, "read", 1.0),
    (1, "read", 1.0),
    (1, "write", 11.0),
)
NOISE = np.geomspace(1e-8, 1e-2, 300)


def epoch(label, steps, rows, batch):
    return Epoch(label, rows, batch, tuple(tuple(map(tuple, step)) for step in steps))


def cut(rows, batch):
    return [range(rows)[i : i + batch] for i in range(0, rows, batch)]


ALONE = epoch("one device", [[part] for part in cut(22, 8)], 22, 8)
PLAIN = epoch("broken_stages", [[part] * 4 for part in cut(22, 8)], 22, 8)
SHARED = epoch(
    "my_stages",
    [[part[2 * r : 2 * r + 2] for r in range(4)] for part in cut(22, 8)],
    22,
    8,
)
TEN = epoch("one device", [[part] for part in cut(10, 4)], 10, 4)
TAIL = epoch("B: next inside run", [cut(10, 4)[:2]], 10, 4)
TWICE = epoch("A: plain batches", [[part] * 2 for part in cut(10, 4)], 10, 4)
MIXED = epoch("own shuffles", [((3, 1), (1, 4)), ((3, 3), (3,))], 10, 4)
EMPTY = epoch("no step", [], 10, 4)


def in_stages(micro_batches, label):
    """Four stages, the forward and backward passes of the micro-batches."""
    long, last = 0.4 / micro_batches, micro_batches + 3
    spans = [
        Span(f"stage {s}", at * long, (at + 1) * long, str(m + 1), kind)
        for m in range(micro_batches)
        for s in range(4)
        for at, kind in ((m + s, "forward"), (last + m + 3 - s, "backward"))
    ]
    return Timeline(label, tuple(f"stage {s}" for s in range(4)), tuple(spans))


def steps_of_replicas(label, apart):
    """Three steps of four replicas, which begin `apart` seconds after each other."""
    lanes = tuple(f"replica {r}" for r in range(4))
    spans = [
        Span(lanes[r], begin, begin + 0.05, str(step + 1))
        for step in range(3)
        for r in range(4)
        for begin in (step * (4 * apart + 0.06) + r * apart,)
    ]
    return Timeline(label, lanes, tuple(spans))


def step_memory(label, rows, limit=None, layers=None, gradients=(1.0, 2.0), size=15):
    """A step that takes two blocks for each layer and gives back one of them."""
    used, names = [], []
    for k in range(layers or 8):
        share = size * rows / 60_000
        used += [(k + 1) * share, (k + 2) * share, (k + 1) * share]
        names += [f"layer {k + 1}: {what}" for what in ("matmul", "tanh", "freed")]
    backward = () if layers else range(8, 1, -1)
    used += [k * size * rows / 60_000 for k in backward]
    names += [f"layer {k}: backward" for k in backward]
    failed = {"asked": size, "held": used[-1], "error": "ResourceExhaustedError: OOM"}
    found = {"gradients": np.array(gradients, np.float32)}
    return StepMemory(
        label,
        limit,
        tuple(names),
        (rows,) * len(used),
        tuple(used),
        **(failed if layers else found),
    )


WHOLE = step_memory("broken_gradients", 60_000)
FAILS = step_memory("broken_gradients", 60_000, 80, 5)
FITS = step_memory("my_gradients", 16_000, 80)
AT_ONCE = StepMemory("my_gradients", 80, (), (), (), 300.0, 0.0, "MemoryError: no")
DEVICES = ("CPU:0", "CPU:1", "CPU:2", "CPU:3")
ONE = Recording("sequential", RIGHT.copies[:2, :1], (((0,) * 16,),), ((16,),))


def two_workers(shared, off):
    """Two workers in 18 steps, on the same rows or not, `off` from one device."""
    cuts = ((0, 4), (0, 4) if shared else (4, 8))
    ids = tuple(tuple(tuple(range(40 + a, 40 + b)) for a, b in cuts) for _ in range(18))
    truth = np.zeros((19, 2))
    copies = (
        np.repeat(truth[:, None], 2, axis=1) + off * (np.arange(19) > 0)[:, None, None]
    )
    label = "broken_dataset" if shared else "my_dataset"
    run = Recording(label, copies, ids)
    return WorkerRun(run, (6, 6, 6), truth, [], Reading(regression(48), 8, 5))


def placed(label, rows, *places, off=0.0):
    """A run of one step that multiplies so many rows at each of these places."""
    works = [Work(0, p, p, rows, way) for p in places for way in (True, False)]
    weights = np.repeat(ONE.copies[-1], 4, axis=0) + off
    return PlacedRun(label, DEVICES, tuple(works), weights, DEVICES, 1)


ALL_ON_ONE = placed("broken_train", 16, "CPU:0")
SHARED_OUT = placed("my_train", 4, *DEVICES)


def by_batches(batch, label, rate=0.1):
    """One device on 64 rows, four epochs, computed in NumPy."""
    job = Job(regression(64), batch, 1, 256 // batch)
    run = follow(
        lambda copies, shards: copies - rate * each(mean_gradient, copies, shards),
        job,
        label,
    )
    return run


def delayed(label, messages, milliseconds):
    """Two workers, three steps at each of four delays; 4.4 round trips a message."""
    delays = (0.0, 0.0025, 0.005, 0.01)
    medians = [1e-3 * milliseconds + 4.4 * messages * delay for delay in delays]
    seconds = np.array(medians)[:, None, None] * np.ones((4, 2, 3))
    weights = np.zeros((2, 4))
    return DelayedRun(label, delays, seconds, (messages,) * 4, weights, weights[0])


def lost_run(label, name, *lives, end="returned", off=0.0):
    """A job of these (first, last) steps; a process is lost in step 28."""
    made, at = [], 0.0
    for first, last in lives:
        begun = tuple((at + 0.05 * k, step) for k, step in enumerate(range(first, 40)))
        begun = begun[: last - first + 1]
        outcome = end if (first, last) == lives[-1] else "raised"
        facts = {"failed": "UnavailableError"} if outcome == "raised" else {}
        state = np.full((2, 2), off) if outcome == "returned" else None
        beats = (Beat(0.0, (), facts),)
        told = End("chief 0", outcome, state, "StepFailed", (), beats, (), "")
        gone = None if made else (0.05 * 28, name)
        made.append(Life(begun, gone, told, ("worker 0",), begun[-1][0]))
        at = begun[-1][0] + 1.0
    return LostRun(label, tuple(made), np.zeros((2, 2)))


MANY, FEW = delayed("broken_all_reduce", 16.0, 40), delayed("my_all_reduce", 1.0, 5)
EIGHT, THIRTY_TWO = by_batches(8, "one device, batch 8"), by_batches(32, "batch 32")


def job_record(steps, parts, copies=1, weight=0.0, ended=True):
    """A job of so many steps of 2 rows a part; each row used `copies` times."""
    task = Task(regression(2 * parts * steps - 1), 2 * parts, parts)
    seen = []
    for batch in task.batches:
        shares = [tuple(shard.ids.tolist()) for shard in batch.shards(parts)]
        rows = tuple(shares if copies == 1 else [sum(shares, ())] * parts)
        seen.append(StepSeen(rows, tuple(f"CPU:{r}" for r in range(parts)), 0, 0))
    weights = np.repeat(task.weights[:, None], parts, 1)
    weights[-2:, 0] += weight
    return JobRecord(task, seen, weights if ended else weights[:-1], ended)


PICTURES = {
    "on a line": lambda: loss_curves(
        [EIGHT, THIRTY_TWO],
        [by_batches(32, "broken_plan, 4 replicas"), by_batches(8, "my_plan")],
        regression(64),
    ),
    "a loss that leaves the figure": lambda: loss_curves(
        [EIGHT, THIRTY_TWO], [by_batches(64, "batch 64, rate 1.6", 1.6)], regression(64)
    ),
    "one device works": lambda: device_rows(ONE, ALL_ON_ONE),
    "work before and after": lambda: device_rows(ONE, ALL_ON_ONE, SHARED_OUT),
    "shares on one device": lambda: device_rows(
        ONE, placed("pinned", 4, *["CPU:0"] * 4)
    ),
    "work elsewhere": lambda: device_rows(ONE, placed("my_train", 8, "GPU:0", "CPU:1")),
    "no work, other weights": lambda: device_rows(ONE, placed("my_train", 4, off=0.3)),
    "out of memory": lambda: memory_curve(WHOLE, FAILS),
    "out of memory, then fits": lambda: memory_curve(WHOLE, FAILS, FITS),
    "out of memory twice": lambda: memory_curve(WHOLE, FAILS, FAILS),
    "fails before the first layer": lambda: memory_curve(WHOLE, FAILS, AT_ONCE),
    "fits, other gradients": lambda: memory_curve(
        WHOLE, FAILS, step_memory("my_gradients", 16_000, 80, gradients=(1.0, 9.0))
    ),
    "fits, no gradients": lambda: memory_curve(
        WHOLE, FAILS, step_memory("my_gradients", 16_000, 80, gradients=())
    ),
    "fails late": lambda: memory_curve(
        WHOLE, FAILS, step_memory("my_gradients", 60_000, 80, 8)
    ),
    "spans in turn, and at once": lambda: timeline(
        steps_of_replicas("broken_train", 0.06), steps_of_replicas("my_train", 0.0)
    ),
    "nothing ran": lambda: timeline(Timeline("broken", ("CPU:0", "CPU:1"), ())),
    "four pipelines": lambda: timeline(
        *(in_stages(m, f"{m} micro-batches") for m in (1, 2, 4, 8)),
        idle=True,
        tell=lambda run: f"{run.idle:.0%} idle",
    ),
    "workers read the same rows": lambda: worker_reads(two_workers(True, 0.4)),
    "workers before and after": lambda: worker_reads(
        two_workers(True, 0.4), two_workers(False, 0.0)
    ),
    "workers, nothing mended": lambda: worker_reads(
        two_workers(True, 0.4), two_workers(False, 0.2)
    ),
    "workers begin apart": lambda: start_paths(from_starts("broken_sync", 1.1)),
    "workers begin apart, then equal": lambda: start_paths(
        from_starts("broken_sync", 1.1), from_starts("my_sync")
    ),
    "workers begin the other way round": lambda: start_paths(
        from_starts("broken_sync", -0.9), from_starts("my_sync", -0.9)
    ),
    "workers agree on other weights": lambda: start_paths(
        from_starts("broken_sync", 1.1), from_starts("my_sync", off=0.5)
    ),
    "names joined in part": lambda: name_joins(half_joined()),
    "names refused, then joined": lambda: name_joins(
        restoration("my_restore", "ws", ["s", "weights"], refusal="w, weights"),
        restoration("my_restore", "ws", "ws", joined="ws"),
    ),
    "five names joined, and none": lambda: name_joins(
        restoration("broken_restore", "abcde", "abcde", joined="abcde"),
        restoration("my_restore", "abc", ["weights", "step"]),
    ),
    "ways to write numbers": lambda: encoding_errors(
        {
            "float16": lambda numbers: numbers.astype("float16"),
            "bfloat16": lambda numbers: numbers * 1.004,
            'f"{number:f}"': lambda numbers: numbers.round(6),
            "int8, one scale": lambda numbers: (numbers / 8e3).round() * 8e3,
        }
    ),
    "one exact way": lambda: encoding_errors({"exact": np.copy}),
    "a healthy job": lambda: job_views(job_record(9, 4)),
    "a job that reads rows twice": lambda: job_views(job_record(15, 4, copies=4)),
    "a job that hangs": lambda: job_views(job_record(7, 2, ended=False)),
    "a job that ends in NaN": lambda: job_views(job_record(9, 3, weight=np.nan)),
    "jobs that lose a process": lambda: step_counter(
        lost_run("(1) servers", "worker 1", (0, 39)),
        lost_run("(2) servers", "ps 0", (0, 28), end="raised"),
        lost_run("(3) mirrored", "worker 0", (0, 28), end="raised"),
    ),
    "steps made again": lambda: step_counter(
        lost_run("broken_resumable", "ps 0", (0, 28), (0, 39), off=0.36),
        lost_run("my_resumable", "ps 0", (0, 28), (20, 39)),
    ),
    "a job that waits": lambda: step_counter(
        lost_run("servers", "ps 0", (0, 28), end="waited")
    ),
    "many messages": lambda: step_latency(MANY),
    "many messages and few": lambda: step_latency(MANY, FEW),
    "messages, nothing mended": lambda: step_latency(
        MANY, delayed("my_all_reduce", 16.0, 41)
    ),
    "one grid": lambda: id_grid(TEN, TWICE),
    "grids before and after": lambda: id_grid(ALONE, PLAIN, SHARED),
    "a grid without a step": lambda: id_grid(TEN, EMPTY, MIXED),
    "small grids": lambda: small_id_grids(TEN, [TWICE, TAIL, MIXED, EMPTY, TWICE]),
    "one run": lambda: weights_plane(SEQUENTIAL, BROKEN),
    "a right run": lambda: weights_plane(SEQUENTIAL, RIGHT),
    "before and after": lambda: weights_plane(SEQUENTIAL, BROKEN, RIGHT),
    "first step": lambda: weights_plane(SEQUENTIAL, BROKEN, step=1),
    "start": lambda: weights_plane(SEQUENTIAL, BROKEN, step=0),
    "noise": lambda: divergence({"broken_step": np.full(300, 0.3), "right": NOISE}),
    "gap": lambda: same_loss({n: (4.7, np.array([0.1 * (n == 4)])) for n in (1, 2, 4)}),
    "a lone row": lambda: row_weights((2, 1), mean_of_means),
    "an empty replica": lambda: row_weights((1, 0), mean_of_means),
    "equal rows": lambda: row_weights((1, 1, 1, 0), mean_of_means, sum_over_rows),
    "other masks": lambda: stripes(["broken_mask"]),
    "masks before and after": lambda: stripes(["broken_mask", "my_mask"]),
    "masks, nothing mended": lambda: stripes(["broken_mask", "my_mask as shipped"]),
    "a replica without rows": lambda: stripes(["broken_mask"], (3, 3, 2, 0)),
    "sources": lambda: tick_table(SOURCES.columns, SOURCES.rows, {}),
    "sources, as predicted": lambda: tick_table(
        SOURCES.columns, SOURCES.rows, dict.fromkeys(SOURCES.rows, (True, False))
    ),
    "two orders": lambda: lanes(IN_TURN, CROSSED),
    "lost, then added": lambda: lanes(CROSSED, ADDED),
    "lost, then locked": lambda: lanes(CROSSED, LOCKED),
    "lost, then pooled": lambda: lanes(CROSSED, POOLED),
    "nothing done yet": lambda: lanes(interleaving("start", 0.0, R0, done=False)),
    "old gradients": lambda: late_gradients(
        {
            "5% under, 3 steps old": np.geomspace(1, 0.05, 301),
            "5% over, 3 steps old": np.geomspace(1, 20, 301),
            "5% over, not old": np.geomspace(1, 1e-9, 301),
        }
    ),
    "no gap": lambda: same_loss({n: (4.7, np.array([0.0])) for n in (1, 2, 4)}),
}


def written(figure):
    """All text of a figure that is drawn: (words, points, box in pixels)."""
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    outside = {
        id(label)
        for axes in figure.axes
        for axis in (axes.xaxis, axes.yaxis)
        for tick in (*axis.get_major_ticks(), *axis.get_minor_ticks())
        for label in (tick.label1, tick.label2)
        if not min(axis.get_view_interval())
        <= tick.get_loc()
        <= max(axis.get_view_interval())
    }
    texts = [
        t
        for t in figure.findobj(Text)
        if t.get_visible() and t.get_text() and id(t) not in outside
    ]
    return [(t.get_text(), t.get_fontsize(), Text.get_window_extent(t)) for t in texts]


@pytest.mark.parametrize("name", PICTURES)
def test_a_figure_fits_its_screen_and_can_be_read(name):
    picture = PICTURES[name]()
    width, height = picture.figure.get_size_inches()
    assert width <= 10 and height <= 3.5
    page = picture.figure.bbox
    texts = written(picture.figure)
    for words, points, box in texts:
        assert points >= 11, words
        assert box.x0 >= -1 and box.x1 <= page.x1 + 1, f"{words!r} is cut off"
        assert box.y0 >= -1 and box.y1 <= page.y1 + 1, f"{words!r} is cut off"
    for i, (first, _, a) in enumerate(texts):
        for second, _, b in texts[i + 1 :]:
            # the boxes hold some air, so half a pixel more must be shared
            wide = min(a.x1, b.x1) - max(a.x0, b.x0)
            tall = min(a.y1, b.y1) - max(a.y0, b.y0)
            assert wide <= 1 or tall <= 1, f"{first!r} lies on {second!r}"


@pytest.mark.parametrize("name", PICTURES)
def test_a_figure_has_one_sentence_and_a_table(name, monkeypatch):
    shown = []
    monkeypatch.setattr(pictures, "display", lambda html: shown.append(html.data))
    picture = PICTURES[name]()
    assert picture.sentence.endswith(".") and len(picture.sentence.split()) < 60
    show(picture)
    show(picture, as_text=True)
    assert f"<p>{html.escape(picture.sentence)}</p>" in shown[0]
    assert "data:image/png" in shown[0] and "data:image/png" not in shown[1]
    assert len(re.findall("<tr>", shown[1])) == len(picture.rows) + 1
    assert all(len(row) == len(picture.header) for row in picture.rows)


def test_the_same_recording_gives_the_same_picture():
    assert png(PICTURES["one run"]()) == png(PICTURES["one run"]())


def test_the_step_changes_the_picture():
    assert png(PICTURES["one run"]()) != png(PICTURES["first step"]())


def test_the_sentence_tells_drift_from_agreement():
    assert "differ by up to" in PICTURES["one run"]().sentence
    assert "equal the sequential run" in PICTURES["a right run"]().sentence
    assert "agree too" in PICTURES["no gap"]().sentence
    assert "4 of 8 rows have another mask" in PICTURES["other masks"]().sentence
    assert "; my_mask: on 4 replicas, 0 of 8" in (
        PICTURES["masks before and after"]().sentence
    )
    assert "new at each step? yes for 4 of 6" in PICTURES["sources"]().sentence
    assert "with 1/4, 1/4, 1/2; right is 1/3 each" in PICTURES["a lone row"]().sentence
    assert "with 1/2; right is 1." in PICTURES["an empty replica"]().sentence
    assert "with 1/3 each, as one device" in PICTURES["equal rows"]().sentence
    assert "write of 1 is overwritten unseen" in PICTURES["two orders"]().sentence
    assert "my_update: the variable ends at 11." in (
        PICTURES["lost, then locked"]().sentence
    )
    assert "differ on 4 devices" in PICTURES["gap"]().sentence
    words = PICTURES["many messages and few"]().sentence
    assert "broken_all_reduce takes 16 messages a step; a step lasts 40 ms w" in words
    assert "my_all_reduce takes 1 message a step; a step lasts 5 ms without" in words
    words = PICTURES["steps made again"]().sentence
    assert (
        "broken_resumable: ps 0 lost; 29 steps made again; all 40 steps, wei" in words
    )
    assert "my_resumable: ps 0 lost; 9 steps made again; all 40 steps, the rig" in words
    words = PICTURES["jobs that lose a process"]().sentence
    assert "(1) servers: worker 1 lost; all 40 steps, the right weights." in words
    assert "(2) servers: ps 0 lost; ends in step 28, UnavailableError." in words
    words = PICTURES["a job that waits"]().sentence
    assert words == "servers: ps 0 lost; waits in step 28, for ever."
    words = PICTURES["work before and after"]().sentence
    assert "CPU:0 multiplies 16 rows forward and 16 for the gradient, the oth" in words
    assert "and CPU:3 each multiply 4 rows forward and 4 for the gradient; all" in words
    words = PICTURES["no work, other weights"]().sentence
    assert "no multiplication was seen; weights differ from those" in words
    words = PICTURES["out of memory, then fits"]().sentence
    assert "75 MB are taken and 15 more are asked for at layer 6, matmul" in words
    assert "up to 16,000 rows at a time and 36 MB fit" in words
    assert "gradients as of all rows at once (largest difference 0e+00)" in words
    assert "off by up to 7" in PICTURES["fits, other gradients"]().sentence
    assert "not one finite gradient" in PICTURES["fits, no gradients"]().sentence


def test_a_grid_says_what_is_repeated_and_what_is_missing():
    words = PICTURES["grids before and after"]().sentence
    assert "broken_stages: all 22 rows seen 4 times" in words
    assert "my_stages: each row once, in the same step as on one device" in words
    words = PICTURES["small grids"]().sentence
    assert "B: next inside run: rows 8, 9 never seen" in words
    assert (
        "own shuffles: rows 1, 3 seen up to 4 times, 7 of 10 rows never seen" in words
    )
    assert "no step: all 10 rows never seen" in words


def test_loss_curves_say_on_which_line_a_run_lies():
    said = PICTURES["on a line"]().sentence
    assert "broken_plan, 4 replicas lies on batch 32 at every step" in said
    assert "my_plan lies on one device, batch 8 at every step" in said
    assert "lies on no line" in PICTURES["a loss that leaves the figure"]().sentence


def test_bad_input_gets_a_sentence():
    with pytest.raises(ValueError, match="step goes from 0 to 10, not 11"):
        weights_plane(SEQUENTIAL, BROKEN, step=11)
    with pytest.raises(ValueError, match="one or two runs of 10 steps"):
        weights_plane(SEQUENTIAL)
    with pytest.raises(ValueError, match="no weights are given for the run"):
        example_bars(SEQUENTIAL, [BROKEN], {}, step=1)
    with pytest.raises(ValueError, match="one or two runs on the same 22 rows"):
        id_grid(ALONE, TWICE)
    with pytest.raises(ValueError, match="up to five runs on the same 10 rows"):
        small_id_grids(TEN, [])
    with pytest.raises(ValueError, match="one or two runs with a limit, not 0"):
        memory_curve(WHOLE)
    with pytest.raises(ValueError, match="one of them has none"):
        memory_curve(WHOLE, WHOLE)
    with pytest.raises(ValueError, match="one or two runs, not 0"):
        lanes()
    with pytest.raises(ValueError, match="one or two runs on the same devices"):
        device_rows(ONE)
    with pytest.raises(ValueError, match="one or two runs, of two workers each"):
        worker_reads()
    with pytest.raises(ValueError, match="one or two runs over the same delays"):
        step_latency()
    with pytest.raises(ValueError, match="one to 3 jobs, not 0"):
        step_counter()
    with pytest.raises(TypeError, match="show takes a picture"):
        show(SEQUENTIAL)
    with pytest.raises(ValueError, match="copies needs the shape"):
        Recording("flat", np.zeros((3, 2)))


@pytest.mark.parametrize("seed", range(5))
def test_labels_stay_apart_for_other_rows(seed):
    rng = np.random.default_rng(seed)
    for job in EVEN.cases(rng):
        truth = follow(averaged, job)
        run = follow(own, job, "broken_step")
        picture = weights_plane(Recording("sequential", truth.copies[:, :1]), run)
        assert isinstance(picture, Picture)
        labels = [
            box for words, _, box in written(picture.figure) if "replica" in words
        ]
        labels.sort(key=lambda box: box.y0)
        assert all(low.y1 <= high.y0 + 1 for low, high in pairwise(labels))
