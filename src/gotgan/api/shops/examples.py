"""Examples of what may be sent to the shops: each can be sent as it stands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

__all__ = ["EXAMPLES"]

EXAMPLES: Final[Mapping[str, Mapping[str, Any]]] = {
    "register_shops": {
        "one": {
            "summary": "One shop",
            "value": {"domain": "example.com", "country": "DE", "name": "Example Shop"},
        },
        "list": {
            "summary": "Several",
            "value": [{"domain": "example.de", "country": "DE"}, {"domain": "example.org"}],
        },
    },
    "adopt_shops": {
        "usual": {"summary": "As much as one run reads", "value": {}},
        "part": {"summary": "A part of a large table", "value": {"max_items": 10000}},
    },
    "crawl_shops": {
        "due": {"summary": "All of Germany that are due", "value": {"country": "DE"}},
        "small": {"summary": "A look at each", "value": {"max_pages": 100}},
    },
    "scrape_shops": {
        "due": {"summary": "All that are due", "value": {}},
        "check": {"summary": "The known products of all", "value": {"check_only": True}},
    },
    "deliver_changes": {
        "all": {"summary": "Of all shops with a country", "value": {}},
    },
    "release_shop": {
        "both": {"summary": "Whatever is stuck", "value": {}},
        "crawl": {"summary": "The crawl alone", "value": {"stage": "crawl"}},
    },
}
"""By the name of the operation, and by that of the example."""
