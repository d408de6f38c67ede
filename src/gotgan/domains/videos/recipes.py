"""By what recipe an analyser works: all that a result's version stands for."""

from __future__ import annotations

from gotgan.domains.videos.analysers.protocol import Analyser
from gotgan.domains.videos.measuring.sentiment import SCORE_VERSION
from gotgan.domains.videos.reports import Recipe

__all__ = ["recipe_of"]


def recipe_of(analyser: Analyser) -> Recipe:
    """The recipe of an analyser as it is now; what is counted is counted alike for all of them."""
    return Recipe(analyser.name, analyser.model, analyser.prompt_version, SCORE_VERSION)
