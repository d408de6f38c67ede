"""Addresses: one reading of each, and what is none is said to be none."""

from __future__ import annotations

import pytest

from gotgan.errors import AddressRefused
from gotgan.fetch.addresses import display_url, parse_url


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("https://site.test", "https://site.test/"),
        ("HTTPS://Site.TEST/A?b=C#d", "https://site.test/A?b=C"),
        ("http://site.test:80/", "http://site.test/"),
        ("https://site.test:80/", "https://site.test:80/"),
        ("http://site.test:/a", "http://site.test/a"),
        ("http://site.test./a", "http://site.test/a"),
        (" http://site.test/a\n", "http://site.test/a"),
        ("http://site.test/a b?c d", "http://site.test/a%20b?c%20d"),
        ("http://site.test/a%20b%2Fc%7e", "http://site.test/a%20b%2Fc%7e"),
        ("http://site.test/100%", "http://site.test/100%"),
        ("http://site.test/가?나", "http://site.test/%EA%B0%80?%EB%82%98"),
        ("http://site.test/\udcff", "http://site.test/%FF"),
        ("http://site.test/a?u=http://b/?c&[1]|2", "http://site.test/a?u=http://b/?c&[1]|2"),
        ("http://곳간.kr/", "http://xn--s39asr.kr/"),
        ("http://straße.de/", "http://xn--strae-oqa.de/"),
        ("http://a_b.site.test/", "http://a_b.site.test/"),
        ("http://8.8.8.8:8080/", "http://8.8.8.8:8080/"),
        ("http://[2606:4700:0:0::1111]:443/", "http://[2606:4700::1111]:443/"),
    ],
)
def test_an_address_is_written_in_one_way(written: str, meant: str) -> None:
    assert parse_url(written).url == meant
    assert parse_url(meant).url == meant


@pytest.mark.parametrize(
    "url",
    [
        "",
        "site.test/a",
        "//site.test/a",
        "ftp://site.test/",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "gopher://site.test/",
        "http://",
        "http:///a",
        "http://:80/",
        "http://user@site.test/",
        "http://user:word@site.test/",
        "http://@site.test/",
        "http://site.test\\@evil.test/",
        "http://site.test:0/",
        "http://site.test:65536/",
        "http://site.test:-1/",
        "http://site.test:8o/",
        "http://si te.test/",
        "http://site..test/",
        "http://.site.test/",
        "http://site.test../",
        "http://-site.test/",
        "http://si%74e.test/",
        "http://site.test/a\r\nHost: evil.test",
        "http://site.test/\x00",
        "http://[::1/",
        "http://[::1]x/",
        "http://[site.test]/",
        "http://[fe80::1%25eth0]/",
        "http://::1/",
        f"http://{'a' * 64}.test/",
        f"http://{'.'.join(['a' * 60] * 5)}/",
        "http://\udcff.test/",
        "http://site.test/\ud800",
    ],
)
def test_what_cannot_be_fetched_is_refused(url: str) -> None:
    with pytest.raises(AddressRefused):
        parse_url(url)


@pytest.mark.parametrize(
    "host",
    [
        "127.1",
        "127.0.1",
        "0x7f000001",
        "0x7f.0.0.1",
        "0X7F.1",
        "2130706433",
        "017700000001",
        "0177.0.0.1",
        "127.0.0.01",
        "127.0.0.1.1",
        "127.0.0.256",
        "0x",
        "site.1",
        "site.0x7f",
        "①②⑦.①",
        "127。1",
        "\uff11\uff12\uff17.1",
    ],
)
def test_odd_spellings_of_ip_addresses_are_refused(host: str) -> None:
    with pytest.raises(AddressRefused, match="unusual form"):
        parse_url(f"http://{host}/")


@pytest.mark.parametrize(
    "host", ["①②⑦.0.0.1", "127。0。0。1", "\uff11\uff12\uff17.0.0.1", "127.0.0.1."]
)
def test_digits_and_dots_of_other_scripts_are_read_as_plain_ones(host: str) -> None:
    assert str(parse_url(f"http://{host}/").ip) == "127.0.0.1"


@pytest.mark.parametrize(
    ("location", "led"),
    [
        ("/b", "https://site.test/b"),
        ("b", "https://site.test/a/b"),
        ("?q", "https://site.test/a/c?q"),
        ("//other.test/b", "https://other.test/b"),
        ("http://other.test", "http://other.test/"),
        ("../../b", "https://site.test/b"),
        ("/b#c", "https://site.test/b"),
        ("", "https://site.test/a/c"),
    ],
)
def test_a_redirect_is_read_from_where_it_was_met(location: str, led: str) -> None:
    assert parse_url("https://site.test/a/c").join(location).url == led


@pytest.mark.parametrize("location", ["http://[", "//user@b/", "mailto:a@b.test", "http://a:99999"])
def test_a_redirect_to_no_address_is_refused(location: str) -> None:
    with pytest.raises(AddressRefused):
        parse_url("https://site.test/a").join(location)


def test_what_is_shown_holds_neither_query_nor_password_and_is_one_short_line() -> None:
    url = "https://me:word@site.test/a\nb?secret=1#secret"
    assert display_url(url) == "https://site.test/a b"
    assert len(display_url("https://site.test/" + "a" * 9000)) == 200
