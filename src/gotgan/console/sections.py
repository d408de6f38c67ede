"""What the console consists of: a section for each domain, with its pages."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Final

from gotgan.console.viewer import Viewer
from gotgan.domains.site.roles import Role

__all__ = ["NavPage", "Section", "find", "name_of", "visible"]

_OVERVIEW: Final = ("frame.overview.title", "/")
"""The front page, which belongs to no section."""


@dataclass(frozen=True)
class NavPage:
    """A page that the navigation leads to."""

    key: str
    path: str
    needed: Role | None = "viewer"
    title: str = ""
    """The text that it is called by, where the section's own catalogue has none."""

    def holds(self, path: str) -> bool:
        """Whether an address is this page, or one below it."""
        return path == self.path or path.startswith(f"{self.path}/")


@dataclass(frozen=True)
class Section:
    """The pages of one domain; its first page is its door.

    The catalogue of its name has ``section.title``, ``section.line`` and ``pages.<key>``.
    """

    key: str
    pages: tuple[NavPage, ...]
    domain: str = ""
    """The domain that it comes with, where it is not called after it."""

    def comes_with(self, domains: Collection[str]) -> bool:
        """Whether a server of some domains has it."""
        return (self.domain or self.key) in domains

    @property
    def path(self) -> str:
        """Where its first page is."""
        return self.pages[0].path

    @property
    def title_key(self) -> str:
        """The text that it is called by."""
        return f"{self.key}.section.title"

    @property
    def line_key(self) -> str:
        """The text that says what it is for."""
        return f"{self.key}.section.line"

    def page_key(self, page: NavPage) -> str:
        """The text that one of its pages is called by."""
        return page.title or f"{self.key}.pages.{page.key}"

    def holds(self, path: str) -> bool:
        """Whether an address belongs to it."""
        return self.page_at(path) is not None

    def page_at(self, path: str) -> NavPage | None:
        """The page that an address is, or is below; the nearest, where one is below another."""
        held = [page for page in self.pages if page.holds(path)]
        return max(held, key=lambda page: len(page.path), default=None)


def visible(sections: Iterable[Section], viewer: Viewer) -> list[Section]:
    """The sections with the pages that somebody may see, without those that have none left."""
    seen = [
        Section(section.key, tuple(page for page in section.pages if viewer.may(page.needed)))
        for section in sections
    ]
    return [section for section in seen if section.pages]


def find(sections: Iterable[Section], viewer: Viewer, words: str) -> str | None:
    """The path of the page that is called so in the viewer's language, or begins so."""
    wanted = words.strip().casefold()
    names = _names(sections, viewer)
    exact = [path for name, path in names if name == wanted]
    near = [path for name, path in names if wanted and name.startswith(wanted)]
    return next(iter([*exact, *near]), None)


def name_of(sections: Iterable[Section], viewer: Viewer, path: str) -> str:
    """What the page at a path is called in the viewer's language."""
    keys = {path: key for key, path in reversed(_keys(sections))}
    return viewer.t(keys[path])


def _names(sections: Iterable[Section], viewer: Viewer) -> list[tuple[str, str]]:
    return [(viewer.t(key).casefold(), path) for key, path in _keys(sections)]


def _keys(sections: Iterable[Section]) -> list[tuple[str, str]]:
    keys = [
        (key, path)
        for section in sections
        for key, path in [
            (section.title_key, section.path),
            *((section.page_key(page), page.path) for page in section.pages),
        ]
    ]
    return [*keys, _OVERVIEW]
