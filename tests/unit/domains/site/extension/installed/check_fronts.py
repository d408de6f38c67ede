"""A type of another package in the library, over HTTP, in the console and for assistants."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest

from gotgan.app import App
from gotgan.clock import FixedClock
from gotgan.domains.site.resources import Banners
from gotgan.errors import DeclarationError, UsageError, VersionConflict
from gotgan.mcp.server import Tools
from tests.patience import PATIENCE
from tests.unit.console.conftest import Enter
from tests.unit.console.trial import Stage
from tests.unit.mcp.asking import Asking

EVENING = datetime(2026, 12, 1, 9, tzinfo=UTC)
BODY = {"id": "e1", "title": "Open house", "authorId": "a", "startsAt": "2026-12-01T09:00:00Z"}


class Caller:
    """Somebody who calls the API with a token of a role; without one it is the public."""

    def __init__(self, client: httpx.Client, token: str | None) -> None:
        self._client = client
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}

    def __call__(self, method: str, path: str, body: Any = None, **headers: str) -> httpx.Response:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        sent = {"headers": {**self._headers, **named}} | ({} if body is None else {"json": body})
        return self._client.request(method, f"/v1{path}", **sent)


@pytest.fixture
def callers(app: App, stage: Stage, enter: Enter) -> Iterator[dict[str, Caller]]:
    """The public, and somebody of each role."""
    enter("")  # the stage plays this app
    roles = {"v": "viewer", "e": "editor", "a": "admin"}
    with httpx.Client(base_url=stage.url, timeout=PATIENCE) as client:
        made: Any = app.site.tokens.create
        tokens = {role: made(user_id=user, role=role).text for user, role in roles.items()}
        yield {"public": Caller(client, None)} | {
            role: Caller(client, token) for role, token in tokens.items()
        }


def _create(events: Any, **fields: Any) -> Any:
    return events.create(
        **{"id": "e1", "title": "Open house", "author_id": "a", "starts_at": EVENING, **fields}
    )


# The library


def test_the_library_creates_changes_lists_and_deletes(app: App, events: Any) -> None:
    made = _create(events)
    assert events is vars(app.site)["events"]
    assert (made.version, made.audience) == (1, "everyone")
    changed = events.update("e1", {"seats": 40}, version=1)
    assert (events.get("e1"), changed.seats) == (changed, 40)
    with pytest.raises(VersionConflict):
        events.update("e1", {"seats": 50}, version=1)
    events.update("e1", {"audience": "customers", "is_online": True})
    replaced = events.replace("e1", {"title": "x", "author_id": "a", "starts_at": EVENING})
    assert (replaced.title, replaced.seats) == ("x", None)
    assert (replaced.audience, replaced.is_online) == ("everyone", False)  # as a new one has them
    assert [each.id for each in events.list()] == ["e1"]
    events.delete("e1", version=4)
    assert list(events.list()) == []


def test_fields_that_are_unknown_or_missing_are_named(events: Any) -> None:
    with pytest.raises(UsageError, match="has no field 'colour'"):
        _create(events, colour="red")
    with pytest.raises(UsageError, match="needs author_id, starts_at and title"):
        events.create()


def test_a_resource_that_no_package_names_is_not_there(app: App) -> None:
    class Other(Banners):
        """One that nobody installed."""

    with pytest.raises(DeclarationError, match="has no resource Other"):
        app.site.resource(Other)


def test_the_index_of_the_type_leaves_posts_of_the_author_out(
    app: App, events: Any, clock: FixedClock
) -> None:
    app.site.categories.create(id="c1", title="News")
    app.site.posts.create(category_id="c1", author_id="a", title="A post", contents="x")
    _create(events)
    clock.advance(timedelta(seconds=1))
    _create(events, id="e2")
    _create(events, id="e3", author_id="e")
    assert [each.id for each in events.by_author("a")] == ["e2", "e1"]
    events.update("e3", {"author_id": "a"})
    assert len(events.by_author("a", limit=10).items) == 3


# HTTP


def test_records_have_routes_with_versions(callers: dict[str, Caller]) -> None:
    editor, public = callers["editor"], callers["public"]
    made = editor("POST", "/items/Event", BODY)
    assert (made.status_code, made.headers["location"]) == (201, "/v1/items/Event/e1")
    one, tag = "/items/Event/e1", made.headers["etag"]
    assert public("GET", one).json()["data"]["title"] == "Open house"
    assert public("GET", one, If_None_Match=tag).status_code == 304
    assert editor("PATCH", one, {"seats": 40}).status_code == 428
    changed = editor("PATCH", one, {"seats": 40}, If_Match=tag)
    assert changed.json()["data"]["seats"] == 40
    assert editor("PUT", one, {**BODY, "id": "x"}, If_Match="*").status_code == 422
    assert editor("PATCH", one, {"seats": 50}, If_Match=tag).status_code == 412
    whole = {name: BODY[name] for name in ("title", "authorId", "startsAt")}
    replaced = editor("PUT", one, whole, If_Match=changed.headers["etag"])
    assert "seats" not in replaced.json()["data"]
    found = public("GET", "/items/Event/by-author?authorId=a").json()["data"]["items"]
    assert [each["id"] for each in found] == ["e1"]
    assert editor("DELETE", one).status_code == 200
    assert public("GET", "/items/Event").json()["data"]["items"] == []


@pytest.mark.parametrize(("role", "status"), [("public", 401), ("viewer", 403), ("editor", 201)])
def test_only_its_role_writes_it(callers: dict[str, Caller], role: str, status: int) -> None:
    assert callers[role]("POST", "/items/Event", BODY).status_code == status


@pytest.mark.parametrize(
    ("field", "value"),
    [("seats", 900), ("seats", "4"), ("audience", "nobody"), ("speakers", ["a\nb"]), ("x", 1)],
)
def test_the_bounds_of_its_fields_are_checked(
    callers: dict[str, Caller], field: str, value: Any
) -> None:
    answer = callers["editor"]("POST", "/items/Event", {**BODY, field: value})
    assert answer.status_code == 422
    assert field in answer.text


def test_the_type_is_described(callers: dict[str, Caller]) -> None:
    public = callers["public"]
    callers["editor"]("POST", "/items/Event", BODY)
    types = {each["type"]: each for each in public("GET", "/types").json()["data"]["items"]}
    event = types["Event"]
    assert event["description"] == "An event that the company invites to."
    assert event["indexes"]["AuthorId_CreatedAt"] == {
        "authorId": "{author_id}",
        "CreatedAt": "{created_at}",
    }
    patterns = {each["name"] for each in event["patterns"]}
    assert patterns == {"events_by", "events_get", "events_list"}
    assert "seats" in event["writable"]
    listed = public("GET", "/items?type=Event").json()["data"]["items"]
    assert [each["id"] for each in listed] == ["e1"]
    paths = public("GET", "/openapi.json").json()["paths"]
    assert paths["/v1/items/Event"].keys() == {"get", "post"}
    assert paths["/v1/items/Event/{id}"].keys() == {"get", "patch", "put", "delete"}
    assert paths["/v1/items/Event/{id}"]["get"]["x-role"] == "public"


# The console


def test_an_editor_creates_changes_and_deletes_in_the_console(enter: Enter, events: Any) -> None:
    editor = enter("e")
    page = editor.open("/site/events")
    assert "No event yet" in page
    assert 'href="/site/events"' in page
    page = editor.open("/site/events/new")
    assert "Seats, 1 to 500." in page
    filled = {"title": "Open house", "author_id": "a", "starts_at": "2100-12-01T18:00"}
    page = editor.send("/events/new", **filled, id="e1", seats="900", speakers="Ann\r\nBob\r\n")
    assert editor.answer.status_code == 422
    page = editor.send("/events/new", seats="40", is_online="true", audience="customers")
    assert "The event was created." in page
    made = events.get("e1", consistent=True)
    assert made.starts_at == datetime(2100, 12, 1, 9, tzinfo=UTC)  # 18:00 in Seoul
    assert (made.seats, made.is_online, made.speakers) == (40, True, ["Ann", "Bob"])
    assert "Open house" in editor.open("/site/events")
    editor.open("/site/events/e1/edit")
    editor.send("/edit", title="Open day", is_online="false", speakers="", summary="x\r\ny")
    changed = events.get("e1", consistent=True)
    assert (changed.title, changed.is_online, changed.summary) == ("Open day", False, "x\ny")
    assert (changed.speakers, changed.starts_at) == (None, made.starts_at)
    assert "Open day" in editor.client.get("/site/events.csv").text
    editor.open("/site/events/e1/edit")
    assert "The event was deleted." in editor.send("/delete")


def test_two_who_change_one_record_see_what_differs(enter: Enter, events: Any) -> None:
    _create(events)
    editor = enter("e")
    editor.open("/site/events/e1/edit")
    events.update("e1", {"seats": 30})
    page = editor.send("/edit", seats="40")
    assert editor.answer.status_code == 409
    assert "<h2>Seats" in page


def test_a_viewer_reads_and_a_korean_has_korean_words(enter: Enter, events: Any) -> None:
    viewer = enter("v")
    viewer.client.headers["Accept-Language"] = "ko"
    assert "event 항목이 아직 없습니다" in viewer.open("/site/events")
    _create(events)
    page = viewer.open("/site/events")
    assert "제목" in page
    assert "/site/events/new" not in page
    assert "/site/events/e1/edit" not in page
    viewer.open("/site/events/new")
    assert viewer.answer.status_code == 403


def test_the_pages_of_tables_have_its_patterns(enter: Enter) -> None:
    admin = enter("a")
    for name in ("events_by", "events_get", "events_list"):
        admin.open(f"/tables/FMWebAppTable/patterns/{name}")
        assert admin.answer.status_code == 200


# Assistants


def test_assistants_have_its_verbs(app: App, events: Any) -> None:
    _create(events)
    asking = Asking(Tools(app).server())
    assert asking.call("site_read", "events.list").data["items"][0]["id"] == "e1"
