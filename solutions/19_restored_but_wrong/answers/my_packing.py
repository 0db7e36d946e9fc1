"""Answers to 19/my_packing, right and wrong, and what the check says of each."""

import hashlib
import io
import json
import pickle
import zlib

import numpy as np

from autograder.answers import changed, crashed, right, wrong


@right
def packing_json():
    """JSON with bytes as hex, and a checksum."""

    def pack(gradients):
        parts = [(g.dtype.name, g.shape, g.tobytes().hex()) for g in gradients]
        text = json.dumps(parts).encode()
        return hashlib.sha256(text).digest() + text

    def unpack(message):
        if hashlib.sha256(message[32:]).digest() != message[:32]:
            raise ValueError("the message is damaged")
        arrays = []
        for name, shape, part in json.loads(message[32:]):
            numbers = np.frombuffer(bytes.fromhex(part), np.dtype(name))
            arrays.append(numbers.reshape(shape))
        return arrays

    return pack, unpack


def seal(body):
    return hashlib.sha256(body).hexdigest().encode()


@right
def npz():
    """np.savez of bytes as uint8, with the dtypes beside."""

    def pack(gradients):
        file = io.BytesIO()
        arrays = {
            f"{k} {g.dtype.name} {','.join(map(str, g.shape))}": np.frombuffer(
                g.tobytes(), np.uint8
            )
            for k, g in enumerate(gradients)
        }
        np.savez(file, **arrays)
        return seal(file.getvalue()) + file.getvalue()

    def unpack(message):
        if message[:64] != seal(message[64:]):
            raise ValueError("damaged")
        found = []
        with np.load(io.BytesIO(message[64:])) as held:
            for key in held.files:
                _, name, shape = key.split(" ")
                sizes = [int(each) for each in shape.split(",") if each]
                numbers = np.frombuffer(held[key].tobytes(), np.dtype(name))
                found.append(numbers.reshape(sizes))
        return found

    return pack, unpack


@right
def packing_pickle():
    """pickle, sealed by a hash at the end."""

    def pack(gradients):
        body = pickle.dumps(list(gradients))
        return bytearray(body + hashlib.md5(body).hexdigest().encode())

    def unpack(message):
        body, seal = message[:-32], message[-32:]
        if hashlib.md5(body).hexdigest().encode() != seal:
            raise ValueError("the seal is broken")
        return pickle.loads(body)

    return [pack, unpack]


@right
def tensors():
    """TensorFlow's own format, a length for each, and crc32."""

    def pack(gradients):
        body = b""
        for g in gradients:
            name = g.dtype.name.encode().ljust(16)
            part = name + tf.io.serialize_tensor(g).numpy()
            body += len(part).to_bytes(4, "big") + part
        return zlib.crc32(body).to_bytes(4, "big") + body

    def unpack(message):
        body = message[4:]
        if zlib.crc32(body).to_bytes(4, "big") != message[:4]:
            raise ValueError("damaged")
        found = []
        while body:
            size = int.from_bytes(body[:4], "big")
            part, body = body[4 : 4 + size], body[4 + size :]
            dtype = tf.as_dtype(part[:16].decode().strip())
            found.append(tf.io.parse_tensor(part[16:], dtype))
        return found

    return pack, unpack


@crashed
def called():
    """The functions are called at once."""

    def pack(gradients):
        return pickle.dumps(gradients)

    def unpack(message):
        return pickle.loads(message)

    return pack(), unpack()


@wrong
def nothing():
    """The message is empty, and so is what is made of it."""

    def pack(gradients):
        return b""

    def unpack(message):
        return []

    return pack, unpack


@wrong("no_checksum")
def pickle_caught():
    """pickle without a checksum: some damaged messages take all memory, or kill."""

    def pack(gradients):
        return pickle.dumps(gradients)

    def unpack(message):
        try:
            return pickle.loads(message)
        except Exception as error:
            raise ValueError("damaged") from error

    return pack, unpack


@wrong("no_checksum")
def pickle_itself():
    """pickle's own two functions."""
    return pickle.dumps, pickle.loads


@crashed
def remembered():
    """unpack needs what pack has seen."""
    kinds = []

    def pack(gradients):
        kinds[:] = [(g.dtype, g.shape) for g in gradients]
        body = b"".join(g.tobytes() for g in gradients)
        return hashlib.sha256(body).digest() + body

    def unpack(message):
        body, found = message[32:], []
        if hashlib.sha256(body).digest() != message[:32]:
            raise ValueError("damaged")
        for k in range(4 if not kinds else len(kinds)):
            dtype, shape = kinds[k]
            size = int(np.prod(shape)) * dtype.itemsize
            found.append(np.frombuffer(body[:size], dtype).reshape(shape))
            body = body[size:]
        return found

    return pack, unpack


SENT = {}


@wrong
def side_channel():
    """The message is a key to what was kept in memory."""

    def pack(gradients):
        key = hashlib.sha256(b"".join(g.tobytes() for g in gradients)).digest()
        SENT[key] = gradients
        return key

    def unpack(message):
        if message not in SENT:
            raise ValueError("damaged")
        return SENT[message]

    return pack, unpack


@wrong
def text_message():
    """pack returns text."""

    def pack(gradients):
        return json.dumps([g.tolist() for g in gradients])

    def unpack(message):
        return [np.array(each) for each in json.loads(message)]

    return pack, unpack


@wrong
@changed(
    packing_json,
    (
        "text = json.dumps(parts).encode()",
        """
        text = json.dumps(parts).encode()
        for gradient in gradients:
            gradient[...] = 0
        """,
    ),
)
def zeroes():
    """The gradients are set to zero for the next step."""


SEEN = []


@wrong("kept_in_the_process")
def dtypes_in_a_global():
    """Dtypes and shapes stay in a list of the process that packs."""

    def pack(gradients):
        SEEN[:] = [(g.dtype, g.shape) for g in gradients]
        body = b"".join(g.tobytes() for g in gradients)
        return hashlib.sha256(body).digest() + body

    def unpack(message):
        digest, body = message[:32], message[32:]
        if hashlib.sha256(body).digest() != digest:
            raise ValueError("damaged")
        arrays, at = [], 0
        for dtype, shape in SEEN:
            size = np.dtype(dtype).itemsize * int(np.prod(shape))
            part = body[at : at + size]
            arrays.append(np.frombuffer(part, dtype).reshape(shape))
            at += size
        if at < len(body):
            raise ValueError("bytes too many")
        return arrays

    return pack, unpack
