"""The template of the site: linted, translated by SAM, and read as CloudFormation would."""

from __future__ import annotations

import json
import re
import sys
from importlib import import_module
from typing import Any

import pytest
from click.testing import CliRunner

from gotgan.cli.output import Output
from gotgan.cli.site import template as command
from gotgan.domains.site.deployment import template
from gotgan.domains.site.keys import SITE
from gotgan.settings import Settings
from gotgan.store.outputs.definition import create_request
from gotgan.store.outputs.yaml_text import to_yaml
from gotgan.store.tables import Names
from tests.unit.store.outputs.templates import complaints, read

from .stack import ACCOUNT, PARAMETERS, REGION, Stack, stack_of

TABLE = f"arn:aws:dynamodb:{REGION}:{ACCOUNT}:table/FMWebAppTable-dev"
FUNCTIONS = ("WebFunction", "MailFunction")
LONGEST_INLINE = 10_240
"""Characters of all policies inside one role, without white space."""


@pytest.fixture(scope="module")
def stack() -> Stack:
    return stack_of(template())


@pytest.mark.parametrize("stream", [False, True])
def test_cfn_lint_finds_nothing_to_complain_about(stream: bool) -> None:
    assert complaints(to_yaml(template(stream=stream))) == []


def test_the_yaml_says_what_the_template_says() -> None:
    assert read(to_yaml(template(stream=True))) == template(stream=True)


def test_the_table_is_the_declared_one_with_the_suffix_of_the_environment(stack: Stack) -> None:
    properties = stack.resources["FMWebAppTable"]["Properties"]
    assert properties["TableName"] == "FMWebAppTable-dev"
    assert properties["BillingMode"] == "PAY_PER_REQUEST"
    assert properties["TimeToLiveSpecification"]["AttributeName"] == "expiresAt"
    assert {**properties, "TableName": SITE.name}.items() >= create_request(SITE).items()


def test_the_table_has_another_name_where_the_settings_say_so() -> None:
    made = template(Names(tables={SITE.name: "site"}))
    assert made["Parameters"]["FMWebAppTableName"]["Default"] == "site"


def test_a_stream_is_there_only_for_who_wants_it() -> None:
    plain, streaming = stack_of(template()), stack_of(template(stream=True))
    assert "StreamSpecification" not in plain.resources["FMWebAppTable"]["Properties"]
    specification = streaming.resources["FMWebAppTable"]["Properties"]["StreamSpecification"]
    assert specification == {"StreamViewType": "NEW_AND_OLD_IMAGES"}
    assert "FMWebAppTableStreamArn" in streaming.outputs


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_handler_is_a_function_that_can_be_called(stack: Stack, name: str) -> None:
    module, _, function = stack.resources[name]["Properties"]["Handler"].rpartition(".")
    assert module == "gotgan.functions"
    assert callable(getattr(import_module(module), function))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_runs_on_the_python_that_makes_its_package(stack: Stack, name: str) -> None:
    running = f"python{sys.version_info.major}.{sys.version_info.minor}"
    assert stack.resources[name]["Properties"]["Runtime"] == running
    assert template()["Resources"][name]["Metadata"] == {"SkipBuild": True}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_is_given_settings_that_can_be_read(stack: Stack, name: str) -> None:
    settings = Settings.from_env(stack.environment(name))
    assert settings.dynamodb == "aws"
    assert settings.secret().reveal() == PARAMETERS["Secret"]
    assert settings.tables == {SITE.name: "FMWebAppTable-dev"}


def test_only_who_sends_mails_knows_the_mail_server(stack: Stack) -> None:
    mail = Settings.from_env(stack.environment("MailFunction"))
    assert mail.smtp is not None
    assert mail.smtp.reveal() == PARAMETERS["SmtpUrl"]
    assert mail.mail_from == "site@example.com"
    assert "GOTGAN_SMTP_URL" not in stack.environment("WebFunction")


def test_a_stack_without_a_mail_server_has_none() -> None:
    stack = stack_of(template(), {"Secret": PARAMETERS["Secret"]})
    assert Settings.from_env(stack.environment("MailFunction")).smtp is None
    assert stack.outputs["FMWebAppTableName"]["Value"] == "FMWebAppTable"


def test_a_stack_behind_proxies_tells_the_web_function_which_to_trust() -> None:
    given = {**PARAMETERS, "TrustedProxies": "192.0.2.0/24, 2001:db8::/32"}
    behind = Settings.from_env(stack_of(template(), given).environment("WebFunction"))
    assert behind.trusted_proxies == ("192.0.2.0/24", "2001:db8::/32")


def test_a_stack_trusts_no_proxies_unless_it_is_told_to(stack: Stack) -> None:
    assert Settings.from_env(stack.environment("WebFunction")).trusted_proxies == ()


@pytest.mark.parametrize(
    ("given", "fits"),
    [("", True), ("192.0.2.1,2001:DB8::/32", True), ("all", False), ("a.example", False)],
)
def test_proxies_are_networks_before_anything_is_deployed(given: str, fits: bool) -> None:
    pattern = template()["Parameters"]["TrustedProxies"]["AllowedPattern"]
    assert bool(re.fullmatch(pattern, given)) == fits


def test_what_is_secret_is_shown_to_nobody() -> None:
    parameters = template()["Parameters"]
    assert parameters["Secret"]["NoEcho"] is True
    assert parameters["SmtpUrl"]["NoEcho"] is True
    assert "Default" not in parameters["Secret"]


def test_every_path_goes_to_the_web_function(stack: Stack) -> None:
    [api] = stack.of_type("AWS::ApiGatewayV2::Api").values()
    [(path, methods)] = api["Body"]["paths"].items()
    integration = methods["x-amazon-apigateway-any-method"]["x-amazon-apigateway-integration"]
    assert path == "/$default"
    assert "/functions/arn:WebFunction/" in integration["uri"]
    [stage] = stack.of_type("AWS::ApiGatewayV2::Stage").values()
    assert stage["StageName"] == "$default"


def test_a_rule_of_eventbridge_calls_the_mail_function_every_minute(stack: Stack) -> None:
    [(name, rule)] = stack.of_type("AWS::Events::Rule").items()
    assert rule["ScheduleExpression"] == "rate(1 minute)"
    assert [target["Arn"] for target in rule["Targets"]] == ["arn:MailFunction"]
    callers = {
        (each["FunctionName"], each["Principal"], each["SourceArn"])
        for each in stack.of_type("AWS::Lambda::Permission").values()
    }
    assert ("MailFunction", "events.amazonaws.com", f"arn:{name}") in callers


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_role_names_its_actions_and_reaches_the_table_its_index_and_its_log(
    stack: Stack, name: str
) -> None:
    log = stack.resources[name]["Properties"]["LoggingConfig"]["LogGroup"]
    index = {f"{TABLE}/index/Type_CreatedAt"} if name == "WebFunction" else set()
    reached = {statement["Resource"] for statement in stack.statements(name)}
    assert reached == {TABLE, f"arn:aws:logs:{REGION}:{ACCOUNT}:log-group:{log}:*"} | index
    for statement in stack.statements(name):
        assert statement["Effect"] == "Allow"
        assert not [action for action in statement["Action"] if "*" in action]


def test_who_sends_mails_reaches_mails_inquiries_and_the_company_alone(stack: Stack) -> None:
    granted: dict[str, set[str]] = {}
    for statement in stack.statements("MailFunction"):
        if statement["Resource"] == TABLE:
            keys = statement["Condition"]["ForAllValues:StringLike"]["dynamodb:LeadingKeys"]
            for action in statement["Action"]:
                granted.setdefault(action.removeprefix("dynamodb:"), set()).update(keys)
    assert granted == {
        "Query": {"OUTBOX"},
        "GetItem": {"CONTACT#*", "CORP#INFO", "MAIL#*", "OUTBOX"},
        "BatchGetItem": {"CORP#INFO", "MAIL#*"},
        "UpdateItem": {"CONTACT#*", "MAIL#*"},
        "PutItem": {"OUTBOX"},
        "DeleteItem": {"OUTBOX"},
        "ConditionCheckItem": {"OUTBOX"},
    }


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_role_is_short_enough(stack: Stack, name: str) -> None:
    assert len(json.dumps(stack.statements(name), separators=(",", ":"))) < LONGEST_INLINE - 100


def test_logs_are_kept_for_as_long_as_somebody_chooses() -> None:
    stack = stack_of(template(), {**PARAMETERS, "LogDays": "7"})
    logs = stack.of_type("AWS::Logs::LogGroup")
    assert {each["RetentionInDays"] for each in logs.values()} == {"7"}
    assert {each["LogGroupName"] for each in logs.values()} == {
        "/aws/lambda/site-dev-web",
        "/aws/lambda/site-dev-mail",
    }


def test_the_outputs_say_where_everything_is(stack: Stack) -> None:
    assert stack.outputs["Url"]["Value"] == f"https://WebApi.execute-api.{REGION}.amazonaws.com"
    assert stack.outputs["GotganTables"]["Value"] == "FMWebAppTable=FMWebAppTable-dev"


def _run(*words: str, as_json: bool = False) -> str:
    done = CliRunner().invoke(command, words, obj=Output(as_json=as_json), catch_exceptions=False)
    assert done.exit_code == 0
    return done.stdout


def test_the_command_shows_the_template_as_yaml_or_json() -> None:
    assert read(_run()) == template()
    assert json.loads(_run("--stream", as_json=True)) == template(stream=True)


@pytest.mark.parametrize(("name", "parsed"), [("site.yaml", read), ("site.json", json.loads)])
def test_the_command_writes_a_file(tmp_path: Any, name: str, parsed: Any) -> None:
    target = tmp_path / name
    assert str(target) in _run("-o", str(target))
    assert parsed(target.read_text(encoding="utf-8")) == template()
