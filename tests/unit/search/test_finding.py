"""What is found, in which order, and how it is shown; the same in both databases."""

from __future__ import annotations

from datetime import timedelta

import pytest

from gotgan.documents import SearchDocument
from gotgan.domains.site.models import Caller, Role, User
from gotgan.errors import BadCursor
from tests.unit.search.conftest import NOW, Library


def _story(name: str, title: str, text: str = "", *, minutes: int = 0) -> SearchDocument:
    return SearchDocument("story", name, title, text, at=NOW - timedelta(minutes=minutes))


def _caller(role: Role) -> Caller:
    return Caller.of(User(id="u1", display_name="Somebody", role=role, created_at=NOW))


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("삼성", ["samsung", "electro", "news"]),
        ("삼", ["samsung", "electro", "news"]),
        ("전자", ["samsung", "news"]),
        ("005930", ["samsung"]),
        ("SAMSUNG", ["electro"]),
        ("profi", ["news"]),
        ("profi warning", []),
        ("warning profi", ["news"]),
        ("자삼", []),
        ("!!!", []),
        ("\0\ud800", []),
        ('" OR *', []),
        ("' & ! |", []),
    ],
    ids=ascii,
)
def test_words_are_found(library: Library, words: str, found: list[str]) -> None:
    library.put(
        SearchDocument("share", "samsung", "삼성전자", names=("005930",)),
        SearchDocument("share", "electro", "삼성전기", "Samsung"),
        _story("news", "Warning", "삼성전자 profit"),
    )
    assert library.found(words) == found


def test_names_come_before_titles_before_texts_and_each_from_the_newest(library: Library) -> None:
    library.put(
        _story("text", "Something else", "about Kakao"),
        _story("old title", "Kakao rises", minutes=2),
        _story("new title", "Why Kakao falls", minutes=1),
        _story("name", "Kakao", minutes=9),
        SearchDocument("share", "share", "Kakao Pay"),
    )
    expected = ["name", "share", "new title", "old title", "text"]
    assert library.found("kakao") == expected
    first = library.search.find("kakao", limit=2)
    second = library.search.find("kakao", limit=2, cursor=first.cursor)
    third = library.search.find("kakao", limit=2, cursor=second.cursor)
    pages = [each.id for page in (first, second, third) for each in page.items]
    assert (pages, third.cursor) == (expected, None)


def test_an_empty_index_has_no_kinds(library: Library) -> None:
    page = library.search.find("kakao", kinds=["share"])
    assert (page.items, page.kinds, page.total, page.cursor) == ((), (), 0, None)


def test_short_names_come_first_of_those_without_a_time(library: Library) -> None:
    library.put(
        *(
            SearchDocument("share", name, f"삼성{name}")
            for name in ("바이오로직스", "SDI", "전자우")
        )
    )
    assert library.found("삼성") == ["SDI", "전자우", "바이오로직스"]


def test_kinds_are_counted_and_chosen(library: Library) -> None:
    library.put(*(_story(str(number), f"Kakao {number}") for number in range(5)))
    library.put(SearchDocument("share", "035720", "Kakao"))
    page = library.search.find("kakao", kinds=["share"])
    assert [(each.kind, each.id) for each in page.items] == [("share", "035720")]
    assert [(each.kind, each.count) for each in page.kinds] == [("story", 5), ("share", 1)]
    assert (page.total, page.is_bounded) == (1, False)
    everything = library.search.find("kakao")
    assert (everything.total, everything.kinds) == (6, page.kinds)


@pytest.mark.parametrize(
    ("role", "found"),
    [("viewer", ["v", "p"]), ("editor", ["e", "v", "p"]), ("admin", ["a", "e", "v", "p"])],
)
def test_a_reader_finds_what_the_role_may_read(
    library: Library, role: Role, found: list[str]
) -> None:
    library.put(
        SearchDocument("post", "p", "secret 4444", role="public"),
        SearchDocument("draft", "v", "secret 333", role="viewer"),
        SearchDocument("draft", "e", "secret 22", role="editor"),
        SearchDocument("draft", "a", "secret 1", role="admin"),
    )
    page = library.search.find("secret", by=_caller(role))
    assert [each.id for each in page.items] == found
    assert (page.total, sum(each.count for each in page.kinds)) == (len(found), len(found))
    assert [each.id for each in library.search.exact("secret 1", by=_caller(role))] == (
        ["a"] if role == "admin" else []
    )
    assert "a" not in library.found("secret")


def test_words_are_marked_in_titles_and_snippets(library: Library) -> None:
    text = f"{'word ' * 100}SK하이닉스는 <b>HBM</b> 판매가 {'word ' * 100}"
    library.put(_story("one", "하이닉스, HBM3 sales", text))
    [hit] = library.search.find("hbm 하이닉스").items
    assert [part for part, is_marked in hit.title.parts if is_marked] == ["하이닉스"]
    assert [part for part, is_marked in hit.snippet.parts if is_marked] == ["하이닉스", "HBM"]
    assert "".join(part for part, _ in hit.snippet.parts) == hit.snippet.text
    assert hit.snippet.text.startswith("…")
    assert hit.snippet.text.endswith("…")
    assert "<b>HBM</b>" in hit.snippet.text


@pytest.mark.parametrize("cursor", ["x", "3-1", "1-", "1-99999999999999999999", "0-1 "])
def test_a_cursor_of_something_else_is_refused(library: Library, cursor: str) -> None:
    with pytest.raises(BadCursor):
        library.search.find("words", cursor=cursor)
