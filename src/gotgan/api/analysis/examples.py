"""Examples of what may be sent to the contract: each can be sent as it stands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

__all__ = ["EXAMPLES"]

EXAMPLES: Final[Mapping[str, Mapping[str, Any]]] = {
    "submit_job": {
        "video": {
            "summary": "A video; a fresh analysis of it is given again",
            "value": {"videoId": "dQw4w9WgXcQ"},
        },
        "anew": {
            "summary": "The same, analysed anew",
            "value": {
                "videoId": "https://youtu.be/dQw4w9WgXcQ",
                "forceRefresh": True,
                "reason": "user_request",
            },
        },
    },
}
"""By the name of the operation, and by that of the example."""
