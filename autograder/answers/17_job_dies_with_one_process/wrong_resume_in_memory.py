"""It keeps its state in memory, which a kill takes away."""

KEPT = {}

EXPECT = {"17/my_resumable": "WRONG never_saved"}


def my_resumable(folder, batches, w, momentum, step, every):
    start, weights, before = KEPT.get(folder, (0, w.numpy(), momentum.numpy()))
    w.assign(weights)
    momentum.assign(before)
    for k in range(start, len(batches)):
        step(*batches[k])
        if (k + 1) % every == 0:
            KEPT[folder] = k + 1, w.numpy(), momentum.numpy()
