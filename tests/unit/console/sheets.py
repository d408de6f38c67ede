"""A browser without JavaScript: it reads the forms of a page, and sends them."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

import httpx

__all__ = ["Browser", "Sheet", "sheets_of"]


@dataclass
class Sheet:
    """A form of a page, with what stands in its fields."""

    action: str
    fields: dict[str, str] = field(default_factory=dict)
    buttons: list[tuple[str, str]] = field(default_factory=list)
    """The buttons that say something when they are pressed."""


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.sheets: list[Sheet] = []
        self._sheet: Sheet | None = None
        self._area: str | None = None
        self._select: str | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._sheet = Sheet(told.get("action", ""))
            self.sheets.append(self._sheet)
        if self._sheet is None:
            return
        name = told.get("name", "")
        if tag == "input" and name:
            self._sheet.fields[name] = told.get("value", "")
        elif tag == "button" and name:
            self._sheet.buttons.append((name, told.get("value", "")))
        elif tag == "textarea":
            self._area = name
            self._sheet.fields[name] = ""
        elif tag == "select":
            self._select = name
        elif tag == "option" and self._select and "selected" in told:
            self._sheet.fields[self._select] = told["value"]
        if tag == "option" and self._select:
            self._sheet.fields.setdefault(self._select, told.get("value", ""))

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._sheet = None
        elif tag == "textarea" and self._area is not None and self._sheet is not None:
            # The first line end after the tag belongs to the tag; lines are sent with CRLF.
            text = self._sheet.fields[self._area].removeprefix("\n")
            self._sheet.fields[self._area] = text.replace("\n", "\r\n")
            self._area = None

    def handle_data(self, data: str) -> None:
        if self._area is not None and self._sheet is not None:
            self._sheet.fields[self._area] += data


def sheets_of(html: str) -> list[Sheet]:
    """The forms of a page."""
    reader = _Reader()
    reader.feed(html)
    return reader.sheets


class Browser:
    """Somebody at the pages."""

    def __init__(self, client: httpx.Client) -> None:
        self.client = client
        self.page = ""
        self.answer = httpx.Response(0)

    def open(self, path: str) -> str:
        """Go to a page."""
        return self._show(self.client.get(path, follow_redirects=True))

    def sheet(self, action: str) -> Sheet:
        """The form of this page that goes to an address."""
        return next(sheet for sheet in sheets_of(self.page) if sheet.action.endswith(action))

    def send(self, action: str, /, **fields: str) -> str:
        """Fill in a form of this page and send it; see where it leads."""
        sheet = self.sheet(action)
        sent = {**sheet.fields, **fields}
        return self._show(self.client.post(sheet.action, data=sent, follow_redirects=True))

    @property
    def path(self) -> str:
        """Where the browser is."""
        return self.answer.url.path

    def _show(self, answer: httpx.Response) -> str:
        self.answer, self.page = answer, answer.text
        return self.page
