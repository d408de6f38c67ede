"""``gotgan videos``: files in, an analysis out, and what can be done with it; nobody is asked."""

from __future__ import annotations

import csv
import io
import json
import sys
from pathlib import Path

import pytest
from sqlalchemy import update

from gotgan.cli.output import ExitCode
from gotgan.csv_output import csv_lines
from gotgan.domains.videos.sources.csv_comments import EXPORT_COLUMNS
from gotgan.domains.videos.tables import VIDEO_SNAPSHOTS
from gotgan.settings import Settings
from gotgan.sql import Database
from tests.unit.cli.video_files import COMMENTS, OTHER, VIDEO, Run, told, written


@pytest.fixture
def analysed(videos: Run, tmp_path: Path) -> Run:
    """The command, with one video that was imported and analysed."""
    videos("import", written(tmp_path))
    assert videos("analyse", VIDEO, "--wait")[0] == ExitCode.OK
    return videos


def _expire(folder: Path) -> None:
    """Let what was collected be older than it may be."""
    with Database.open(Settings(data=folder)) as database, database.begin() as connection:
        table = VIDEO_SNAPSHOTS
        connection.execute(update(table).values(expires_at=table.c.snapshot_at))


def test_without_a_key_and_a_file_one_is_told_what_to_do(videos: Run) -> None:
    code, out, err = videos("analyse", VIDEO)
    assert (code, out) == (ExitCode.FAILED, "")
    assert "Set YOUTUBE_API_KEY, or import the video" in err
    code, _, err = videos("quota", "--json")
    assert code == ExitCode.FAILED
    assert json.loads(err)["error"]["code"] == "videos.key"


def test_files_are_kept_and_say_how_to_go_on(videos: Run, tmp_path: Path) -> None:
    files = [written(tmp_path), written(tmp_path, OTHER, "Other")]
    code, out, _ = videos("import", *files)
    assert code == ExitCode.OK
    assert out.splitlines() == [
        f"{OTHER}  5 comments  Other",
        f"{VIDEO}  5 comments  Kimchi",
        "",
        f"gotgan videos analyse {OTHER} --wait   # analyses it",
    ]
    rows = [line.split()[:3] for line in videos("list")[1].splitlines()[1:]]
    assert sorted(rows) == [[OTHER, "Other", "never"], [VIDEO, "Kimchi", "never"]]
    assert "Not analysed yet" in videos("get", VIDEO)[1]


def test_standard_input_is_a_file_too(videos: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    said = io.TextIOWrapper(io.BytesIO("text,likes\n재밌어요,3\n".encode()))
    monkeypatch.setattr(sys, "stdin", said)
    assert told(videos, "import", "-", "--video", f"https://youtu.be/{VIDEO}") == {
        "items": [{"videoId": VIDEO, "title": "", "comments": 1}]
    }


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("a.json", "{", "line 1: Not valid JSON"),
        ("a.json", '{"kind": "something"}', "Import answers of the YouTube API"),
        ("a.csv", "name,age\nx,1\n", "video_id and text"),
        ("a.csv", "video_id,text\nnothing,x\n", "line 2: Not a YouTube URL or video ID: 'nothing'"),
        ("a.csv", "text\nx\n", "line 1: No column is called video_id"),
    ],
)
def test_a_file_that_is_something_else_is_refused_with_its_name_and_line(
    videos: Run, tmp_path: Path, name: str, content: str, why: str
) -> None:
    good, bad = written(tmp_path), tmp_path / name
    bad.write_text(content, encoding="utf-8")
    code, out, err = videos("import", good, str(bad))
    assert (code, out) == (ExitCode.FAILED, "")
    assert f"{bad}" in err
    assert why in err
    assert told(videos, "list")["items"] == []


def test_an_analysis_is_shown_with_facts_and_suggestions_apart(analysed: Run) -> None:
    _, out, _ = analysed("get", VIDEO)
    ground, _, rest = out.partition("FACTS, counted in the comments\n")
    facts, _, suggestions = rest.partition("SUGGESTIONS by builtin (")
    assert ground.startswith(f"Kimchi\nhttps://www.youtube.com/watch?v={VIDEO}\n")
    assert "\nanalysed  just now, " in ground
    assert "; fresh until " in ground
    assert "\nversion   v1: builtin (" in ground
    assert "\nbased on  title, comments; 5 comments, from import\n" in ground
    assert "\ncost      0 YouTube units, 0 tokens, $0\n" in ground
    assert "\nwarning   Not public or not available: " in ground
    assert "Sentiment of 5 comments: net " in facts
    assert "\n  positive  ████" in facts
    assert "“다음에는 자막도 달아주세요” (30 likes)" in facts
    assert "\n     2:14  3 comments  “I love this so much" in facts
    assert "\nStrong points  " in suggestions
    assert "\n     based on “다음에는 자막도 달아주세요” (30 likes)\n" in suggestions


def test_the_result_of_a_job_is_no_hit_and_the_next_one_is(videos: Run, tmp_path: Path) -> None:
    videos("import", written(tmp_path))
    first, second = (told(videos, "analyse", VIDEO, "--wait")["analysis"] for _ in range(2))
    assert [each["result"]["meta"]["cacheHit"] for each in (first, second)] == [False, True]
    assert first["id"] == second["id"]
    assert first["evidence"]["c3"]["likes"] == 30


def test_a_program_chooses_between_two_shapes(analysed: Run) -> None:
    sheet = told(analysed, "get", VIDEO)
    assert sheet["analysis"]["result"]["meta"]["schemaVersion"] == 2
    assert [line["analysisVersion"] for line in sheet["history"]] == ["v1"]
    assert told(analysed, "get", VIDEO, "--shape", "2")["meta"]["schemaVersion"] == 2
    contract = json.loads(analysed("get", VIDEO, "--shape", "1")[1])
    assert set(contract) == {"summary", "contentIdeas", "recommendedKeywords", "meta"}
    assert contract["meta"]["schemaVersion"] == 1
    schema = told(analysed, "schema", "1")
    assert schema["properties"].keys() == contract.keys()
    assert json.loads(analysed("schema", "1")[1]) == schema


def test_a_version_that_never_was_is_not_found(analysed: Run) -> None:
    assert told(analysed, "get", VIDEO, "--version", "v1")["analysis"] is not None
    code, _, err = analysed("get", VIDEO, "--version", "v9")
    assert (code, "was not analysed in version v9" in err) == (ExitCode.FAILED, True)
    [version] = told(analysed, "versions")["items"]
    assert (version["version"], version["analyser"]) == ("v1", "builtin")
    assert analysed("versions")[1].splitlines()[1].startswith("v1       builtin   ")


def test_two_videos_are_compared_once_both_are_analysed(analysed: Run, tmp_path: Path) -> None:
    analysed("import", written(tmp_path, OTHER, "Other"))
    code, _, err = analysed("compare", VIDEO, OTHER)
    assert (code, f"{OTHER} was not analysed yet" in err) == (ExitCode.FAILED, True)
    analysed("analyse", OTHER, "--wait")
    compared = told(analysed, "compare", VIDEO, OTHER)
    assert compared["net"][0] == compared["net"][1]
    assert [each["videoId"] for each in compared["videos"]] == [VIDEO, OTHER]
    _, out, _ = analysed("compare", VIDEO, OTHER)
    assert out.count("Sentiment of 5 comments") == 2
    assert "\nKeywords in both\n" in out
    assert "\nNo significant difference in sentiment.\n" in out


def test_the_analyses_of_a_video_are_a_table(analysed: Run) -> None:
    analysed("analyse", VIDEO, "--force", "--wait")
    latest, earlier = told(analysed, "history", VIDEO)["items"]
    assert latest["sentiment"] == earlier["sentiment"]
    assert latest["sentiment"].keys() == {"positive", "neutral", "negative"}
    head, *rows = analysed("history", VIDEO)[1].splitlines()
    assert head.split() == [
        *("analysed", "version", "model", "comments"),
        *("positive", "neutral", "negative", "net", "cost"),
    ]
    assert len(rows) == 2


def _table(videos: Run) -> str:
    """The comments as the console's CSV file has them."""
    items = told(videos, "comments", VIDEO)["items"]
    rows = ({column: each[name] for column, name in EXPORT_COLUMNS.items()} for each in items)
    return "".join(csv_lines(list(EXPORT_COLUMNS), rows))


def _texts(videos: Run) -> list[str]:
    return [each["text"] for each in told(videos, "comments", VIDEO)["items"]]


def test_a_table_of_comments_can_be_imported_again(analysed: Run, tmp_path: Path) -> None:
    items = told(analysed, "comments", VIDEO)["items"]
    assert [(each["commentId"], each["text"], each["likes"]) for each in items] == list(COMMENTS)
    assert items[0]["label"] == "positive"
    assert "author" not in str(items)
    again = tmp_path / "again.csv"
    again.write_text(_table(analysed), encoding="utf-8")
    assert told(analysed, "import", str(again))["items"][0]["comments"] == 5


def test_a_table_of_ours_runs_nothing_and_is_imported_exactly(videos: Run, tmp_path: Path) -> None:
    texts = ['=HYPERLINK("http://x.test")', "'=1", "-1.5", "+1 for this", "\t@you", "plain, 'ok'"]
    rows = [[VIDEO, f"-c{number}", text] for number, text in enumerate(texts)]
    first, again = tmp_path / "first.csv", tmp_path / "again.csv"
    with first.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["video_id", "comment_id", "text"], *rows])
    videos("import", str(first))
    table = _table(videos)
    cells = [row["text"] for row in csv.DictReader(io.StringIO(table, newline=""))]
    assert cells == [f"'{texts[0]}", "''=1", "-1.5", "'+1 for this", "'\t@you", "plain, 'ok'"]
    again.write_text(table, encoding="utf-8", newline="")
    videos("delete", VIDEO, "--yes")
    videos("import", str(again))
    assert _texts(videos) == texts
    assert _table(videos) == table


def test_a_table_of_somebody_else_keeps_its_apostrophes(videos: Run, tmp_path: Path) -> None:
    file = tmp_path / "theirs.csv"
    file.write_text(f"video_id,text\n{VIDEO},'@you' is what I said\n", encoding="utf-8")
    videos("import", str(file))
    assert _texts(videos) == ["'@you' is what I said"]


def test_costs_tell_what_was_saved(analysed: Run) -> None:
    analysed("analyse", VIDEO)
    today = told(analysed, "costs", "--days", "2")["items"][0]
    assert (today["analyses"], today["hits"], today["units"]) == (1, 1, 0)
    assert analysed("costs")[1].splitlines()[1].split()[1:3] == ["1", "0"]


def test_days_without_an_analysis_are_told_in_a_sentence(videos: Run) -> None:
    assert videos("costs", "--days", "7")[1] == "No analyses in 7 days.\n"
    assert videos("versions")[1].startswith("No versions yet")
    assert videos("list")[1].startswith("No videos yet. ")
    assert videos("jobs")[1] == "No jobs.\n"


def test_what_is_too_old_goes_and_the_result_stays_without_its_quotes(
    analysed: Run, tmp_path: Path
) -> None:
    assert told(analysed, "purge") == {"snapshots": 0}
    _expire(tmp_path / "data")
    assert analysed("purge")[1] == "deleted 1 collection\n"
    _, out, _ = analysed("get", VIDEO)
    assert out.startswith(f"{VIDEO} (title deleted after 30 days)")
    assert "c3 (text deleted after 30 days)" in out
    assert "자막도" not in out.partition("SUGGESTIONS")[0]
    assert analysed("comments", VIDEO)[0] == ExitCode.FAILED


def test_a_video_is_deleted_by_whoever_means_it(
    analysed: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("n\n"))
    assert analysed("delete", VIDEO)[0] == ExitCode.INTERRUPTED
    assert analysed("get", VIDEO)[0] == ExitCode.OK
    gone = told(analysed, "delete", VIDEO, "--yes")
    assert gone == {"videoId": VIDEO, "snapshots": 1, "results": 1, "jobs": 1}
    code, _, err = analysed("delete", VIDEO, "--yes")
    assert (code, "nothing is stored" in err) == (ExitCode.FAILED, True)
    assert told(analysed, "list")["items"] == []


def test_a_list_goes_on_where_its_page_ended(videos: Run, tmp_path: Path) -> None:
    for video in (VIDEO, OTHER):
        videos("import", written(tmp_path, video))
        videos("analyse", video)
    for name, key in (("list", "videoId"), ("jobs", "videoId")):
        first = told(videos, name, "--limit", "1")
        rest = told(videos, name, "--cursor", first["cursor"])
        assert [each[key] for each in (*first["items"], *rest["items"])] == [OTHER, VIDEO]
        assert rest["cursor"] is None
        assert f"There are more: --cursor {first['cursor']}" in videos(name, "--limit", "1")[1]


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("analyse", "https://example.com/watch?v=dQw4w9WgXcQ"), "Not a YouTube URL or video ID"),
        (("analyse", "short"), "an ID of 11 characters"),
        (("analyse", VIDEO, "--reason", "user_request"), "Use it with force"),
        (("analyse", VIDEO, "--analyser", "oracle"), "builtin"),
        (("get", "short"), "Not a YouTube URL or video ID"),
        (("jobs", "--video", "short"), "Not a YouTube URL or video ID"),
        (("delete", "short", "--yes"), "Not a YouTube URL or video ID"),
        (("get", VIDEO, "--version", "latest"), "--version: use a version such as v1"),
        (("job", "../x"), "JOB_ID: use an ID of letters"),
        (("result", "a b"), "RESULT_ID: use an ID of letters"),
        (("comments", VIDEO, "--limit", "1001"), "not in the range"),
        (("import", "no such file"), "does not exist"),
        (("import",), "Missing argument"),
    ],
)
def test_words_that_cannot_be_meant_are_answered_with_what_to_write(
    videos: Run, words: tuple[str, ...], why: str
) -> None:
    code, out, err = videos(*words)
    assert (code, out) == (ExitCode.USAGE, "")
    assert why in err


def test_what_nobody_knows_is_not_found(videos: Run) -> None:
    for words in (("job", "0" * 32), ("job", "nonsense", "--wait"), ("get", VIDEO)):
        code, _, err = videos(*words, "--json")
        assert code == ExitCode.FAILED
        assert json.loads(err)["error"]["code"] == "not_found"
