"""What the HTML of a post may be made of, said apart from the code that makes it."""

from __future__ import annotations

import re
from html.parser import HTMLParser

__all__ = ["faults"]

VOID = {"br", "hr", "img", "input"}
BLOCKS = {"blockquote", "li", "ol", "p", "pre", "table", "tbody", "td", "th", "thead", "tr", "ul"}
HEADINGS = {"h1", "h2", "h3", "h4", "h5", "h6"}
TAGS = VOID | BLOCKS | HEADINGS | {"a", "code", "em", "mark", "s", "strong", "sub", "sup", "u"}
ALIGN = r"align-(center|justify|left|right)"
NUMBER = r"[0-9]{1,9}"
ANYTHING = r"(?s:.*)"
ATTRIBUTES = {
    ("a", "title"): ANYTHING,
    ("a", "rel"): "noopener noreferrer nofollow",
    ("code", "class"): r"language-[A-Za-z0-9_+#.-]+",
    ("img", "alt"): ANYTHING,
    ("img", "title"): ANYTHING,
    ("img", "width"): NUMBER,
    ("img", "height"): NUMBER,
    ("input", "type"): "checkbox",
    ("input", "disabled"): "",
    ("input", "checked"): "",
    ("ol", "start"): NUMBER,
    ("ul", "class"): "tasks",
    **{(tag, "class"): ALIGN for tag in HEADINGS | {"p", "td", "th"}},
    **{(tag, name): NUMBER for tag in ("td", "th") for name in ("colspan", "rowspan")},
}
REQUIRED = {"a": {"rel"}, "input": {"disabled", "type"}}
SCHEMES = {
    ("a", "href"): {"http", "https", "mailto", "tel"},
    ("img", "src"): {"http", "https"},
}


def faults(html: str) -> list[str]:
    """Everything in the HTML that a post may not have."""
    inspector = _Inspector()
    inspector.feed(html)
    inspector.close()
    return [*inspector.found, *(f"<{tag}> is never closed" for tag in inspector.within)]


def _scheme(address: str) -> str | None:
    """The scheme as a browser reads it: blanks in front and line breaks within do not count."""
    bare = re.sub(r"[\t\n\r]", "", address).lstrip("".join(map(chr, range(33)))).lower()
    found = re.match(r"([a-z][a-z0-9+.-]*):", bare)
    return found[1] if found else None


class _Inspector(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[str] = []
        self.within: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in TAGS:
            self.found.append(f"<{tag}>")
        if tag not in VOID:
            self.within.append(tag)
        missing = REQUIRED.get(tag, set()) - {name for name, _ in attrs}
        self.found += [f"<{tag}> without {name}" for name in missing]
        self.found += [f"{tag} {name}={value!r}" for name, value in attrs if _bad(tag, name, value)]

    def handle_endtag(self, tag: str) -> None:
        if not self.within or self.within.pop() != tag:
            self.found.append(f"</{tag}> closes nothing")

    def handle_comment(self, data: str) -> None:
        self.found.append(f"a comment: {data}")

    def handle_decl(self, decl: str) -> None:
        self.found.append(f"a declaration: {decl}")

    def handle_pi(self, data: str) -> None:
        self.found.append(f"an instruction: {data}")

    def unknown_decl(self, data: str) -> None:
        self.found.append(f"a declaration: {data}")


def _bad(tag: str, name: str, value: str | None) -> bool:
    if (tag, name) in SCHEMES:
        scheme = _scheme(value or "")
        return scheme is not None and scheme not in SCHEMES[tag, name]
    allowed = ATTRIBUTES.get((tag, name))
    return allowed is None or re.fullmatch(allowed, value or "") is None
