"""Simulated videos, comments with their true labels, and language models."""

from __future__ import annotations

from gotgan.world.videos.clips import CLIPS, MISSING_VIDEO, PRIVATE, Clip
from gotgan.world.videos.comments import Truth, WorldComment, video_truth
from gotgan.world.videos.language_models import GEMINI, OPENAI
from gotgan.world.videos.vocabulary import Mood, Sense
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
    "video_truth",
]
