"""Videos and their comments, the models that read them, and what is really true of them."""

from __future__ import annotations

from gotgan.world.videos.clips import CLIPS, MISSING_VIDEO, PRIVATE, Clip
from gotgan.world.videos.comments import WorldComment
from gotgan.world.videos.gemini import GEMINI
from gotgan.world.videos.moods import Mood, Sense
from gotgan.world.videos.openai import OPENAI
from gotgan.world.videos.truth import Truth, truth_of
from gotgan.world.videos.youtube import THREADS, YOUTUBE

__all__ = [
    "CLIPS",
    "GEMINI",
    "MISSING_VIDEO",
    "OPENAI",
    "PRIVATE",
    "THREADS",
    "YOUTUBE",
    "Clip",
    "Mood",
    "Sense",
    "Truth",
    "WorldComment",
    "truth_of",
]
