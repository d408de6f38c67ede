"""Pages of shops, made of what a test is about."""

from __future__ import annotations

import json
from typing import Any

from gotgan.domains.shops.extract import PageFacts, read_page

__all__ = ["ADDRESS", "CHAIR", "json_ld", "read", "shop_page"]

ADDRESS = "https://antik.test/products/chair"
CHAIR = "<h1>A Georgian chair</h1>"


def read(body: str, *, head: str = "", address: str = ADDRESS) -> PageFacts:
    """What the reader says about a page."""
    return read_page(f"<html><head>{head}</head><body>{body}</body></html>".encode(), address)


def json_ld(value: Any) -> str:
    """A script that declares something."""
    text = value if isinstance(value, str) else json.dumps(value)
    return f'<script type="application/ld+json">{text}</script>'


def shop_page(body: str) -> str:
    """The page of a chair, with the button that all such pages have."""
    return f'{CHAIR}{body}<form action="/cart/add"><button>Add to cart</button></form>'
