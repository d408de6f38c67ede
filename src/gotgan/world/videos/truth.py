"""What is true of the comments of a video, to check against what somebody makes of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from gotgan.world.scene import Scene
from gotgan.world.videos.clips import CLIPS
from gotgan.world.videos.comments import WorldComment, comments_of
from gotgan.world.videos.moods import MOODS, Mood, Sense

__all__ = ["Truth", "truth_of"]


@dataclass(frozen=True)
class Truth:
    """Everything that was said below a video up to a moment, answers included."""

    remarks: tuple[WorldComment, ...]
    """In the order of time; answers follow what they answer."""

    @property
    def senses(self) -> Mapping[str, Sense]:
        """What each comment means, by its id."""
        return {each.id: each.sense for each in self.remarks}

    @property
    def shares(self) -> Mapping[Mood, float]:
        """Which part is positive, neutral and negative; spam does not count."""
        moods = Counter(each.sense.mood for each in self.remarks if not each.sense.is_spam)
        return {mood: moods[mood] / (moods.total() or 1) for mood in MOODS}

    @property
    def topics(self) -> Counter[str]:
        """How many comments speak of what."""
        return Counter(topic for each in self.remarks for topic in each.sense.topics)

    @property
    def moments(self) -> Counter[int]:
        """How many comments name which second."""
        return Counter(second for each in self.remarks for second in each.sense.moments)

    @property
    def requests(self) -> frozenset[str]:
        """The ids of the comments that ask for something."""
        return frozenset(each.id for each in self.remarks if each.sense.is_request)

    @property
    def questions(self) -> frozenset[str]:
        """The ids of the comments that ask something."""
        return frozenset(each.id for each in self.remarks if each.sense.is_question)

    @property
    def spam(self) -> frozenset[str]:
        """The ids of the comments that are none."""
        return frozenset(each.id for each in self.remarks if each.sense.is_spam)

    @property
    def tricks(self) -> frozenset[str]:
        """The ids of the comments that speak to a machine."""
        return frozenset(each.id for each in self.remarks if each.sense.is_trick)


def truth_of(scene: Scene, video_id: str) -> Truth:
    """What is true of a video's comments at the scene's moment."""
    return Truth(tuple(_all(scene, video_id)))


def _all(scene: Scene, video_id: str) -> Iterator[WorldComment]:
    for remark in comments_of(scene.seed, CLIPS[video_id], scene.now):
        yield remark
        yield from remark.answered(scene.now)
