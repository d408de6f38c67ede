"""A result: what was counted and what was said, with what both rest on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from gotgan.clock import utc_iso
from gotgan.domains.videos import shapes
from gotgan.domains.videos.facts import facts_of
from gotgan.domains.videos.measuring.measured import Measurements
from gotgan.domains.videos.models import Analyser, Basis, Material, Usage
from gotgan.domains.videos.shapes import Insights, Result2
from gotgan.domains.videos.wording import cut, warnings_of

__all__ = ["Making", "result_of", "shape_1", "with_cache_hit"]

_READ_CHANNELS: Final = frozenset({"gemini", "openai"})
"""Who is told whose video it is."""
_OF_META_1: Final = (
    "model",
    "analyzedAt",
    "commentSampleCount",
    "analysisBasis",
    "cacheHit",
    "analysisVersion",
    "warnings",
)


@dataclass(frozen=True)
class Making:
    """How a result was made: by whom, in which versions, when, and for how much."""

    analyser: Analyser
    model: str
    analysis_version: str
    prompt_version: str | None
    score_version: str
    method: str
    """What counted the sentiment."""
    at: datetime
    usage: Usage = field(default_factory=Usage)
    snapshot_hash: str | None = None


def result_of(
    material: Material,
    measured: Measurements,
    insights: Insights,
    making: Making,
    repairs: Iterable[str] = (),
) -> Result2:
    """The whole result, in its second shape; ``repairs`` are what validation had to say."""
    basis = _basis(material, making.analyser)
    warnings = warnings_of(material, basis, repairs, insights.warnings)
    opinions = insights.model_dump(exclude={"languageSummary", "warnings"})
    meta = _meta(material, insights, making, basis, warnings)
    usage = _usage(making.usage)
    facts = facts_of(measured, making.method)
    return Result2.model_validate({**opinions, **facts, "usage": usage, "meta": meta})


def shape_1(document: Mapping[str, Any]) -> dict[str, Any]:
    """The contract's part of a result in its second shape."""
    meta = {name: document["meta"][name] for name in _OF_META_1}
    languages = document["meta"].get("languageSummary")
    ideas = document["contentIdeas"]
    return {
        "summary": document["summary"],
        "contentIdeas": [{name: each[name] for name in ("title", "description")} for each in ideas],
        "recommendedKeywords": document["recommendedKeywords"],
        "meta": {
            **meta,
            **({} if languages is None else {"languageSummary": languages}),
            "schemaVersion": 1,
        },
    }


def with_cache_hit(document: Mapping[str, Any], *, hit: bool) -> dict[str, Any]:
    """A result of either shape that says whether it was given again."""
    return {**document, "meta": {**document["meta"], "cacheHit": hit}}


def _basis(material: Material, analyser: Analyser) -> list[Basis]:
    """What there really was to go by."""
    there: dict[Basis, bool] = {
        "title": bool(material.video.title.strip()),
        "description": bool(material.video.description.strip()),
        "comments": bool(material.comments),
        "channel_meta": material.channel is not None and analyser in _READ_CHANNELS,
    }
    return [name for name, is_there in there.items() if is_there]


def _meta(
    material: Material,
    insights: Insights,
    making: Making,
    basis: list[Basis],
    warnings: list[str],
) -> shapes.Meta:
    return shapes.Meta(
        model=cut(making.model, 200),
        analyser=making.analyser,
        analyzedAt=utc_iso(making.at),
        commentSampleCount=len(material.comments),
        analysisBasis=basis,
        languageSummary=insights.languageSummary,
        cacheHit=False,
        analysisVersion=making.analysis_version,
        promptVersion=making.prompt_version,
        scoreVersion=making.score_version,
        schemaVersion=2,
        commentSnapshotHash=making.snapshot_hash,
        source=material.source,
        warnings=warnings,
    )


def _usage(usage: Usage) -> shapes.UsageRecord:
    return shapes.UsageRecord(
        units=usage.units,
        inputTokens=usage.input_tokens,
        outputTokens=usage.output_tokens,
        costUsd=usage.cost_usd,
    )
