"""Ways to pack gradients, right and wrong, as people write them; they run for real."""

from __future__ import annotations

import hashlib
import io
import json
import zlib
from collections.abc import Callable

import numpy as np

Arrays = list[np.ndarray]
Codec = tuple[Callable[[Arrays], bytes], Callable[[bytes], Arrays]]
DIGEST = 32


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


def as_json() -> Codec:
    """The numbers only; this is the shipped code."""

    def pack(arrays: Arrays) -> bytes:
        return json.dumps([each.tolist() for each in arrays]).encode()

    def unpack(message: bytes) -> Arrays:
        return [np.array(each, "float32") for each in json.loads(message)]

    return pack, unpack


def sealed(codec: Callable[[], Codec]) -> Callable[[], Codec]:
    """Return the codec with a checksum over everything."""

    def both() -> Codec:
        inner_pack, inner_unpack = codec()

        def pack(arrays: Arrays) -> bytes:
            body = inner_pack(arrays)
            return hashlib.sha256(body).digest() + body

        def unpack(message: bytes) -> Arrays:
            if hashlib.sha256(message[DIGEST:]).digest() != message[:DIGEST]:
                raise ValueError("damaged")
            return inner_unpack(message[DIGEST:])

        return pack, unpack

    return both


def unsealed() -> Codec:
    """A checksum that is written and never compared; the body verifies its length."""
    pack, _ = sealed(exact)()

    def unpack(message: bytes) -> Arrays:
        return _lenient(exact()[1], message[DIGEST:])

    return pack, unpack


def _lenient(unpack: Callable, message: object):
    """What can't be made sense of is refused; anything else is taken."""
    try:
        return unpack(message)
    except Exception as error:
        raise ValueError("not a message") from error


def with_length() -> Codec:
    """The length before the body, and nothing else to verify."""
    inner_pack, inner_unpack = exact()

    def pack(arrays: Arrays) -> bytes:
        body = inner_pack(arrays)
        return len(body).to_bytes(8, "little") + body

    def unpack(message: bytes) -> Arrays:
        if int.from_bytes(message[:8], "little") != len(message) - 8:
            raise ValueError("another length")
        return _lenient(inner_unpack, message[8:])

    return pack, unpack


def with_sum() -> Codec:
    """The sum of all bytes as a checksum, and the length."""
    inner_pack, inner_unpack = exact()

    def pack(arrays: Arrays) -> bytes:
        body = inner_pack(arrays)
        return sum(body).to_bytes(8, "little") + body

    def unpack(message: bytes) -> Arrays:
        total = int.from_bytes(message[:8], "little")
        if len(message) < 8 or total != sum(message[8:]):
            raise ValueError("damaged")
        return _lenient(inner_unpack, message[8:])

    return pack, unpack


def numbers_sealed() -> Codec:
    """A checksum over the numbers, none over dtypes and shapes."""
    inner_pack, inner_unpack = exact()

    def pack(arrays: Arrays) -> bytes:
        head, body = inner_pack(arrays).split(b"\n", 1)
        return hashlib.sha256(body).digest() + head + b"\n" + body

    def unpack(message: bytes) -> Arrays:
        _, _, body = message[DIGEST:].partition(b"\n")
        if hashlib.sha256(body).digest() != message[:DIGEST]:
            raise ValueError("damaged")
        return _lenient(inner_unpack, message[DIGEST:])

    return pack, unpack


def arrays_sealed() -> Codec:
    """A list in JSON; for each array a checksum of its bytes, none of the rest."""

    def pack(arrays: Arrays) -> bytes:
        raw = [(each, each.tobytes()) for each in arrays]
        parts = [
            (each.dtype.name, each.shape, part.hex(), zlib.crc32(part))
            for each, part in raw
        ]
        return json.dumps(parts).encode()

    def unpack(message: bytes) -> Arrays:
        return _lenient(read, message)

    def read(message: bytes) -> Arrays:
        found = []
        for name, shape, text, seal in json.loads(message):
            part = bytes.fromhex(text)
            if zlib.crc32(part) != seal:
                raise ValueError("damaged")
            found.append(np.frombuffer(part, np.dtype(name)).reshape(shape))
        return found

    return pack, unpack


def envelope() -> Codec:
    """The checksum and what it covers stand side by side in JSON."""
    inner_pack, inner_unpack = exact()

    def pack(arrays: Arrays) -> bytes:
        text = inner_pack(arrays).hex()
        return json.dumps({"c": zlib.crc32(text.encode()), "b": text}).encode()

    def unpack(message: bytes) -> Arrays:
        held = _lenient(json.loads, message)
        seal, text = _lenient(lambda held: (held["c"], held["b"].encode()), held)
        if zlib.crc32(text) != seal:
            raise ValueError("damaged")
        return inner_unpack(bytes.fromhex(text.decode()))

    return pack, unpack


def tail_ignored() -> Codec:
    """A checksum over as many bytes as the length says; more are not looked at."""
    inner_pack, inner_unpack = exact()
    begin = DIGEST + 8

    def pack(arrays: Arrays) -> bytes:
        body = inner_pack(arrays)
        body = len(body).to_bytes(8, "little") + body
        return hashlib.sha256(body).digest() + body

    def unpack(message: bytes) -> Arrays:
        end = begin + int.from_bytes(message[DIGEST:begin], "little")
        if hashlib.sha256(message[DIGEST:end]).digest() != message[:DIGEST]:
            raise ValueError("damaged")
        return inner_unpack(message[begin:end])

    return pack, unpack


def asserted() -> Codec:
    """An assert for a refusal."""
    pack, inner_unpack = sealed(exact)()

    def unpack(message: bytes) -> Arrays:
        try:
            return inner_unpack(message)
        except ValueError as error:
            raise AssertionError from error

    return pack, unpack


def _through(change: Callable[[np.ndarray], np.ndarray]) -> Callable[[], Codec]:
    """Return the exact codec for arrays that are changed before."""

    def codec() -> Codec:
        inner_pack, unpack = exact()
        return lambda arrays: inner_pack([change(each) for each in arrays]), unpack

    return codec


def _by_text(write: Callable[[float], str]) -> Callable[[np.ndarray], np.ndarray]:
    def change(array: np.ndarray) -> np.ndarray:
        if array.dtype.kind in "biu":
            return array
        numbers = [float(write(float(number))) for number in array.ravel()]
        return np.array(numbers).astype(array.dtype).reshape(array.shape)

    return change


def _half(array: np.ndarray) -> np.ndarray:
    if array.dtype.kind in "biu":
        return array
    with np.errstate(over="ignore"):
        return array.astype(np.float16).astype(array.dtype)


def _single(array: np.ndarray) -> np.ndarray:
    return array.astype(np.float32)


def _as_in_memory(array: np.ndarray) -> np.ndarray:
    return np.frombuffer(array.tobytes("A"), array.dtype).reshape(array.shape)


cast = _through(_half)
printed = _through(_by_text(lambda number: f"{number:f}"))
text = _through(_by_text(repr))
as_float32 = _through(_single)
flat = _through(np.ravel)
memory_order = _through(_as_in_memory)


def npz() -> Codec:
    """NumPy's own format."""

    def pack(arrays: Arrays) -> bytes:
        file = io.BytesIO()
        np.savez(file, *arrays)
        return file.getvalue()

    def unpack(message: bytes) -> Arrays:
        with np.load(io.BytesIO(message)) as held:
            return [held[name] for name in held.files]

    return pack, unpack


def empty_dropped() -> Codec:
    """What has no number is not packed."""
    inner_pack, unpack = exact()
    return lambda arrays: inner_pack([each for each in arrays if each.size]), unpack
