"""Messages of lifecycles; their Korean is in ``texts/ko/lifecycle.toml``."""

from __future__ import annotations

from typing import Final

from gotgan.messages import Template

CHANGED: Final = Template(
    "lifecycle.changed", "{key} was changed by someone else. Reload it and claim it again."
)
CHANGED_WITH_CLAIM: Final = Template(
    "lifecycle.changed_with_claim",
    "{key} was changed by someone else, but the claim is still valid. Renew the claim, which "
    "reloads the item, then try again.",
)
MISSING: Final = Template("lifecycle.missing", "{key} does not exist. It may have been deleted.")
CLAIMED: Final = Template("lifecycle.claimed", "{key} is claimed by {owner}.")
POSTPONED: Final = Template("lifecycle.postponed", "{key} is postponed until {at:datetime}.")
OTHER_STATE: Final = Template(
    "lifecycle.other_state", "{key} was processed by someone else. Its state is now {state}."
)
BAD_STATE: Final = Template(
    "lifecycle.bad_state",
    "Not a state of a lifecycle: {value}. It must start with NEVER#, PROGRESS# or DONE#.",
)
BAD_VALUE: Final = Template(
    "lifecycle.bad_value", "{attribute} contains the invalid value {value}. Correct the item."
)
