"""The part of S3 that exports use, on loopback: put, get, delete and list."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlsplit
from xml.sax.saxutils import escape

__all__ = ["S3", "s3_server"]

_PAGE = 3
"""Keys on a page of a list, so that there is more than one."""


@dataclass
class S3:
    """A bucket, and what was asked of it."""

    address: str = ""
    bucket: str = "bucket"
    objects: dict[str, bytes] = field(default_factory=dict)
    requests: list[tuple[str, str]] = field(default_factory=list)
    """Methods and keys."""

    def etag(self, key: str) -> str:
        return f'"{hashlib.md5(self.objects[key], usedforsecurity=False).hexdigest()}"'

    def listing(self, prefix: str, after: str) -> str:
        found = sorted(key for key in self.objects if key.startswith(prefix) and key > after)
        page = found[:_PAGE]
        contents = "".join(
            f"<Contents><Key>{escape(key)}</Key><ETag>{escape(self.etag(key))}</ETag>"
            f"<Size>{len(self.objects[key])}</Size></Contents>"
            for key in page
        )
        more = page[-1] if found[_PAGE:] else ""
        token = f"<NextContinuationToken>{escape(more)}</NextContinuationToken>" if more else ""
        return (
            f"<ListBucketResult><IsTruncated>{str(bool(more)).lower()}</IsTruncated>"
            f"{token}{contents}</ListBucketResult>"
        )


class _Server(ThreadingHTTPServer):
    def __init__(self, s3: S3) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.s3 = s3


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def do_PUT(self) -> None:
        bucket, key = self._place()
        content = self.rfile.read(int(self.headers["Content-Length"]))
        if bucket != self.server.s3.bucket:
            self._answer(404, _error("NoSuchBucket", "The specified bucket does not exist"))
            return
        self.server.s3.objects[key] = content
        self._answer(200, "", ETag=self.server.s3.etag(key))

    def do_GET(self) -> None:
        bucket, key = self._place()
        s3, query = self.server.s3, parse_qs(urlsplit(self.path).query)
        if bucket != s3.bucket:
            self._answer(404, _error("NoSuchBucket", "The specified bucket does not exist"))
        elif not key:
            after = query.get("continuation-token", [""])[0]
            self._answer(200, s3.listing(query.get("prefix", [""])[0], after))
        elif key in s3.objects:
            self._answer(200, s3.objects[key], ETag=s3.etag(key))
        else:
            self._answer(404, _error("NoSuchKey", "The specified key does not exist."))

    def do_DELETE(self) -> None:
        self.server.s3.objects.pop(self._place()[1], None)
        self._answer(204, "")

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def _place(self) -> tuple[str, str]:
        bucket, _, key = unquote(urlsplit(self.path).path)[1:].partition("/")
        self.server.s3.requests.append((self.command, key))
        return bucket, key

    def _answer(self, status: int, content: str | bytes, **headers: str) -> None:
        body = content.encode() if isinstance(content, str) else content
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def _error(code: str, message: str) -> str:
    return f"<Error><Code>{code}</Code><Message>{message}</Message></Error>"


@contextmanager
def s3_server() -> Iterator[S3]:
    """A server with an empty bucket."""
    s3 = S3()
    with _Server(s3) as server:
        s3.address = f"http://127.0.0.1:{server.server_address[1]}"
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield s3
        finally:
            server.shutdown()
            thread.join()
