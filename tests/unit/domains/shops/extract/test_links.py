from __future__ import annotations

from tests.unit.domains.shops.extract.pages import read


def test_links_are_canonical_in_the_order_of_the_page_and_each_is_there_once() -> None:
    body = """
        <a href="/table?utm_source=x#top">Table</a> <a href="lamp">Lamp</a>
        <a href="https://ANTIK.test/table">Table</a> <a href="//other.test/">Other</a>
    """
    assert read(body).links == (
        "https://antik.test/table",
        "https://antik.test/products/lamp",
        "https://other.test/",
    )


def test_what_leads_to_no_page_is_left_out() -> None:
    body = """
        <a href="mailto:dealer@antik.test">Mail</a> <a href="javascript:void(0)">Menu</a>
        <a href="#top">Top</a> <a href="tel:123">Call</a> <a href="">Here</a> <a>Nowhere</a>
        <a href="http://[broken/">Broken</a> <a href="/catalogue.pdf">Catalogue</a>
    """
    assert read(body).links == ()


def test_links_that_the_page_does_not_vouch_for_are_left_out() -> None:
    assert read('<a href="/a" rel="nofollow ugc">A</a><a href="/b">B</a>').links == (
        "https://antik.test/b",
    )
    assert read('<a href="/a">A</a>', head='<meta name="robots" content="nofollow">').links == ()
    assert read('<a href="/a">A</a>', head='<meta name="robots" content="none">').links == ()


def test_links_are_relative_to_the_base_of_the_page() -> None:
    head = '<base href="https://antik.test/shop/">'
    assert read('<a href="lamp">Lamp</a>', head=head).links == ("https://antik.test/shop/lamp",)


def test_the_canonical_address_is_absolute() -> None:
    head = '<link rel="Canonical" href="/chair?utm_source=x">'
    assert read("", head=head).canonical == "https://antik.test/chair"
    assert read("").canonical is None
