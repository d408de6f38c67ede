"""Every form of the console: method, action and fields."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final
from urllib.parse import urlsplit

import httpx
from fastapi.routing import APIRoute
from selectolax.lexbor import LexborHTMLParser, LexborNode
from starlette.routing import Match

from gotgan.console import FRAME, sections
from tests.browser.whole.walking import walked
from tests.golden.terminal import RANDOM
from tests.unit.console.list_pages import LISTS

__all__ = ["every_form"]

_LIMITS: Final = ("min", "max", "step", "minlength", "maxlength", "pattern", "accept", "list")
_FLAGS: Final = ("required", "multiple", "checked", "disabled")
_ROUTES: Final = [
    route
    for routers in (FRAME, *sections().values())
    for router in routers
    for route in router.routes
    if isinstance(route, APIRoute)
]


def every_form(client: httpx.Client) -> dict[str, list[dict[str, Any]]]:
    """Forms by page: by route, by address for filtered lists, and those in the page header."""
    stranger = httpx.get(client.base_url.join("/sign-in"), timeout=client.timeout)
    forms = {
        "/sign-in": _forms(stranger.text),
        "page header": _forms(client.get("/").text, "header"),
    }
    addresses = walked(client) | {each.address: each.address for each in LISTS}
    for name, address in addresses.items():
        if found := _forms(client.get(address).raise_for_status().text):
            forms[name] = found
    return forms


def _forms(page: str, part: str = "main") -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for form in LexborHTMLParser(page).css(f"{part} form"):
        given = form.attributes
        entry = {
            "method": given.get("method") or "get",
            "action": _route_of(given.get("action") or "", given.get("method") or "get"),
            "fields": list(_fields(form)),
        }
        if entry["method"] != "dialog" and entry not in found:  # closing a dialog sends nothing
            found.append(entry)
    return found


def _fields(form: LexborNode) -> Iterator[dict[str, Any]]:
    for node in form.css("input, select, textarea, button"):
        given, kind = node.attributes, node.tag
        name, action = given.get("name"), given.get("formaction")
        if name or action:
            field: dict[str, Any] = {
                "name": name,
                "type": given.get("type") or {"input": "text"}.get(kind or "", kind),
                "default": _neutral(name, _default(node)),
            }
            field |= {each: given[each] for each in _LIMITS if each in given}
            field |= {each: True for each in _FLAGS if each in given}
            field |= {"action": _route_of(action, "post")} if action else {}
            if kind == "select":
                field["options"] = [_neutral(None, each) for each in _values(node, "option")]
            yield field


def _default(node: LexborNode) -> str | None:
    if node.tag == "textarea":
        return node.text()
    if node.tag == "select":
        return next(_values(node, "option[selected]"), None)
    return node.attributes.get("value")


def _values(node: LexborNode, chosen: str) -> Iterator[str]:
    for option in node.css(chosen):
        value = option.attributes.get("value")
        yield option.text() if value is None else value


def _neutral(name: str | None, text: str | None) -> str | None:
    """Replace random ids and the CSRF token."""
    if name == "csrf" or text is None:
        return text and "<csrf>"
    return RANDOM.sub("<id>", text)


def _route_of(action: str, method: str) -> str:
    """The route that serves an address; it has no ids."""
    parts = urlsplit(action)
    scope = {"type": "http", "method": method.upper(), "path": parts.path, "root_path": ""}
    for route in _ROUTES:
        if route.matches(scope)[0] is Match.FULL:
            return route.path + (f"?{_neutral(None, parts.query)}" if parts.query else "")
    return action
