from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import Table, func, select

from gotgan.app import App
from gotgan.clock import FixedClock
from gotgan.domains.videos.tables import ANALYSIS_JOBS, COMMENT_SNAPSHOTS, VIDEO_SNAPSHOTS, VIDEOS
from gotgan.errors import BadUpload, Conflict, KeyRefused, NotFound, UsageError
from tests.unit.domains.videos.made import VIDEO

OTHER = "lmnopqrstuv"


def file_of(video: str, *texts: str) -> tuple[str, bytes]:
    rows = [f"{video},c{number},{text},{number},제목" for number, text in enumerate(texts)]
    return "c.csv", "\n".join(["video_id,comment_id,text,likes,title", *rows]).encode()


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock(datetime(2026, 11, 14, 3, tzinfo=UTC))


@pytest.fixture
def app(clock: FixedClock) -> Iterator[App]:
    with App.in_memory(clock=clock) as app:
        app.videos.import_files([file_of(VIDEO, "소스가 최고예요 ㅋㅋ", "소스 레시피 알려주세요")])
        yield app


def analysed(app: App, video: str = VIDEO) -> str:
    job_id = app.videos.analyse(video).job.job_id
    app.videos.work()
    return job_id


def count(app: App, table: Table) -> int:
    with app.database.read() as connection:
        query = select(func.count()).select_from(table)
        return connection.execute(query).scalar_one()


def test_a_video_from_a_file_needs_no_key(app: App) -> None:
    analysed(app)
    sheet = app.videos.get(VIDEO)
    assert sheet.result is not None
    assert (sheet.is_fresh, sheet.result.comment_sample_count) == (True, 2)
    assert sheet.snapshot is not None
    assert sheet.snapshot.source == "import"


def test_without_a_key_and_a_file_it_is_said_what_to_do(app: App) -> None:
    with pytest.raises(KeyRefused, match="Set YOUTUBE_API_KEY, or import the video"):
        app.videos.analyse(OTHER)
    assert count(app, VIDEOS) == 1


def test_of_several_files_all_are_kept_or_none(app: App) -> None:
    before = count(app, VIDEO_SNAPSHOTS)
    with pytest.raises(BadUpload):
        app.videos.import_files([file_of(OTHER, "a"), ("d.csv", b"nothing\nof use\n")])
    assert count(app, VIDEO_SNAPSHOTS) == before


def test_evidence_is_given_with_its_words_while_they_are_kept(app: App, clock: FixedClock) -> None:
    analysed(app)
    assert app.videos.get(VIDEO).evidence["c1"].text == "소스 레시피 알려주세요"
    clock.advance(timedelta(days=30))
    assert app.videos.purge().snapshots == 1
    sheet = app.videos.get(VIDEO)
    assert (sheet.snapshot, sheet.evidence) == (None, {})
    assert sheet.result is not None
    assert sheet.result.document["requests"]
    assert (app.videos.purge().snapshots, count(app, COMMENT_SNAPSHOTS)) == (0, 0)


def test_a_video_can_be_forgotten_with_all_that_is_there_of_it(app: App) -> None:
    job_id = analysed(app)
    app.videos.import_files([file_of(OTHER, "good")])
    deleted = app.videos.delete(VIDEO)
    assert (deleted.snapshots, deleted.results, deleted.jobs) == (1, 1, 1)
    for look in (lambda: app.videos.get(VIDEO), lambda: app.videos.job(job_id)):
        with pytest.raises(NotFound):
            look()
    with pytest.raises(NotFound, match="nothing to delete"):
        app.videos.delete(VIDEO)
    assert app.videos.get(OTHER).snapshot is not None


def test_a_video_that_is_forgotten_while_it_is_analysed_does_not_come_back(app: App) -> None:
    app.videos.analyse(VIDEO)
    app.videos.delete(VIDEO)
    assert app.videos.work() == 0
    assert count(app, VIDEOS) == 0


def test_two_videos_are_compared(app: App) -> None:
    app.videos.import_files([file_of(OTHER, "소스가 별로예요", "소스 때문에 실망했어요")])
    analysed(app)
    with pytest.raises(Conflict, match=f"{OTHER} was not analysed yet"):
        app.videos.compare(VIDEO, OTHER)
    analysed(app, OTHER)
    comparison = app.videos.compare(VIDEO, OTHER)
    assert [sheet.video_id for sheet in comparison.videos] == [VIDEO, OTHER]
    assert comparison.shared_keywords == ("소스",)
    first, second = comparison.net
    assert first is not None
    assert second is not None
    assert first > second
    assert [each.share for each in comparison.sentiment] == [
        "positive",
        "neutral",
        "negative",
        "net",
    ]
    assert not any(each.is_significant for each in comparison.sentiment)  # too few comments


def test_the_analyses_of_a_video_are_listed_with_their_sentiment(
    app: App, clock: FixedClock
) -> None:
    with pytest.raises(NotFound, match=f"Nothing is stored about {OTHER}"):
        app.videos.history(OTHER)
    assert app.videos.history(VIDEO).items == ()
    analysed(app)
    first = app.videos.get(VIDEO).expect_result()
    clock.advance(timedelta(hours=1))
    app.videos.analyse(VIDEO, force=True)
    app.videos.work()
    latest, earlier = app.videos.history(VIDEO).items
    assert (earlier.id, earlier.created_at) == (first.id, first.created_at)
    assert latest.id == app.videos.get(VIDEO).expect_result().id
    assert latest.sentiment is not None
    assert latest.net == first.document["sentiment"]["net"] == latest.sentiment.net
    page = app.videos.history(VIDEO, limit=1)
    assert page.items == (latest,)
    assert app.videos.history(VIDEO, cursor=page.cursor).items == (earlier,)


def test_comments_are_given_with_how_they_sound(app: App) -> None:
    labels = {each.comment_id: each.label for each in app.videos.comments(VIDEO).items}
    assert labels["c0"] == "positive"
    with pytest.raises(NotFound, match="No comments of"):
        app.videos.comments(OTHER)


@pytest.mark.parametrize("video", ["", "short", "https://example.com/x", "a" * 1000])
def test_what_is_no_video_is_refused(app: App, video: str) -> None:
    with pytest.raises(UsageError, match="Not a YouTube URL or video ID"):
        app.videos.analyse(video)


def test_who_is_no_analyser_and_what_is_no_reason_is_refused(app: App) -> None:
    with pytest.raises(UsageError, match="Use one of these: builtin, gemini, openai"):
        app.videos.submit(VIDEO, analyser="somebody")
    with pytest.raises(UsageError, match="user_request, version_bump, retry_failed"):
        app.videos.analyse(VIDEO, force=True, reason="because")  # type: ignore[arg-type]


def test_a_version_of_a_result_can_be_asked_for(app: App) -> None:
    analysed(app)
    sheet = app.videos.get(VIDEO, version="v1")
    assert sheet.result == app.videos.get(VIDEO).result
    with pytest.raises(NotFound, match="not analysed in version v7"):
        app.videos.get(VIDEO, version="v7")


def test_whoever_waits_does_the_job_where_nobody_else_does(app: App) -> None:
    submitted = app.videos.analyse(VIDEO)
    assert app.videos.wait(submitted.job.job_id).status == "completed"


def test_whoever_waits_no_longer_than_so_long_gets_the_job_as_it_stands(
    app: App, clock: FixedClock
) -> None:
    submitted = app.videos.analyse(VIDEO)
    with app.database.begin() as connection:
        later = {"due_at": clock.now() + timedelta(hours=1)}
        connection.execute(ANALYSIS_JOBS.update().values(**later))
    assert app.videos.wait(submitted.job.job_id, seconds=0).status == "queued"
