"""How many files and connections a server may have open."""

import resource

WANTED = 65_536


def allow_many_files() -> None:
    """Let a client that holds many connections open use up nobody else's."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = WANTED if hard == resource.RLIM_INFINITY else min(hard, WANTED)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
