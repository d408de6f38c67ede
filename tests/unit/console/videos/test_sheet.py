"""The page of a video: six states, facts apart from opinions, and evidence for both."""

from __future__ import annotations

import csv
import io
import re
from datetime import timedelta

from gotgan.app import App
from gotgan.clock import FixedClock
from gotgan.domains.videos.sources.csv_comments import EXPORT_COLUMNS
from tests.unit.console.conftest import NOON, Enter
from tests.unit.console.sheets import Browser
from tests.unit.console.videos.filling import (
    EVIL,
    FIRST,
    SECOND,
    analysed,
    claimed,
    failed,
    imported,
    info,
)

HERE = f"/videos/{FIRST}"


def _words(html: str) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", html).split())


def _state(page: str) -> str:
    """What the card of the state says."""
    found = re.search(r'<section id="video-state".*?</section>', page, re.DOTALL)
    assert found is not None
    return _words(found[0])


def _part(page: str, name: str) -> str:
    found = re.search(rf'aria-labelledby="{name}-title">.*?</section>', page, re.DOTALL)
    assert found is not None
    return found[0]


# The six states


def test_a_video_that_nobody_knows_is_idle_and_can_be_asked_for(editor: Browser) -> None:
    page = editor.open(HERE)
    assert editor.answer.status_code == 200
    assert _state(page).startswith("– Not analysed yet No data about this video yet.")
    assert editor.sheet("/analyse").fields["analyser"] == "builtin"


def test_one_that_was_imported_is_idle_and_analysed_by_a_button(app: App, editor: Browser) -> None:
    imported(app)
    assert "5 comments are stored" in _state(editor.open(HERE))
    page = editor.send("/analyse")
    assert _state(page).startswith("↻ Analysing 0 % Waiting for a worker.")
    app.videos.work()
    assert "Fresh analysed just now" in _state(editor.open(HERE))


def test_a_job_under_way_is_told_with_its_step_and_asks_for_itself_again(
    app: App, viewer: Browser
) -> None:
    imported(app)
    job = claimed(app)
    page = viewer.open(HERE)
    assert "Analysing 33 % Collecting comments page 3 of 10" in _state(page)
    assert f'hx-get="{HERE}" hx-trigger="every 2s" hx-target="#video-state"' in page
    assert f'href="/videos/jobs/{job.job_id}"' in page
    assert '<progress value="33" max="100"' in page
    assert f'<a href="{HERE}">Reload</a></p></noscript>' in page


def test_the_part_that_asks_again_tells_the_page_when_the_job_has_ended(
    app: App, viewer: Browser
) -> None:
    imported(app)
    app.videos.analyse(FIRST)
    headers = {"HX-Request": "true", "HX-Target": "video-state"}
    answer = viewer.client.get(HERE, headers=headers)
    assert answer.text.lstrip().startswith('<section id="video-state"')
    assert "hx-trigger" not in answer.headers
    app.videos.work()
    answer = viewer.client.get(HERE, headers=headers)
    assert answer.headers["hx-trigger"] == "run-ended"
    assert "every 2s" not in answer.text


def test_a_whole_analysis_is_a_success(app: App, viewer: Browser) -> None:
    analysed(app, said=[f"{number}번째로 봐도 재밌어요" for number in range(40)])
    state = _state(viewer.open(HERE))
    assert state.startswith("✓ Analysed ✓ Fresh analysed just now · until 2100-01-02 21:00 KST")


def test_one_with_warnings_is_partial_and_says_what_is_missing(app: App, viewer: Browser) -> None:
    analysed(app, view_count="", like_count="")
    page = viewer.open(HERE)
    assert _state(page).startswith("! Analysed with warnings Not public or not available:")
    assert 'class="partial"' in page


def test_one_without_comments_is_empty_and_says_what_it_rests_on(app: App, viewer: Browser) -> None:
    analysed(app, said=())
    page = viewer.open(HERE)
    assert _state(page).startswith("! Analysed without comments There were no comments to count.")
    assert "based on the title and description only" in _state(page)
    assert "No comments to count." in _part(page, "counted")
    assert "<dt>Based on</dt><dd>title, description</dd>" in page


def test_a_failure_is_told_with_its_code_and_when_to_try_again(app: App, editor: Browser) -> None:
    imported(app)
    failed(app, why=f"busy {EVIL}", until=NOON + timedelta(hours=1))
    page = editor.open(HERE)
    assert _state(page).startswith("✕ The analysis failed YouTube or the model is rate-limiting")
    assert "ANALYSIS_RATE_LIMITED Not before 2100-01-01 22:00:00 KST" in _state(page)
    assert EVIL not in page
    assert _state(editor.send("/analyse")).startswith("↻ Analysing")
    [job] = app.videos.jobs(status="queued").items
    assert job.refresh_reason == "retry_failed"


def test_a_stale_result_stands_below_what_failed_and_is_called_stale(
    app: App, clock: FixedClock, enter: Enter
) -> None:
    analysed(app)
    clock.advance(timedelta(days=2))
    failed(app)
    page = enter("v").open(HERE)
    assert "The analysis failed" in _state(page)
    assert "The previous analysis is shown below. ! Stale analysed 2 days ago" in _state(page)
    assert "This result is stale: newer comments are not included." in page
    assert "counted-title" in page


# Facts, opinions, evidence


def test_facts_and_opinions_stand_apart(app: App, viewer: Browser) -> None:
    analysed(app)
    page = viewer.open(HERE)
    counted, suggested = _part(page, "counted"), _part(page, "suggested")
    assert "Fact Counted" in _words(counted)
    assert "Opinion Suggested by gotgan-builtin" in _words(suggested)
    assert "without a model" in suggested
    for name in (
        "Sentiment of the comments",
        "Keywords",
        "Moments mentioned in comments",
        "Questions",
    ):
        assert f"<h3>{name}" in counted
        assert f"<h3>{name}</h3>" not in suggested
    for name in ("Main reactions", "Strong points", "Weak points"):
        assert f"<h3>{name}" in suggested
        assert f"<h3>{name}" not in counted


def test_shares_are_told_in_figures_beside_their_bar(app: App, viewer: Browser) -> None:
    analysed(app)
    counted = _part(viewer.open(HERE), "counted")
    told = re.findall(r"(\w+) (\d+) % (\d+)", _words(counted.partition("of 5 comments")[0]))
    assert [name for name, _, _ in told] == ["positive", "neutral", "negative"]
    assert sum(int(count) for _, _, count in told) == 5
    assert sum(int(percent) for _, percent, _ in told) == 100
    assert counted.count('class="share-bar"') >= 1


def test_percents_of_a_page_agree(app: App, viewer: Browser) -> None:
    analysed(app)
    page = viewer.open(HERE)
    counted, suggested = _words(_part(page, "counted")), _words(_part(page, "suggested"))
    told = dict(re.findall(r"(positive|neutral|negative) (\d+) %", counted.partition("net")[0]))
    positive, neutral, negative = (told[each] for each in ("positive", "neutral", "negative"))
    assert re.findall(r"\d+(?=%)", suggested)[:3] == [positive, neutral, negative]
    net = re.search(r"[Nn]et ([+-]?\d+)", counted)
    assert net is not None
    assert int(net[1]) == int(positive) - int(negative)


def test_a_moment_leads_to_its_place_in_the_video(app: App, viewer: Browser) -> None:
    analysed(app)
    counted = _part(viewer.open(HERE), "counted")
    address = f"https://www.youtube.com/watch?v={FIRST}&amp;t=134s"
    assert f'<a href="{address}" rel="noreferrer noopener">2:14</a>' in counted
    assert '<path class="mark" d="M313.1' in counted
    assert "<span>7:08</span>" in counted


def test_evidence_is_quoted_for_as_long_as_it_is_kept(
    app: App, clock: FixedClock, enter: Enter
) -> None:
    analysed(app, said=[f"{EVIL} 국수 맛있다 최고 1:00", "국수 맛있다 1:00", "국수가 최고 1:00"])
    page = enter("v").open(HERE)
    assert EVIL not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt; 국수 맛있다" in _part(page, "counted")
    assert "3 comments as evidence" in page
    clock.advance(timedelta(days=31))
    app.videos.purge()
    page = enter("v").open(HERE)
    assert "국수 맛있다 최고" not in page
    moments = page.partition('<ul class="moments">')[2].partition("</details>")[0]
    assert "These comments are no longer stored" in moments


def test_what_it_rests_on_and_what_made_it_are_told(app: App, viewer: Browser) -> None:
    job = analysed(app)
    page = viewer.open(HERE)
    assert "<dt>Based on</dt><dd>title, description, comments</dd>" in page
    assert "<dt>Comments</dt><dd>5</dd>" in page
    assert "Imported files" in page
    assert "Built-in (no network) · gotgan-builtin" in _part(page, "made")
    assert "title,description,channel,comments(relevance:5,time:5)" in page
    assert "0 in, 0 out" in page
    assert f'href="/videos/jobs/{job.job_id}"' in page


def test_an_earlier_result_is_chosen_and_said_to_be_one(
    app: App, clock: FixedClock, enter: Enter
) -> None:
    job = analysed(app, said=["국수 최고"])
    clock.advance(timedelta(days=2))
    analysed(app)
    viewer = enter("v")
    assert "This is an earlier result" not in viewer.open(f"{HERE}?version=v1")
    page = viewer.open(f"{HERE}?result={job.analysis_result_id}")
    assert "This is an earlier result, of version v1." in page
    assert "<dt>Comments</dt><dd>1</dd>" in page
    assert viewer.client.get(f"{HERE}?version=v9").status_code == 404
    imported(app, SECOND)
    other = f"/videos/{SECOND}?result={job.analysis_result_id}"
    assert viewer.client.get(other).status_code == 404


# What can be done


def test_it_is_made_anew_for_a_reason_and_not_too_often(app: App, editor: Browser) -> None:
    analysed(app)
    editor.open(HERE)
    assert "The analysis is queued." in editor.send("/analyse", reason="user_request")
    app.videos.work()
    page = editor.open(HERE)
    assert page.count("?result=") == 1
    page = editor.send("/analyse", reason="user_request")
    assert editor.answer.status_code == 422
    assert "Try again in 10 min" in page
    assert "counted-title" in page
    editor.open(HERE)
    assert "There is nothing to retry" in editor.send("/analyse", reason="retry_failed")


def test_somebody_who_asks_while_a_job_runs_joins_it(app: App, editor: Browser) -> None:
    analysed(app)
    editor.open(HERE)
    claimed(app, force=True)
    page = editor.send("/analyse", reason="user_request")
    assert "An analysis is already running; this page follows it." in page
    assert len(app.videos.jobs().items) == 2


def test_only_an_admin_deletes_it(app: App, enter: Enter) -> None:
    analysed(app)
    assert "/delete" not in enter("e").open(HERE)
    admin = enter("a")
    admin.open(HERE)
    assert "Everything stored about the video was deleted." in admin.send("/delete")
    assert app.videos.list().items == ()


def test_its_comments_are_there_as_a_file(app: App, viewer: Browser) -> None:
    analysed(app)
    answer = viewer.client.get(f"{HERE}/comments.csv")
    rows = list(csv.DictReader(io.StringIO(answer.text.removeprefix("\ufeff"), newline="")))
    assert list(rows[0]) == list(EXPORT_COLUMNS)
    assert (len(rows), {row["video_id"] for row in rows}) == (5, {FIRST})
    assert all(row["label"] in {"positive", "neutral", "negative"} for row in rows)
    assert viewer.client.get(f"/videos/{SECOND}/comments.csv").status_code == 404


def test_the_list_shows_it_in_a_dialog(app: App, viewer: Browser) -> None:
    analysed(app)
    headers = {"HX-Request": "true", "HX-Target": "video-dialog"}
    text = viewer.client.get(HERE, headers=headers).text
    assert text.lstrip().startswith('<dialog id="video-dialog"')
    assert "Main reactions" in text
    assert "Sentiment of the comments" in text
    assert 'id="video-dialog"' not in viewer.open(HERE)


def test_what_is_no_video_is_told_so(viewer: Browser) -> None:
    page = viewer.open("/videos/short")
    assert viewer.answer.status_code == 400
    assert "Not a YouTube URL or video ID" in page


def test_the_analyses_of_a_video_are_its_trend(
    app: App, clock: FixedClock, viewer: Browser
) -> None:
    analysed(app)
    assert "sparkline" not in _part(viewer.open(HERE), "trend")  # there is nothing to compare with
    clock.advance(timedelta(hours=2))
    app.videos.import_files([("x.info.json", info(said=["최고예요", "정말 재밌어요"]))])
    app.videos.analyse(FIRST, force=True)
    app.videos.work()
    trend = _part(viewer.open(HERE), "trend")
    assert 'class="sparkline up"' in trend
    rows = [_words(row) for row in re.findall(r"<tr>(.*?)</tr>", trend, re.DOTALL)][1:]
    assert [row.partition("gotgan-builtin ")[2] for row in rows] == [
        "2 100 % 0 % 0 % +100 $0 ✓ Fresh",
        "5 40 % 40 % 20 % +20 $0 ✓ Fresh",
    ]
    file = viewer.client.get(f"{HERE}/history.csv").text.lstrip("\ufeff")
    found = list(csv.DictReader(io.StringIO(file)))
    assert [(row["positive"], row["neutral"], row["negative"]) for row in found] == [
        ("2", "0", "0"),
        ("2", "2", "1"),
    ]
