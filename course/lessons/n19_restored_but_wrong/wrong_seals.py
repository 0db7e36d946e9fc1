"""Wrong answers to 19/my_packing that take damage: each is the mistake of its name."""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Callable

import numpy as np

from course.checks.exercises import wrong_answers

Arrays = list[np.ndarray]
Codec = tuple[Callable[[Arrays], bytes], Callable[[bytes], Arrays]]
DIGEST = 32


def digest(body: bytes) -> bytes:
    """Return a checksum of DIGEST bytes."""
    return hashlib.sha256(body).digest()


def exact() -> Codec:
    """A line of JSON with dtypes and shapes, then all bytes; no checksum."""

    def pack(arrays: Arrays) -> bytes:
        head = [(each.dtype.name, each.shape) for each in arrays]
        body = b"".join(each.tobytes() for each in arrays)
        return json.dumps(head).encode() + b"\n" + body

    def unpack(message: bytes) -> Arrays:
        head, body = message.split(b"\n", 1)
        arrays, at = [], 0
        for name, shape in json.loads(head):
            dtype = np.dtype(name)
            size = int(np.prod(shape)) * dtype.itemsize
            part = np.frombuffer(body[at : at + size], dtype)
            arrays.append(part.reshape(shape))
            at += size
        return arrays

    return pack, unpack


def _lenient(unpack: Callable, message: object):
    """What can't be made sense of is refused; anything else is taken."""
    try:
        return unpack(message)
    except Exception as error:
        raise ValueError("not a message") from error


def with_front(front: Callable[[bytes], bytes], codec: Codec | None = None) -> Codec:
    """Return a codec with bytes in front of its message, which unpack compares.

    front: makes them of the message; always as many.
    codec: what makes the message; by default, the exact one.
    """
    inner_pack, inner_unpack = codec or exact()
    size = len(front(b""))

    def pack(arrays: Arrays) -> bytes:
        body = inner_pack(arrays)
        return front(body) + body

    def unpack(message: bytes) -> Arrays:
        if front(message[size:]) != message[:size]:
            raise ValueError("damaged")
        return _lenient(inner_unpack, message[size:])

    return pack, unpack


def no_checksum() -> Codec:
    """All comes back bit by bit, but nothing shows that a message is damaged: a
    checksum is missing, or it is never compared.
    """
    return with_front(lambda body: b"")


def length_only() -> Codec:
    """Only the length is verified. A turned bit leaves the length as it is."""
    return with_front(lambda body: len(body).to_bytes(8, "little"))


def sum() -> Codec:
    """The sum of the bytes is the same when two of them change places. A checksum such
    as zlib.crc32 or hashlib.sha256 notices it.
    """
    return with_front(
        lambda body: int(np.frombuffer(body, np.uint8).sum()).to_bytes(8, "little")
    )


def numbers_sealed_only() -> Codec:
    """The checksum covers the numbers only. A bit turned in a dtype or in a shape goes
    unnoticed.
    """
    return with_front(lambda body: digest(body.partition(b"\n")[2]))


def numbers_sealed_as_read() -> Codec:
    """The checksum covers the numbers only, and only as many as are read. A bit turned
    in a dtype or in a shape goes unnoticed, and so do bytes behind the message.
    """
    inner_pack, inner_unpack = exact()

    def seal(arrays: Arrays) -> bytes:
        return digest(b"".join(each.tobytes() for each in arrays))

    def unpack(message: bytes) -> Arrays:
        arrays = inner_unpack(message[DIGEST:])
        if seal(arrays) != message[:DIGEST]:
            raise ValueError("damaged")
        return arrays

    return (
        lambda arrays: seal(arrays) + inner_pack(arrays),
        lambda message: _lenient(unpack, message),
    )


def arrays_sealed_only() -> Codec:
    """The checksums cover the arrays' bytes only. A bit turned in a dtype or in a shape
    goes unnoticed, and so do blanks around them.
    """

    def pack(arrays: Arrays) -> bytes:
        raw = [(each, each.tobytes()) for each in arrays]
        parts = [
            (each.dtype.name, each.shape, part.hex(), zlib.crc32(part))
            for each, part in raw
        ]
        return json.dumps(parts).encode()

    def unpack(message: bytes) -> Arrays:
        found = []
        for name, shape, text, seal in json.loads(message):
            part = bytes.fromhex(text)
            if zlib.crc32(part) != seal:
                raise ValueError("damaged")
            found.append(np.frombuffer(part, np.dtype(name)).reshape(shape))
        return found

    return pack, lambda message: _lenient(unpack, message)


def envelope() -> Codec:
    """The checksum does not cover what stands around it: in JSON there may be blanks
    more, or in other places. Put the checksum in front, as bytes.
    """
    inner_pack, inner_unpack = exact()

    def pack(arrays: Arrays) -> bytes:
        text = inner_pack(arrays).hex()
        return json.dumps({"c": zlib.crc32(text.encode()), "b": text}).encode()

    def unpack(message: bytes) -> Arrays:
        held = json.loads(message)
        if zlib.crc32(held["b"].encode()) != held["c"]:
            raise ValueError("damaged")
        return inner_unpack(bytes.fromhex(held["b"]))

    return pack, lambda message: _lenient(unpack, message)


def tail_ignored() -> Codec:
    """Bytes behind the message are ignored."""
    inner_pack, inner_unpack = exact()
    begin = DIGEST + 8

    def pack(arrays: Arrays) -> bytes:
        body = inner_pack(arrays)
        body = len(body).to_bytes(8, "little") + body
        return digest(body) + body

    def unpack(message: bytes) -> Arrays:
        end = begin + int.from_bytes(message[DIGEST:begin], "little")
        if digest(message[DIGEST:end]) != message[:DIGEST]:
            raise ValueError("damaged")
        return inner_unpack(message[begin:end])

    return pack, unpack


def another_error() -> Codec:
    """Damage is refused by an error other than ValueError, such as that of an assert,
    which Python leaves out when it runs with -O.
    """
    pack, _ = with_front(digest)
    _, unpack = exact()

    def opened(message: bytes) -> Arrays:
        assert digest(message[DIGEST:]) == message[:DIGEST]
        return unpack(message[DIGEST:])

    return pack, opened


DAMAGE_TAKEN = wrong_answers(__name__, digest, exact, with_front)
