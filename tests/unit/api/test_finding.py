"""``/v1/search``: what is found over HTTP, by whom, and how the index is kept."""

from __future__ import annotations

import pytest
from fastapi import FastAPI

from gotgan.domains.news.models import Story
from tests.unit.api.calling import Api
from tests.unit.api.conforming import expect_told


@pytest.fixture
def story(api: Api) -> str:
    """The key of a story in the index."""
    [item] = api.app.news.upload([Story("삼성전자 실적", "https://example.com/1")]).new
    api.app.search.refresh()
    return item.pk


def test_words_are_found(api: Api, server: FastAPI, story: str) -> None:
    answer = api.call("GET", "/search", params={"words": "삼성", "kinds": "story"}, role="viewer")
    expect_told(server, "search_find", answer)
    page = answer.json()["data"]
    [hit] = page["items"]
    assert (hit["kind"], hit["id"], hit["titleMarks"]) == ("story", story, [[0, 2]])
    assert (page["total"], page["ageS"], page["cursor"]) == (1, 0, None)


@pytest.mark.usefixtures("story")
def test_words_are_for_those_who_are_signed_in(api: Api) -> None:
    assert api.refusal("GET", "/search?words=x", role=None)[0] == 401
    assert api.refusal("GET", "/search")[0] == 422
    assert api.refusal("GET", "/search?words=x&cursor=7") == (400, "store.cursor")


def test_the_index_is_updated_by_editors_and_rebuilt_by_admins(
    api: Api, server: FastAPI, story: str
) -> None:
    assert api.refusal("POST", "/search/refresh", role="viewer")[0] == 403
    assert api.refusal("POST", "/search/rebuild", role="editor")[0] == 403
    api.app.news.upload([Story("Another", "https://example.com/2")])
    answer = api.call("POST", "/search/refresh?wait=30", role="editor")
    expect_told(server, "search_refresh", answer)
    assert answer.json()["data"]["report"]["written"] == 1
    answer = api.call("POST", "/search/rebuild?wait=30")
    expect_told(server, "search_rebuild", answer)
    assert (answer.json()["data"]["report"]["total"], bool(story)) == (2, True)
