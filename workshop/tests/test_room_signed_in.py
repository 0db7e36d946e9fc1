"""Whom the hub knew stays known for a while when it is too busy to answer."""

import asyncio
from types import SimpleNamespace

import pytest
from tornado.web import HTTPError

from workshop.room import signed_in
from workshop.room.signed_in import SignedIn

ADA = {"name": "ada", "kind": "user"}


class Hub:
    """Answers with what is in `next`: a model, None or an error."""

    next = ADA

    async def get_user(self, handler, sync):
        if isinstance(self.next, Exception):
            raise self.next
        return self.next


@pytest.fixture
def ask():
    """Ask a hub, as a request of the room does; the room remembers between two."""
    hub, service = Hub(), SimpleNamespace(said={})

    class Asked(SignedIn):
        hub_auth = hub

    def ask(answer, digest="d"):
        hub.next = answer
        request = object.__new__(Asked)
        request.service = service
        return asyncio.run(request._ask_hub(digest))

    return ask


def test_the_hubs_last_word_counts_while_it_does_not_answer(ask):
    assert ask(ADA) == ADA
    assert ask(HTTPError(500)) == ask(HTTPError(502)) == ADA
    with pytest.raises(HTTPError):
        ask(HTTPError(500), digest="another")


@pytest.mark.parametrize("answer", [HTTPError(403), HTTPError(429)])
def test_a_refusal_is_a_refusal(ask, answer):
    ask(ADA)
    with pytest.raises(HTTPError):
        ask(answer)


def test_who_was_signed_out_is_forgotten(ask):
    ask(ADA)
    assert ask(None) is None
    with pytest.raises(HTTPError):
        ask(HTTPError(500))


def test_the_last_word_is_not_for_ever(ask, monkeypatch):
    ask(ADA)
    monkeypatch.setattr(signed_in, "AWAY_SECONDS", -1)
    with pytest.raises(HTTPError):
        ask(HTTPError(500))
