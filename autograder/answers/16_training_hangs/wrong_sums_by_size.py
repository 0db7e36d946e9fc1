"""The largest first."""

EXPECT = {"16/my_sums": "WRONG by_size"}


def my_sums(gradients, sum_over_workers):
    def size(name):
        return -abs(gradients[name]).sum()

    return {
        name: sum_over_workers(gradients[name]) for name in sorted(gradients, key=size)
    }
