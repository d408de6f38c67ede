"""Examples of what may be sent to the market: each can be sent as it stands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

__all__ = ["EXAMPLES"]

EXAMPLES: Final[Mapping[str, Mapping[str, Any]]] = {
    "open_day": {
        "today": {"summary": "Today", "value": {}},
        "day": {"summary": "Another day", "value": {"day": "2025-10-20"}},
    },
    "collect_day": {
        "today": {"summary": "Today, if the gate lets it through", "value": {}},
        "now": {
            "summary": "A day, whatever was tried before",
            "value": {"day": "2025-10-20", "now": True},
        },
    },
    "calculate_day": {
        "today": {"summary": "Today, if the gate lets it through", "value": {}},
        "now": {
            "summary": "A day, whatever was tried before",
            "value": {"day": "2025-10-20", "now": True},
        },
    },
    "recover_days": {
        "both": {"summary": "A week", "value": {"first": "2025-10-20", "last": "2025-10-24"}},
        "prices": {
            "summary": "The prices of a day",
            "value": {"first": "2025-10-20", "last": "2025-10-20", "only": "prices"},
        },
    },
}
"""By the name of the operation, and by that of the example."""
