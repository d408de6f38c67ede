"""A domain of another package has a name that nothing else has."""

from __future__ import annotations

from fastapi.routing import APIRoute

from gotgan.app import App
from gotgan.cli.frame import COMMANDS
from gotgan.console import FRAME, sections
from gotgan.domain import BUILT_IN, RESERVED


def test_the_reserved_names_are_those_that_are_taken() -> None:
    with App.in_memory() as app:
        attributes = {name for name in dir(app) if not name.startswith("_")}
    routers = [router for some in (FRAME, *sections().values()) for router in some]
    routes = [route for each in routers for route in each.routes if isinstance(route, APIRoute)]
    paths = {route.path.split("/")[1].partition(".")[0] for route in routes}
    usable = {name for name in attributes | paths | set(COMMANDS) if name.isidentifier()}
    assert usable - set(BUILT_IN) == RESERVED - {"static", "v1"}
