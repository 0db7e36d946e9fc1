"""A counter that is set back."""

EXPECT = {"15/my_local_sgd": "RIGHT"}


def my_local_sgd(context, w, batches, every):
    done = 0
    for x, y in batches:
        gradient, rows = sums(w, x, y)
        w.assign_sub(RATE * gradient / rows)
        done += 1
        if done == every:
            w.assign(context.all_reduce("MEAN", w.read_value()))
            done = 0
