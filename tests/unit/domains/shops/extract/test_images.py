"""The declared image of a product: by https, absolute, and of a bounded length."""

from __future__ import annotations

import pytest

from gotgan.domains.shops.extract import read_page

ADDRESS = "https://shop.test/a/chair"
_OFFER = '"offers": {"@type": "Offer", "price": "10.00", "priceCurrency": "EUR"}'


def _json_ld(image: str) -> str:
    return (
        '<script type="application/ld+json">{"@type": "Product", "name": "A chair", '
        f'"image": {image}, {_OFFER}}}</script>'
    )


@pytest.mark.parametrize(
    ("markup", "image", "source"),
    [
        (_json_ld('"https://cdn.test/1.jpg"'), "https://cdn.test/1.jpg", "json-ld"),
        (_json_ld('["/1.jpg", "/2.jpg"]'), "https://shop.test/1.jpg", "json-ld"),
        (
            _json_ld('{"@type": "ImageObject", "url": "https://cdn.test/1.jpg?a=1&amp;b=2"}'),
            "https://cdn.test/1.jpg?a=1&b=2",
            "json-ld",
        ),
        (_json_ld('["http://shop.test/1.jpg", "2.jpg"]'), "https://shop.test/a/2.jpg", "json-ld"),
        (_json_ld('["data:image/png;base64,AA", 5, null]'), None, None),
        (_json_ld(f'"https://cdn.test/{"x" * 500}.jpg"'), None, None),
        (
            '<meta property="og:image" content="https://cdn.test/og.jpg">' + _json_ld("null"),
            "https://cdn.test/og.jpg",
            "opengraph",
        ),
        (
            (
                '<div itemscope itemtype="https://schema.org/Product"><h1 itemprop="name">'
                'A chair</h1><img itemprop="image" src="/m.jpg"></div>'
            ),
            "https://shop.test/m.jpg",
            "microdata",
        ),
        ("<img src='/other.jpg'>" + _json_ld("null"), None, None),
    ],
)
def test_the_declared_image_is_read(markup: str, image: str | None, source: str | None) -> None:
    page = f"<html><head><title>A chair</title></head><body><h1>A chair</h1>{markup}</body></html>"
    facts = read_page(page.encode(), ADDRESS)
    assert (facts.image, facts.sources.get("image")) == (image, source)
