"""Answers to 05/my_outcomes, right and wrong, and what the check says of each."""

from autograder.answers import right, wrong


@right
def all_orders(deltas, times):
    """Play every order of the steps, one after the other."""

    def orders(left):
        if not any(left):
            yield ()
        for t, steps in enumerate(left):
            if steps:
                rest = [n - (k == t) for k, n in enumerate(left)]
                for order in orders(rest):
                    yield (t, *order)

    ends = set()
    for order in orders([2 * times] * len(deltas)):
        var, read = 0, {}
        for t in order:
            if t in read:
                var = read.pop(t) + deltas[t]
            else:
                read[t] = var
        ends.add(var)
    return ends


@right
def wave_by_wave(deltas, times):
    """All states after one step, after two, and so on; a list comes back."""
    states = {(0, tuple((times, None) for _ in deltas))}
    for _ in range(2 * times * len(deltas)):
        following = set()
        for var, threads in states:
            for t, (left, seen) in enumerate(threads):
                if seen is not None:
                    new, now = seen + deltas[t], (left - 1, None)
                elif left:
                    new, now = var, (left, var)
                else:
                    continue
                following.add((new, (*threads[:t], now, *threads[t + 1 :])))
        states = following
    return sorted(var for var, _ in states)


@wrong("nothing_lost")
def in_turn(deltas, times):
    """Threads that take turns, in every order of the threads."""
    import itertools

    return {times * sum(order) for order in itertools.permutations(deltas)}


@wrong("whole_threads")
def who_survives(deltas, times):
    """Every part of the threads, each with all it added."""
    from itertools import combinations

    ends = set()
    for size in range(len(deltas)):
        for some in combinations(deltas, size + 1):
            ends.add(sum(times * delta for delta in some))
    return ends


@wrong("all_or_one")
def all_survive_or_one(deltas, times):
    """Either the threads take turns, or one of them writes last over all others."""
    return {sum(deltas) * times} | set(deltas)


@wrong("once_only")
def without_times(deltas, times):
    """What can come if each adds once."""
    ends = {0}
    for delta in deltas:
        ends |= {end + delta for end in ends}
    return ends - {0}


@wrong("nothing_lost")
def forgets_the_value(deltas, times):
    """A search that remembers how far each thread is, but not what var holds."""
    ends, been = set(), set()

    def go_on(var, left, read):
        if left in been:
            return
        been.add(left)
        if not any(left):
            ends.add(var)
        for t, steps in enumerate(left):
            if steps:
                rest = (*left[:t], steps - 1, *left[t + 1 :])
                if steps % 2:
                    go_on(read[t] + deltas[t], rest, read)
                else:
                    go_on(var, rest, {**read, t: var})

    go_on(0, (2 * times,) * len(deltas), {})
    return ends


@wrong("each_keeps_some")
def one_to_all_of_each(deltas, times):
    """At least one addition of each thread is left."""
    ends = {0}
    for delta in deltas:
        ends = {end + n * delta for end in ends for n in range(1, times + 1)}
    return ends


@wrong("race_at_the_end")
def only_the_last_round(deltas, times):
    """Nothing is lost but in the last round, of which any part can be left."""
    from itertools import combinations

    rounds = (times - 1) * sum(deltas)
    sizes = range(1, len(deltas) + 1)
    return {rounds + sum(some) for n in sizes for some in combinations(deltas, n)}


@wrong("one_read_each")
def reads_before_the_loop(deltas, times):
    """Play all orders of threads that read once and write `times` times."""

    def go_on(var, threads):
        if not any(left for left, _ in threads):
            return {var}
        ends = set()
        for t, (left, own) in enumerate(threads):
            if left == times + 1:
                now, new = (left - 1, var), var
            elif left:
                now, new = (left - 1, own + deltas[t]), own + deltas[t]
            else:
                continue
            ends |= go_on(new, (*threads[:t], now, *threads[t + 1 :]))
        return ends

    return go_on(0, tuple((times + 1, 0) for _ in deltas))


@wrong("on_the_way")
def the_empty_sum_too(deltas, times):
    """Once each, and nothing at all."""
    ends = {0}
    for delta in deltas:
        ends |= {end + delta for end in ends}
    return ends


@wrong("any_number")
def counted(deltas, times):
    """Any number of each thread's additions, but not none of all."""
    ends = {(0, 0)}
    for delta in deltas:
        more = [(n * delta, n) for n in range(times + 1)]
        ends = {(end + a, count + n) for end, count in ends for a, n in more}
    return {end for end, count in ends if count}


@wrong
def one_value(deltas, times):
    """A number, not a set."""
    return times * sum(deltas)
