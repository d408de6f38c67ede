"""Gotgan: collect web data daily, store every item exactly once, process and serve it."""

from __future__ import annotations


def __getattr__(name: str) -> str:
    """Look the version up on first use: nothing happens at import."""
    if name == "__version__":
        from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415 - see above

        try:
            return version("gotgan")
        except PackageNotFoundError:  # the engine is installed alone
            return version("gotgan-dynamodb")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
