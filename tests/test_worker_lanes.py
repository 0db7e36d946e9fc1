"""Lanes of processes: who stands where, at the end and at any moment before."""

import pytest

from course.pictures.parts import at_moment
from course.pictures.worker_lanes import worker_lanes
from course.runs.cluster import Beat, ClusterRun, End

CALL = ("train", 12, "total = strategy.run(step)")
SLEEP = ("train", 11, "time.sleep(0.3)")


def end(name, outcome, steps, *, error="", last=SLEEP):
    beats = [Beat(0.5 * step, (SLEEP,), {"step": step}) for step in range(steps)]
    facts, waits = beats[-1].facts if beats else {}, outcome == "waited"
    beats.append(Beat(0.5 * steps, (last,), facts))
    if waits:
        beats.append(Beat(0.5 * steps + 0.5, (CALL,), facts, "TensorFlow"))
    return End(name, outcome, None, error, (), tuple(beats), "")


def bars(picture):
    """Return the lines of the bars of steps, without the covers of the film."""
    with at_moment(picture.figure, len(picture.moments) - 1):
        patches = picture.figure.axes[0].patches
        return [p.get_linestyle() for p in patches if p.get_visible()]


@pytest.mark.parametrize(
    ("outcome", "error", "words"),
    [
        ("left", "", "ends by itself"),
        ("killed", "", "is killed"),
        ("raised", "UnavailableError", "stops with UnavailableError"),
        ("returned", "", "is done"),
    ],
)
def test_the_one_that_stands_and_the_one_it_waits_for(outcome, error, words):
    waits = end("worker 0", "waited", 5, last=CALL)
    run = ClusterRun((waits, end("worker 1", outcome, 4, error=error)), 6.0)
    picture = worker_lanes(run)
    place = "inside TensorFlow, called from train, line 12: total = strategy.run(step)"
    assert picture.sentence == f"worker 0 waits {place}; worker 1 {words}."
    assert list(picture.rows[0]) == ["worker 0", "4", f"waits {place}"]
    assert bars(picture).count("--") == 1 and len(bars(picture)) == 9


def test_a_moment_before_shows_what_was_known_then():
    run = ClusterRun((end("worker 0", "waited", 5), end("worker 1", "left", 4)), 6.0)
    picture = worker_lanes(run)
    assert picture.moments[2] == "0.6 s" and len(picture.said) == len(picture.moments)
    assert "is in train, line 11: time.sleep(0.3)" in picture.said[2]
    assert "waits" not in picture.said[2] and "waits" in picture.said[-1]
    # worker 1 left after 2 s: from then on, no line of it is shown
    assert "worker 1 is in train" in picture.said[6]
    assert "worker 1 ends by itself" in picture.said[7]
    (axis,) = picture.figure.axes
    with at_moment(picture.figure, 2):
        covers = [p for p in axis.patches if p.get_visible() and p.get_height() == 9]
        words = [t.get_text() for t in axis.texts if t.get_visible()]
    assert [cover.get_x() for cover in covers] == [pytest.approx(0.6)]
    assert not any("waits" in word for word in words)


def test_a_process_that_never_began_and_too_many():
    never = End("worker 0", "waited", None, "", (), (), "")
    assert "waits" in worker_lanes(ClusterRun((never,), 4.0)).sentence
    with pytest.raises(ValueError, match="up to four"):
        worker_lanes(ClusterRun((never,) * 5, 4.0))


def test_a_run_that_goes_on_is_drawn_as_far_as_it_is():
    going, halted = end("worker 0", "running", 3), end("worker 1", "halted", 2)
    picture = worker_lanes(ClusterRun((going, halted), 1.5))
    assert picture.sentence == (
        "worker 0 is in train, line 11: time.sleep(0.3); worker 1 is halted in train, "
        "line 11: time.sleep(0.3)."
    )
    assert bars(picture).count("--") == 2


def test_a_step_ends_when_it_was_left_and_time_begins_with_the_first():
    beats = (
        Beat(2.0, (SLEEP,), {"step": 0}),
        Beat(2.5, (SLEEP,), {"step": 0, "left": 0}),
    )
    done = End("worker 0", "returned", None, "", (), (*beats, Beat(4.0, (), {})), "")
    (axis,) = worker_lanes(ClusterRun((done,), 5.0)).figure.axes
    bar = axis.patches[0]
    assert (bar.get_x(), bar.get_width()) == (0.0, 0.5)


def test_two_runs_stand_side_by_side():
    waits = ClusterRun((end("worker 0", "waited", 5, last=CALL),), 6.0)
    done = ClusterRun((end("worker 0", "returned", 5),), 3.0)
    picture = worker_lanes(waits, done, titles=["before", "after"])
    before, after = picture.figure.axes
    assert before.get_xlim() == after.get_xlim()
    assert [each.get_title("left") for each in (before, after)] == ["before", "after"]
    assert picture.sentence.endswith("after: worker 0 is done.")
    assert [row[0] for row in picture.rows] == ["before", "after"]


def test_what_stands_under_a_lane_stays_in_its_own_half():
    waits = ClusterRun((end("worker 0", "waited", 5, last=CALL),), 6.0)
    figure = worker_lanes(waits, waits, titles=["before", "after"]).figure
    with at_moment(figure, 20):
        figure.canvas.draw()
        left, right = figure.axes
        for axis in (left, right):
            words = [
                t for t in axis.texts if t.get_visible() and "waits" in t.get_text()
            ]
            (wide,) = (t.get_window_extent().width for t in words)
            assert wide < right.bbox.x0 - left.bbox.x0
            labelled = axis.xaxis.label.get_window_extent()
            assert labelled.x0 > 0 and labelled.x1 < figure.bbox.x1
