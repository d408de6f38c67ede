"""The benchmarks of the site: its API, its Markdown, and the move from the old tables."""

from __future__ import annotations

from bench.site import api, markdown, migration

__all__ = ["main"]


def main() -> None:
    """Run them one after the other."""
    api.main()
    print()
    markdown.main()
    print()
    migration.main()


if __name__ == "__main__":
    main()
