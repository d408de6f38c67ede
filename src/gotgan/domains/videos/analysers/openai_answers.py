"""What servers answer that speak as OpenAI's does, and what their refusals mean."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from gotgan.errors import (
    AnalysisError,
    AnalysisTimeout,
    BadStatus,
    FetchError,
    FetchTimeout,
    KeyRefused,
    OutputInvalid,
    PageForbidden,
    PageMissing,
    TooManyRequests,
    UpstreamBusy,
    UpstreamUnavailable,
)

__all__ = ["refusal_of", "spoken", "tokens_of"]

_CUT: Final = "length"
_FILTERED: Final = "content_filter"


def spoken(body: bytes) -> tuple[Mapping[str, Any], str, bool]:
    """The whole answer, what the model said in it, and whether that broke off."""
    try:
        document = json.loads(body)
        choice = document["choices"][0]
        message, reason = choice["message"], choice.get("finish_reason")
        text, refused = message.get("content") or "", message.get("refusal")
    except (AttributeError, LookupError, RecursionError, TypeError, ValueError):
        raise _unknown() from None
    if not isinstance(text, str):
        raise _unknown()
    if refused or reason == _FILTERED:
        raise OutputInvalid(
            "the model declined to answer; take another analyser for this video, such as builtin"
        )
    return document, text, reason == _CUT


def tokens_of(document: Mapping[str, Any]) -> tuple[int, int]:
    """How many tokens went in and came out; none where the server does not count them."""
    usage = document.get("usage")
    counted = usage if isinstance(usage, Mapping) else {}
    return _count(counted.get("prompt_tokens")), _count(counted.get("completion_tokens"))


def refusal_of(error: FetchError, model: str) -> AnalysisError:
    """The error that a failure on the way to a model is."""
    if isinstance(error, FetchTimeout):
        return AnalysisTimeout(f"the model {model} took too long: {error.message}")
    if isinstance(error, TooManyRequests):
        when = "later" if error.retry_after is None else f"in {error.retry_after:.0f} seconds"
        told = f"the server of {model} wants to be asked less often; try again {when}"
        return UpstreamBusy(told, error.retry_after)
    if isinstance(error, PageForbidden):
        return KeyRefused(
            f"the server of {model} does not take the key ({error.status}); look at OPENAI_API_KEY"
        )
    if isinstance(error, PageMissing):
        return KeyRefused(
            f"there is no model {model} there, or no such server ({error.status}); look at "
            "GOTGAN_OPENAI and GOTGAN_OPENAI_MODEL, and with Ollama pull the model first"
        )
    if isinstance(error, BadStatus) and not error.retry:
        return AnalysisError(
            f"the server of {model} refused the request ({error.status}); see whether the model "
            "has room for about 20,000 tokens"
        )
    kind = UpstreamUnavailable if error.retry else AnalysisError
    return kind(f"the model {model} could not be asked: {error.message}")


def _count(number: Any) -> int:
    is_count = isinstance(number, int) and not isinstance(number, bool)
    return max(0, number) if is_count else 0


def _unknown() -> UpstreamUnavailable:
    return UpstreamUnavailable(
        "what answered is no server that speaks as OpenAI's does; look at GOTGAN_OPENAI, which "
        "often ends in /v1"
    )
