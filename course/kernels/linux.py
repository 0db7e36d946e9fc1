"""The Linux calls that Python has no function for, by ctypes."""

from __future__ import annotations

import ctypes
import os

_libc = ctypes.CDLL(None, use_errno=True)

PR_SET_PDEATHSIG, PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS = 1, 24, 38
PR_SET_DUMPABLE, PR_SET_CHILD_SUBREAPER = 4, 36
CLONE_NEWNS, CLONE_NEWUTS, CLONE_NEWIPC = 0x00020000, 0x04000000, 0x08000000
CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET = 0x10000000, 0x20000000, 0x40000000
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REMOUNT = 1, 2, 4, 8, 32
MS_BIND, MS_REC, MS_PRIVATE = 0x1000, 0x4000, 0x40000
CAPABILITY_VERSION_3 = 0x20080522


def prctl(option: int, value: int = 0) -> None:
    """Change a property of this process by its number."""
    _checked(_libc.prctl(option, value, 0, 0, 0), f"prctl {option}")


def unshare(flags: int) -> None:
    """Leave namespaces for new ones, as os.unshare does from Python 3.12 on."""
    _checked(_libc.unshare(flags), f"unshare {flags:#x}")


def setns(process: int, flags: int) -> None:
    """Enter namespaces of the process that a pidfd stands for."""
    _checked(_libc.setns(process, flags), f"setns {flags:#x}")


def mount(
    source: str, target: str, kind: str = "", flags: int = 0, data: str = ""
) -> None:
    """Mount a file system, or change a mount."""
    arguments = [each.encode() or None for each in (source, target, kind)]
    done = _libc.mount(*arguments, ctypes.c_ulong(flags), data.encode() or None)
    _checked(done, f"mount {kind or source} on {target}")


def drop_all_capabilities() -> None:
    """Give up every capability for good, here and in all programs started later."""
    for capability in range(64):
        if _libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0):
            break  # the last one this kernel knows was the one before
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION_3, 0)
    nothing = (ctypes.c_uint32 * 6)()
    _checked(_libc.capset(header, nothing), "capset")
    prctl(PR_SET_NO_NEW_PRIVS, 1)


def _checked(result: int, what: str) -> None:
    if result:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
