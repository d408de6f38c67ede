"""Every page of the videos with every role: what may not be done is refused by the server."""

from __future__ import annotations

from itertools import chain

import pytest
from fastapi.routing import APIRoute

from gotgan.console.videos import ROUTERS
from tests.unit.console.conftest import Enter
from tests.unit.console.trial import csrf
from tests.unit.console.videos.filling import FIRST

ROUTES = sorted(
    (method, route.path.format(video_id=FIRST, job_id="none"))
    for route in chain.from_iterable(router.routes for router in ROUTERS)
    if isinstance(route, APIRoute)
    for method in route.methods or ()
)
READING = [path for method, path in ROUTES if method == "GET"]
WRITING = [path for method, path in ROUTES if method == "POST"]
FOR_ADMINS = (f"/videos/{FIRST}/delete", "/videos/purge")


def test_there_are_routes_to_try() -> None:
    assert (len(READING), len(WRITING)) == (13, 5)


@pytest.mark.parametrize("path", READING)
def test_a_page_is_for_viewers(enter: Enter, path: str) -> None:
    assert enter("v").client.get(path).status_code in {200, 303, 404}
    assert enter("").client.get(path).headers["location"].startswith("/sign-in?next=")


@pytest.mark.parametrize("path", WRITING)
def test_what_writes_is_for_editors_with_a_form_of_their_own(enter: Enter, path: str) -> None:
    viewer, admin = enter("v").client, enter("a").client
    assert viewer.post(path, data={"csrf": csrf(viewer)}).status_code == 403
    refused = 415 if path == "/videos/import" else 403
    assert admin.post(path, data={"csrf": "0" * 64}).status_code == refused
    assert enter("").client.post(path, data={"csrf": ""}).status_code == 401


@pytest.mark.parametrize("path", FOR_ADMINS)
def test_an_editor_deletes_nothing(enter: Enter, path: str) -> None:
    editor = enter("e").client
    assert editor.post(path, data={"csrf": csrf(editor)}).status_code == 403
