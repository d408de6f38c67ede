"""The parts of pages: what they are given is escaped, labelled, and never a colour alone."""

from __future__ import annotations

from typing import Any

import pytest

from gotgan.console.render import environment
from gotgan.console.session import Viewer

EVIL = "<script>\"'&"
ESCAPED = "&lt;script&gt;&#34;&#39;&amp;"


def _written(call: str, **names: Any) -> str:
    viewer = Viewer()
    context = {
        "viewer": viewer,
        "t": viewer.t,
        "csrf_field": lambda: "(mark)",
        "origin": "http://x",
    }
    ui = environment().get_template("macros.html").make_module(context)
    return environment().from_string(call).render({**context, **names, "ui": ui})


@pytest.mark.parametrize(
    "call",
    [
        "{{ ui.title_bar(evil, evil) }}",
        "{{ ui.empty(evil, evil) }}",
        "{{ ui.failed(evil, evil) }}",
        "{{ ui.partial(evil) }}",
        "{{ ui.field(evil, evil, evil, hint=evil, error=evil) }}",
        "{{ ui.area(evil, evil, evil, hint=evil, error=evil) }}",
        "{{ ui.choice(evil, evil, [(evil, evil)], evil, evil, evil) }}",
        "{{ ui.state('good', evil) }}",
        "{{ ui.badge(evil) }}",
        "{{ ui.confirm(evil, evil, evil, evil, {evil: evil}) }}",
        "{{ ui.pager(next=evil, first=evil, shown=3) }}",
        "{{ ui.elsewhere(json='/' ~ evil, csv=evil, cli=evil) }}",
        "{% call ui.table([evil, (evil, 'num')], evil) %}{{ evil }}{% endcall %}",
    ],
)
def test_a_part_escapes_what_it_is_given(call: str) -> None:
    written = _written(call, evil=EVIL)
    assert ESCAPED in written
    assert "<script>" not in written


def test_a_field_is_tied_to_its_label_its_hint_and_its_error() -> None:
    written = _written("{{ ui.field('title', 'Title', hint='Short.', error='Say it.') }}")
    assert '<label for="title">Title' in written
    assert 'aria-describedby="title-hint title-error"' in written
    assert 'aria-invalid="true"' in written
    assert 'id="title-hint"' in written
    assert 'id="title-error"' in written


def test_a_field_without_a_value_is_empty_and_says_that_it_may_be() -> None:
    written = _written("{{ ui.field('fax', 'Fax', none) }}")
    assert 'value=""' in written
    assert "(optional)" in written
    assert "(optional)" not in _written("{{ ui.field('fax', 'Fax', required=true) }}")


def test_an_area_keeps_a_first_line_that_is_empty() -> None:
    """A parser of HTML drops the line end that comes first."""
    assert ">\n\nbelow</textarea>" in _written("{{ ui.area('text', 'Text', '\\nbelow') }}")


@pytest.mark.parametrize(
    ("kind", "glyph"),
    [("good", "✓"), ("running", "↻"), ("warning", "!"), ("bad", "✕"), ("none", "–")],
)
def test_a_state_is_a_glyph_a_word_and_a_colour(kind: str, glyph: str) -> None:
    written = _written("{{ ui.state(kind, 'Word') }}", kind=kind)
    assert f'class="state {kind}"' in written
    assert glyph in written
    assert "Word" in written


def test_a_button_that_cannot_be_undone_asks_first_and_carries_the_mark() -> None:
    written = _written("{{ ui.confirm('Delete…', 'For good.', '/x', 'Delete', {'version': 3}) }}")
    assert written.index("<summary") < written.index('<form method="post" action="/x">')
    assert "(mark)" in written
    assert '<input type="hidden" name="version" value="3">' in written


def test_the_same_query_is_offered_to_programs() -> None:
    written = _written("{{ ui.elsewhere(json='/v1/posts?q=a b', cli='gotgan site posts') }}")
    assert "&#39;http://x/v1/posts?q=a b&#39;" in written
    assert "gotgan site posts" in written
    assert "CSV" not in written


def test_a_part_can_have_buttons_inside() -> None:
    written = _written("{% call ui.empty('Nothing') %}<a href='/new'>New</a>{% endcall %}")
    assert "<a href='/new'>New</a>" in written


def test_a_chart_has_a_label_and_a_line_for_those_without_scripts() -> None:
    drawn = _written("{{ ui.chart('/x.json', evil, 'tall') }}", evil=EVIL)
    assert 'class="chart tall" data-chart="/x.json"' in drawn
    assert f'aria-label="{ESCAPED}"' in drawn
    assert "<noscript>" in drawn
