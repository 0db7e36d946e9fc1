"""Which address is shown to who comes from another computer."""

from ipaddress import ip_address

import pytest

from workshop import reachable
from workshop.options import Options


@pytest.mark.parametrize(
    ("chosen", "outside"),
    [
        ({}, ""),
        ({"address": "::1"}, ""),
        ({"address": "192.168.1.20"}, "http://192.168.1.20:8000"),
        ({"address": "fd00::7", "certificate": "c"}, "https://[fd00::7]:8000"),
        ({"address": "0.0.0.0", "port": 80}, "http://10.1.2.3:80"),
        ({"address": "::", "port": 80}, "http://10.1.2.3:80"),
        ({"public": "https://room.example.org/"}, "https://room.example.org"),
    ],
)
def test_the_address_that_others_type(monkeypatch, chosen, outside):
    monkeypatch.setattr(reachable, "own_address", lambda: "10.1.2.3")
    assert reachable.outside_url(Options("/course", "grace", **chosen)) == outside


def test_without_a_network_there_is_none(monkeypatch):
    monkeypatch.setattr(reachable, "own_address", lambda: "")
    assert reachable.outside_url(Options("/course", "grace", address="0.0.0.0")) == ""


def test_this_machines_own_address_is_no_loopback():
    found = reachable.own_address()
    assert not found or not ip_address(found).is_loopback
