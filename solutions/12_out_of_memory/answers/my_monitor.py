"""Answers to 12/my_monitor, right and wrong, and what the check says of each."""

from pathlib import Path

import numpy as np
import psutil

from autograder.answers import changed, right, wrong


def job_and_below(pid):
    job = psutil.Process(pid)
    return [job, *job.children(recursive=True)]


@right
def numpy(pid):
    """A NumPy number."""
    rss = [p.memory_info()[0] for p in job_and_below(pid)]
    return np.sum(rss) / np.float32(2**20)


@right
def proc(pid):
    """Linux's own files, with the parents of all processes."""
    wanted, rss = {pid}, 0.0
    for process in sorted(psutil.process_iter(["ppid"]), key=lambda p: p.create_time()):
        if process.pid in wanted or process.info["ppid"] in wanted:
            wanted.add(process.pid)
    for each in wanted:
        for line in Path(f"/proc/{each}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                rss += int(line.split()[1]) / 1024
    return rss


@right
def monitor_psutil(pid):
    """The job and all below it."""
    total = psutil.Process(pid).memory_info().rss
    for child in psutil.Process(pid).children(recursive=True):
        total += child.memory_info().rss
    return total / 1024 / 1024


@right
def recursive(pid):
    """A function that calls itself for each child."""

    def held(process):
        own = process.memory_info().rss / 2**20
        return own + sum(held(child) for child in process.children())

    return round(held(psutil.Process(pid)))


@right
def uss(pid):
    """The memory that nobody shares."""
    return sum(p.memory_full_info().uss for p in job_and_below(pid)) / 2**20


@wrong("addresses")
def addresses(pid):
    """All addresses."""
    return sum(p.memory_info().vms for p in job_and_below(pid)) / 2**20


@wrong("addresses_of_one")
def addresses_job(pid):
    """All addresses of the job's own process."""
    return psutil.Process(pid).memory_info().vms / 2**20


@wrong("children_only")
def below_only(pid):
    """Without the job's own process."""
    children = psutil.Process(pid).children(recursive=True)
    return sum(p.memory_info().rss for p in children) / 2**20


@wrong("other_unit")
def monitor_bytes(pid):
    """In bytes."""
    return sum(p.memory_info().rss for p in job_and_below(pid))


@wrong("other_unit_of_one")
def bytes_job(pid):
    """In bytes, and of the job's own process."""
    return psutil.Process(pid).memory_info().rss


@wrong("grandchildren_forgotten")
def monitor_children(pid):
    """Children, without their children."""
    job = psutil.Process(pid)
    processes = [job, *job.children()]
    return sum(p.memory_info().rss for p in processes) / 2**20


@wrong("not_the_job")
def cpu(pid):
    """How busy the job is."""
    return psutil.Process(pid).cpu_percent()


@wrong("addresses")
def data(pid):
    """Counts what is only reserved."""
    return sum(p.memory_info().data for p in job_and_below(pid)) / 2**20


@wrong("other_unit")
def gigabytes(pid):
    """In GB."""
    return sum(p.memory_info().rss for p in job_and_below(pid)) / 2**30


@wrong("not_the_job")
def host_share(pid):
    """The share of the host that is in use, in whole percent."""
    return int(psutil.virtual_memory().percent)


@wrong("the_host")
def host_used(pid):
    """What the whole host uses, in MB."""
    return psutil.virtual_memory().used / 2**20


@wrong("the_host")
def host_used_bytes(pid):
    """What the whole host uses, in bytes."""
    memory = psutil.virtual_memory()
    return memory.total - memory.available


@wrong("children_forgotten")
def job_only(pid):
    """Without what the job has started."""
    return psutil.Process(pid).memory_info().rss / 2**20


@wrong("others_too")
def kernel_too(pid):
    """This kernel is added."""
    processes = [*job_and_below(pid), psutil.Process()]
    return sum(p.memory_info().rss for p in processes) / 2**20


@wrong("millions_of_bytes")
def millions(pid):
    """MB of 10**6 bytes."""
    return sum(p.memory_info().rss for p in job_and_below(pid)) / 1e6


@wrong("millions_of_one")
def millions_job(pid):
    """MB of 10**6 bytes, of the job alone."""
    return psutil.Process(pid).memory_info().rss / 1e6


@wrong("only_changes")
def more(pid):
    """A constant more."""
    return 5000 + sum(p.memory_info().rss for p in job_and_below(pid)) / 2**20


@wrong
def nothing(pid):
    """No return."""
    psutil.Process(pid).memory_info()


known = {}


@wrong("children_forgotten")
def old_children(pid):
    """The list of children is asked for once."""
    if pid not in known:
        known[pid] = job_and_below(pid)
    return sum(p.memory_info().rss for p in known[pid]) / 2**20


@wrong("other_unit_of_one")
def pages(pid):
    """In pages, as Linux's statm has them."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1])


@wrong("peak")
def peak(pid):
    """The highest so far."""
    kilobytes = [
        int(line.split()[1])
        for p in job_and_below(pid)
        for line in Path(f"/proc/{p.pid}/status").read_text().splitlines()
        if line.startswith("VmHWM")
    ]
    return sum(kilobytes) / 1024


@wrong("peak_of_one")
@changed(peak, ("job_and_below(pid)", "[psutil.Process(pid)]"))
def peak_job():
    """The highest so far of the job's own process."""


first = {}


@wrong("only_changes")
def since_first(pid):
    """What came since the first call."""
    now = sum(p.memory_info().rss for p in job_and_below(pid)) / 2**20
    return now - first.setdefault(pid, now)


@wrong
def text(pid):
    """A text with a unit."""
    return f"{psutil.Process(pid).memory_info().rss / 2**20} MB"


@wrong("this_process")
def this_process(pid):
    """The process that asks."""
    return psutil.Process().memory_info().rss / 2**20


@wrong("counted_twice")
def twice(pid):
    """Counts those below more than once."""
    job = psutil.Process(pid)
    below = sum(twice(child.pid) for child in job.children(recursive=True))
    return job.memory_info().rss / 2**20 + below


@wrong("grandchildren_forgotten")
def two_levels(pid):
    """Children, and their children, and no further."""
    job = psutil.Process(pid)
    processes = [job, *job.children()]
    for child in job.children():
        processes += child.children()
    return sum(p.memory_info().rss for p in processes) / 2**20


@wrong
def unknown(pid):
    """An unknown mistake: what the job starts is skipped, all below is counted."""
    job = psutil.Process(pid)
    below = [g for c in job.children() for g in c.children(recursive=True)]
    return sum(p.memory_info().rss for p in (job, *below)) / 2**20
