"""How much memory a process takes, so that it can't hide any from who limits it."""

from __future__ import annotations

from pathlib import Path


def own_bytes(process: int) -> int:
    """Bytes in memory that no file holds: a process's own, and what it shares.

    Everybody may read it, also where a process hides its maps; 0 where it has ended.
    What several processes share counts for each of them, so it may be too much.
    """
    try:
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
    except OSError:
        return 0
    named = dict(line.split(":", 1) for line in lines if line.startswith("Rss"))
    kilobytes = (named.get(kind, "0").split()[0] for kind in ("RssAnon", "RssShmem"))
    return 1024 * sum(map(int, kilobytes))


def shared_bytes(process: int) -> int:
    """Bytes of a process; what several share counts in equal parts (PSS).

    The kernel goes through all its pages: some milliseconds. `own_bytes` where it
    hides its maps; 0 where it has ended.
    """
    try:
        text = Path(f"/proc/{process}/smaps_rollup").read_text()
        return int(text.partition("\nPss:")[2].split()[0]) * 1024
    except PermissionError:
        return own_bytes(process)
    except (OSError, IndexError):
        return 0
