"""PartiQL: statements by themselves, in batches and in transactions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.oracle.cases.builders import TABLE, ask, create, index, keys, n, put, s
from tests.oracle.scenario import ANY_ORDER, Scenario, Step, each, together

__all__ = ["scenarios"]

_ITEMS = [
    {
        "pk": s("p"),
        "sk": n(place),
        "g": s("even" if place % 2 == 0 else "odd"),
        "m": {"M": {"l": {"L": [n(1), s("two")]}, "x": s("y")}},
        "t": {"SS": ["a", "b"]},
        "z": {"NULL": True},
    }
    for place in range(1, 6)
]
_SETUP = [
    create(
        "pk:S sk:N g:S",
        "sk",
        GlobalSecondaryIndexes=[
            index("all", keys("g", "sk")),
            index("part", keys("g"), "KEYS_ONLY"),
        ],
    ),
    *(put(item) for item in _ITEMS),
    put({"pk": s("q"), "sk": n(1), "size": n(7)}),
]
_KEY = "WHERE pk = 'p' AND sk = 1"
_COUNTED = {"ReturnConsumedCapacity": "TOTAL"}
_SHOWN = {"ReturnValuesOnConditionCheckFailure": "ALL_OLD"}

_SELECTS = [
    f"SELECT * FROM {TABLE} {_KEY}",
    f"SELECT * FROM {TABLE} WHERE pk = 'none' AND sk = 1",
    f'SELECT "pk", "sk" FROM "{TABLE}" {_KEY}',
    f"SELECT m.x, m.l FROM {TABLE} {_KEY}",
    f"SELECT m.l[1] FROM {TABLE} {_KEY}",
    f"SELECT nothing FROM {TABLE} {_KEY}",
    f"SELECT size FROM {TABLE} WHERE pk = 'q'",
    f"select sk from {TABLE} where pk = 'p'",
    *(
        f"SELECT sk FROM {TABLE} WHERE pk = 'p' AND {condition}"
        for condition in (
            "sk < 3",
            "sk >= 3",
            "sk <> 3",
            "sk != 3",
            "sk BETWEEN 2 AND 4",
            "sk IN [1, 5, 7]",
            "sk IN (1, 5, 7)",
            "sk > 1 AND sk < 4",
            "g = 'odd'",
            "g <> 'odd'",
            "NOT g = 'odd'",
            "begins_with(g, 'ev')",
            "contains(g, 've')",
            "contains(t, 'a')",
            "size(t) = 2",
            "attribute_type(g, 'S')",
            "(g = 'odd' OR sk = 2) AND sk < 4",
            "nothing IS MISSING",
            "g IS NOT MISSING",
            "z IS NULL",
            "nothing IS NULL",
            "z = NULL",
            "m.x = 'y'",
            "m.l[0] = 1",
            "t = <<'b', 'a'>>",
            "m = {'l': [1, 'two'], 'x': 'y'}",
            "pk = 'q'",
        )
    ),
    f"SELECT sk FROM {TABLE} WHERE pk = 'p' ORDER BY sk DESC",
    f"SELECT pk FROM {TABLE} WHERE pk = 'none' ORDER BY sk",
]
_ANY_ORDER_SELECTS = [
    f"SELECT * FROM {TABLE}",
    f"SELECT pk, sk FROM {TABLE} WHERE g = 'odd'",
    f"SELECT pk, sk FROM {TABLE} WHERE pk IN ['p', 'q', 'none']",
    f"SELECT pk, sk FROM {TABLE} WHERE pk = 'p' OR pk = 'q'",
    f"SELECT pk, sk FROM {TABLE} WHERE pk = 'p' AND sk = 1 OR pk = 'q' AND sk = 1",
    f"SELECT pk, sk FROM {TABLE} WHERE nothing IS MISSING",
    f'SELECT * FROM "{TABLE}"."all"',
    f'SELECT * FROM "{TABLE}"."all" WHERE g = \'odd\' AND sk > 1',
    f'SELECT * FROM "{TABLE}"."part" WHERE g = \'odd\'',
]
_REFUSED = [
    "",
    "FETCH",
    "SELECT",
    f"SELECT * FROM {TABLE} WHERE",
    f"SELECT * FROM {TABLE} WHERE pk",
    f"SELECT * FROM {TABLE} WHERE (pk = 'p'",
    f"SELECT * FROM {TABLE} WHERE pk = 'p",
    f"SELECT pk AS x FROM {TABLE}",
    f"SELECT *, pk FROM {TABLE}",
    f"SELECT size(t) FROM {TABLE} {_KEY}",
    f'SELECT m FROM "{TABLE}"."part" WHERE g = \'odd\'',
    f'SELECT * FROM "{TABLE}"."none"',
    "SELECT * FROM absent WHERE pk = 'p'",
    f"EXISTS(SELECT * FROM {TABLE} {_KEY} AND g = 'odd')",
    f"INSERT INTO {TABLE} VALUE {{'pk': 'p', 'sk': 1}}",
    f"INSERT INTO {TABLE} VALUE {{'pk': 'p'}}",
    f"INSERT INTO {TABLE} VALUE {{'pk': 1, 'sk': 1}}",
    f"INSERT INTO {TABLE} VALUE {{'pk': 'a', 'sk': 1, 'x': <<>>}}",
    f"INSERT INTO {TABLE} VALUE {{'pk': 'a', 'sk': 1, 'x': <<'a', 'a'>>}}",
    f"INSERT INTO {TABLE} (pk, sk) VALUES ('a', 1)",
    f"UPDATE {TABLE} SET x = 1",
    f"UPDATE {TABLE} SET x = 1 WHERE pk = 'p'",
    f"UPDATE {TABLE} SET x = 1 WHERE pk = 'p' OR sk = 1",
    f"UPDATE {TABLE} SET x = 1 WHERE pk = 'none' AND sk = 1",
    f"UPDATE {TABLE} SET x = 1 {_KEY} AND g = 'even'",
    f"UPDATE {TABLE} SET pk = 'x' {_KEY}",
    f"UPDATE {TABLE} {_KEY}",
    f"DELETE FROM {TABLE}",
    f"DELETE FROM {TABLE} WHERE pk = 'p'",
    f"DELETE FROM {TABLE} {_KEY} AND g = 'even'",
    f"DELETE FROM {TABLE} {_KEY} RETURNING ALL NEW *",
]
_WRITES = [
    f"INSERT INTO {TABLE} VALUE {{'pk': 'a', 'sk': 1}}",
    f"INSERT INTO {TABLE} VALUE {{'pk': 'a', 'sk': 1, 'l': [1, {{'x': TRUE}}], 'z': NULL}}",
    f"INSERT INTO {TABLE} VALUE {{'pk': 'a', 'sk': 1, 'n': <<1, 2>>, 't': <<'a', 'b'>>}}",
    f"INSERT INTO {TABLE} VALUE {{'pk': 'it''s', 'sk': 1}}",
    f"INSERT INTO {TABLE} VALUE {{'pk': 'a', 'sk': -1.50}}",
    f"UPDATE {TABLE} SET x = 1 {_KEY}",
    f"UPDATE {TABLE} SET x = 1, y = 'z' {_KEY}",
    f"UPDATE {TABLE} SET x = 1 SET y = 'z' {_KEY}",
    f"UPDATE {TABLE} SET x = sk + 1 {_KEY}",
    f"UPDATE {TABLE} SET x = sk - 1 {_KEY}",
    f"UPDATE {TABLE} SET m.x = 'new' {_KEY}",
    f"UPDATE {TABLE} SET m.l[0] = 'new' {_KEY}",
    f"UPDATE {TABLE} SET m.l = list_append(m.l, [3]) {_KEY}",
    f"UPDATE {TABLE} SET t = set_add(t, <<'c'>>) {_KEY}",
    f"UPDATE {TABLE} SET t = set_delete(t, <<'a'>>) {_KEY}",
    f"UPDATE {TABLE} REMOVE z {_KEY}",
    f"UPDATE {TABLE} REMOVE m.l[0] {_KEY}",
    f"UPDATE {TABLE} SET x = 1 {_KEY} AND g = 'odd'",
    *(
        f"UPDATE {TABLE} SET g = 'new' {_KEY} RETURNING {returned} *"
        for returned in ("ALL OLD", "ALL NEW", "MODIFIED OLD", "MODIFIED NEW")
    ),
    f"DELETE FROM {TABLE} {_KEY}",
    f"DELETE FROM {TABLE} {_KEY} AND g = 'odd'",
    f"DELETE FROM {TABLE} {_KEY} RETURNING ALL OLD *",
    f"DELETE FROM {TABLE} WHERE pk = 'none' AND sk = 1",
    f"DELETE FROM {TABLE} WHERE pk = 'none' AND sk = 1 AND g = 'odd'",
    f"DELETE FROM {TABLE} WHERE pk = 'none' AND sk = 1 RETURNING ALL OLD *",
]
_READ, _OTHER = f"SELECT * FROM {TABLE} {_KEY}", f"SELECT pk FROM {TABLE} WHERE pk = 'q' AND sk = 1"
_PUT, _REPEAT = _WRITES[0], f"INSERT INTO {TABLE} VALUE {{'pk': 'q', 'sk': 1}}"
_CHANGE = f"UPDATE {TABLE} SET x = 1 {_KEY}"
_REMOVE = f"DELETE FROM {TABLE} WHERE pk = 'p' AND sk = 2"
_UNMET = f"UPDATE {TABLE} SET x = 1 WHERE pk = 'p' AND sk = 3 AND g = 'even'"
_TOGETHER: dict[str, list[str]] = {
    "reads": [_READ, _OTHER, f"SELECT * FROM {TABLE} WHERE pk = 'none' AND sk = 1"],
    "read with a condition": [f"{_READ} AND g = 'even'", f"{_OTHER} AND size = 7"],
    "read of no one item": [f"SELECT * FROM {TABLE} WHERE pk = 'p'"],
    "read of an index": [f'SELECT * FROM "{TABLE}"."all" WHERE g = \'odd\' AND sk = 1'],
    "writes": [_PUT, _CHANGE, _REMOVE],
    "writes of which one is there": [_PUT, _REPEAT],
    "writes of which one is unmet": [_PUT, _UNMET],
    "a read and a write": [_READ, _REMOVE],
    "nothing": [],
    "a malformed one": ["FETCH"],
    "a missing table": ["SELECT * FROM absent WHERE pk = 'p' AND sk = 1"],
    "one item twice": [_READ, f"SELECT sk FROM {TABLE} {_KEY}"],
    "returning": [f"{_CHANGE} RETURNING ALL NEW *"],
}


def scenarios() -> Iterator[Scenario]:
    """Statements that only read in one scenario; each other statement in one of its own."""
    yield from together("partiql select", _SETUP, [_run(text) for text in _SELECTS])
    unordered = [_run(text, order=ANY_ORDER) for text in _ANY_ORDER_SELECTS]
    yield from together("partiql select in any order", _SETUP, unordered)
    yield from together("partiql options", _SETUP, _options())
    yield from each("partiql refused", _SETUP, [_run(text) for text in _REFUSED])
    for text in _WRITES:
        yield from together(f"partiql write: {text}", _SETUP, [_run(text), _then()])
    for name, texts in _TOGETHER.items():
        batch = _many("BatchExecuteStatement", "Statements", texts)
        yield from together(f"partiql batch: {name}", _SETUP, [batch, _then()])
        transaction = _many("ExecuteTransaction", "TransactStatements", texts)
        yield from together(f"partiql transaction: {name}", _SETUP, [transaction, _then()])


def _run(text: str, *parameters: dict[str, Any], order: str = "", **members: Any) -> Step:
    request: dict[str, Any] = {"Statement": text, **members}
    if parameters:
        request["Parameters"] = list(parameters)
    return Step("ExecuteStatement", request, text, order=order)


def _many(operation: str, member: str, texts: list[str]) -> Step:
    return Step(operation, {member: [{"Statement": text} for text in texts], **_COUNTED})


def _then() -> Step:
    return ask("Scan", "then")


def _options() -> list[Step]:
    by_parameter = f"SELECT sk FROM {TABLE} WHERE pk = ? AND sk > ?"
    partition = f"SELECT sk FROM {TABLE} WHERE pk = 'p'"
    return [
        _run(by_parameter, s("p"), n(3)),
        _run(by_parameter, s("p")),
        _run(by_parameter),
        _run(partition, s("p")),
        _run(partition, Limit=2),
        _run(partition, Limit=0),
        _run(partition, NextToken="nonsense"),
        _run(partition, ConsistentRead=True, **_COUNTED),
        _run(partition, **_COUNTED),
        _run(_READ, **_COUNTED),
        _run(_UNMET, **_SHOWN),
        _run(f'SELECT * FROM "{TABLE}"."all" WHERE g = \'odd\'', ConsistentRead=True),
        _run(f"UPDATE {TABLE} SET x = 1 {_KEY}", **_COUNTED),
        _run(_REMOVE, **_COUNTED),
    ]
