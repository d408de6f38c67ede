"""The schemas of what videos answer: under the names of their contract."""

from __future__ import annotations

from typing import Any, Final, get_args

from gotgan.api.shapes import (
    ANYTHING,
    NUMBER,
    TEXT,
    TEXT_OR_NULL,
    TRUTH,
    WHOLE,
    list_of,
    object_of,
    or_null,
    ref,
    with_parts,
)
from gotgan.domains.videos.measuring.measured import Label
from gotgan.domains.videos.models import (
    ANALYSERS,
    BASES,
    CODES,
    REASONS,
    STATUSES,
    STEPS,
    Origin,
    Problem,
)
from gotgan.domains.videos.shapes import Result2

__all__ = ["data", "kinds"]

_WHOLE_OR_NULL: Final = {"type": ["integer", "null"]}
_NUMBER_OR_NULL: Final = {"type": ["number", "null"]}
_DATE: Final = {"type": "string", "format": "date"}
_JOB_OR_NULL: Final = {**TEXT_OR_NULL, "description": "Null if another program made it."}
_ANALYSER: Final = {"enum": list(ANALYSERS)}
_USAGE: Final = {
    "units": {**WHOLE, "description": "Units of YouTube's quota."},
    "inputTokens": WHOLE,
    "outputTokens": WHOLE,
}
_COMMENT: Final = {
    "commentId": TEXT,
    "text": TEXT,
    "likes": WHOLE,
    "publishedAt": TEXT_OR_NULL,
}
_RESULT: Final = "VideoResult"


def kinds() -> dict[str, Any]:
    """What several answers have in common, by its name."""
    return {
        _RESULT: with_parts(_RESULT, Result2),
        "VideoComment": object_of(**_COMMENT),
        "VideoAnalysis": _analysis(),
        "VideoJob": _job(),
        "VideoSheet": _sheet(),
    }


def data() -> dict[str, Any]:
    """The data of each answer, by its name."""
    job = {"job": ref("VideoJob"), "analysis": or_null(ref("VideoAnalysis"))}
    return {
        "VideoPage": _page(_line()),
        "VideoJobPage": _page(ref("VideoJob")),
        "VideoJobSheet": object_of(**job),
        "SubmittedVideo": object_of(outcome={"enum": ["hit", "joined", "new"]}, **job),
        "VideoAnalysis": ref("VideoAnalysis"),
        "VideoSheet": ref("VideoSheet"),
        "VideoComments": _comments(),
        "VideoComparison": _comparison(),
        "VideoCosts": object_of(items=list_of(_cost())),
        "VideoQuota": _quota(),
        "VideoVersions": object_of(items=list_of(_version())),
        "ImportedVideos": object_of(
            items=list_of(object_of(videoId=TEXT, title=TEXT, comments=WHOLE))
        ),
        "PurgedVideos": object_of(snapshots=WHOLE),
        "DeletedVideo": object_of(videoId=TEXT, snapshots=WHOLE, results=WHOLE, jobs=WHOLE),
        "JsonSchema": ANYTHING,
    }


def _page(record: dict[str, Any]) -> dict[str, Any]:
    cursor = {**TEXT_OR_NULL, "description": "Where the next page begins; null at the end."}
    return object_of(items=list_of(record), cursor=cursor)


def _comments() -> dict[str, Any]:
    label = {"enum": [*get_args(Label), None], "description": "How it sounds; null for spam."}
    total = {**WHOLE, "description": "How many are kept of the video."}
    return object_of(items=list_of(object_of(**_COMMENT, label=label)), total=total)


def _analysis() -> dict[str, Any]:
    evidence = {
        "type": "object",
        "additionalProperties": ref("VideoComment"),
        "description": "The comments that the result names, by their ids, while they are kept.",
    }
    return object_of(
        id=TEXT,
        jobId=_JOB_OR_NULL,
        videoId=TEXT,
        createdAt=TEXT,
        expiresAt={**TEXT, "description": "Until when it is given again."},
        isStale=TRUTH,
        ttlReason={**TEXT_OR_NULL, "description": "Why it is given again for less than a day."},
        result=ref(_RESULT),
        evidence=evidence,
    )


def _job() -> dict[str, Any]:
    return object_of(
        jobId=TEXT,
        videoId=TEXT,
        status={"enum": list(STATUSES)},
        progress=_WHOLE_OR_NULL,
        step={"enum": [*STEPS, None]},
        message=TEXT_OR_NULL,
        errorCode={"enum": [*CODES, None]},
        errorMessage=TEXT_OR_NULL,
        retryAfter={**TEXT_OR_NULL, "description": "When it is worth another try."},
        nextAttemptAt={**TEXT_OR_NULL, "description": "From when on a queued job can run."},
        analyser={"enum": [*ANALYSERS, None], "description": "Null if another program made it."},
        analysisVersion=TEXT_OR_NULL,
        forceRefresh=TRUTH,
        refreshReason={"enum": [*REASONS, None]},
        analysisResultId=TEXT_OR_NULL,
        **_USAGE,
        costUsd=_NUMBER_OR_NULL,
        attempts=WHOLE,
        createdAt=TEXT,
        updatedAt=TEXT,
        startedAt=TEXT_OR_NULL,
        completedAt=TEXT_OR_NULL,
    )


def _line() -> dict[str, Any]:
    return object_of(
        videoId=TEXT,
        title=TEXT_OR_NULL,
        analysisVersion=TEXT_OR_NULL,
        model=TEXT_OR_NULL,
        commentSampleCount=_WHOLE_OR_NULL,
        analysedAt=TEXT_OR_NULL,
        expiresAt=TEXT_OR_NULL,
        isFresh=TRUTH,
        jobId=TEXT_OR_NULL,
        jobStatus={"enum": [*STATUSES, None]},
        errorCode={"enum": [*CODES, None]},
        touchedAt=TEXT,
    )


def _sheet() -> dict[str, Any]:
    return object_of(
        videoId=TEXT,
        video=or_null(_snapshot()),
        channel=or_null(_channel()),
        analysis=or_null(ref("VideoAnalysis")),
        history=list_of(_result_line()),
        lastJob=or_null(ref("VideoJob")),
    )


def _snapshot() -> dict[str, Any]:
    counts = ("durationSec", "viewCount", "likeCount", "commentCount")
    return object_of(
        title=TEXT,
        description=TEXT,
        publishedAt=TEXT_OR_NULL,
        **dict.fromkeys(counts, _WHOLE_OR_NULL),
        source={"enum": list(get_args(Origin))},
        commentSampleCount=WHOLE,
        problem={"enum": [*get_args(Problem), None], "description": "Why comments are missing."},
        snapshotAt=TEXT,
        keptUntil=TEXT,
    )


def _channel() -> dict[str, Any]:
    return object_of(
        channelId=TEXT,
        title=TEXT,
        subscriberCount=_WHOLE_OR_NULL,
        videoCount=_WHOLE_OR_NULL,
    )


def _result_line() -> dict[str, Any]:
    return object_of(
        id=TEXT,
        jobId=_JOB_OR_NULL,
        analysisVersion=TEXT,
        schemaVersion=WHOLE,
        model=TEXT,
        commentSampleCount=WHOLE,
        analysisBasis=list_of({"enum": list(BASES)}),
        **_USAGE,
        costUsd=_NUMBER_OR_NULL,
        createdAt=TEXT,
        expiresAt=TEXT,
    )


def _comparison() -> dict[str, Any]:
    net = {**list_of(_NUMBER_OR_NULL), "description": "Positive less negative, of each."}
    lists = ("sharedKeywords", "onlyFirst", "onlySecond", "sharedTopics")
    return object_of(
        videos=list_of(ref("VideoSheet")), net=net, **dict.fromkeys(lists, list_of(TEXT))
    )


def _cost() -> dict[str, Any]:
    return object_of(
        day=_DATE,
        analyses=WHOLE,
        failed=WHOLE,
        **_USAGE,
        costUsd=NUMBER,
        unpriced={**WHOLE, "description": "Analyses by a model whose price nobody knows."},
        hits={**WHOLE, "description": "How often an analysis was given again."},
        savedUnits=WHOLE,
        savedUsd=NUMBER,
    )


def _quota() -> dict[str, Any]:
    return object_of(
        day={**_DATE, "description": "As California has it."},
        units=WHOLE,
        calls=WHOLE,
        limit=WHOLE,
        resetsAt=TEXT,
        isBlocked={**TRUTH, "description": "Whether nothing more is asked on that day."},
    )


def _version() -> dict[str, Any]:
    return object_of(
        version=TEXT,
        analyser=_ANALYSER,
        model=TEXT,
        promptVersion=TEXT_OR_NULL,
        scoreVersion=TEXT,
        schemaVersion=WHOLE,
        inputs={**TEXT, "description": "What every analysis is given."},
        createdAt=TEXT,
    )
