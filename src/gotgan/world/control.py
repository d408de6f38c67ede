"""The world's own pages: what it is, which faults are planned, which requests it received."""

from __future__ import annotations

import json
from html import escape
from typing import Any, Final

from gotgan.errors import UsageError
from gotgan.plain_json import to_pretty_json
from gotgan.sockets import is_loopback
from gotgan.world.faults import FaultKind, PlannedFault
from gotgan.world.scene import NOT_FOUND, SceneRequest, SceneResponse, plain_text
from gotgan.world.videos.language_models import OPENAI
from gotgan.world.world import World

_HOST: Final = "world.test"


def environment_lines(place: str) -> tuple[str, ...]:
    """Shell lines that lead a Gotgan to a world; every name and key is accepted."""
    return (
        f"export GOTGAN_RESOLVE='*={place}' GOTGAN_DELAY=0 GOTGAN_DATA=gotgan-world",
        "export KRX_ID=world KRX_PW=world YOUTUBE_API_KEY=world GEMINI_API_KEY=world",
        f"export GOTGAN_OPENAI=https://{OPENAI}/v1",
    )


def is_control_request(request: SceneRequest) -> bool:
    """Whether a request is for the world itself: by its name or by an IP address."""
    return request.host == _HOST or is_loopback(request.host)


def control_page(world: World, request: SceneRequest) -> SceneResponse:
    """The response to a request for the world itself."""
    match request.method, request.path:
        case "GET", "/":
            world.note(request)
            return _front(world, request)
        case "POST", "/_world/faults":
            return _plan_fault(world, request.body)
        case "GET" | "DELETE", "/_world/faults":
            if request.method == "DELETE":
                world.heal()
            return _faults(world)
        case "GET", "/_world/requests":
            return _requests(world)
        case "GET", "/_world/mails":
            return _mails(world)
    return NOT_FOUND


def _plan_fault(world: World, body: bytes) -> SceneResponse:
    try:
        wanted = json.loads(body)
        fault, times = FaultKind.named(wanted["fault"]), int(wanted.get("times", 0))
        world.fail(str(wanted["host"]), str(wanted.get("path", "*")), fault, times=times)
    except UsageError as error:
        return plain_text(f"{error.message}\n", 400)
    except (ValueError, TypeError, KeyError, AttributeError):
        return plain_text('send {"host": …, "path": …, "fault": …, "times": …}\n', 400)
    return _faults(world)


def _faults(world: World) -> SceneResponse:
    return _json(faults=[_fault_fields(each) for each in world.faults.planned])


def _fault_fields(each: PlannedFault) -> dict[str, Any]:
    return {"host": each.host, "path": each.path, "fault": each.fault.value, "times": each.times}


def _requests(world: World) -> SceneResponse:
    return _json(
        requests=[
            {
                "at": each.at.isoformat(),
                "method": each.method,
                "host": each.host,
                "path": each.path,
                "query": each.query,
                "headers": dict(each.headers),
                "fault": each.fault.value if each.fault else None,
            }
            for each in world.requests
        ]
    )


def _mails(world: World) -> SceneResponse:
    return _json(
        mails=[
            {
                "at": each.at.isoformat(),
                "from": each.sender,
                "to": list(each.to),
                "raw": each.raw.decode("utf-8", "replace"),
            }
            for each in world.mails
        ]
    )


def _json(**value: Any) -> SceneResponse:
    return SceneResponse(to_pretty_json(value).encode(), kind="application/json")


def _front(world: World, request: SceneRequest) -> SceneResponse:
    lines = "\n".join(environment_lines(f"127.0.0.1:{request.port}"))
    hosts = "".join(f"<li>{escape(host)}</li>" for host in world.hosts)
    planned = [json.dumps(_fault_fields(each)) for each in world.faults.planned] or ["none"]
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
<p>POST {{"host", "path", "fault", "times"}} to <a href="/_world/faults">/_world/faults</a>; DELETE
clears them. What was asked is at <a href="/_world/requests">/_world/requests</a>, and which mails were
handed in at <a href="/_world/mails">/_world/mails</a>.</p>
<h2>Faults</h2><dl>{known}</dl></body></html>
"""  # noqa: E501
    return SceneResponse(text.encode())
