"""How long a post can take to render: the dearest that each kind of markup can be."""

from __future__ import annotations

import time
from typing import Final

from gotgan.domains.site import content
from gotgan.domains.site.content import render

__all__ = ["main"]

_LARGEST: Final = 300_000
"""What the contents of a post may take."""
_WIDE: Final = "|a" * 200 + "|\n" + "|-" * 200 + "|\n"
_UNITS: Final = (
    "a\n",
    "- a\n",
    "# a\n",
    "*a* ",
    "*_",
    "[a](b) ",
    "[a](http://가.com) ",
    "![",
    "[",
    "<http://a>",
    "`a` ",
    "&amp;",
    "%",
    "- " * 9 + "a\n",
    "|a|b|\n|-|-|\n|\n\n",
    f"{_WIDE}x\nx\n\n",
    "가나다라 마바사 ",
)
_ROUNDS: Final = 3


def main() -> None:
    """Measure each at the largest size that is still read as Markdown, and at the largest."""
    print("Rendering Markdown: CPU milliseconds, best of three")
    print(f"{'markup':24}{'bytes':>10}{'ms':>8}{'  at 300 kB':>12}")
    for unit in _UNITS:
        largest = _largest(unit)
        shown = repr(unit)[1:-1][:22]
        times = [_milliseconds(_filled(unit, size)) for size in (largest, _LARGEST)]
        print(f"{shown:24}{largest:>10,}{times[0]:>8.0f}{times[1]:>12.0f}")


def _filled(unit: str, size: int) -> str:
    return unit * (size // len(unit.encode()))


def _largest(unit: str) -> int:
    """How many bytes of it are still read as Markdown."""
    low, high = 0, _LARGEST + 1
    while high - low > 1:
        middle = (low + high) // 2
        text = _filled(unit, middle)
        steps = content.block_steps(text) + content.inline_steps(text)
        low, high = (middle, high) if steps <= content.MAX_STEPS else (low, middle)
    return low


def _milliseconds(text: str) -> float:
    took = []
    for _ in range(_ROUNDS):
        began = time.process_time()
        render(text, "markdown")
        took.append(time.process_time() - began)
    return min(took) * 1_000


if __name__ == "__main__":
    main()
