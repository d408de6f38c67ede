"""Annotations taken apart: their metadata, the plain type, and type arguments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import NoneType, UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin


def annotation_metadata(annotation: Any) -> Iterator[Any]:
    """The metadata of an annotation and of its parts: ``Lease | None`` hides that of ``Lease``."""
    if get_origin(annotation) is Annotated:
        yield from annotation.__metadata__
    for part in get_args(annotation):
        yield from annotation_metadata(part)


def bare_type(annotation: Any) -> Any:
    """The type behind ``Annotated`` and ``| None``."""
    origin, parts = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return bare_type(parts[0])
    if origin in (Union, UnionType):
        return bare_type(next(each for each in parts if each is not NoneType))
    return annotation


def plain_type(annotation: Any) -> tuple[Any, bool]:
    """The type behind an annotation, of a sequence that of its items; and whether it is one."""
    bare = bare_type(annotation)
    origin = get_origin(bare)
    if isinstance(origin, type) and issubclass(origin, Sequence):
        return plain_type(get_args(bare)[0])[0], True
    return bare, False


def type_arguments(kind: Any) -> dict[Any, Any]:
    """The type arguments of a class: of ``Report[Crawl]``, or of a subclass of it."""
    origin = get_origin(kind)
    chosen = {} if origin is None else dict(zip(origin.__parameters__, get_args(kind), strict=True))
    for base in getattr(origin or kind, "__orig_bases__", ()):
        if get_origin(base) is not None and hasattr(get_origin(base), "__parameters__"):
            of_base = type_arguments(base).items()
            chosen = {each: with_type_arguments(hint, chosen) for each, hint in of_base} | chosen
    return chosen


def with_type_arguments(hint: Any, chosen: Mapping[Any, Any]) -> Any:
    """A type with its variables replaced."""
    if isinstance(hint, TypeVar):
        return chosen.get(hint, hint)
    parameters = getattr(hint, "__parameters__", ())
    return hint[tuple(chosen.get(each, each) for each in parameters)] if parameters else hint
