"""Who asks, when proxies stand in between."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from starlette.datastructures import Headers

from gotgan.middleware import apply_forwarded_headers

PROXIES = ("10.0.0.0/8", "fd00::/8")


def seen(
    peer: str | None, headers: list[tuple[str, str]], trusted: Sequence[str]
) -> tuple[str, str]:
    """The address and the scheme that a request comes to have."""
    client = None if peer is None else (peer, 1)
    raw = [(name.encode(), value.encode()) for name, value in headers]
    scope: dict[str, Any] = {"type": "http", "scheme": "http", "client": client, "headers": raw}
    apply_forwarded_headers(scope, Headers(scope=scope), trusted)
    return (scope["client"] or ("",))[0], scope["scheme"]


@pytest.mark.parametrize(
    ("peer", "forwarded", "address"),
    [
        ("203.0.113.5", [], "203.0.113.5"),
        ("203.0.113.5", ["198.51.100.7"], "203.0.113.5"),
        ("10.0.0.1", ["198.51.100.7"], "198.51.100.7"),
        ("10.0.0.1", ["192.0.2.1, 198.51.100.7"], "198.51.100.7"),
        ("10.0.0.1", ["192.0.2.1", "198.51.100.7, 10.0.0.2"], "198.51.100.7"),
        ("10.0.0.1", ["198.51.100.7, garbage"], "10.0.0.1"),
        ("10.0.0.1", [""], "10.0.0.1"),
        ("10.0.0.1", ["10.0.0.3"], "10.0.0.3"),
        ("fd00::1", ["2001:db8::7"], "2001:db8::7"),
        ("2001:db8::9", ["2001:db8::7"], "2001:db8::9"),
        ("testclient", ["198.51.100.7"], "testclient"),
        ("::ffff:10.0.0.1", ["198.51.100.7"], "198.51.100.7"),
        ("10.0.0.1", ["198.51.100.7:5555"], "198.51.100.7"),
        ("10.0.0.1", ["[2001:db8::7]:5555"], "2001:db8::7"),
        ("10.0.0.1", ["198.51.100.7, ::ffff:10.0.0.2"], "198.51.100.7"),
        (None, ["198.51.100.7"], ""),
    ],
)
def test_a_forwarded_address_is_believed_of_trusted_proxies_only(
    peer: str | None, forwarded: list[str], address: str
) -> None:
    headers = [("x-forwarded-for", line) for line in forwarded]
    assert seen(peer, headers, PROXIES) == (address, "http")
    assert seen(peer, headers, ()) == (peer or "", "http")


@pytest.mark.parametrize(
    ("peer", "told", "scheme"),
    [
        ("10.0.0.1", "https", "https"),
        ("10.0.0.1", "http, https", "https"),
        ("10.0.0.1", "https, http", "http"),
        ("10.0.0.1", "gopher", "http"),
        ("203.0.113.5", "https", "http"),
    ],
)
def test_a_forwarded_scheme_is_believed_of_trusted_proxies_only(
    peer: str, told: str, scheme: str
) -> None:
    assert seen(peer, [("x-forwarded-proto", told)], PROXIES)[1] == scheme
