"""Messages: codes with values, rendered for a reader, stored and read back."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterator
from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup, escape

from gotgan import messages
from gotgan.domains.market import messages as market
from gotgan.messages import HELP, TEXT, Message, Template, dump, load, record, render, text

SEOUL = ZoneInfo("Asia/Seoul")
NEW_YORK = ZoneInfo("America/New_York")
CLOSING = datetime(2026, 11, 17, 17, 0, tzinfo=SEOUL)


@pytest.fixture(autouse=True)
def _korean(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Templates of a test alone: they are not among those of the package."""
    known = dict(messages._TEMPLATES)  # noqa: SLF001
    korean = {
        "shop": "{name:은|는} {left}쪽 남음",
        "road": "{name:으로|로} 이동",
        "both": "{names}",
        "outer": "바깥: {inner}",
        "kind": "글",
        "gone": "{what:이|가} 없습니다",
    }
    monkeypatch.setattr(messages, "korean_texts", lambda area: korean if area == "test" else {})
    yield
    messages._TEMPLATES.clear()  # noqa: SLF001
    messages._TEMPLATES.update(known)  # noqa: SLF001


@pytest.mark.parametrize(("left", "words"), [(0, "0 pages"), (1, "1 page"), (1200, "1,200 pages")])
def test_a_number_has_its_noun(left: int, words: str) -> None:
    assert Template("test.pages", "{left:page|pages} left")(left=left) == f"{words} left"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("곳간", "곳간은"),
        ("가게", "가게는"),
        ("KOSPI", "KOSPI는"),
        ("pixel", "pixel은"),
        ("상점 3", "상점 3은"),
        ("상점 2", "상점 2는"),
        ("곳간(서울)", "곳간(서울)은"),
        ("", "는"),
    ],
)
def test_a_particle_fits_the_sound_before_it(name: str, words: str) -> None:
    message = Template("test.shop", "{name} has {left:page|pages} left")(name=name, left=2)
    assert render(message, "ko") == f"{words} 2쪽 남음"


@pytest.mark.parametrize(
    ("name", "words"), [("서울", "서울로"), ("부산", "부산으로"), ("제주", "제주로"), ("7", "7로")]
)
def test_the_particle_of_a_direction_knows_rieul(name: str, words: str) -> None:
    assert render(Template("test.road", "to {name}")(name=name), "ko") == f"{words} 이동"


def test_the_particle_of_a_nested_message_fits_its_korean() -> None:
    post = Template("test.kind", "entry")()
    assert render(Template("test.gone", "no {what}")(what=post), "ko") == "글이 없습니다"


def test_a_moment_is_shown_in_the_readers_zone_and_else_in_its_own() -> None:
    message = Template("test.at", "from {at:time} on, {at:datetime}")(at=CLOSING)
    assert message == "from 17:00 KST on, 11-17 17:00 KST"
    assert render(message, "en", NEW_YORK) == "from 03:00 EST on, 11-17 03:00 EST"
    assert load(dump(message)) == message
    utc = Template("test.utc", "{at:time}")(at=CLOSING.astimezone(UTC))
    assert utc == "08:00 UTC"


@pytest.mark.parametrize("value", ["nonsense", "2026-11-17T17:00:00+09:00[No/Where]", ""])
def test_a_moment_that_is_none_is_shown_as_it_is(value: str) -> None:
    assert render(Message("market.collected_from", {"day": "x", "at": value}), "ko").count(value)


def test_several_values_are_joined() -> None:
    both = Template("test.both", "{names}")
    assert both(names=["a"]) == "a"
    assert both(names=["a", "b", "c"]) == "a, b and c"
    assert both(names=[]) == ""
    assert render(both(names=["시세", "지수"]), "ko") == "시세와 지수"
    assert render(both(names=["종목", "지수"]), "ko") == "종목과 지수"
    assert render(both(names=["krx", "csv"]), "ko") == "krx, csv"
    assert Template("test.list", "{names:list}")(names=["a", "b"]) == "a, b"
    parts = Template("test.parts", "{names:sentences}")
    assert parts(names=["a", "b"]) == "a; b"
    assert parts(names=["A.", "b", "C."]) == "A. b; C."
    assert parts(names=[]) == ""


def test_a_message_inside_another_is_rendered_in_the_same_language() -> None:
    inner = Template("test.shop", "{name} has {left:page|pages} left")(name="곳간", left=1)
    outer = Template("test.outer", "outside: {inner}")(inner=inner)
    assert outer == "outside: 곳간 has 1 page left"
    assert render(outer, "ko") == "바깥: 곳간은 1쪽 남음"


def test_words_of_others_are_marked_and_everything_is_escaped() -> None:
    def foreign(words: str) -> Markup:
        return Markup("<q>{}</q>").format(words)

    outer = Template("test.outer", "outside: {inner}")
    quoted = outer(inner=text("<b> & {x}"))
    assert quoted == "outside: <b> & {x}"
    shown = render(quoted, "ko", escape=escape, foreign=foreign)
    assert shown == "바깥: <q>&lt;b&gt; &amp; {x}</q>"
    assert render(outer(inner="<i>"), "ko", escape=escape, foreign=foreign) == "바깥: &lt;i&gt;"
    untranslated = Template("test.english", "only {what}")(what="<i>")
    assert render(untranslated, "ko", escape=escape, foreign=foreign) == "<q>only &lt;i&gt;</q>"


def test_a_help_text_has_the_korean_of_the_help() -> None:
    known, other = HELP(text="Sends the mails that are due."), HELP(text="Feeds the cat.")
    assert (known, other) == ("Sends the mails that are due.", "Feeds the cat.")
    assert render(known, "ko") == "보낼 때가 된 메일을 보냅니다."
    assert render(other, "ko", foreign="<q>{}</q>".format) == "<q>Feeds the cat.</q>"
    assert load(dump(known)) == known


def test_a_stored_message_has_its_code_and_values() -> None:
    message = market.RETRY(
        what=market.words(["prices", "indices"]), day=date(2026, 11, 17), count=2, total=3
    )
    stored = dump(message)
    assert stored == (
        '{"code":"market.retry","values":{"what":[{"code":"market.word_prices","values":{}},'
        '{"code":"market.word_indices","values":{}}],"day":"2026-11-17","count":2,"total":3}}'
    )
    read = load(stored)
    assert isinstance(read, Message)
    assert (read, read.code, read.values) == (message, message.code, message.values)
    assert record(message)["code"] == "market.retry"


@pytest.mark.parametrize(
    "words",
    [
        "prices of 2025-10-20 failed; retry 1 of 3",
        "",
        "{",
        '{"code":"x"}',
        '{"code":"x","values":3}',
        '{"code":"x","values":{}',
        '{"code":"x","values":{"a":{"b":1}}}',
    ],
)
def test_a_text_that_is_no_stored_message_stays_a_text(words: str) -> None:
    assert load(words) == words
    assert not isinstance(load(words), Message)
    assert dump(words) == words
    assert record(words) == {"code": "message.text", "values": {"text": words}}


def test_a_code_that_is_unknown_is_shown_itself() -> None:
    message = load('{"code":"gone.since","values":{"day":"2026-11-17"}}')
    assert isinstance(message, Message)
    assert message == "gone.since"
    assert render(message, "ko") == "gone.since"


def test_a_copy_is_a_message_too() -> None:
    message = market.IS_FINAL(day=date(2026, 11, 17))
    for same in (copy.deepcopy(message), pickle.loads(pickle.dumps(message))):  # noqa: S301 - made here
        assert isinstance(same, Message)
        assert (same, same.code, same.values) == (message, message.code, message.values)


@given(st.text(), st.integers(), st.lists(st.text(), max_size=3))
def test_any_values_survive_being_stored(words: str, number: int, names: list[str]) -> None:
    message = market.GAP_STORED(gap=TEXT(text=words), count=number, names=names)
    read = load(dump(message))
    assert isinstance(read, Message)
    assert (read, read.values) == (message, message.values)
