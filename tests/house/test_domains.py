"""A domain of another package has a name that nothing else has."""

from __future__ import annotations

from dataclasses import fields

from fastapi.routing import APIRoute

from gotgan.app import App
from gotgan.cli.commands import COMMANDS
from gotgan.console import FRAME, sections
from gotgan.console.texts import catalogue
from gotgan.day.page import DayPage
from gotgan.domain import BUILT_IN, RESERVED
from gotgan.server import create_server


def test_the_reserved_names_are_those_that_are_taken() -> None:
    with App.in_memory() as app:
        attributes = {name for name in dir(app) if not name.startswith("_")}
        document = create_server(app).openapi()["paths"]
    routers = [router for some in (FRAME, *sections().values()) for router in some]
    routes = [route for each in routers for route in each.routes if isinstance(route, APIRoute)]
    paths = {route.path.split("/")[1].partition(".")[0] for route in routes}
    addresses = {path.split("/")[2] for path in document if path.startswith("/v1/")}
    parts = {each.name for each in fields(DayPage)}
    texts = {key.split(".")[0] for key in catalogue()}
    taken = {*attributes, *paths, *COMMANDS, *addresses, *parts, *texts, "gotgan", "static", "v1"}
    assert {name for name in taken if name.isidentifier()} - set(BUILT_IN) == RESERVED
