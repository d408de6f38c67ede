"""The schemas of what the house tells of itself."""

from __future__ import annotations

from typing import Any, Final, get_args

from gotgan.api.shapes import NUMBER, TEXT, TEXT_OR_NULL, TRUTH, WHOLE, list_of, object_of, ref
from gotgan.schedule import TickStatus
from gotgan.settings import Origin

__all__ = ["data", "kinds"]

_UNITS: Final = {
    "reads": NUMBER,
    "writes": NUMBER,
    "usd": {**TEXT, "description": "What they come to on demand; text, so that no digit is lost."},
}
_CURSOR: Final = {**TEXT_OR_NULL, "description": "Where the next page begins; null at the end."}


def kinds() -> dict[str, Any]:
    """What several answers have in common, by its name."""
    return {"Tick": _tick()}


def data() -> dict[str, Any]:
    """The data of each answer, by its name."""
    return {
        "Timetable": object_of(items=list_of(_job())),
        "TickPage": object_of(items=list_of(ref("Tick")), cursor=_CURSOR),
        "Setup": object_of(items=list_of(_step())),
        "EventPage": object_of(items=list_of(_event()), cursor=_CURSOR),
        "Bill": _bill(),
        "SettingList": object_of(items=list_of(_setting())),
    }


def _tick() -> dict[str, Any]:
    return object_of(
        job=TEXT,
        at={**TEXT, "description": "When it was to come round."},
        status={"enum": list(get_args(TickStatus))},
        reason={**TEXT_OR_NULL, "description": "One word, such as `already_success`."},
        words={**TEXT_OR_NULL, "description": "The same as a sentence."},
        startedAt={**TEXT_OR_NULL, "description": "When its run began; null without a run."},
        finishedAt=TEXT_OR_NULL,
        error=TEXT_OR_NULL,
    )


def _job() -> dict[str, Any]:
    return object_of(
        name=TEXT,
        words=TEXT,
        cron=TEXT,
        when={**TEXT, "description": "The cron line in words."},
        zone=TEXT,
        verb=TEXT,
        gate=TEXT,
        dag={**TEXT, "description": "What Airflow calls it."},
        next=TEXT,
        nextLocal=TEXT,
        last={"anyOf": [ref("Tick"), {"type": "null"}]},
    )


def _step() -> dict[str, Any]:
    return object_of(
        domain=TEXT,
        name=TEXT,
        isSet=TRUTH,
        isNeeded={**TRUTH, "description": "Whether something does not work without it."},
        reason=TEXT_OR_NULL,
        words={**TEXT_OR_NULL, "description": "What is missing, and what to do."},
        variables={**list_of(TEXT), "description": "The settings that it is made of."},
        command={**TEXT_OR_NULL, "description": "What does it in a terminal."},
        source={**TEXT_OR_NULL, "description": "Where it is to be had."},
    )


def _event() -> dict[str, Any]:
    fields = {"type": "object", "additionalProperties": TEXT}
    return object_of(
        number={**WHOLE, "description": "Which one it was since the process began."},
        at=TEXT,
        level=TEXT,
        event=TEXT,
        fields={**fields, "description": "What there is to say; secrets are masked."},
    )


def _bill() -> dict[str, Any]:
    part = object_of(verb=TEXT_OR_NULL, table=TEXT_OR_NULL, index=TEXT_OR_NULL, **_UNITS)
    return object_of(
        since={**TEXT, "description": "When the process began."},
        region=TEXT,
        pricesSince={"type": "string", "format": "date"},
        **_UNITS,
        items=list_of(part),
        days=list_of(object_of(day={"type": "string", "format": "date"}, **_UNITS)),
    )


def _setting() -> dict[str, Any]:
    return object_of(
        variable=TEXT,
        value={**TEXT_OR_NULL, "description": "Null of a secret, and of what is not set."},
        isSecret={**TRUTH, "description": "Whether it is set and not shown."},
        origin={"enum": list(get_args(Origin))},
        default=TEXT,
        sentence=TEXT,
    )
