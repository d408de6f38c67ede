"""Bounds: no server can make us wait for ever, take too much, or fail in its own words."""

from __future__ import annotations

import gzip
import inspect
import socket
import ssl
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import aiohttp
import pytest
from aiohttp import client_exceptions, http_exceptions
from aiohttp.client_reqrep import ConnectionKey

from gotgan.errors import (
    AddressRefused,
    FetchError,
    FetchTimeout,
    TooLarge,
    Truncated,
    Undecodable,
    Unreachable,
)
from gotgan.fetch import Web
from gotgan.fetch.wire import TRANSPORT_ERRORS, fetch_error
from tests.each import each
from tests.unit.fetch.serving import SITE, Server, exchanged, opened, reply
from tests.unit.fetch.serving import server as served

PAGE = b"<html>" + b"x" * 1000 + b"</html>"


def chunked(*pieces: bytes, end: bytes = b"0\r\n\r\n") -> bytes:
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
    return head + b"".join(b"%x\r\n%s\r\n" % (len(each), each) for each in pieces) + end


def test_a_packed_body_arrives_unpacked(server: Server, web: Web) -> None:
    server.says("/a", reply(gzip.compress(PAGE), Content_Encoding="gzip"))
    assert web.get(f"{SITE}/a").body == PAGE
    assert server.requests[-1].headers["accept-encoding"] == "gzip, deflate"


def left(server: Server) -> FetchTimeout:
    """How a server is left that has got a request; a busy machine needs longer to send one."""
    for seconds in (0.05, 0.5, 5.0):
        with pytest.raises(FetchTimeout) as caught:
            exchanged(f"http://{server.place}/a", seconds=seconds)
        if server.targets:
            return caught.value
    raise AssertionError("no request arrived")


def test_a_server_that_says_nothing_is_left(server: Server) -> None:
    server.says("/a", server.hangs)
    assert "timed out" in left(server).message


def test_a_server_that_stops_in_the_middle_is_left(server: Server) -> None:
    def stops(connection: socket.socket) -> None:
        connection.sendall(reply(PAGE)[:-10])
        server.hangs(connection)

    server.says("/a", stops)
    assert "timed out" in left(server).message


def test_an_announced_size_is_refused_before_anything_is_read(server: Server) -> None:
    def announces(connection: socket.socket) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n")
        server.hangs(connection)

    server.says("/a", announces)
    with opened(server, most_on_the_wire=4999) as web, pytest.raises(TooLarge, match="4,999"):
        web.get(f"{SITE}/a")
    with opened(server) as web, pytest.raises(TooLarge, match="4,998"):
        web.get(f"{SITE}/a", most_bytes=4998)


def test_what_was_not_announced_is_counted(server: Server) -> None:
    server.says("/a", chunked(PAGE, PAGE))
    with opened(server, most_on_the_wire=len(PAGE)) as web, pytest.raises(TooLarge):
        web.get(f"{SITE}/a")
    with opened(server) as web:
        with pytest.raises(TooLarge):
            web.get(f"{SITE}/a", most_bytes=2 * len(PAGE) - 1)
        assert web.get(f"{SITE}/a", most_bytes=2 * len(PAGE)).body == PAGE + PAGE


def test_a_bomb_does_not_go_off(server: Server, web: Web) -> None:
    server.says("/a", reply(gzip.compress(bytes(3_000_000)), Content_Encoding="gzip"))
    with pytest.raises(TooLarge):
        web.get(f"{SITE}/a", most_bytes=1_000_000)


def test_packing_that_we_did_not_ask_for_is_not_undone(server: Server, web: Web) -> None:
    server.says("/a", reply(PAGE, Content_Encoding="br"))
    with pytest.raises(Undecodable, match="'br'"):
        web.get(f"{SITE}/a")


@pytest.mark.parametrize(
    "cut",
    [
        reply(PAGE)[:-1],
        reply(gzip.compress(PAGE)[:-1], Content_Encoding="gzip"),
        chunked(PAGE, end=b""),
        chunked(PAGE, end=b"5\r\nab"),
    ],
    ids=["length", "gzip", "chunks", "chunk"],
)
def test_a_body_without_its_end_is_truncated(server: Server, web: Web, cut: bytes) -> None:
    server.says("/a", cut)
    with pytest.raises(Truncated, match="is incomplete"):
        web.get(f"{SITE}/a")


def test_without_a_length_the_end_of_the_connection_is_the_end(server: Server, web: Web) -> None:
    server.says("/a", b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + PAGE)
    assert web.get(f"{SITE}/a").body == PAGE


@pytest.mark.parametrize(
    "nonsense",
    [
        b"SSH-2.0-OpenSSH_9.6\r\nConnection: close\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nbad header\x00: x\r\nConnection: close\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: many\r\nConnection: close\r\n\r\n",
        reply(PAGE, X_Long="x" * 70_000),
        chunked(end=b"zz\r\nConnection: close"),
    ],
    ids=["another protocol", "a bad header", "a bad length", "a long header", "bad chunks"],
)
def test_what_is_not_http_is_said_to_be_none(server: Server, web: Web, nonsense: bytes) -> None:
    server.says("/a", nonsense)
    with pytest.raises((Undecodable, Truncated)):
        web.get(f"{SITE}/a")


def test_a_long_header_of_a_large_site_is_taken(server: Server, web: Web) -> None:
    server.says("/a", reply(PAGE, Content_Security_Policy="x" * 30_000))
    assert web.get(f"{SITE}/a").body == PAGE


def test_a_connection_that_is_closed_at_once_is_no_answer(server: Server, web: Web) -> None:
    server.says("/a", socket.socket.close)
    with pytest.raises(Unreachable):
        web.get(f"{SITE}/a")


def test_a_closed_port_is_unreachable() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        place = f"127.0.0.1:{listener.getsockname()[1]}"
    with opened(Server(place)) as web, pytest.raises(FetchError, match=r"connection refused$"):
        web.get(f"{SITE}/a")


def test_cookies_are_not_kept(server: Server) -> None:
    async def lookup(_host: str, _port: int) -> list[str]:
        return ["127.0.0.1"]

    server.says("/a", reply(PAGE, Set_Cookie="a=b; Path=/"))
    url = f"http://inside.test:{server.place.rpartition(':')[2]}/a"
    with opened(server, lookup) as web:
        web.get(url, from_settings=True)
        web.get(url, from_settings=True)
    assert server.targets == ["/a", "/a"]
    assert "cookie" not in server.requests[-1].headers


def _made(kind: type[Exception]) -> Exception:
    """A mishap of a kind, with whatever aiohttp wants to make one."""
    key = ConnectionKey("site.test", 443, True, True, None, None, None)  # noqa: FBT003
    cause = ssl.SSLCertVerificationError("not trusted")
    parameters = [name for name in inspect.signature(kind.__init__).parameters if name != "self"]
    known = {
        "connection_key": key,
        "os_error": OSError(1, "so it is"),
        "certificate_error": cause,
        "path": "/a",
        "request_info": None,
        "history": (),
        "expected": b"",
        "got": b"",
        "host": "site.test",
        "port": 443,
        "url": "site.test",
        "line": "x",
        "hdr": "x",
        "message": "so it is",
    }
    return kind(**{name: known[name] for name in parameters if name in known})


KINDS = [
    kind
    for module in (client_exceptions, http_exceptions)
    for _, kind in inspect.getmembers(module, inspect.isclass)
    if issubclass(kind, Exception) and kind.__module__ == module.__name__
    if not issubclass(kind, TypeError)  # of web sockets, which nobody opens
]


@each("kind", KINDS, lambda kind: kind.__name__)
def test_every_mishap_of_aiohttp_has_a_meaning(kind: type[Exception]) -> None:
    mishap = _made(kind)
    assert isinstance(mishap, TRANSPORT_ERRORS)
    error = fetch_error(mishap, "https://site.test/a?secret")
    assert type(error) is not FetchError
    assert "https://site.test/a" in error.message
    assert "secret" not in error.message


@pytest.mark.parametrize(
    ("mishap", "error", "words"),
    [
        (aiohttp.InvalidURL("x"), AddressRefused, "not a valid URL"),
        (aiohttp.NonHttpUrlClientError("x"), AddressRefused, "not a valid URL"),
        (ValueError("x"), AddressRefused, "not a valid URL"),
        (aiohttp.ClientPayloadError(), Truncated, "is incomplete"),
        (aiohttp.ServerTimeoutError(), FetchTimeout, "timed out"),
        (aiohttp.ServerDisconnectedError(), Unreachable, "Server disconnected"),
        (TimeoutError(), FetchTimeout, "timed out"),
        (ConnectionResetError("reset"), Unreachable, "reset"),
        (ssl.SSLError("handshake"), Unreachable, "TLS failed"),
        (_made(aiohttp.ClientConnectorCertificateError), Unreachable, "certificate"),
        (_made(aiohttp.ClientConnectorDNSError), Unreachable, "host not found"),
        (_made(http_exceptions.LineTooLong), Undecodable, "not valid HTTP"),
    ],
)
def test_a_mishap_is_told_in_our_words(
    mishap: Exception, error: type[FetchError], words: str
) -> None:
    told = fetch_error(mishap, "https://site.test/a")
    assert type(told) is error
    assert words in told.message


def _certificate() -> Path:
    return Path(str(files("aiosmtpd") / "tests/certs"))


def test_a_certificate_that_nobody_signed_is_not_trusted() -> None:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(_certificate() / "server.crt", _certificate() / "server.key")
    with served(context) as secure, opened(secure) as web:
        with pytest.raises(FetchError, match="untrusted certificate"):
            web.get(f"https://{secure.place}/a", from_settings=True)
        assert secure.requests == []


def test_a_server_without_tls_is_not_reached_over_it(server: Server, web: Web) -> None:
    with pytest.raises(FetchError, match="TLS failed"):
        web.get(f"https://{server.place}/a", from_settings=True)


@pytest.mark.parametrize("seam", [gzip.compress, bytes])
def test_robots_txt_is_bounded_too(server: Server, seam: Callable[[bytes], bytes]) -> None:
    packing = "gzip" if seam is gzip.compress else "identity"
    server.says("/robots.txt", reply(seam(bytes(2_000_001)), Content_Encoding=packing))
    server.says("/a", reply(PAGE))
    with opened(server) as web, pytest.raises(FetchError, match="more than 2,000,000 bytes"):
        web.get(f"{SITE}/a")
