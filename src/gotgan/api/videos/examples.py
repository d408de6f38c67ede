"""Examples of what may be sent to the videos: each can be sent as it stands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

__all__ = ["EXAMPLES"]

_TABLE: Final = (
    "video_id,text,likes\n"
    "dQw4w9WgXcQ,I come back to this every year,120\n"
    "dQw4w9WgXcQ,Please make one about the drums,14\n"
)

EXAMPLES: Final[Mapping[str, Mapping[str, Any]]] = {
    "analyse_video": {
        "video": {
            "summary": "A video; a fresh analysis of it is given again",
            "value": {"video": "https://www.youtube.com/watch?v=dQw4w9WgXcQ"},
        },
        "anew": {
            "summary": "The same, analysed anew",
            "value": {"video": "dQw4w9WgXcQ", "force": True, "reason": "user_request"},
        },
    },
    "import_videos": {
        "table": {
            "summary": "A table of comments",
            "value": {"files": [{"name": "comments.csv", "text": _TABLE}]},
        },
    },
}
"""By the name of the operation, and by that of the example."""
