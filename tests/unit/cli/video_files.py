"""Comments in a file, and the command line over them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

__all__ = ["COMMENTS", "OTHER", "VIDEO", "Run", "told", "written"]

Run = Callable[..., tuple[int, str, str]]

VIDEO: Final = "dQw4w9WgXcQ"
OTHER: Final = "aaaaaaaaaaa"
COMMENTS: Final = (
    ("c1", "영상 정말 좋아요! 최고예요 ㅋㅋㅋ", 12),
    ("c2", "2:14 소리가 너무 작아요. 별로네요", 3),
    ("c3", "다음에는 자막도 달아주세요", 30),
    ("c4", "2:14 부분 어떻게 하신 건가요?", 5),
    ("c5", "I love this so much, best at 2:14", 8),
)


def written(folder: Path, video: str = VIDEO, title: str = "Kimchi") -> str:
    """A table of comments; the path of its file."""
    lines = [f'{video},{title},{each},"{text}",{likes}' for each, text, likes in COMMENTS]
    path = folder / f"{video}.csv"
    path.write_text("\n".join(["video_id,title,comment_id,text,likes", *lines]), encoding="utf-8")
    return str(path)


def told(run: Run, *words: str) -> Any:
    """What a command says to programs."""
    return json.loads(run(*words, "--json")[1])
