"""Where other computers and phones reach this workshop."""

from __future__ import annotations

import socket
from dataclasses import replace
from ipaddress import ip_address

import psutil

from workshop.options import Options

# of documentation (RFC 5737): nothing is sent there, but the system chooses a way out
ELSEWHERE = ("192.0.2.1", 9)


def outside_url(options: Options) -> str:
    """Return the address that others type; "" where only this machine gets in."""
    if options.public:
        return options.public.rstrip("/")
    here = ip_address(options.address)
    if here.is_loopback:
        return ""
    if not here.is_unspecified:
        return options.url
    own = own_address()
    return replace(options, address=own).url if own else ""


def own_address() -> str:
    """Return this machine's IPv4 address in its network; "" where it is in none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(ELSEWHERE)
            return probe.getsockname()[0]
        except OSError:  # no way out; there may be a room's own network
            pass
    addresses = (a for each in psutil.net_if_addrs().values() for a in each)
    found = [a.address for a in addresses if a.family is socket.AF_INET]
    return next((a for a in found if not ip_address(a).is_loopback), "")
