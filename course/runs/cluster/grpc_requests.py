"""Count the gRPC requests in a TCP stream, without understanding what they say.

gRPC speaks HTTP/2 (RFC 9113): the client sends a preface of 24 bytes, then frames with
a header of 9 bytes each. A request begins with one HEADERS frame.
"""

from __future__ import annotations

PREFACE, HEADER, HEADERS = 24, 9, 1


class RequestCounter:
    """Counts requests in what a client sends, in pieces of any size.

    requests: how many began. Over a link between two workers that is the messages one
        fetched from the other, beside a few of TensorFlow's own at the start.
    """

    def __init__(self) -> None:
        self.requests = 0
        self._skip, self._header = PREFACE, b""

    def see(self, data: bytes) -> None:
        """Take in the next bytes of the stream."""
        while data:
            skipped = min(self._skip, len(data))
            self._skip -= skipped
            data = data[skipped:]
            wanted = HEADER - len(self._header)
            self._header += data[:wanted]
            data = data[wanted:]
            if len(self._header) == HEADER:
                self.requests += self._header[3] == HEADERS
                self._skip = int.from_bytes(self._header[:3], "big")
                self._header = b""
