"""What an update makes of an item.

Every operand reads the item as it was before the update, and the indexes of a list are those of
the list before it. Nothing is changed in place: what an update does not touch is shared.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gotgan.store.engine.expressions.assignments import Step, compile_action
from gotgan.store.engine.expressions.evaluation import Values
from gotgan.store.engine.expressions.paths import Branch, branches
from gotgan.store.engine.expressions.tree import Action
from gotgan.store.engine.faults import ValidationException
from gotgan.store.engine.values import AttributeValue, Item

__all__ = ["UpdatePlan", "plan"]


@dataclass(frozen=True, slots=True)
class UpdatePlan:
    """An update made ready to run: what each action does, and where."""

    steps: tuple[Step, ...]
    root: Branch

    def run(self, item: Item, values: Values) -> Item:
        """Give the item after the update."""
        return _Run(self.steps, item, values).change_map(self.root, item)


def plan(actions: Sequence[Action]) -> UpdatePlan:
    """Make an update ready to run."""
    return UpdatePlan(tuple(map(compile_action, actions)), branches(each.path for each in actions))


@dataclass(frozen=True, slots=True)
class _Run:
    """One update of one item: the item before, and the values of the call."""

    steps: tuple[Step, ...]
    item: Item
    values: Values

    def change_map(self, branch: Branch, members: Item) -> Item:
        changed = dict(members)
        for name, below in branch.names.items():
            new = self._change_value(below, members.get(name))
            if new is None:
                changed.pop(name, None)
            else:
                changed[name] = new
        return changed

    def _change_list(self, branch: Branch, elements: list[AttributeValue]) -> list[AttributeValue]:
        changed: dict[int, AttributeValue | None] = dict(enumerate(elements))
        for index, below in branch.indexes.items():
            changed[index] = self._change_value(below, changed.get(index))
        # Past the end of the list there are no gaps: new elements follow in the order of indexes.
        in_order = (changed[index] for index in sorted(changed))
        return [value for value in in_order if value is not None]

    def _change_value(
        self,
        below: Branch | int,
        old: AttributeValue | None,
    ) -> AttributeValue | None:
        if isinstance(below, int):
            return self.steps[below](self.item, self.values, old)
        if below.names and old is not None and "M" in old:
            return {"M": self.change_map(below, old["M"])}
        if below.indexes and old is not None and "L" in old:
            return {"L": self._change_list(below, old["L"])}
        raise ValidationException(
            "The document path provided in the update expression is invalid for update",
        )
