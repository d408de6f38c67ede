"""The guard: links lead to the public web and nowhere else."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Sequence
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gotgan.clock import SystemClock
from gotgan.errors import AddressRefused
from gotgan.fetch import FetchRules, Web
from gotgan.fetch.addresses import parse_url
from gotgan.fetch.guard import Guard, is_public, resolve_host
from gotgan.fetch.recording import ReplayTransport
from tests.unit.fetch.serving import Server, exchanged, opened, redirect, reply

PUBLIC = "93.184.216.34"
MAP = {
    "site.test": "127.0.0.1:1",
    "*.site.test": "127.0.0.1:2",
    "*.deep.site.test": "127.0.0.1:3",
    "*": "127.0.0.1:4",
}


@pytest.mark.parametrize(
    "address",
    [
        "0.0.0.0",  # noqa: S104 - one of those that must be refused
        "0.1.2.3",
        "10.0.0.1",
        "100.64.0.1",
        "100.100.100.200",
        "127.0.0.1",
        "127.255.255.254",
        "168.63.129.16",
        "169.254.169.254",
        "172.16.0.1",
        "172.31.255.255",
        "192.0.0.192",
        "192.0.2.1",
        "192.88.99.1",
        "192.168.1.1",
        "198.18.0.1",
        "198.51.100.1",
        "203.0.113.1",
        "224.0.0.1",
        "239.255.255.250",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::127.0.0.1",
        f"::{PUBLIC}",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "::ffff:0:127.0.0.1",
        "64:ff9b::7f00:1",
        "64:ff9b::a9fe:a9fe",
        "64:ff9b:1::1",
        "100::1",
        "2001::1",
        "2001:0:a9fe:a9fe::1",
        "2001:db8::1",
        "2002:7f00:1::1",
        "2002:c0a8:101::1",
        "2002:5db8:d822::1",
        "3fff::1",
        "5f00::1",
        "fc00::1",
        "fd00:ec2::254",
        "fe80::1",
        "fec0::1",
        "ff02::1",
    ],
)
def test_an_address_that_not_everybody_can_reach_is_not_public(address: str) -> None:
    assert not is_public(ip_address(address))


@pytest.mark.parametrize(
    "address",
    [
        "1.1.1.1",
        PUBLIC,
        "100.63.255.255",
        "100.128.0.0",
        "172.15.255.255",
        "172.32.0.0",
        "168.63.129.15",
        "223.255.255.255",
        "2606:4700:4700::1111",
        "2001:4860:4860::8888",
        "2001:200::1",
        "64:ff9b::5db8:d822",
    ],
)
def test_an_address_of_the_web_is_public(address: str) -> None:
    assert is_public(ip_address(address))


@given(st.ip_addresses())
def test_what_python_calls_private_is_never_public(address: Any) -> None:
    special = address.is_private or address.is_loopback or address.is_multicast
    assert not (is_public(address) and special)


@given(st.ip_addresses(v=4))
def test_an_address_inside_another_counts_as_itself(inner: Any) -> None:
    nat64 = ip_address(int(ip_address("64:ff9b::")) | int(inner))
    assert is_public(nat64) == is_public(inner)
    assert not is_public(ip_address(int(ip_address("2002::")) | int(inner) << 80))
    assert not is_public(ip_address(f"::ffff:{inner}"))
    assert not is_public(ip_address(f"::{inner}"))


@pytest.mark.parametrize(
    ("host", "place"),
    [
        ("site.test", "127.0.0.1:1"),
        ("Site.Test.", "127.0.0.1:1"),
        ("a.site.test", "127.0.0.1:2"),
        ("a.b.site.test", "127.0.0.1:2"),
        ("a.deep.site.test", "127.0.0.1:3"),
        ("deep.site.test", "127.0.0.1:2"),
        ("notsite.test", "127.0.0.1:4"),
        ("other.example", "127.0.0.1:4"),
        ("single", "127.0.0.1:4"),
        ("8.8.8.8", None),
        ("127.0.0.1", None),
        ("[::1]", None),
        ("localhost", None),
        ("LOCALHOST.", None),
    ],
)
def test_the_resolver_map_prefers_what_is_more_exact(host: str, place: str | None) -> None:
    assert Guard(MAP).place_of(parse_url(f"http://{host}/")) == place


def test_without_a_star_only_what_is_named_is_mapped() -> None:
    guard = Guard({"*.site.test": "127.0.0.1:2"})
    assert guard.place_of(parse_url("http://a.site.test/")) == "127.0.0.1:2"
    assert guard.place_of(parse_url("http://site.test/")) is None


@pytest.mark.parametrize("host", ["127.0.0.1", "[::1]", "10.1.2.3", "localhost", "a.localhost"])
def test_an_address_that_says_that_it_is_local_is_refused_unless_trusted(host: str) -> None:
    guard = Guard({})
    guard.admit(parse_url(f"http://{host}/"), is_trusted=True)
    with pytest.raises(AddressRefused, match="add it to the settings"):
        guard.admit(parse_url(f"http://{host}/"), is_trusted=False)


def test_a_public_name_or_address_is_let_through() -> None:
    for host in ("site.test", PUBLIC, "[2606:4700::1111]", "localhost.example"):
        Guard({}).admit(parse_url(f"http://{host}/"), is_trusted=False)


class Names:
    """A name server that gives one answer after another."""

    def __init__(self, *answers: Sequence[str]) -> None:
        self.answers = list(answers)
        self.asked: list[tuple[str, int]] = []

    async def __call__(self, host: str, port: int) -> Sequence[str]:
        self.asked.append((host, port))
        return self.answers.pop(0)


def _addresses(guard: Guard, *, is_trusted: bool = False) -> Sequence[str]:
    return asyncio.run(guard.addresses("evil.test", 80, is_trusted=is_trusted))


def test_a_name_that_turns_into_a_local_address_is_refused_when_it_has_turned() -> None:
    guard = Guard({}, Names([PUBLIC], ["127.0.0.1"]))
    assert _addresses(guard) == [PUBLIC]
    with pytest.raises(AddressRefused):
        _addresses(guard)


@pytest.mark.parametrize("local", ["127.0.0.1", "fe80::1%eth0", "::ffff:10.0.0.1"])
def test_one_local_address_among_public_ones_spoils_them_all(local: str) -> None:
    with pytest.raises(AddressRefused):
        _addresses(Guard({}, Names([PUBLIC, local, "2606:4700::1111"])))


def test_a_trusted_name_may_have_any_address() -> None:
    assert _addresses(Guard({}, Names(["10.0.0.1"])), is_trusted=True) == ["10.0.0.1"]


def test_a_name_without_an_address_is_unknown() -> None:
    with pytest.raises(OSError, match="no address"):
        _addresses(Guard({}, Names([])))


def test_a_link_to_a_name_with_a_local_address_reaches_nobody(server: Server) -> None:
    names = Names(["127.0.0.1"])
    port = server.place.rpartition(":")[2]
    with opened(server, names) as web, pytest.raises(AddressRefused):
        web.get(f"http://evil.test:{port}/robots.txt")
    assert names.asked == [("evil.test", int(port))]
    assert server.connections == 0


def test_what_is_connected_to_is_what_was_looked_up_and_it_is_looked_up_once(
    server: Server,
) -> None:
    server.says("/", reply(b"inside"))
    names = Names(["127.0.0.1"], ["127.0.0.1"])
    port = server.place.rpartition(":")[2]
    with opened(server, names) as web:
        answer = web.get(f"http://inside.test:{port}/", from_settings=True)
    assert answer.body == b"inside"
    assert server.connections == 2  # robots.txt and the page, each closed by the server
    assert names.asked == [("inside.test", int(port))] * 2


def test_a_connection_to_a_trusted_place_is_not_used_for_a_link(server: Server) -> None:
    kept_open = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
    server.says("/robots.txt", b"HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n")
    server.says("/a", kept_open)
    port = server.place.rpartition(":")[2]
    names = Names(*[["127.0.0.1"]] * 4)
    with opened(server, names) as web:
        web.get(f"http://inside.test:{port}/a", from_settings=True)
        with pytest.raises(AddressRefused):
            web.get(f"http://inside.test:{port}/a")
    assert server.targets == ["/a"]
    assert server.connections == 1


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "127.0.0.1.", "①②⑦.0.0.1", "[::1]"])
def test_a_link_that_names_this_machine_reaches_nobody(server: Server, host: str) -> None:
    port = server.place.rpartition(":")[2]
    with opened(server, resolve={"*": server.place}) as web, pytest.raises(AddressRefused):
        web.get(f"http://{host}:{port}/")
    assert server.connections == 0


def test_what_stands_in_the_settings_is_reached_wherever_it_is(server: Server) -> None:
    server.says("/", reply(b"here"))
    with opened(server) as web:
        assert web.get(f"http://{server.place}/", from_settings=True).body == b"here"


def test_the_wire_itself_refuses_what_is_not_public(server: Server) -> None:
    with pytest.raises(AddressRefused):
        exchanged(f"http://{server.place}/", is_trusted=False)
    assert server.connections == 0


def test_what_is_refused_is_not_even_asked_for_its_rules(tmp_path: Path) -> None:
    replaying = ReplayTransport(tmp_path)  # it would say that there is no recording
    with (
        Web(FetchRules(), clock=SystemClock(), transport=replaying) as web,
        pytest.raises(AddressRefused),
    ):
        web.get("http://127.0.0.1/")


def test_a_trusted_place_may_redirect_to_itself(server: Server) -> None:
    server.says("/", redirect("/b"))
    server.says("/b", reply(b"here"))
    with opened(server) as web:
        answer = web.get(f"http://{server.place}/", from_settings=True)
    assert (answer.body, answer.url) == (b"here", f"http://{server.place}/b")


@pytest.mark.parametrize(
    "location",
    [
        "http://169.254.169.254/latest/meta-data/",
        "http://127.0.0.1:1/",
        "http://localhost:{port}/b",
        "https://127.0.0.1/",
        "//[::1]/",
        "http://2130706433/",
        "file:///etc/passwd",
        "http://me@{place}/b",
    ],
)
@pytest.mark.parametrize("is_trusted", [True, False])
def test_a_redirect_is_guarded_like_any_link(
    server: Server, location: str, is_trusted: bool
) -> None:
    port = server.place.rpartition(":")[2]
    server.says("/", redirect(location.format(port=port, place=server.place)))
    url = f"http://{server.place}/" if is_trusted else "https://site.test/"
    with opened(server) as web, pytest.raises(AddressRefused):
        web.get(url, from_settings=is_trusted)
    assert server.targets == ["/"]


def test_a_link_cannot_redirect_to_a_trusted_place(server: Server) -> None:
    server.says("/", reply(b"here"))
    server.says("/link", redirect(f"http://{server.place}/"))
    with opened(server) as web:
        web.get(f"http://{server.place}/", from_settings=True)
        with pytest.raises(AddressRefused):
            web.get("https://site.test/link")


def test_a_link_that_was_refused_does_not_spoil_the_trusted_place(server: Server) -> None:
    server.says("/", reply(b"here"))
    names = Names(*[["127.0.0.1"]] * 3)
    url = f"http://inside.test:{server.place.rpartition(':')[2]}/"
    with opened(server, names) as web:
        with pytest.raises(AddressRefused):
            web.get(url)
        assert web.get(url, from_settings=True).body == b"here"


def test_a_mapped_name_is_reached_by_plain_http_under_its_own_name(server: Server) -> None:
    server.says("/a", reply(b"here"))
    with opened(server) as web:
        answer = web.get("https://deep.site.test:8443/a?b#c")
    assert (answer.url, answer.body) == ("https://deep.site.test:8443/a?b", b"here")
    assert server.requests[-1].address == "deep.site.test:8443/a?b"


def test_proxies_of_the_environment_are_not_asked(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    server.says("/", reply(b"here"))
    with opened(server) as web:
        assert web.get("http://site.test/").body == b"here"


def test_names_are_looked_up_where_nobody_has_to_wait_for_them() -> None:
    seen: list[tuple[bool, str]] = []

    def ask(host: str, port: int, **_: object) -> list[Any]:
        seen.append((threading.current_thread().daemon, f"{host}:{port}"))
        return [(0, 0, 0, "", ("1.1.1.1", port)), (0, 0, 0, "", ("2606:4700::1", port, 0, 0))]

    assert asyncio.run(resolve_host("site.test", 80, ask=ask)) == ["1.1.1.1", "2606:4700::1"]
    assert seen == [(True, "site.test:80")]


def test_a_name_that_nobody_knows_is_an_error() -> None:
    def ask(*_: object, **__: object) -> list[Any]:
        raise socket.gaierror(socket.EAI_NONAME, "unknown")

    with pytest.raises(OSError, match="unknown"):
        asyncio.run(resolve_host("nowhere.test", 80, ask=ask))
