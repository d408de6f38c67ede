"""The site of document 001, on each database."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.scenario.site_document import EXAMPLES, as_item
from tests.scenario.site_places import PLACES, Place, Scene


@pytest.fixture(scope="package", params=PLACES)
def place(request: pytest.FixtureRequest) -> Iterator[Place]:
    """A database with a server before it."""
    with PLACES[request.param]() as place:
        yield place


@pytest.fixture
def scene(place: Place) -> Iterator[Scene]:
    """A site with nothing in it but an admin."""
    with place.scene() as scene:
        yield scene


@pytest.fixture
def documented(scene: Scene) -> Scene:
    """A site with the document's examples in it, put there by somebody else's client."""
    for name in EXAMPLES:
        scene.put(as_item(name))
    return scene
