"""Library, command line, API and console offer the same verbs, or somebody has said why not."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from typing import Any

import pytest
from fastapi.routing import APIRoute

from gotgan.app import App
from gotgan.cli.commands import LazyGroup, root
from gotgan.console import FRAME, sections
from gotgan.server import create_server
from gotgan.verbs import Verb as Bound
from tests.each import each
from tests.house.verb import Verb, Without, names_of
from tests.house.verbs import BOUND, BUTTONS, HOUSE, NEWS, OPS, SITE, VIDEOS, words_of

VERBS = (*NEWS, *VIDEOS, *SITE, *OPS)
RESOURCES = [each for each in BOUND.values() if each.place and each.mark.kind == "read"]
COMMANDS = {
    words for words, _, command in root.every_command() if not isinstance(command, LazyGroup)
}
PAGES = {
    f"{method} {route.path}"
    for routers in (FRAME, *sections().values())
    for router in routers
    for route in router.routes
    if isinstance(route, APIRoute)
    for method in route.methods or ()
}


@pytest.fixture(scope="module")
def app() -> Iterator[App]:
    """Gotgan, put together."""
    with App.in_memory() as app:
        yield app


@pytest.fixture(scope="module")
def operations(app: App) -> set[str]:
    """The names of all operations of the API."""
    paths: dict[str, dict[str, Any]] = create_server(app).openapi()["paths"]
    return {each["operationId"] for methods in paths.values() for each in methods.values()}


@each("verb", VERBS)
def test_a_verb_is_a_method_of_the_library(app: App, verb: Verb) -> None:
    for name in names_of(verb.library):
        assert callable(reduce(getattr, name.split("."), app)), name


@each("verb", VERBS)
def test_a_verb_is_a_command(verb: Verb) -> None:
    assert set(names_of(verb.command)) <= COMMANDS


@each("verb", VERBS)
def test_a_verb_is_an_operation_of_the_api(operations: set[str], verb: Verb) -> None:
    assert set(names_of(verb.route)) <= operations


@each("verb", VERBS)
def test_a_verb_has_a_page_or_a_button(verb: Verb) -> None:
    assert set(names_of(verb.page)) <= PAGES


@each("verb", BOUND.values(), lambda verb: verb.id)
def test_a_bound_verb_is_a_method_a_command_and_an_operation(
    app: App, operations: set[str], verb: Bound
) -> None:
    assert callable(verb.of(app))
    assert (words_of(verb) in COMMANDS) is not verb.mark.is_remote
    assert (verb.id.replace(".", "_") in operations) is not verb.mark.is_local


@each("verb", BOUND.values(), lambda verb: verb.id)
def test_a_bound_verb_says_what_it_and_its_parameters_do(verb: Bound) -> None:
    assert verb.summary.endswith(".")
    assert [each.name for each in verb.parameters if not each.field.description] == []


@each("verb", BOUND.values(), lambda verb: verb.id)
def test_a_bound_verb_that_changes_something_needs_a_role_and_has_a_button(verb: Bound) -> None:
    if verb.mark.kind == "read":
        return
    assert verb.role in ("editor", "admin")
    elsewhere = {name for each in VERBS if each.library == verb.id for name in names_of(each.page)}
    assert verb.mark.is_local or PAGES.issuperset(_buttons(verb)) or elsewhere


@each("verb", RESOURCES, lambda verb: verb.id)
def test_what_can_be_read_of_a_resource_has_a_page(verb: Bound) -> None:
    assert PAGES.issuperset(_buttons(verb))


def _buttons(verb: Bound) -> tuple[str, ...]:
    """The pages of a verb."""
    if verb.id in BUTTONS:
        return BUTTONS[verb.id]
    if not verb.place:
        return (f"POST /{verb.domain}/{verb.command}",)
    at = f"/{verb.domain}/{verb.place}"
    record = f"{at}/{{record_id}}"
    derived = {
        "list": f"GET {at}",
        "get": f"GET {record}",
        "create": f"POST {at}/new",
        "update": f"POST {record}/edit",
        "replace": f"POST {record}/edit",
        "delete": f"POST {record}/delete",
    }
    return (derived.get(verb.name, f"POST {record}/{verb.path.rpartition('/')[2]}"),)


def test_there_is_no_command_that_nobody_has_thought_about() -> None:
    known = {name for verb in VERBS for name in names_of(verb.command)}
    known |= {words_of(verb) for verb in BOUND.values()}
    assert COMMANDS - known - HOUSE.commands.keys() == set()
    assert set(HOUSE.commands) - COMMANDS == set()


def test_there_is_no_operation_that_nobody_has_thought_about(operations: set[str]) -> None:
    known = {name for verb in VERBS for name in names_of(verb.route)}
    known |= {verb.id.replace(".", "_") for verb in BOUND.values()}
    known |= {f"{verb.id.replace('.', '_')}_of_all" for verb in BOUND.values() if verb.for_all}
    assert operations - known - HOUSE.routes.keys() == set()
    assert set(HOUSE.routes) - operations == set()


def test_what_changes_something_in_the_console_is_a_verb_elsewhere() -> None:
    known = {name for verb in VERBS for name in names_of(verb.page)}
    known |= {page for verb in BOUND.values() for page in _buttons(verb)}
    of_the_frame = {"POST /sign-in", "POST /sign-out"}
    of_forms = {"POST /site/preview", "POST /site/banners/preview"}
    of_commands = {"POST /tables/create"}  # gotgan tables create, which is not a verb
    buttons = {page for page in PAGES if page.startswith("POST ")}
    assert buttons - known - of_the_frame - of_forms - of_commands == set()


def test_a_reason_says_something() -> None:
    reasons = [
        *(name for verb in VERBS for name in vars(verb).values() if isinstance(name, Without)),
        *HOUSE.commands.values(),
        *HOUSE.routes.values(),
    ]
    assert [reason for reason in reasons if len(reason.split()) < 3] == []
