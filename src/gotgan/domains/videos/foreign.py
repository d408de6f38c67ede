"""Results that another program saved: read as if they were ours, and never rewritten."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from gotgan.clock import utc_iso

if TYPE_CHECKING:
    from gotgan.domains.videos.reports import VideoResult

__all__ = ["is_ours", "shape_2"]


def is_ours(document: Any) -> bool:
    """Whether a saved result has our second shape."""
    return isinstance(document, Mapping) and {"sentiment", "usage", "meta"} <= document.keys()


def shape_2(document: Any, result: VideoResult) -> dict[str, Any]:
    """The second shape of a result in the contract's shape, without facts; gaps are left empty."""
    said = document if isinstance(document, Mapping) else {}
    meta = _object(said.get("meta"))
    summary = _object(said.get("summary"))
    parts = ("majorReactions", "positivePoints", "weakPoints")
    return {
        "summary": {name: str(summary.get(name) or "–") for name in parts},
        "contentIdeas": [
            {
                "title": str(each.get("title") or "–"),
                "description": str(each.get("description") or "–"),
                "evidence": [],
            }
            for each in map(_object, _list(said.get("contentIdeas")))
        ],
        "recommendedKeywords": [str(each) for each in _list(said.get("recommendedKeywords"))],
        "titleSuggestions": [],
        "sentiment": None,
        "spam": 0,
        "keywords": [],
        "topics": [],
        "requests": [],
        "questions": [],
        "highlights": [],
        "moments": [],
        "usage": {"units": 0, "inputTokens": 0, "outputTokens": 0, "costUsd": None},
        "meta": {
            "model": result.model_name,
            "analyser": "gemini" if "gemini" in result.model_name.lower() else "openai",
            "analyzedAt": _stamp(meta.get("analyzedAt"), result.created_at),
            "commentSampleCount": result.comment_sample_count,
            "analysisBasis": list(result.analysis_basis),
            "languageSummary": meta.get("languageSummary"),
            "cacheHit": False,
            "analysisVersion": result.analysis_version,
            "promptVersion": result.prompt_version,
            "scoreVersion": result.score_version,
            "schemaVersion": 2,
            "commentSnapshotHash": result.comment_snapshot_hash,
            "source": "youtube",
            "warnings": [str(each) for each in _list(meta.get("warnings"))],
        },
    }


def _object(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _stamp(given: Any, created_at: datetime) -> str:
    """When it was made, as our results have it."""
    try:
        moment = datetime.fromisoformat(given)
    except (TypeError, ValueError):
        return utc_iso(created_at)
    return utc_iso(moment if moment.tzinfo else created_at)
