"""Library, command line and API offer the same parameters, except for known differences."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from gotgan.app import App
from tests.house.fronts import ABSENT, Fronts, Parameter, canonical
from tests.house.test_parity import VERBS
from tests.house.verb import Verb, names_of
from tests.house.verbs import BOUND


class Difference(NamedTuple):
    """A parameter whose name, bounds or default differs between fronts."""

    verb: str
    parameter: str
    aspect: str
    command: Any
    route: Any
    library: Any = ABSENT
    """Its default in the library."""


FRONT_SPECIFIC: Final = {"wait", "yes"}
"""Parameters of the front, not of the verb."""


def test_verbs_that_are_not_derived_have_the_same_parameters_on_every_front() -> None:
    with App.in_memory() as app:
        found = set(_differences(Fronts(app), _comparable_verbs()))
    assert not found, f"Differences between fronts:\n{_listing(found)}"


def _listing(differences: set[Difference]) -> str:
    return "\n".join(f"{tuple(each)}," for each in sorted(differences, key=repr))


def _comparable_verbs() -> list[Verb]:
    """Verbs with a command and a route; if several share both, the first one."""
    pairs: dict[tuple[object, object], Verb] = {}
    for verb in VERBS:
        if verb.library in BOUND:
            continue  # one declaration, nothing to compare
        if names_of(verb.command) and names_of(verb.route):
            pairs.setdefault((verb.command, verb.route), verb)
    return list(pairs.values())


def _differences(fronts: Fronts, verbs: list[Verb]) -> Iterator[Difference]:
    reported: set[tuple[object, str]] = set()
    for verb in verbs:
        command, route, library = fronts.command(verb), fronts.route(verb), fronts.library(verb)
        for name in (command.keys() | route.keys()) - FRONT_SPECIFIC:
            if name in command and name in route:
                yield from _compared(verb, command[name], route[name], library.get(name))
                continue
            # Several verbs can share a command or a route: one of them must have the parameter.
            place = verb.command if name in command else verb.route
            sharing = [each for each in verbs if place in (each.command, each.route)]
            front = fronts.route if name in command else fronts.command
            if (place, name) not in reported and not any(name in front(each) for each in sharing):
                reported.add((place, name))
                yield _missing(verb, command.get(name), route.get(name))


def _missing(verb: Verb, command: Parameter | None, route: Parameter | None) -> Difference:
    names = [each.name if each else ABSENT for each in (command, route)]
    return Difference(str(verb), next(each for each in names if each != ABSENT), "name", *names)


def _compared(
    verb: Verb, command: Parameter, route: Parameter, library: Parameter | None
) -> Iterator[Difference]:
    at = (str(verb), route.name)
    if canonical(command.name) != canonical(route.name):
        yield Difference(*at, "name", command.name, route.name)
    if command.bounds != route.bounds:
        yield Difference(*at, "bounds", command.bounds, route.bounds)
    defaults = [each.default for each in (command, route, library) if each is not None]
    if any(each != command.default for each in defaults):
        yield Difference(*at, "default", *defaults)
