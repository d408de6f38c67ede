"""Examples of what may be sent to a day: each can be sent as it stands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

__all__ = ["EXAMPLES"]

EXAMPLES: Final[Mapping[str, Mapping[str, Any]]] = {
    "publish_day": {
        "seoul": {"summary": "The day of Seoul", "value": {"category": "c001"}},
        "new_york": {
            "summary": "The day of New York",
            "value": {"category": "c001", "zone": "ny"},
        },
    },
}
"""By the name of the operation, and by that of the example."""
