"""Documents of results: built from figures and opinions, or read from other programs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from gotgan.clock import utc_iso
from gotgan.domains.videos import messages, schemas
from gotgan.domains.videos.metrics import measurements
from gotgan.domains.videos.models import Analyser, Basis, Material, Problem, Usage
from gotgan.domains.videos.sources.fields import nested_object
from gotgan.messages import Message, text

if TYPE_CHECKING:
    from gotgan.domains.videos.reports import VideoResult

PROBLEM_TEXTS: Final[Mapping[Problem, Message]] = {
    "disabled": messages.COMMENTS_DISABLED(),
    "failed": messages.COMMENTS_FAILED(),
    "quota": messages.COMMENTS_QUOTA(),
    "timeout": messages.COMMENTS_TIMEOUT(),
}
_CHANNEL_READERS: Final = frozenset({"gemini", "openai"})
"""The analysers that are given the channel."""
_IDEA_1_FIELDS: Final = ("title", "description")
_META_1_FIELDS: Final = [
    name for name in schemas.Meta1.model_fields if name not in {"languageSummary", "schemaVersion"}
]
_MAX_WORD_CHARS, _MAX_LABEL_CHARS = 50, 200
_MAX_KEYWORDS, _MAX_TOPICS, _MAX_COMMENTS = 50, 12, 20


@dataclass(frozen=True)
class Provenance:
    """How a result was made: by which analyser, in which versions, when, and at what cost."""

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


def build_result(
    material: Material,
    measured: measurements.Measurements,
    insights: schemas.Insights,
    provenance: Provenance,
    warnings: Sequence[str] = (),
) -> schemas.Result2:
    """The whole result in shape 2."""
    usage = provenance.usage
    return schemas.Result2.model_validate(
        {
            **insights.model_dump(exclude={"languageSummary", "warnings"}),
            **_facts(measured, provenance.method),
            "usage": {
                "units": usage.units,
                "inputTokens": usage.input_tokens,
                "outputTokens": usage.output_tokens,
                "costUsd": usage.cost_usd,
            },
            "meta": {
                "model": _truncate(provenance.model, _MAX_LABEL_CHARS),
                "analyser": provenance.analyser,
                "analyzedAt": utc_iso(provenance.at),
                "commentSampleCount": len(material.comments),
                "analysisBasis": _basis(material, provenance.analyser),
                "languageSummary": insights.languageSummary,
                "cacheHit": False,
                "analysisVersion": provenance.analysis_version,
                "promptVersion": provenance.prompt_version,
                "scoreVersion": provenance.score_version,
                "schemaVersion": 2,
                "commentSnapshotHash": provenance.snapshot_hash,
                "source": material.source,
                "warnings": [_truncate(each, schemas.MAX_WARNING_CHARS) for each in warnings],
            },
        }
    )


def shape_1(document: Mapping[str, Any]) -> dict[str, Any]:
    """The part of a result in shape 2 that the contract has."""
    meta = {name: document["meta"][name] for name in _META_1_FIELDS}
    languages = document["meta"].get("languageSummary")
    return {
        "summary": document["summary"],
        "contentIdeas": [
            {name: idea[name] for name in _IDEA_1_FIELDS} for idea in document["contentIdeas"]
        ],
        "recommendedKeywords": document["recommendedKeywords"],
        "meta": {
            **meta,
            **({} if languages is None else {"languageSummary": languages}),
            "schemaVersion": 1,
        },
    }


def with_messages(document: Mapping[str, Any], warnings: Sequence[str]) -> dict[str, Any]:
    """A result in shape 2 whose texts of ours are messages, so that they can be translated."""
    meta, sentiment = document["meta"], document["sentiment"]
    if len(warnings) == len(meta["warnings"]):
        pairs = zip(meta["warnings"], warnings, strict=True)
        short = [each if len(each) <= schemas.MAX_WARNING_CHARS else cut for cut, each in pairs]
        meta = {**meta, "warnings": short}
    if sentiment is not None:
        methods = {str(each): each for each in (template() for template in messages.METHODS)}
        sentiment = {**sentiment, "method": methods.get(sentiment["method"], sentiment["method"])}
    return {**document, "sentiment": sentiment, "meta": meta}


def with_cache_hit(document: Mapping[str, Any], *, hit: bool) -> dict[str, Any]:
    """A result of either shape that says whether it was reused."""
    return {**document, "meta": {**document["meta"], "cacheHit": hit}}


def _basis(material: Material, analyser: Analyser) -> list[Basis]:
    """What was really available to the analyser."""
    available: dict[Basis, bool] = {
        "title": bool(material.video.title.strip()),
        "description": bool(material.video.description.strip()),
        "comments": bool(material.comments),
        "channel_meta": material.channel is not None and analyser in _CHANNEL_READERS,
    }
    return [name for name, is_available in available.items() if is_available]


def _facts(measured: measurements.Measurements, method: str) -> dict[str, Any]:
    """The figures by their names in a result."""
    return {
        "sentiment": _shares(measured.sentiment, method),
        "spam": measured.spam,
        "keywords": [
            {"word": _truncate(each.word, _MAX_WORD_CHARS), **_count(each)}
            for each in measured.keywords[:_MAX_KEYWORDS]
        ],
        "topics": [
            {
                "label": _truncate(each.label, _MAX_LABEL_CHARS),
                "words": [_truncate(word, _MAX_WORD_CHARS) for word in each.words],
                "sentiment": asdict(each.sentiment),
                **_count(each),
            }
            for each in measured.topics[:_MAX_TOPICS]
        ],
        "requests": _comments(measured.requests),
        "questions": _comments(measured.questions),
        "highlights": _comments(measured.highlights),
        "moments": [
            {"seconds": each.seconds, **_count(each)} for each in measured.moments[:_MAX_COMMENTS]
        ],
    }


def _shares(counts: measurements.Sentiment, method: str) -> dict[str, Any] | None:
    if not counts.n:
        return None
    return {
        "shares": {label: count / counts.n for label, count in asdict(counts).items()},
        "net": (counts.positive - counts.negative) / counts.n,
        "n": counts.n,
        "method": _truncate(method, _MAX_LABEL_CHARS),
    }


def sentiment_counts(sentiment: Mapping[str, Any]) -> dict[str, int]:
    """The number of comments behind each share of a result."""
    return {label: round(share * sentiment["n"]) for label, share in sentiment["shares"].items()}


def sentiment_of(document: Mapping[str, Any]) -> measurements.Sentiment | None:
    """How the comments of a result sound; None without comments, or if another program saved it."""
    sentiment = document["sentiment"] if is_ours(document) else None
    return None if sentiment is None else measurements.Sentiment(**sentiment_counts(sentiment))


def _count(
    figure: measurements.Keyword | measurements.TopicCluster | measurements.VideoTimestamp,
) -> dict[str, Any]:
    return {"count": figure.count, "evidence": list(figure.evidence[: schemas.MAX_EVIDENCE])}


def _comments(comments: Sequence[measurements.NotableComment]) -> list[dict[str, Any]]:
    return [
        {"commentId": each.comment_id, "likes": max(0, each.likes), "label": each.label}
        for each in comments[:_MAX_COMMENTS]
    ]


def collect_warnings(
    material: Material, insights: schemas.Insights, repairs: Iterable[str] = ()
) -> tuple[str, ...]:
    """All warnings of a result: ours, those of the validation, and those of the analyser."""
    opinions = (messages.ANALYSER_SAYS(words=text(each)) for each in insights.warnings)
    ours = [*_material_warnings(material), *material.warnings, *repairs]
    unique = dict.fromkeys(each for each in (*ours, *opinions) if each.strip())
    return tuple(unique)[: schemas.MAX_WARNINGS]


def _truncate(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def _material_warnings(material: Material) -> Iterator[Message]:
    problem, video = material.problem, material.video
    if problem is not None or not material.comments:
        yield _basis_warning(
            material, messages.COMMENTS_NONE() if problem is None else PROBLEM_TEXTS[problem]
        )
    counts = (
        (messages.VIEWS, video.view_count),
        (messages.LIKES, video.like_count),
        (messages.COMMENT_COUNT, video.comment_count),
    )
    if hidden := [word() for word, number in counts if number is None]:
        yield messages.HIDDEN(figures=hidden)


def _basis_warning(material: Material, why: Message) -> Message:
    if material.comments:
        return messages.FROM_FETCHED(why=why, count=len(material.comments))
    texts = ((messages.TITLE, "title"), (messages.DESCRIPTION, "description"))
    words = [word() for word, name in texts if getattr(material.video, name).strip()]
    return messages.FROM_TEXTS(why=why, texts=words) if words else messages.FROM_NOTHING(why=why)


# Results that another program saved are read as if they were ours, and never rewritten.


def is_ours(document: Any) -> bool:
    """Whether a saved result has shape 2."""
    return isinstance(document, Mapping) and {"sentiment", "usage", "meta"} <= document.keys()


def foreign_shape_2(document: Any, result: VideoResult) -> dict[str, Any]:
    """A result that another program saved in shape 1, in shape 2 without facts."""
    saved = nested_object(document)
    meta, summary = nested_object(saved, "meta"), nested_object(saved, "summary")
    parts = ("majorReactions", "positivePoints", "weakPoints")
    facts = ("keywords", "topics", "requests", "questions", "highlights", "moments")
    return {
        "summary": {name: str(summary.get(name) or "–") for name in parts},
        "contentIdeas": [
            {**{name: str(each.get(name) or "–") for name in _IDEA_1_FIELDS}, "evidence": []}
            for each in map(nested_object, _list(saved.get("contentIdeas")))
        ],
        "recommendedKeywords": [str(each) for each in _list(saved.get("recommendedKeywords"))],
        "titleSuggestions": [],
        "sentiment": None,
        "spam": 0,
        **{name: [] for name in facts},
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


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _stamp(given: Any, created_at: datetime) -> str:
    try:
        moment = datetime.fromisoformat(given)
    except (TypeError, ValueError):
        return utc_iso(created_at)
    return utc_iso(moment if moment.tzinfo else created_at)
