"""A program: thousands of clients that never send a whole request, and come back when sent away."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import resource
import sys

IDLE, SLOW_HEADS, SLOW_BODIES = 5_000, 1_000, 1_000
ALL = IDLE + SLOW_HEADS + SLOW_BODIES
_HEAD = b"POST /v1/me HTTP/1.1\r\nhost: 127.0.0.1\r\n"
_BODY = _HEAD + b"content-type: application/json\r\ncontent-length: 100000\r\n\r\n"
_MORE = {b"": b"", _HEAD: b"x: y\r\n", _BODY: b"x"}
_PAUSE_S = 5
_AT_ONCE = 200


async def _all(host: str, port: int) -> None:
    counter = itertools.count(1)
    begins = [b""] * IDLE + [_HEAD] * SLOW_HEADS + [_BODY] * SLOW_BODIES
    async with asyncio.TaskGroup() as group:
        for index, begin in enumerate(begins):
            group.create_task(_client(host, port, begin, counter))
            if index % _AT_ONCE == 0:
                await asyncio.sleep(0.05)


async def _client(host: str, port: int, begin: bytes, counter: itertools.count[int]) -> None:
    while True:
        with contextlib.suppress(OSError):
            reader, writer = await asyncio.open_connection(host, port)
            if next(counter) == ALL:
                sys.stdout.write("all\n")
                sys.stdout.flush()
            with contextlib.closing(writer):
                writer.write(begin)
                await _linger(reader, writer, _MORE[begin])
        await asyncio.sleep(_PAUSE_S)


async def _linger(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, more: bytes) -> None:
    while not reader.at_eof():
        try:
            await asyncio.wait_for(reader.read(1_000), _PAUSE_S)
        except TimeoutError:
            writer.write(more)


if __name__ == "__main__":
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (2 * ALL, max(2 * ALL, hard)))
    asyncio.run(_all(sys.argv[1], int(sys.argv[2])))
