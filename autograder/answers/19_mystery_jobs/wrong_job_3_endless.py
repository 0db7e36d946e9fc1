"""A loop without an end."""

EXPECT = {
    "19/my_job_3": "CRASHED",
}

my_name_3 = ...


def my_job_3(strategy, w, data, size, probe):
    while True:
        probe.step(w)
