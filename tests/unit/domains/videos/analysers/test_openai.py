"""Servers that speak as OpenAI's does: what is asked, in plainer words too, and what fails."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from gotgan.domains.videos.analysers.openai import OpenAi
from gotgan.domains.videos.analysers.prompt import INSTRUCTIONS, answer_schema, build_evidence
from gotgan.domains.videos.analysers.protocol import AnalyserResponse
from gotgan.errors import (
    AnalysisError,
    AnalysisTimeout,
    KeyRefused,
    OutputInvalid,
    UpstreamBusy,
    UpstreamUnavailable,
)
from gotgan.retry import Policy
from gotgan.settings import Secret, Settings
from tests.unit.domains.videos.opinions import MATERIAL, MEASURED, good
from tests.unit.fetch.serving import Answer, Server, opened, redirect, reply, server

KEY = "sk-this-is-the-key"
PATH = "/v1/chat/completions"


def completed(content: Any = "{}", reason: str = "stop", **more: Any) -> bytes:
    """What such a server sends where all is well."""
    message = {"role": "assistant", "content": content, **more}
    choice = {"index": 0, "message": message, "finish_reason": reason}
    usage = {"prompt_tokens": 9_000, "completion_tokens": 800, "total_tokens": 9_800}
    return reply(json.dumps({"choices": [choice], "usage": usage}).encode())


def refused(status: int, message: str = "no") -> bytes:
    return reply(json.dumps({"error": {"message": message}}).encode(), status)


@contextmanager
def asking(
    *answers: Answer, key: str | None = None, seconds: float = 30.0
) -> Iterator[tuple[Server, OpenAi]]:
    patient = Policy(attempts=3, base=0.0, cap=0.0)
    with server() as served, opened(served, retry=patient, seconds=0.1) as web:
        served.says(PATH, *answers)
        secret = Secret(key) if key else None
        settings = Settings(openai=f"http://{served.place}/v1/", openai_key=secret)
        yield served, OpenAi(web, settings, seconds=seconds)


def said(*answers: Answer) -> AnalyserResponse:
    with asking(*answers) as (_, openai):
        return openai.say(MATERIAL, MEASURED)


def test_it_is_asked_for_json_of_the_shape_and_for_no_surprises() -> None:
    with asking(completed(), key=KEY) as (served, openai):
        openai.say(MATERIAL, MEASURED)
    [request] = served.requests
    assert (request.method, request.target) == ("POST", PATH)
    assert request.headers["authorization"] == f"Bearer {KEY}"
    body = json.loads(request.body)
    assert KEY not in request.body.decode()
    assert body == {
        "model": "llama3.1",
        "messages": [
            {"role": "system", "content": INSTRUCTIONS},
            {"role": "user", "content": build_evidence(MATERIAL, MEASURED).text},
        ],
        "temperature": 0,
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "insights", "strict": True, "schema": answer_schema()},
        },
    }


def test_a_model_is_tried_with_a_word() -> None:
    with asking(completed("OK"), key=KEY) as (served, openai):
        openai.try_model()
    [request] = served.requests
    assert (request.target, request.headers["authorization"]) == (PATH, f"Bearer {KEY}")
    assert len(request.body) < 200
    assert json.loads(request.body)["model"] == "llama3.1"


@pytest.mark.parametrize("status", [401, 404])
def test_a_model_that_cannot_be_used_fails_when_it_is_tried(status: int) -> None:
    with asking(refused(status)) as (_, openai), pytest.raises(KeyRefused):
        openai.try_model()


def test_without_a_key_none_is_sent() -> None:
    with asking(completed()) as (served, openai):
        openai.say(MATERIAL, MEASURED)
    assert "authorization" not in served.requests[0].headers


def test_what_it_says_comes_back_unread_and_costs_nothing_on_a_machine_of_ones_own() -> None:
    text = json.dumps(good(), ensure_ascii=False)
    heard = said(completed(text))
    assert (heard.text, heard.is_cut) == (text, False)
    assert heard.names == build_evidence(MATERIAL, MEASURED).names
    usage = heard.usage
    assert (usage.input_tokens, usage.output_tokens, usage.cost_usd) == (9_000, 800, 0.0)


def test_an_answer_that_broke_off_says_so() -> None:
    assert said(completed('{"sum', "length")).is_cut


@pytest.mark.parametrize("usage", [None, 5, {"prompt_tokens": "9", "completion_tokens": True}])
def test_who_does_not_count_tokens_is_understood(usage: Any) -> None:
    choice = {"message": {"content": "{}"}, "finish_reason": "stop"}
    heard = said(reply(json.dumps({"choices": [choice], "usage": usage}).encode()))
    assert (heard.usage.input_tokens, heard.usage.output_tokens) == (0, 0)


def test_what_a_server_does_not_take_is_left_out_step_by_step() -> None:
    for status in (400, 422):
        with asking(refused(status), refused(status), completed("{}")) as (served, openai):
            assert openai.say(MATERIAL, MEASURED).text == "{}"
        asked = [json.loads(each.body) for each in served.requests]
        formats = [each.get("response_format", {}).get("type") for each in asked]
        assert formats == ["json_schema", "json_object", None]
        schema = json.dumps(answer_schema(), separators=(",", ":"))
        told = [schema in each["messages"][0]["content"] for each in asked]
        assert told == [False, True, True]
        assert [each["messages"][1] for each in asked] == [asked[0]["messages"][1]] * 3


def test_a_model_that_wants_its_own_temperature_keeps_the_shape() -> None:
    unsupported = refused(400, "Unsupported value: 'temperature' does not support 0")
    with asking(unsupported, completed()) as (served, openai):
        openai.say(MATERIAL, MEASURED)
    last = json.loads(served.requests[-1].body)
    assert "temperature" not in last
    assert last["response_format"]["type"] == "json_schema"


def test_who_refuses_everything_is_asked_no_more_than_four_times() -> None:
    with asking(refused(400, "temperature and more")) as (served, openai):
        with pytest.raises(AnalysisError, match=r"refused the request \(400\)"):
            openai.say(MATERIAL, MEASURED)
        assert len(served.requests) == 4


@pytest.mark.parametrize(
    ("answer", "kind", "told"),
    [
        (refused(401, KEY), KeyRefused, "Check OPENAI_API_KEY"),
        (refused(403, KEY), KeyRefused, "Check OPENAI_API_KEY"),
        (refused(404), KeyRefused, "GOTGAN_OPENAI and GOTGAN_OPENAI_MODEL"),
        (refused(413), AnalysisError, "refused the request (413)"),
        (refused(500), UpstreamUnavailable, "Request to the model"),
        (refused(503), UpstreamUnavailable, "Request to the model"),
        (redirect("http://127.0.0.1:9/"), AnalysisError, "refused the request (302)"),
        (completed()[:-5], UpstreamUnavailable, "Request to the model"),
        (reply(b"<html>"), UpstreamUnavailable, "Check GOTGAN_OPENAI"),
        (reply(b'{"choices": []}'), UpstreamUnavailable, "Check GOTGAN_OPENAI"),
        (reply(b'{"choices": [{"message": 5}]}'), UpstreamUnavailable, "GOTGAN_OPENAI"),
        (reply(b"[" * 100_000), UpstreamUnavailable, "Check GOTGAN_OPENAI"),
        (completed(["a"]), UpstreamUnavailable, "Check GOTGAN_OPENAI"),
        (completed(None, refusal="I can't"), OutputInvalid, "declined to answer"),
        (completed("", "content_filter"), OutputInvalid, "declined to answer"),
        (reply(b" " * 6_000_000), AnalysisError, "Request to the model"),
    ],
)
def test_what_goes_wrong_is_told_and_not_tried_again_by_itself(
    answer: bytes, kind: type[AnalysisError], told: str
) -> None:
    with (
        asking(answer, key=KEY) as (served, openai),
        pytest.raises(AnalysisError) as failure,
    ):
        openai.say(MATERIAL, MEASURED)
    assert type(failure.value) is kind
    assert told in failure.value.message
    assert KEY not in failure.value.message
    assert len(served.requests) == 1


def test_how_long_to_wait_is_what_it_asks_for() -> None:
    with (
        asking(reply(b"", 429, Retry_After="7")) as (_, openai),
        pytest.raises(UpstreamBusy, match="in 7 seconds") as failure,
    ):
        openai.say(MATERIAL, MEASURED)
    assert failure.value.retry_after == 7.0


def test_a_slow_model_has_more_time_than_a_page_and_not_all_the_time() -> None:
    with asking(seconds=0.3) as (served, openai):
        served.says(PATH, served.hangs)
        with pytest.raises(AnalysisTimeout, match=r"timed out after 0\.3 s"):
            openai.say(MATERIAL, MEASURED)
        assert len(served.requests) == 1
