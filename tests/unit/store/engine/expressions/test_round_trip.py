from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from gotgan.store.engine.expressions.nodes import (
    Action,
    Add,
    And,
    Arithmetic,
    Between,
    Comparison,
    ConditionTree,
    Delete,
    Function,
    In,
    Not,
    Operand,
    Or,
    Path,
    Remove,
    Set,
    Value,
)
from gotgan.store.engine.expressions.parser import (
    parse_condition,
    parse_projection,
    parse_update,
)
from gotgan.store.engine.values import Item
from tests.unit.store.engine.expressions.unparse import (
    unparse_condition,
    unparse_paths,
    unparse_update,
)

# Plain names, names that need a placeholder, and keywords.
NAMES = st.sampled_from(["a", "b1", "c_d", "size", "name", "set", "_x", "a.b", "ü", "#a", "1"])
STEPS = st.one_of(NAMES, st.integers(0, 9))
PATHS = st.builds(
    lambda name, steps: Path((name, *steps)),
    NAMES,
    st.lists(STEPS, max_size=3),
)
VALUES = st.sampled_from([":v", ":w1", ":_"]).map(Value)
LEAVES: st.SearchStrategy[Operand] = PATHS | VALUES
OPERANDS = LEAVES | LEAVES.map(lambda leaf: Function("size", (leaf,)))


def distinct(first: Operand, *others: Operand) -> bool:
    return not (isinstance(first, Path) and first in others)


COMPARISONS = st.builds(
    Comparison,
    st.sampled_from(["=", "<>", "<", "<=", ">", ">="]),
    OPERANDS,
    OPERANDS,
).filter(lambda tree: distinct(tree.left, tree.right))
BETWEENS = st.builds(Between, OPERANDS, OPERANDS, OPERANDS).filter(
    lambda tree: distinct(tree.operand, tree.low, tree.high),
)
INS = st.builds(
    In,
    OPERANDS,
    st.lists(OPERANDS, min_size=1, max_size=4).map(tuple),
).filter(lambda tree: distinct(tree.operand, *tree.choices))
CALLS = st.one_of(
    st.builds(
        lambda name, path: Function(name, (path,)),
        st.sampled_from(["attribute_exists", "attribute_not_exists"]),
        PATHS,
    ),
    st.builds(
        lambda name, path, value: Function(name, (path, value)),
        st.sampled_from(["attribute_type", "begins_with", "contains"]),
        PATHS,
        VALUES,
    ),
)
SIMPLE: st.SearchStrategy[ConditionTree] = COMPARISONS | BETWEENS | INS | CALLS


def joined(inner: st.SearchStrategy[ConditionTree]) -> st.SearchStrategy[ConditionTree]:
    several = st.lists(inner, min_size=2, max_size=3).map(tuple)
    return st.one_of(several.map(And), several.map(Or), inner.map(Not))


CONDITIONS = st.recursive(SIMPLE, joined, max_leaves=8)

NEW_VALUES: st.SearchStrategy[Operand | Arithmetic] = st.one_of(
    LEAVES,
    st.builds(Arithmetic, st.sampled_from("+-"), LEAVES, LEAVES),
    st.builds(lambda one, two: Function("list_append", (one, two)), LEAVES, LEAVES),
    st.builds(lambda path, value: Function("if_not_exists", (path, value)), PATHS, VALUES),
)


@st.composite
def updates(draw: st.DrawFn) -> tuple[Action, ...]:
    """Draw actions on different attributes, in the canonical order of sections."""
    names = iter(draw(st.permutations(["a", "b1", "c_d", "name", "set", "_x", "a.b", "ü"])))

    def path() -> Path:
        return Path((next(names), *draw(st.lists(STEPS, max_size=2))))

    def some() -> range:
        return range(draw(st.integers(0, 2)))

    actions: list[Action] = [Set(path(), draw(NEW_VALUES)) for _ in some()]
    actions += [Remove(path()) for _ in some()]
    actions += [Add(path(), draw(VALUES)) for _ in some()]
    actions += [Delete(path(), draw(VALUES)) for _ in some()]
    return tuple(actions) or (Remove(path()),)


@given(CONDITIONS)
def test_a_condition_survives_being_written_and_read(tree: ConditionTree) -> None:
    written = unparse_condition(tree)
    assert parse_condition(written.text, written.names).tree == tree


@given(updates())
def test_an_update_survives_being_written_and_read(actions: tuple[Action, ...]) -> None:
    written = unparse_update(actions)
    assert parse_update(written.text, written.names).actions == actions


@given(PATHS)
def test_a_path_survives_being_written_and_read(path: Path) -> None:
    written = unparse_paths([path])
    assert parse_projection(written.text, written.names).paths == (path,)


@given(CONDITIONS)
def test_a_condition_and_its_opposite_never_agree(tree: ConditionTree) -> None:
    item: Item = {"a": {"S": "x"}, "b1": {"N": "1"}, "name": {"L": [{"S": "x"}]}}
    values = {":v": {"S": "x"}, ":w1": {"N": "1"}, ":_": {"S": "S"}}
    plain, opposite = unparse_condition(tree), unparse_condition(Not(tree))
    one, other = (parse_condition(each.text, each.names) for each in (plain, opposite))
    assert one.test(item, values) is not other.test(item, values)
