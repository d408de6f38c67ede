"""SELECT. Rules without a source in a comment are from the Developer Guide's PartiQL reference."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from .refusals import INVALID, refused
from .shapes import plain, value
from .statements import entry, execute, found, item_pages
from .tables import Index, MakeTable, Table

COUNTED = {"ReturnConsumedCapacity": "INDEXES"}


@pytest.fixture(scope="module")
def songs(make_shared_table: MakeTable) -> Table:
    """Five songs of one artist and one of another, with indexes by year."""
    table = make_shared_table(
        "artist:S title:S",
        gsi=[Index("by_year", "year:N title:S"), Index("keys", "year:N", "KEYS_ONLY")],
        lsi=[Index("by_length", "artist:S length:N")],
    )
    for number in range(5):
        table.put(
            artist="a",
            title=f"t{number}",
            year=2000 + number % 2,
            length=100 - number,
            awards={"grammys": [2020, 2018], "other": None},
            tags={"x", "y"},
            cover=b"\x00\xff",
        )
    table.put(artist="b", title="t0", size=7, maybe=None)
    return table


def _titles(table: Table, where: str, *parameters: object, **members: Any) -> list[str]:
    items = found(table, f"SELECT title FROM $t WHERE {where}", *parameters, **members)
    return [item["title"] for item in items]


def test_a_star_selects_whole_items(songs: Table) -> None:
    [item] = found(songs, "SELECT * FROM $t WHERE artist = 'a' AND title = 't0'")
    assert item == songs.get(artist="a", title="t0")


def test_a_select_without_where_returns_all_items(songs: Table) -> None:
    assert len(found(songs, "SELECT * FROM $t")) == 6


def test_a_selected_path_is_named_after_its_last_part(songs: Table) -> None:
    # dynoxide, and floci's authors
    [item] = found(
        songs, "SELECT awards.grammys[1], awards.grammys FROM $t WHERE artist='a' AND title='t0'"
    )
    assert item == {"grammys[1]": 2018, "grammys": [2020, 2018]}


def test_missing_attributes_are_left_out(songs: Table) -> None:
    # dynoxide and ministack
    statement = "SELECT nothing, awards.grammys[9] FROM $t WHERE artist = 'b'"
    assert found(songs, statement) == [{}]
    assert found(songs, f"{statement} AND title = 't0'") == [{}]


@pytest.mark.parametrize(
    ("where", "titles"),
    [
        ("title = 't1'", "1"),
        ("title <> 't1'", "0234"),
        ("title != 't1'", "0234"),
        ("title < 't2'", "01"),
        ("title <= 't2'", "012"),
        ("title > 't2'", "34"),
        ("'t2' < title", "34"),
        ("title >= 't2'", "234"),
        ("title BETWEEN 't1' AND 't3'", "123"),
        ("title NOT BETWEEN 't1' AND 't3'", "04"),
        ("title IN ['t1', 't4', 'no']", "14"),
        ("title IN ('t1', 't4')", "14"),
        ("title NOT IN ['t1', 't4']", "023"),
        ("begins_with(title, 't3')", "3"),
        ("BEGINS_WITH(title, 't')", "01234"),
        ("title > 't0' AND title < 't3'", "12"),
        ("year = 2000", "024"),
        ("year = 2000 AND NOT title = 't2'", "04"),
        ("(year = 2000 OR title = 't1') AND length > 97", "012"),
        ("year = 2000 AND title = 't1' OR title = 't3'", "3"),
        ("NOT (year = 2000 OR title = 't1')", "3"),
        ("awards.grammys[0] = 2020", "01234"),
        ("awards.grammys = [2020, 2018]", "01234"),
        ("awards.grammys = [2018, 2020]", ""),
        ("awards = {'grammys': [2020, 2018], 'other': NULL}", "01234"),
        ("tags = <<'y', 'x'>>", "01234"),
        ("contains(tags, 'x')", "01234"),
        ("contains(tags, 'z')", ""),
        ("size(tags) = 2", "01234"),
        ("SIZE(awards.grammys) > 2", ""),
        ("attribute_type(length, 'N')", "01234"),
        ("attribute_type(length, 'S')", ""),
        ("nothing IS MISSING", "01234"),
        ("nothing IS NOT MISSING", ""),
        ("awards.other IS NULL", "01234"),
        ("awards.other IS NOT NULL", ""),
        ("nothing IS NULL", ""),  # ez4's authors join it with IS MISSING for that
        ("title IS STRING AND length IS NUMERIC AND awards IS STRUCT", "01234"),
        ("cover IS BLOB AND awards.grammys IS LIST AND NOT title IS BOOLEAN", "01234"),
        ("awards.other = null", "01234"),
        ("(length) = (100)", "0"),
        ("length = 1e2", "0"),
        ("length = 1.0E+2 OR length = 98.50", "0"),
        ("length > -5", "01234"),
    ],
)
def test_where_supports_these_conditions(songs: Table, where: str, titles: str) -> None:
    assert _titles(songs, f"artist = 'a' AND ({where})") == [f"t{number}" for number in titles]


def test_and_binds_tighter_than_or(songs: Table) -> None:
    titles = _titles(songs, "artist = 'a' AND title = 't1' OR artist = 'b' AND title = 't0'")
    assert sorted(titles) == ["t0", "t1"]


def test_parameters_replace_question_marks_in_order(songs: Table) -> None:
    assert _titles(songs, "artist = ? AND title IN [?, ?]", "a", "t3", "t1") == ["t1", "t3"]
    where = "artist = ? AND awards = {'grammys': [?, 2018], 'other': ?}"
    assert len(_titles(songs, where, "a", 2020, None)) == 5
    assert len(_titles(songs, "artist = ? AND cover = ?", "a", b"\x00\xff")) == 5


@pytest.mark.parametrize("parameters", [(), ("a", "b")])
def test_every_question_mark_needs_one_parameter(songs: Table, parameters: tuple[str, ...]) -> None:
    # the message: ministack, and users' questions about it
    with refused(INVALID, match="Number of parameters in request and statement don't match"):
        execute(songs, "SELECT * FROM $t WHERE artist = ?", *parameters)


def test_names_in_double_quotes_may_have_any_characters(make_table: MakeTable) -> None:
    table = make_table("pk:S")
    table.put(pk="it's", **{"select": 1, 'a"b': 2, "a.b": 3, "Pk": 4})
    statement = 'SELECT "select", "a""b", "a.b", Pk FROM $t WHERE "pk" = \'it\'\'s\''
    assert found(table, statement) == [{"select": 1, 'a"b': 2, "a.b": 3, "Pk": 4}]


def test_keywords_ignore_case_and_comments_are_skipped(songs: Table) -> None:
    statement = """
        select title -- the name
        from $t where artist = 'b' /* and title = 't9' */ and missing_one is missing;
    """
    assert found(songs, statement) == [{"title": "t0"}]


def test_from_can_name_an_index_of_a_table(songs: Table) -> None:
    items = found(songs, "SELECT * FROM $t.\"by_year\" WHERE year = 2001 AND title > 't1'")
    assert items == [songs.get(artist="a", title="t3")]
    assert len(found(songs, 'SELECT * FROM $t."by_year"')) == 5


def test_an_index_returns_its_projected_attributes(songs: Table) -> None:
    items = found(songs, 'SELECT * FROM $t."keys" WHERE year = 2001')
    assert {frozenset(item) for item in items} == {frozenset({"artist", "title", "year"})}
    # dynoxide and ministack, as Query does
    with refused(INVALID, match="does not project"):
        execute(songs, 'SELECT length FROM $t."keys" WHERE year = 2001')


def test_an_index_must_exist(songs: Table) -> None:
    # measured, by dynoxide's authors
    with refused(INVALID, match="^The table does not have the specified index$"):
        execute(songs, 'SELECT * FROM $t."none"')


def test_a_table_must_exist(songs: Table) -> None:
    with refused("ResourceNotFoundException"):
        songs.client.execute_statement(Statement="SELECT * FROM nothing WHERE pk = 'a'")


def test_a_consistent_read_of_a_global_index_is_refused(songs: Table) -> None:
    # dynoxide and ministack
    sentence = "^Strongly consistent read is not supported on Global Secondary Indexes$"
    with refused(INVALID, match=sentence):
        execute(songs, 'SELECT * FROM $t."by_year" WHERE year = 1', ConsistentRead=True)
    statement = "SELECT title FROM $t.\"by_length\" WHERE artist = 'a' AND length > 98"
    items = found(songs, statement, ConsistentRead=True)
    assert [item["title"] for item in items] == ["t1", "t0"]


@pytest.mark.parametrize(
    ("where", "order", "titles"),
    [
        ("artist = 'a'", "title", "01234"),
        ("artist = 'a'", "title ASC", "01234"),
        ("artist = 'a'", "title DESC", "43210"),
        ("artist = 'a' AND title > 't1'", "artist, title DESC", "432"),
        ("artist IN ['a', 'b']", "artist DESC", "001234"),
        ("artist IN ['a', 'b']", "artist ASC, title DESC", "432100"),
    ],
)
def test_order_by_sorts_by_the_keys(songs: Table, where: str, order: str, titles: str) -> None:
    ordered = _titles(songs, f"{where} ORDER BY {order}")
    assert ordered == [f"t{number}" for number in titles]


# The messages: floci and stackd, the second one also in the code of a user of AWS.
@pytest.mark.parametrize(
    ("rest", "reason"),
    [
        ("ORDER BY title", ""),
        (
            "WHERE artist = 'a' ORDER BY length",
            "^Attribute length in ORDER BY clause must be part of the primary key$",
        ),
        ("WHERE title = 't1' ORDER BY title", "at least one non-optional hash key condition in"),
        ("WHERE artist IN ['a', 'b'] ORDER BY title", "^Must have hash key in ORDER BY clause"),
    ],
)
def test_order_by_needs_a_partition_and_names_only_keys(
    songs: Table, rest: str, reason: str
) -> None:
    with refused(INVALID, match=reason):
        execute(songs, f"SELECT * FROM $t {rest}")


def test_limit_counts_items_before_the_filter_and_a_token_continues(songs: Table) -> None:
    statement = "SELECT title FROM $t WHERE artist = 'a' AND year = 2001"
    pages = item_pages(songs, statement, Limit=2)
    assert [[item["title"] for item in page] for page in pages] == [["t1"], ["t3"], []]
    first = execute(songs, statement, Limit=2)
    assert plain(first["LastEvaluatedKey"]) == {"artist": "a", "title": "t1"}


def test_a_scan_has_pages_too(songs: Table) -> None:
    pages = item_pages(songs, "SELECT * FROM $t", Limit=4)
    assert [len(page) for page in pages] == [4, 2]


def test_a_token_belongs_to_its_statement(songs: Table) -> None:
    # measured, by the authors of dynoxide and of floci; so is that Limit may change
    statement = "SELECT title FROM $t WHERE artist = ?"
    token = execute(songs, statement, "a", Limit=2)["NextToken"]
    with refused(INVALID, match="^NextToken does not match request$"):
        execute(songs, statement, "b", NextToken=token)
    with refused(INVALID, match="^NextToken does not match request$"):
        execute(songs, "SELECT * FROM $t WHERE artist = ?", "a", NextToken=token)
    for nonsense in ("nonsense", "", "e30=", token[:-4]):
        with refused(INVALID, match="^Invalid NextToken$"):
            execute(songs, statement, "a", NextToken=nonsense)
    assert [item["title"] for item in found(songs, statement, "a", NextToken=token)] == [
        "t2",
        "t3",
        "t4",
    ]


@pytest.mark.parametrize("key", ["'k07'", "?"])
def test_several_partitions_come_in_pages_of_ten_items(make_table: MakeTable, key: str) -> None:
    table = make_table("pk:S")
    table.fill({"pk": f"k{number:02}", "n": number} for number in range(30))
    keys = ", ".join([f"'k{number:02}'" for number in range(24) if number != 7] + [key])
    parameters = ("k07",) if key == "?" else ()
    pages = item_pages(table, f"SELECT n FROM $t WHERE pk IN [{keys}]", *parameters)
    assert [len(page) for page in pages] == [10, 10, 4]
    assert sorted(item["n"] for page in pages for item in page) == list(range(24))


def test_several_partitions_continue_within_one(songs: Table) -> None:
    pages = item_pages(songs, "SELECT title FROM $t WHERE artist IN ['a', 'b']", Limit=4)
    assert [len(page) for page in pages] == [4, 2]


def test_fifty_partitions_are_read_and_no_more(shared: Table) -> None:
    for count in (50, 51):
        keys = ", ".join(f"'{number}'" for number in range(count))
        statement = f"SELECT * FROM $t WHERE pk IN [{keys}]"
        if count == 50:
            assert item_pages(shared, statement) is not None
        else:
            with refused(INVALID):
                execute(shared, statement)


@pytest.mark.parametrize(
    ("where", "units"),
    [
        ("artist = 'a' AND title = 't1'", 0.5),
        ("artist = 'none' AND title = 't1'", 0.5),
        ("artist = 'a'", 0.5),
        ("artist IN ['a', 'b', 'c']", 1.5),
        ("artist = 'a' OR artist = 'b'", 1.0),
        ("artist = 'a' AND title = 't1' OR artist = 'b' AND title = 't0'", 1.0),
        ("artist = 'a' OR title = 't1'", 0.5),
    ],
)
def test_a_select_consumes_the_capacity_of_its_reads(
    songs: Table, where: str, units: float
) -> None:
    answer = execute(songs, f"SELECT * FROM $t WHERE {where}", **COUNTED)
    charged = answer["ConsumedCapacity"]
    assert charged["TableName"] == songs.name
    assert charged["CapacityUnits"] == units
    assert charged["Table"] == {"CapacityUnits": units}


def test_a_condition_on_the_partition_key_avoids_a_scan(make_table: MakeTable) -> None:
    table = make_table("pk:S sk:N")
    table.fill(
        {"pk": pk, "sk": number, "filler": "x" * 8000} for pk in "abc" for number in range(4)
    )

    def units(where: str) -> float:
        answer = execute(table, f"SELECT sk FROM $t WHERE {where}", **COUNTED)
        return float(answer["ConsumedCapacity"]["CapacityUnits"])

    assert units("pk = 'a'") == 4
    assert units("pk = 'a' AND sk > 2") == 1
    assert units("pk = 'a' AND sk BETWEEN 1 AND 2 AND filler <> 'y'") == 2
    assert units("pk IN ['a', 'b'] AND sk = 1") == 2
    assert units("pk > 'a'") == units("sk = 1") == units("pk = 'a' OR sk = 1") == 12


def test_an_index_is_charged(songs: Table) -> None:
    statement = 'SELECT * FROM $t."by_year" WHERE year IN [2000, 2001]'
    charged = execute(songs, statement, **COUNTED)["ConsumedCapacity"]
    assert charged["CapacityUnits"] == 1
    assert charged["GlobalSecondaryIndexes"] == {"by_year": {"CapacityUnits": 1}}


def test_a_consistent_read_costs_double(songs: Table) -> None:
    statement = "SELECT * FROM $t WHERE artist = 'a' AND title = 't1'"
    answer = execute(songs, statement, ConsistentRead=True, ReturnConsumedCapacity="TOTAL")
    assert answer["ConsumedCapacity"] == {"TableName": songs.name, "CapacityUnits": 1}
    assert "ConsumedCapacity" not in execute(songs, statement)


@pytest.mark.parametrize(
    "where",
    [
        "artist = 5",
        "artist IN ['a', 5]",
        "artist = 'a' AND title = 5",
        "artist = 'a' AND title > 5",
    ],
)
def test_a_key_of_another_type_is_refused(songs: Table, where: str) -> None:
    with refused(INVALID):
        execute(songs, f"SELECT * FROM $t WHERE {where}")


# The messages: measured, by dynoxide's authors, and in reports to AWS's examples for JavaScript
# and to PyDynamoDB.
@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("FETCH * FROM $t", "Expected data manipulation"),
        ("", ""),
        ("SELECT", ""),
        ("SELECT *", ""),
        ("SELECT FROM $t", ""),
        ("SELECT * FROM", ""),
        ("SELECT a. FROM $t", "Invalid path dot component"),
        ("SELECT a.select FROM $t", "Invalid path dot component"),
        ("SELECT a[x] FROM $t", ""),
        ("SELECT a[-1] FROM $t", ""),
        ("SELECT a AS b FROM $t", ""),
        ("SELECT *, a FROM $t", ""),
        ("SELECT size(a) FROM $t", ""),
        ("SELECT a.x, b.x FROM $t", ""),
        ("SELECT * FROM $t t", ""),
        ("SELECT * FROM $t, $t", ""),
        ("SELECT * FROM $t WHERE", ""),
        ("SELECT * FROM $t WHERE a", ""),
        ("SELECT * FROM $t WHERE 1", ""),
        ("SELECT * FROM $t WHERE a =", ""),
        ("SELECT * FROM $t WHERE a = 'x", ""),
        ("SELECT * FROM $t WHERE (a = 1", ""),
        ("SELECT * FROM $t WHERE a = 1)", ""),
        ("SELECT * FROM $t WHERE a = 1 b", ""),
        ("SELECT * FROM $t WHERE (a AND b = 1)", ""),
        ("SELECT * FROM $t WHERE a = (b = 1)", ""),
        ("SELECT * FROM $t WHERE a LIKE 'x'", ""),
        ("SELECT * FROM $t WHERE a IN []", ""),
        ("SELECT * FROM $t WHERE a IS strange", ""),
        ("SELECT * FROM $t WHERE size(a)", ""),
        ("SELECT * FROM $t WHERE size(a, b) = 1", ""),
        ("SELECT * FROM $t WHERE contains(a)", ""),
        ("SELECT * FROM $t WHERE lower(a) = 'x'", ""),
        ("SELECT * FROM $t WHERE attribute_type(a, 'X')", ""),
        ("SELECT * FROM $t WHERE a = <<>>", ""),
        ("SELECT * FROM $t WHERE a = <<1, 'x'>>", ""),
        ("SELECT * FROM $t WHERE a = <<1, 1>>", ""),
        ("SELECT * FROM $t WHERE a = {'x': 1, 'x': 2}", ""),
        ("SELECT * FROM $t WHERE a = 1e999", ""),
        ("SELECT * FROM $t GROUP BY a", ""),
        ("SELECT * FROM $t LIMIT 5", ""),
        ("SELECT * FROM $t; SELECT * FROM $t", ""),
        ("EXISTS(SELECT * FROM $t WHERE artist = 'a' AND title = 't0' AND x = 1)", ""),
    ],
)
def test_a_malformed_statement_is_refused(songs: Table, statement: str, reason: str) -> None:
    sentence = f"Statement wasn't well formed, can't be processed: {reason}" if reason else ""
    with refused(INVALID, match=sentence):
        execute(songs, statement)


def test_deep_nesting_is_refused(songs: Table) -> None:
    for opened, closed in (("(", ")"), ("NOT ", ""), ("a = [", "]")):
        with refused(INVALID):
            execute(songs, f"SELECT * FROM $t WHERE {opened * 1000}a = 1{closed * 1000}")
    deep = "(" * 30 + "artist = 'b'" + ")" * 30
    assert len(found(songs, f"SELECT * FROM $t WHERE {deep}")) == 1


def test_a_statement_has_at_most_8192_characters(songs: Table) -> None:
    start = "SELECT * FROM $t WHERE artist = 'a' AND nothing = '"
    longest = start + "x" * (8192 - len(entry(songs, start)["Statement"]) - 1) + "'"
    assert found(songs, longest) == []
    with refused(INVALID, match="less than or equal to 8192"):
        execute(songs, f"{longest} ")


def test_a_long_condition_is_evaluated(songs: Table) -> None:
    terms = " OR ".join(f"length = {number}" for number in range(1, 101))
    assert len(_titles(songs, f"artist = 'a' AND ({terms})")) == 5


@pytest.mark.parametrize("member", [{"Limit": 0}, {"ReturnConsumedCapacity": "SOME"}])
def test_invalid_options_are_refused(songs: Table, member: dict[str, Any]) -> None:
    with refused(INVALID, match="1 validation error detected"):
        execute(songs, "SELECT * FROM $t", **member)


def test_changing_a_result_does_not_change_the_table(songs: Table) -> None:
    statement = "SELECT * FROM $t WHERE artist = 'b' AND title = 't0' AND size = 7"
    first = execute(songs, statement)["Items"][0]
    first["size"] = value(8)
    assert found(songs, statement)[0]["size"] == Decimal(7)


def test_conditions_on_all_partition_key_attributes_avoid_a_scan(make_table: MakeTable) -> None:
    table = make_table("id:S", gsi=[Index("by_round", "cup:S region:S / round:S court:N")])
    table.fill(
        {"id": f"{cup}{region}{court}", "cup": cup, "region": region, "round": "R"}
        | {"court": court, "filler": "x" * 8000}
        for cup in "ab"
        for region in "ef"
        for court in range(2)
    )

    def read(where: str) -> tuple[list[str], float]:
        statement = f'SELECT id FROM $t."by_round" WHERE {where}'
        answer = execute(table, statement, **COUNTED)
        units = float(answer["ConsumedCapacity"]["CapacityUnits"])
        return sorted(plain(each)["id"] for each in answer["Items"]), units

    assert read("cup = 'a' AND region = 'e'") == (["ae0", "ae1"], 2)
    assert read("region = 'e' AND court = 1 AND cup IN ['a', 'b']") == (["ae1", "be1"], 4)
    assert read("cup = 'a' AND court = 1") == (["ae1", "af1"], 8)
