"""YouTube in the world: videos, channels and pages of comments, its refusals, and its quota."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlencode

import pytest

from gotgan.clock import FixedClock
from gotgan.errors import UsageError
from gotgan.world import YOUTUBE_FAULTS, FaultKind, World, world_server
from gotgan.world.scene import SceneRequest, SceneResponse
from gotgan.world.videos import CLIPS, GEMINI, MISSING_VIDEO, PRIVATE, THREADS, YOUTUBE, video_truth
from tests.unit.world.asking import ask

NOW = datetime(2025, 11, 6, 12, tzinfo=UTC)
VIDEOS = "/youtube/v3/videos"
CHANNELS = "/youtube/v3/channels"
PARTS = "snippet,contentDetails,statistics"


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock(NOW)


@pytest.fixture
def world(clock: FixedClock) -> World:
    return World(clock=clock)


def got(world: World, path: str, key: str | None = "mine", /, **fields: object) -> SceneResponse:
    headers = {} if key is None else {"x-goog-api-key": key}
    page, fault = world.answer(SceneRequest(YOUTUBE, path, urlencode(fields), headers=headers))
    assert fault is None
    return page


def said(world: World, path: str, **fields: object) -> Any:
    page = got(world, path, **fields)
    assert page.status == 200, page.body
    return json.loads(page.body)


def refusal(page: SceneResponse) -> tuple[int, str]:
    error = json.loads(page.body)["error"]
    [one] = error["errors"]
    assert error["code"] == page.status
    assert error["message"] == one["message"]
    assert one["domain"]
    return page.status, one["reason"]


def threads(world: World, video: str, **fields: object) -> Iterator[dict[str, Any]]:
    """All pages of a video's threads."""
    token: dict[str, str] = {}
    while True:
        asked = {"part": "snippet,replies", "videoId": video, "maxResults": 100, **fields, **token}
        page = said(world, THREADS, **asked)
        yield from page["items"]
        if "nextPageToken" not in page:
            return
        token = {"pageToken": page["nextPageToken"]}


def test_a_video_is_told_in_the_parts_that_were_asked_for(world: World) -> None:
    answer = said(world, VIDEOS, part=PARTS, id="gotganCook1")
    assert answer["kind"] == "youtube#videoListResponse"
    assert answer["pageInfo"] == {"totalResults": 1, "resultsPerPage": 1}
    [video] = answer["items"]
    assert video["snippet"]["title"] == CLIPS["gotganCook1"].title
    assert video["snippet"]["publishedAt"] == "2025-03-14T09:00:00Z"
    assert video["contentDetails"]["duration"] == "PT7M8S"
    count = len(video_truth(world.scene, "gotganCook1").comments)
    assert video["statistics"]["commentCount"] == str(count)
    [bare] = said(world, VIDEOS, part="id", id="gotganCook1")["items"]
    assert set(bare) == {"kind", "etag", "id"}


def test_several_videos_are_told_at_once_and_missing_ones_are_left_out(world: World) -> None:
    ids = ["gotganCook1", MISSING_VIDEO, PRIVATE, "gotganGame1"]
    items = said(world, VIDEOS, part="id", id=",".join(ids))["items"]
    assert [each["id"] for each in items] == ["gotganCook1", "gotganGame1"]
    assert said(world, VIDEOS, part="id", id=MISSING_VIDEO)["items"] == []


def test_a_video_is_missing_until_it_is_published() -> None:
    world = World(clock=FixedClock(NOW - timedelta(days=30)))
    assert said(world, VIDEOS, part="id", id="gotganVlog1")["items"]
    assert said(world, VIDEOS, part="id", id="gotganSmall")["items"] == []


def test_hidden_counts_are_not_there(world: World) -> None:
    items = said(world, VIDEOS, part="statistics", id="gotganHides,gotganQuiet")["items"]
    hidden, quiet = (each["statistics"] for each in items)
    assert set(hidden) == {"viewCount", "favoriteCount"}
    assert "likeCount" in quiet
    assert "commentCount" not in quiet
    channel = CLIPS["gotganHides"].channel
    [item] = said(world, CHANNELS, part="snippet,statistics", id=channel)["items"]
    assert item["statistics"]["hiddenSubscriberCount"] is True
    assert "subscriberCount" not in item["statistics"]


def test_a_live_video_has_no_duration_yet(world: World) -> None:
    [live] = said(world, VIDEOS, part=PARTS, id="gotganLive1")["items"]
    assert live["snippet"]["liveBroadcastContent"] == "live"
    assert live["contentDetails"]["duration"] == "P0D"


def test_views_grow_from_day_to_day(world: World, clock: FixedClock) -> None:
    def views() -> int:
        [video] = said(world, VIDEOS, part="statistics", id="gotganQuiet")["items"]
        return int(video["statistics"]["viewCount"])

    before = views()
    clock.advance(timedelta(days=1))
    assert views() > before


def test_pages_hold_every_comment_once_the_newest_first(world: World) -> None:
    items = list(threads(world, "gotganTech1"))
    truth = [
        each for each in video_truth(world.scene, "gotganTech1").comments if each.parent is None
    ]
    assert [each["id"] for each in items] == [each.id for each in reversed(truth)]
    first = items[0]["snippet"]["topLevelComment"]["snippet"]
    assert first["textOriginal"] == truth[-1].text
    assert first["likeCount"] == truth[-1].likes(NOW)
    assert first["authorDisplayName"].startswith("@")
    assert first["authorChannelId"]["value"].startswith("UC")


def test_relevance_puts_what_is_liked_first(world: World) -> None:
    items = list(threads(world, "gotganTech1", order="relevance"))
    likes = [each["snippet"]["topLevelComment"]["snippet"]["likeCount"] for each in items]
    assert likes[0] == max(likes)
    assert sum(likes[:20]) > sum(likes[20:200])
    newest = {each["id"] for each in threads(world, "gotganTech1")}
    assert {each["id"] for each in items} == newest


def test_a_thread_shows_five_of_its_answers_at_most(world: World) -> None:
    items = list(threads(world, "gotganGame2"))
    total = {each["id"]: each["snippet"]["totalReplyCount"] for each in items}
    shown = {each["id"]: each.get("replies", {}).get("comments", []) for each in items}
    assert all(len(shown[each]) == min(total[each], 5) for each in total)
    assert max(total.values()) > 5
    answer = next(each for answers in shown.values() for each in answers)
    assert answer["snippet"]["parentId"] == answer["id"].partition(".")[0]


def test_pages_stay_the_same_though_comments_come_meanwhile(
    world: World, clock: FixedClock
) -> None:
    asked = {"part": "snippet", "videoId": "gotganGame2", "maxResults": 50}
    before = said(world, THREADS, **asked)
    expected = said(world, THREADS, **asked, pageToken=before["nextPageToken"])["items"]
    clock.advance(timedelta(days=3))
    after = said(world, THREADS, **asked, pageToken=before["nextPageToken"])["items"]
    assert [each["id"] for each in after] == [each["id"] for each in expected]
    assert said(world, THREADS, **asked)["items"][0]["id"] != before["items"][0]["id"]


def test_text_is_html_unless_it_should_be_plain(world: World) -> None:
    def shown(**fields: str) -> list[str]:
        found = threads(world, "gotganTrick", **fields)
        return [each["snippet"]["topLevelComment"]["snippet"]["textDisplay"] for each in found]

    assert any("&lt;script&gt;" in text for text in shown())
    assert any("<script>" in text for text in shown(textFormat="plainText"))


@pytest.mark.parametrize(
    ("path", "fields", "expected"),
    [
        (THREADS, {"videoId": "gotganQuiet"}, (403, "commentsDisabled")),
        (THREADS, {"videoId": MISSING_VIDEO}, (404, "videoNotFound")),
        (THREADS, {"videoId": PRIVATE}, (403, "forbidden")),
        (THREADS, {}, (400, "missingRequiredParameter")),
        (THREADS, {"videoId": "gotganCook1", "maxResults": 101}, (400, "invalidParameter")),
        (THREADS, {"videoId": "gotganCook1", "maxResults": "all"}, (400, "invalidParameter")),
        (THREADS, {"videoId": "gotganCook1", "order": "best"}, (400, "invalidParameter")),
        (THREADS, {"videoId": "gotganCook1", "pageToken": "x"}, (400, "invalidPageToken")),
        (THREADS, {"videoId": "gotganCook1", "pageToken": "eHw="}, (400, "invalidPageToken")),
        (VIDEOS, {}, (400, "missingRequiredParameter")),
        (VIDEOS, {"id": ",".join(["gotganCook1"] * 51)}, (400, "invalidParameter")),
    ],
)
def test_what_cannot_be_answered_is_refused_with_a_reason(
    world: World, path: str, fields: dict[str, object], expected: tuple[int, str]
) -> None:
    assert refusal(got(world, path, part="snippet", **fields)) == expected


def test_a_token_holds_for_its_own_video_order_and_world(world: World) -> None:
    asked = {"part": "id", "videoId": "gotganGame2", "maxResults": 10}
    token = said(world, THREADS, **asked)["nextPageToken"]
    bad = (400, "invalidPageToken")
    assert said(world, THREADS, **asked, pageToken=token)["items"]
    elsewhere = {**asked, "videoId": "gotganGame1"}
    assert refusal(got(world, THREADS, **elsewhere, pageToken=token)) == bad
    assert refusal(got(world, THREADS, **asked, order="relevance", pageToken=token)) == bad
    other = World(seed=8, clock=FixedClock(NOW))
    assert refusal(got(other, THREADS, **asked, pageToken=token)) == bad


def test_a_part_must_be_named(world: World) -> None:
    assert refusal(got(world, VIDEOS, id="gotganCook1")) == (400, "missingRequiredParameter")


def test_a_key_is_wanted_in_a_header_or_in_the_address(world: World) -> None:
    asked = {"part": "id", "id": "gotganCook1"}
    assert refusal(got(world, VIDEOS, None, **asked)) == (403, "forbidden")
    assert got(world, VIDEOS, None, **asked, key="mine").status == 200
    wrong = got(world, VIDEOS, "wrong", **asked)
    assert refusal(wrong) == (400, "badRequest")
    assert json.loads(wrong.body)["error"]["details"][0]["reason"] == "API_KEY_INVALID"


def test_the_units_of_a_key_are_counted_until_midnight_in_california(clock: FixedClock) -> None:
    world = World(clock=clock, quota=2)
    asked = {"part": "id", "id": "gotganCook1"}
    assert [got(world, VIDEOS, **asked).status for _ in range(3)] == [200, 200, 403]
    assert refusal(got(world, VIDEOS, **asked)) == (403, "quotaExceeded")
    assert got(world, VIDEOS, "another", **asked).status == 200
    assert world.meter.units_used("another", clock.now()) == 1
    clock.advance(timedelta(hours=19, minutes=59))  # 07:59 in UTC, 23:59 in California
    assert got(world, VIDEOS, **asked).status == 403
    clock.advance(timedelta(minutes=1))
    assert got(world, VIDEOS, **asked).status == 200


@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        (FaultKind.QUOTA_EXCEEDED, (403, "quotaExceeded")),
        (FaultKind.RATE_LIMITED, (403, "rateLimitExceeded")),
        (FaultKind.PROCESSING_FAILURE, (400, "processingFailure")),
        (FaultKind.COMMENTS_DISABLED, (403, "commentsDisabled")),
        (FaultKind.KEY_INVALID, (400, "keyInvalid")),
        (FaultKind.THROTTLED, (429, "rateLimitExceeded")),
        (FaultKind.THROTTLED_SILENTLY, (429, "rateLimitExceeded")),
        (FaultKind.FORBIDDEN, (403, "forbidden")),
        (FaultKind.BROKEN, (500, "backendError")),
        (FaultKind.UNAVAILABLE, (503, "backendError")),
    ],
)
def test_faults_speak_as_youtube_does(
    world: World, fault: FaultKind, expected: tuple[int, str]
) -> None:
    world.fail(YOUTUBE, THREADS, fault, times=1)
    asked = {"part": "id", "videoId": "gotganCook1"}
    page = got(world, THREADS, **asked)
    assert refusal(page) == expected
    assert page.headers.get("Retry-After") == ("2" if fault is FaultKind.THROTTLED else None)
    assert got(world, THREADS, **asked).status == 200


def test_comments_fail_while_the_rest_is_answered(world: World) -> None:
    world.fail(YOUTUBE, THREADS, FaultKind.BROKEN)
    world.fail(YOUTUBE, "*", FaultKind.COMMENTS_DISABLED)
    assert got(world, THREADS, part="id", videoId="gotganCook1").status == 500
    assert got(world, VIDEOS, part="id", id="gotganCook1").status == 200


def test_a_page_token_fails_where_there_is_one(world: World) -> None:
    world.fail(YOUTUBE, "*", FaultKind.PAGE_TOKEN_INVALID)
    asked = {"part": "id", "videoId": "gotganCook1"}
    token = said(world, THREADS, **asked)["nextPageToken"]
    page = got(world, THREADS, **asked, pageToken=token)
    assert refusal(page) == (400, "invalidPageToken")


def test_an_empty_answer_has_no_items_and_no_further_page(world: World) -> None:
    world.fail(YOUTUBE, THREADS, FaultKind.EMPTY, times=1)
    answer = said(world, THREADS, part="id", videoId="gotganCook1")
    assert answer["items"] == []
    assert "nextPageToken" not in answer


def test_faults_of_youtube_are_planned_there(world: World) -> None:
    for fault in YOUTUBE_FAULTS - {FaultKind.KEY_INVALID}:
        with pytest.raises(UsageError, match=r"Plan it at www\.googleapis\.com"):
            world.fail(GEMINI, "*", fault)
    with pytest.raises(UsageError, match=r"cannot happen at .* Plan it at"):
        world.fail("finance.yahoo.com", "*", FaultKind.KEY_INVALID)
    world.fail("*", "*", FaultKind.KEY_INVALID)


def test_what_nobody_offers_is_missing(world: World) -> None:
    assert got(world, "/youtube/v3/search", part="id").status == 404
    post = SceneRequest(YOUTUBE, VIDEOS, "part=id", "POST", {"x-goog-api-key": "k"})
    assert world.answer(post)[0].status == 404


def test_youtube_is_known_by_its_path_where_no_name_is_given(world: World) -> None:
    path = f"{VIDEOS}?part=id&id=gotganCook1&key=mine"
    with world_server(world) as served:
        assert ask(served, path, served.place).json == ask(served, path, YOUTUBE).json
        assert "The world" in ask(served, "/", served.place).text
    assert [seen.host for seen in world.requests[:2]] == [YOUTUBE, YOUTUBE]


def test_the_worlds_own_page_has_a_key_for_every_door(world: World) -> None:
    with world_server(world) as served:
        page = ask(served, "/", served.place).text
    for line in ("YOUTUBE_API_KEY=world", "GEMINI_API_KEY=world", "KRX_ID=world KRX_PW=world"):
        assert line in page
    assert "GOTGAN_OPENAI=https://api.openai.test/v1" in page
