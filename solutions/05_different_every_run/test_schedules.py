"""Threads that take their steps in order, meet, and never outlive the call."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
import tensorflow as tf

from course.checks.failures import StepFailed
from course.lessons.n05_different_every_run.meeting import meet
from course.lessons.n05_different_every_run.own_threads import in_threads
from course.lessons.n05_different_every_run.playing import (
    Ends,
    describe,
    lock_around_the_write,
    no_lock,
    print_schedule,
    run,
)
from course.lessons.n05_different_every_run.schedules import (
    CALLER,
    NoSuchStep,
    losing,
    run_schedule,
)
from course.lessons.n05_different_every_run.turns import Turns
from course.lessons.n05_different_every_run.watched import watched_variable

pytestmark = pytest.mark.usefixtures("devices")  # before TensorFlow starts


def start_and_join(one, deltas):
    threads = [threading.Thread(target=one, args=(d,)) for d in deltas]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def unprotected(var, deltas, work):
    def one(delta):
        value = var.numpy()
        var.assign(value + work(value, delta))

    start_and_join(one, deltas)


def locked(var, deltas, work):
    lock = threading.Lock()

    def one(delta):
        added = work(var.numpy(), delta)
        with lock:
            var.assign(var + added)

    start_and_join(one, deltas)


def adding(var, deltas, work):
    start_and_join(lambda delta: var.value.assign_add(work(var.numpy(), delta)), deltas)


def pooled(var, deltas, work):
    with ThreadPoolExecutor() as pool:
        var.value.assign_add(sum(pool.map(lambda d: work(var.numpy(), d), deltas)))


def waiting_for_itself(var, deltas, work):
    lock = threading.Lock()

    def one(delta):
        with lock, lock:
            var.value.assign_add(delta)

    start_and_join(one, deltas)


def misspelt(var, deltas, work):
    start_and_join(lambda delta: var.asign_add(delta), deltas)


def steps(run):
    return [(e.thread, e.kind) for e in run.events]


def test_a_schedule_is_followed_as_far_as_it_goes():
    assert run_schedule(unprotected, ()).events == ()
    run = run_schedule(unprotected, (1, 0, 1))
    assert steps(run) == [(1, "read"), (0, "read"), (1, "write")]
    assert (run.final, run.done) == (10.0, (False, True))


def test_finish_takes_what_is_left_and_passes_over_what_waits():
    assert run_schedule(unprotected, (0, 1), finish=True).final == 10.0
    run = run_schedule(locked, (0, 1, 0, 1), finish=True)
    assert run.final == 11.0 and (1, "waits") in steps(run)
    run = run_schedule(pooled, (0, 1, 0, 1), finish=True)
    # a thread of the pool lives on for a moment, and may be seen to wait for work
    done = [step for step in steps(run) if step[1] != "waits"]
    assert run.final == 11.0 and done[-1] == (CALLER, "add")


def test_a_step_that_does_not_exist_is_named():
    with pytest.raises(NoSuchStep, match=r"step 2 .* is for thread 0, which"):
        run_schedule(unprotected, (0, 0, 0))
    with pytest.raises(NoSuchStep, match="thread 5"):
        run_schedule(unprotected, (5,))


def test_threads_do_not_outlive_the_call_and_errors_name_their_line():
    before = threading.active_count()
    run_schedule(unprotected, (0,))
    with pytest.raises(StepFailed, match=r"NeverEnds.*with lock, lock:"):
        run_schedule(waiting_for_itself, (0, 1), finish=True)
    with pytest.raises(StepFailed, match=r"asign_add.*In your code: line 2"):
        run_schedule(misspelt, (0, 1), finish=True)
    # the two that wait for themselves are daemons, and stay
    left = [t for t in threading.enumerate() if t.is_alive()][before:]
    assert all(thread.daemon for thread in left)


def test_a_write_over_an_unseen_one_is_told_from_one_that_was_seen():
    assert losing(run_schedule(unprotected, (0, 1, 0, 1)).events) == {3: 1.0}
    assert losing(run_schedule(unprotected, (0, 0, 1, 1)).events) == {}
    assert losing(run_schedule(adding, (0, 1, 0, 1)).events) == {}


def test_a_watched_variable_is_held_back_inside_a_function_too():
    kinds = []
    for _ in range(2):  # traced once, used with two variables
        variable, watch = watched_variable(1.0, kinds.append)
        add_one_to(variable)
        assert [access.kind for access in watch.accesses] == ["write"]
        assert variable.numpy() == 2.0
    assert kinds == ["write", "read"] * 2


@tf.function
def add_one_to(variable):
    variable.assign(variable + 1.0)


def test_meeting_shows_what_luck_would_hide():
    added, order = (2.0, 30.0, 400.0), (2, 0, 1)
    seen = meet(unprotected, 0.5, (1.0, 10.0, 100.0), added, order)
    assert (seen.final, seen.met, seen.threads) == (30.5, 3, 3)
    for update in (adding, locked, pooled):
        seen = meet(update, 0.5, (1.0, 10.0, 100.0), added, order)
        assert (seen.final, seen.met, seen.unfinished) == (432.5, 3, 0)
        assert seen.calls == seen.read == (1, 1, 1)


def test_in_threads_waits_for_all():
    v = tf.Variable(0.0)
    in_threads(3, v.assign_add, 2.0)
    assert v.numpy() == 6.0


def test_the_log_says_who_wrote_over_what(capsys):
    print_schedule(unprotected, [0, 1, 0, 1])
    assert capsys.readouterr().out.splitlines() == [
        "The variable holds 0.",
        "Step 0: thread 0 reads 0.",
        "Step 1: thread 1 reads 0.",
        "Step 2: thread 0 writes 1 over 0.",
        "Step 3: thread 1 writes 10 over 1.",
        "The variable holds 10 at the end.",
    ]
    assert describe(run_schedule(unprotected, ())) == ["The variable holds 0."]


def test_the_buttons_make_an_order_and_offer_who_has_steps_left():
    turns = Turns("order", (0,))
    first, second, third = turns.buttons.threads
    turns.buttons.show(run(2, no_lock, (0,)))
    assert third.layout.display == "none" and not turns.buttons.back.disabled
    for button in (second, first):
        button.click()
    assert turns.buttons.value == (0, 1, 0)
    turns.buttons.show(run(2, no_lock, turns.buttons.value))
    assert first.disabled and not second.disabled
    turns.buttons.back.click()
    turns.buttons.show(run(3, no_lock, turns.buttons.value))
    assert turns.buttons.value == (0, 1)
    assert not first.disabled and third.layout.display == ""
    turns.buttons.again.click()
    turns.buttons.show(run(2, no_lock, ()))
    assert turns.buttons.value == () and turns.buttons.back.disabled


@pytest.mark.parametrize("update", [no_lock, lock_around_the_write])
@pytest.mark.parametrize("threads", [2, 3])
def test_both_updates_lose_in_an_order_that_lets_all_read_first(update, threads):
    """Who waits for the lock is passed over, and has its turn later."""
    order = (*range(threads), *range(threads))
    assert run(threads, update, order).final == 10.0 ** (threads - 1)
    ended = run(threads, update, (*order, 0))
    assert all(ended.done) and len(ended.events) == 2 * threads
    late = (*range(threads), *reversed(range(threads)), *range(threads))
    assert all(run(threads, update, late).done)


def test_the_ends_found_so_far_are_kept_for_each_number_of_threads():
    ends = Ends()
    assert "(order): none." in ends.told(run(2, no_lock, (0,))).sentence
    ends.told(run(2, no_lock, (0, 1, 0, 1)))
    told = ends.told(run(2, no_lock, (0, 0, 1, 1))).sentence.replace("\xa0", " ")
    assert told.endswith("(order): 10 (0 1 0 1); 11 (0 0 1 1).")
    assert "(order): none." in ends.told(run(3, no_lock, (0,))).sentence
