"""The benchmarks of the videos: counting, jobs, and what is given again."""

from __future__ import annotations

from bench.videos import cache, jobs, measuring

__all__ = ["main"]


def main() -> None:
    """Run them one after the other."""
    for each in (measuring, jobs, cache):
        each.main()
        print()


if __name__ == "__main__":
    main()
