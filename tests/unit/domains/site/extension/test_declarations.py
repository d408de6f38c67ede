"""Declarations that cannot work are refused at start, by the name of their package."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest
from fastapi.routing import APIRoute

from gotgan.app import App
from gotgan.console.site import ROUTERS
from gotgan.domain import get_domain
from gotgan.domains.site.types import RESERVED_NAMES
from tests.unit.domains.site.extension.packages import documented, gotgan, install

POINT = "events = my_site:Events"


def _changed(old: str, new: str) -> str:
    source = documented()
    assert old in source
    return source.replace(old, new)


CASES = {
    "a name that is taken": (documented(), "posts = my_site:Events", "Choose another name"),
    "a name of a command": (documented(), "template = my_site:Events", "Choose another name"),
    "a name for no command": (documented(), "My-Events = my_site:Events", "Use lowercase"),
    "no such module": (
        documented(),
        "events = my_sight:Events",
        ": ModuleNotFoundError(",
    ),
    "an entity": (documented(), "events = my_site:Event", "Name a subclass of Resource"),
    "another table": (
        _changed(
            'BY_AUTHOR = SITE.index("AuthorId',
            'from gotgan.store import Table\nSITE = Table("Mine", pk="PK", sk="SK")\n'
            'BY_TYPE = SITE.index("Type_CreatedAt", pk="Type", sk="CreatedAt")\n'
            'BY_AUTHOR = SITE.index("AuthorId',
        ),
        POINT,
        "Declare Event with table=SITE",
    ),
    "a Type of Gotgan": (_changed('BY_TYPE, "Event"', 'BY_TYPE, "Post"'), POINT, "models.Post"),
    "a Type with a space": (_changed('BY_TYPE, "Event"', 'BY_TYPE, "A b"'), POINT, "letters and"),
    "a prefix of Gotgan": (_changed('"EVENT#{id}"', '"BANNER#{id}"'), POINT, "of Banner; begin"),
    "a prefix of all": (_changed('"EVENT#{id}"', '"{id}"'), POINT, "with another word"),
    "the key of the company": (
        _changed('"EVENT#{id}"', '"CORP#{id}"'),
        POINT,
        "of CorpInfo; begin",
    ),
    "no version": (_changed(', version="version"', ""), POINT, 'version="version"'),
    "a key of two fields": (
        _changed('"EVENT#{id}", "METADATA"', '"EVENT#{id}", "OF#{author_id}"'),
        POINT,
        "pass access patterns",
    ),
    "no create": (_changed("def create(", "def make("), POINT, "Add a verb called create"),
    "a create that is no verb": (
        _changed('    @verb(role=None, kind="write")\n', ""),
        POINT,
        "Add a verb called create",
    ),
    "an entity of Gotgan": (
        documented() + "\nfrom gotgan.domains.site.resources import Banners\n",
        "events = my_site:Banners",
        "taken: gotgan.domains.site.models.Banner",
    ),
    "a field that is not stored": (
        _changed("    seats: int | None = None\n", ""),
        POINT,
        "Event has no field 'seats', which EventFields has",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_a_wrong_declaration_names_its_package_and_what_to_do(tmp_path: Path, case: str) -> None:
    source, point, said = CASES[case]
    packages = install(tmp_path, source, point)
    done = gotgan(packages, tmp_path / "data", "site", "--help")
    assert done.returncode != 0
    assert f"The site type {point.partition(' ')[0]} of the package my-site " in done.stderr
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_two_packages_cannot_share_a_type(tmp_path: Path) -> None:
    install(tmp_path, documented(), POINT)
    other = _changed("AuthorId_CreatedAt", "Author_CreatedAt").replace('"EVENT#', '"OTHER#')
    packages = install(tmp_path, other, "others = other_site:Events", package="other-site")
    done = gotgan(packages, tmp_path / "data", "site", "--help")
    assert "taken by other_site.Event: Event" in done.stderr or (
        "taken by my_site.Event: Event" in done.stderr
    )


def test_a_server_does_not_start_with_a_wrong_declaration(tmp_path: Path) -> None:
    packages = install(tmp_path, documented(), "posts = my_site:Events")
    done = gotgan(packages, tmp_path / "data", "up", "--port", "0")
    assert done.returncode != 0
    assert "has a name that is taken" in done.stderr


def test_the_names_of_the_service_its_commands_and_its_pages_are_reserved(app: App) -> None:
    site = app.site
    members = {*dir(site)} | {name for name, _ in inspect.getmembers(type(site))}
    public = {name for name in members if not name.startswith("_")}
    commands = {name.replace("-", "_") for name in get_domain("site").commands}
    pages = {
        route.path.split("/")[2]
        for router in ROUTERS
        for route in router.routes
        if isinstance(route, APIRoute)
    }
    words = {name.partition(".")[0] for name in public | commands | pages}
    assert {name for name in words if name.isidentifier()} <= RESERVED_NAMES


@pytest.fixture
def app() -> App:
    """Gotgan in memory."""
    return App.in_memory()
