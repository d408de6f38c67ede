"""The annotations of a function as types, for declarations that are read from functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, get_type_hints

from gotgan.errors import DeclarationError

__all__ = ["hints_of"]


def hints_of(function: Callable[..., Any], role: str) -> dict[str, Any]:
    """The types that a function's annotations name; ``role`` is what the function declares."""
    try:
        return get_type_hints(function, include_extras=True)
    except NameError as error:
        raise DeclarationError(
            f"an annotation of the {role} {function.__name__} names what its module does not "
            f"have: {error}; import it there, outside of TYPE_CHECKING"
        ) from None
