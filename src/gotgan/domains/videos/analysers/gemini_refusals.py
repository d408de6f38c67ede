"""What it means when Gemini says no, and what to do about it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from http import HTTPStatus
from typing import Any, Final

from gotgan.errors import AnalysisError, KeyRefused, UpstreamBusy, UpstreamUnavailable

__all__ = ["refusal_of"]

_KEY: Final = frozenset({HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN})
_OF_THE_KEY: Final = frozenset({"API_KEY_INVALID", "API_KEY_EXPIRED", "API_KEY_SERVICE_BLOCKED"})
_NOT_HERE: Final = "FAILED_PRECONDITION"
"""What Gemini calls it where a country or an account may not use it as it is."""
_WORD: Final = re.compile(r"[A-Z_]{1,50}")
_DELAY: Final = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)s")
_LONGEST_WAIT: Final = 86_400.0
_FAULTS: Final = range(500, 600)


def refusal_of(status: int, said: Any, model: str) -> AnalysisError:
    """The error that an answer is; without Gemini's own sentences, for some repeat the key."""
    problem = _problem(said)
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        return _busy(_delay(problem))
    if status in _FAULTS:
        return UpstreamUnavailable(f"gemini has a fault of its own ({status}); try again later")
    if status == HTTPStatus.NOT_FOUND:
        return KeyRefused(
            f"gemini has no model {model} for this key; set GOTGAN_GEMINI_MODEL to one that it has"
        )
    word = _word(problem)
    if status in _KEY or word == _NOT_HERE or _OF_THE_KEY & set(_reasons(problem)):
        return KeyRefused(
            f"gemini does not take the key, or not for this ({status} {word}); look at "
            "GEMINI_API_KEY and what it may do"
        )
    return AnalysisError(
        f"gemini refused the request ({status} {word}); see whether GOTGAN_GEMINI_MODEL names a "
        "model that answers in JSON"
    )


def _busy(delay: float | None) -> UpstreamBusy:
    when = "later" if delay is None else f"in {delay:.0f} seconds"
    return UpstreamBusy(f"gemini wants to be asked less often; try again {when}", delay)


def _problem(said: Any) -> Mapping[str, Any]:
    inner = said.get("error", said) if isinstance(said, Mapping) else None
    return inner if isinstance(inner, Mapping) else {}


def _word(problem: Mapping[str, Any]) -> str:
    word = str(problem.get("status", ""))
    return word if _WORD.fullmatch(word) else "for a reason that it does not name"


def _details(problem: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    details = problem.get("details")
    if isinstance(details, list):
        yield from (each for each in details if isinstance(each, Mapping))


def _reasons(problem: Mapping[str, Any]) -> Iterator[str]:
    return (str(each.get("reason", "")) for each in _details(problem))


def _delay(problem: Mapping[str, Any]) -> float | None:
    """How many seconds it asks us to wait, where it says so."""
    for each in _details(problem):
        told = _DELAY.fullmatch(str(each.get("retryDelay", "")))
        if told and str(each.get("@type", "")).endswith("google.rpc.RetryInfo"):
            return min(float(told[1]), _LONGEST_WAIT)
    return None
