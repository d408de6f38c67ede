"""Whose page an address is, and which shops share a name."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gotgan.domains.shops.sites import (
    core_domain_name,
    is_public_suffix,
    is_same_site,
    parse_domain,
)
from gotgan.errors import UsageError


@pytest.mark.parametrize(
    ("typed", "domain"),
    [
        ("example.com", "example.com"),
        (" Example.COM. ", "example.com"),
        ("www.example.com", "www.example.com"),
        ("https://example.com:443/shop?x=1#y", "example.com"),
        ("example.com/shop", "example.com"),
        ("bücher.example", "xn--bcher-kva.example"),
        ("BÜCHER.example", "xn--bcher-kva.example"),
        ("xn--bcher-kva.example", "xn--bcher-kva.example"),
    ],
)
def test_a_domain_is_read_from_what_was_typed(typed: str, domain: str) -> None:
    assert parse_domain(typed) == domain


@pytest.mark.parametrize(
    "typed",
    ["", "example", "127.0.0.1", "https://[::1]/", "a b.com", "me@example.com", "ftp://a.com", "a"],
)
def test_what_is_no_domain_is_refused_with_an_example(typed: str) -> None:
    with pytest.raises(UsageError, match=r"is not a domain \(use a name such as example\.com\)"):
        parse_domain(typed)


@pytest.mark.parametrize("typed", ["https://example.com:8443/shop", "example.com:81"])
def test_another_port_is_refused_with_what_to_write(typed: str) -> None:
    with pytest.raises(UsageError, match=r"has the port (8443|81), .*\(use example\.com\)$"):
        parse_domain(typed)


@pytest.mark.parametrize(
    ("domain", "is_suffix"),
    [
        ("co.uk", True),
        ("co.kr", True),
        ("example.co.uk", False),
        ("www.com", False),
        ("myshopify.com", False),
        ("shop.test", False),
    ],
)
def test_what_is_sold_to_everybody_is_nobodys_shop(domain: str, is_suffix: bool) -> None:
    assert is_public_suffix(domain) is is_suffix


@settings(max_examples=50, deadline=None)
@given(st.text(max_size=20))
def test_a_domain_is_read_or_refused(typed: str) -> None:
    try:
        domain = parse_domain(typed)
    except UsageError:
        return
    assert parse_domain(domain) == domain


@pytest.mark.parametrize(
    ("domain", "name"),
    [
        ("example.com", "example"),
        ("www.example.co.uk", "example"),
        ("shop.example.co.kr", "example"),
        ("antik.myshopify.com", "antik"),
        ("myshopify.com", "myshopify"),
        ("xn--bcher-kva.de", "xn--bcher-kva"),
        ("antik-1.shop.test", "antik-1"),
        ("www.antik-1.hosted.test", "antik-1"),
        ("co.uk", "co"),
    ],
)
def test_a_core_name_is_what_somebody_chose(domain: str, name: str) -> None:
    assert core_domain_name(domain) == name


@pytest.mark.parametrize(
    ("url", "is_same"),
    [
        ("https://example.com/a", True),
        ("http://www.example.com/a?b", True),
        ("https://example.com", True),
        ("https://EXAMPLE.com?x", True),
        ("https://shop.example.com/a", False),
        ("https://example.com:8443/a", False),
        ("https://example.com.evil.test/", False),
        ("https://example.com@evil.test/", False),
        ("https://evil.test/https://example.com/", False),
        ("ftp://example.com/a", False),
        ("/a", False),
        ("", False),
    ],
)
def test_a_site_is_one_host_with_or_without_www(url: str, is_same: bool) -> None:
    assert is_same_site(url, "example.com") is is_same
    assert is_same_site(url, "www.example.com") is is_same
