"""The world's own pages: what it is, which faults are planned, what it was asked."""

from __future__ import annotations

import json
from html import escape
from typing import Any, Final

from gotgan.errors import UsageError
from gotgan.listening import is_loopback
from gotgan.plain_json import pretty
from gotgan.world.faults import FaultKind, Planned
from gotgan.world.letters import Letter
from gotgan.world.scene import MISSING, SceneRequest, SceneResponse, plain
from gotgan.world.visiting import exports
from gotgan.world.world import RequestRecord, World

__all__ = ["DESK", "at_desk", "is_for_desk"]

DESK: Final = "world.test"
_FAULTS: Final = "/_world/faults"
_REQUESTS: Final = "/_world/requests"
_MAILS: Final = "/_world/mails"


def is_for_desk(asked: SceneRequest) -> bool:
    """Whether a request is for the world itself: by its name, or by no name at all."""
    return asked.host == DESK or is_loopback(asked.host)


def at_desk(world: World, asked: SceneRequest) -> SceneResponse:
    """What the world says of itself."""
    match asked.method, asked.path:
        case "GET", "/":
            world.note(asked)
            return _front(world, asked)
        case "GET", "/_world/faults":
            return _faults(world)
        case "POST", "/_world/faults":
            return _plan(world, asked.body)
        case "DELETE", "/_world/faults":
            world.heal()
            return _faults(world)
        case "GET", ("/_world/requests" | "/_world/mails"):
            return _json(_remembered(world, asked.path))
    return MISSING


def _remembered(world: World, path: str) -> dict[str, Any]:
    if path == _MAILS:
        return {"mails": [_letter(each) for each in world.letters]}
    return {"requests": [_seen(each) for each in world.requests]}


def _plan(world: World, body: bytes) -> SceneResponse:
    try:
        wanted = json.loads(body)
        fault, times = FaultKind.named(wanted["fault"]), int(wanted.get("times", 0))
        world.fail(str(wanted["host"]), str(wanted.get("path", "*")), fault, times=times)
    except UsageError as error:
        return plain(f"{error.message}\n", 400)
    except (ValueError, TypeError, KeyError, AttributeError):
        return plain('send {"host": …, "path": …, "fault": …, "times": …}\n', 400)
    return _faults(world)


def _faults(world: World) -> SceneResponse:
    return _json({"faults": [_planned(each) for each in world.faults.planned]})


def _planned(each: Planned) -> dict[str, Any]:
    return {"host": each.host, "path": each.path, "fault": each.fault.value, "times": each.times}


def _seen(each: RequestRecord) -> dict[str, Any]:
    return {
        "at": each.at.isoformat(),
        "method": each.method,
        "host": each.host,
        "path": each.path,
        "query": each.query,
        "headers": dict(each.headers),
        "fault": each.fault.value if each.fault else None,
    }


def _letter(each: Letter) -> dict[str, Any]:
    return {
        "at": each.at.isoformat(),
        "from": each.sender,
        "to": list(each.to),
        "raw": each.raw.decode("utf-8", "replace"),
    }


def _json(value: Any) -> SceneResponse:
    return SceneResponse(pretty(value).encode(), kind="application/json")


def _front(world: World, asked: SceneRequest) -> SceneResponse:
    lines = "\n".join(exports(f"127.0.0.1:{asked.port}"))
    hosts = "".join(f"<li>{escape(host)}</li>" for host in world.hosts)
    planned = [json.dumps(_planned(each)) for each in world.faults.planned] or ["none"]
    faults = "".join(f"<li>{escape(each)}</li>" for each in planned)
    known = "".join(f"<dt>{each.value}</dt><dd>{escape(each.sentence)}</dd>" for each in FaultKind)
    text = f"""\
<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>The world</title></head>
<body><h1>The world</h1>
<p>A simulated web, at {world.clock.now():%Y-%m-%d %H:%M:%S} UTC. Reach it with</p>
<pre>{lines}</pre>
<h2>Hosts</h2><ul>{hosts}</ul>
<h2>Planned faults</h2><ul>{faults}</ul>
<p>POST {{"host", "path", "fault", "times"}} to <a href="{_FAULTS}">{_FAULTS}</a>; DELETE
clears them. What was asked is at <a href="{_REQUESTS}">{_REQUESTS}</a>, and which mails were
handed in at <a href="{_MAILS}">{_MAILS}</a>.</p>
<h2>Faults</h2><dl>{known}</dl></body></html>
"""
    return SceneResponse(text.encode())
