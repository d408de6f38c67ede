"""The one spelling of an address: twins become one, and nothing that may matter is lost."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gotgan.domains.shops.canonical import TRACKING_PARAMS, TRACKING_PREFIXES, canonical_url

few = settings(max_examples=100, deadline=None)
BASE = "https://antik.example/moebel/liste?page=1"
NAMES = st.sampled_from(["q", "variant", "page", "id", "ref", "sid", "sort_by", "größe"])
VALUES = st.text(st.sampled_from("ab1 /ü%&=+~"), max_size=6)
LINKS = st.text(st.sampled_from("ab/.:?#&=%2eE[]@\\ ü\t\udc80-_~+;"), max_size=25)


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        ("HTTPS://Antik.EXAMPLE/A", "https://antik.example/A"),
        ("https://antik.example", "https://antik.example/"),
        ("https://antik.example:443/a", "https://antik.example/a"),
        ("http://antik.example:80/a", "http://antik.example/a"),
        ("https://antik.example:8443/a", "https://antik.example:8443/a"),
        ("https://möbel.example/a", "https://xn--mbel-5qa.example/a"),
        ("https://antik.example/a#picture", "https://antik.example/a"),
        ("https://antik.example/a?", "https://antik.example/a"),
        ("https://antik.example/a?&&b=1&", "https://antik.example/a?b=1"),
        ("/stuhl", "https://antik.example/stuhl"),
        ("stuhl", "https://antik.example/moebel/stuhl"),
        ("../stuhl/", "https://antik.example/stuhl/"),
        ("?page=2", "https://antik.example/moebel/liste?page=2"),
        ("//www.antik.example/a", "https://www.antik.example/a"),
        (" /a\n/b ", "https://antik.example/a/b"),
        ("/a/./b/../c/..", "https://antik.example/a/"),
        ("https://antik.example/a/.", "https://antik.example/a/"),
        ("/%7euser/%c3%a9/%2f", "https://antik.example/~user/%C3%A9/%2F"),
        ("/größe ä", "https://antik.example/gr%C3%B6%C3%9Fe%20%C3%A4"),
        ("/100%", "https://antik.example/100%25"),
    ],
)
def test_the_same_page_is_spelt_in_one_way(link: str, expected: str) -> None:
    assert canonical_url(link, BASE) == expected


@pytest.mark.parametrize(
    "link",
    [
        "mailto:info@antik.example",
        "javascript:void(0)",
        "tel:+4930123",
        "ftp://antik.example/a",
        "https://user:secret@antik.example/",
        "https://",
        "https://[::1",
        "https://antik.example:99999/",
        "/bilder/stuhl.JPG?width=800",
        "/katalog.pdf",
        "/" + "a" * 9_000,
        "/" + "ä" * 2_000,
        "data:image/png;base64," + "A" * 9_000,
    ],
)
def test_what_is_no_page_has_no_spelling(link: str) -> None:
    assert canonical_url(link, BASE) is None


@pytest.mark.parametrize("link", ["/a.html", "/a.php?x=1", "/v1.2", "/jpg", "/a.jpg/", "/?f=a.jpg"])
def test_a_page_is_not_taken_for_a_file(link: str) -> None:
    assert canonical_url(link, BASE) == f"https://antik.example{link}"


def test_without_a_page_a_link_must_be_whole() -> None:
    assert canonical_url("/a") is None
    assert canonical_url("https://antik.example/a") == "https://antik.example/a"


def test_a_page_without_a_sensible_address_leads_nowhere() -> None:
    assert canonical_url("a", "https://[") is None
    assert canonical_url("/a", "mailto:x") is None


@pytest.mark.parametrize(
    "name", [*sorted(TRACKING_PARAMS), *(f"{each}x" for each in TRACKING_PREFIXES)]
)
def test_a_tracking_parameter_is_dropped_wherever_it_stands(name: str) -> None:
    assert canonical_url(f"/a?{name}=1", BASE) == "https://antik.example/a"
    for written in (f"{name}=1&b=2&a=1", f"b=2&{name.upper()}=x&a=1", f"b=2&a=1&{name}"):
        assert canonical_url(f"/a?{written}", BASE) == "https://antik.example/a?b=2&a=1"


@pytest.mark.parametrize("name", ["ref", "sid", "id", "page", "variant", "utm", "prod", "pos"])
def test_a_parameter_that_may_matter_stays(name: str) -> None:
    assert canonical_url(f"/a?{name}=1", BASE) == f"https://antik.example/a?{name}=1"


@few
@given(LINKS, st.sampled_from([None, BASE, "https://antik.example", "http://a.example/b/c/"]))
def test_any_link_has_one_spelling_or_none(link: str, base: str | None) -> None:
    spelt = canonical_url(link, base)
    assert spelt is None or canonical_url(spelt) == canonical_url(spelt, BASE) == spelt


@few
@given(st.text(max_size=30), st.text(max_size=30))
def test_no_text_at_all_is_too_much(link: str, base: str) -> None:
    spelt = canonical_url(f"https://antik.example/{link}", base)
    assert spelt is None or canonical_url(spelt) == spelt
    canonical_url(link, base)


@few
@given(
    st.lists(st.tuples(NAMES, VALUES), min_size=1, max_size=4),
    st.sampled_from(sorted(TRACKING_PARAMS)),
)
def test_other_parameters_keep_their_values_and_their_order(
    pairs: list[tuple[str, str]], tracking: str
) -> None:
    plain = "&".join(f"{name}={_quoted(value)}" for name, value in pairs)
    twin = "&".join((f"{tracking}=1", plain, "utm_medium=mail"))
    spelt = canonical_url(f"/a?{twin}", BASE)
    assert spelt == canonical_url(f"/a?{plain}", BASE)
    assert urlsplit(spelt or "").query.count("=") == len(pairs)


def _quoted(value: str) -> str:
    return "".join(f"%{byte:02x}" for byte in value.encode())
