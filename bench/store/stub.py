"""A server that answers at once, with answers made beforehand: what boto3 itself costs."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from typing import Any, ClassVar, cast

from bench.store.workload import item

__all__ = ["Stub", "main"]

_TARGET = re.compile(rb"x-amz-target: *\w+\.(\w+)", re.IGNORECASE)
_LENGTH = re.compile(rb"content-length: *(\d+)", re.IGNORECASE)
_MEGABYTE = 2600
"""About as many of our items as a page of one megabyte holds."""


def _response(answer: dict[str, Any]) -> bytes:
    body = json.dumps(answer).encode()
    head = (
        "HTTP/1.1 200 OK\r\ncontent-type: application/x-amz-json-1.0\r\n"
        f"x-amzn-requestid: STUB\r\ncontent-length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


def _page(count: int) -> bytes:
    items = [item("archive", number) for number in range(count)]
    return _response({"Items": items, "Count": count, "ScannedCount": count})


class Stub(asyncio.Protocol):
    """One connection: read a request to its end, send the answer of its operation."""

    answers: ClassVar = {
        b"GetItem": _response({"Item": item("archive", 1)}),
        b"BatchWriteItem": _response({"UnprocessedItems": {}}),
        b"DescribeTable": _response({"Table": {"TableStatus": "ACTIVE"}}),
    }
    silence = _response({})
    short_page, long_page = _page(100), _page(_MEGABYTE)

    def __init__(self) -> None:
        self._received = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the way back."""
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        """Answer as soon as the whole body is there."""
        self._received += data
        head, gap, body = self._received.partition(b"\r\n\r\n")
        length = _LENGTH.search(head)
        if gap and len(body) >= int(length[1] if length else 0):
            self._received = b""
            self._transport.write(self._answer(head, body))

    def _answer(self, head: bytes, body: bytes) -> bytes:
        target = _TARGET.search(head)
        operation = target[1] if target else b""
        if operation == b"Query":
            return self.short_page if b'"Limit"' in body else self.long_page
        return self.answers.get(operation, self.silence)


async def main(port: int) -> None:
    """Serve on this port until stopped."""
    server = await asyncio.get_running_loop().create_server(Stub, "127.0.0.1", port)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1])))
