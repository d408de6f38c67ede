"""The site on AWS: its table, the functions that serve it and send its mails, and their rights."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any, Final

from gotgan.domains.site import patterns
from gotgan.domains.site.keys import BY_TYPE, SITE
from gotgan.domains.site.models import ContactInquiry, Mail, OutboxEntry
from gotgan.domains.site.service import Site
from gotgan.store.entities import Entity
from gotgan.store.outputs import cloudformation, iam
from gotgan.store.outputs.definition import logical_ids
from gotgan.store.tables import AS_DECLARED, Names

PACKAGE: Final = "package/"
"""Where the code is, beside the template."""

_TABLE: Final = logical_ids([SITE])[0]
_ARNS: Final = iam.template_arns(_TABLE)
_WEB_TIMEOUT_S: Final = 30
"""API Gateway waits no longer."""
_MAIL_TIMEOUT_S: Final = 300
"""Time for a round with a slow mail server, and less than the lease of a mail."""

_MAIL_READS: Final = (patterns.due_mails, patterns.mail, patterns.company)
_MAIL_WRITES: Final[Mapping[type[Entity], tuple[str, ...]]] = {
    OutboxEntry: ("PutItem", "DeleteItem", "ConditionCheckItem"),
    Mail: ("UpdateItem",),
    ContactInquiry: ("UpdateItem",),
}


def template(names: Names = AS_DECLARED, *, stream: bool = False) -> dict[str, Any]:
    """The SAM template of the site; with ``stream`` the table tells others what changes in it."""
    Site.extensions()  # types of other packages may have indexes and access patterns
    tables = cloudformation.template([SITE], names)
    url = "https://${WebApi}.execute-api.${AWS::Region}.${AWS::URLSuffix}"
    outputs = {
        "Url": {"Description": "Where the site's API and console are.", "Value": {"Fn::Sub": url}},
        "WebLog": {"Value": {"Ref": "WebLogs"}},
        "MailLog": {"Value": {"Ref": "MailLogs"}},
    }
    parameters = {
        cloudformation.SIGNER_PARAMETER: cloudformation.secret_parameter(),
        "SmtpUrl": {
            "Type": "String",
            "NoEcho": True,
            "Default": "",
            "AllowedPattern": "(smtps?://.+)?",
            "Description": "The mail server, as smtps://user:password@host:465; else mails wait.",
        },
        "MailFrom": {
            "Type": "String",
            "Default": "",
            "AllowedPattern": "([^@ ]+@[^@ ]+)?",
            "Description": "The address that mails come from; else the company's own.",
        },
        "TrustedProxies": {
            "Type": "String",
            "Default": "",
            "AllowedPattern": "[0-9A-Fa-f.:/, ]*",
            "Description": "Networks of the proxies in front, such as 192.0.2.0/24; else none.",
        },
        "LogDays": {
            "Type": "Number",
            "Default": 30,
            "AllowedValues": [1, 7, 14, 30, 90, 180, 365],
            "Description": "How many days the logs are kept.",
        },
    }
    made = {
        "AWSTemplateFormatVersion": tables["AWSTemplateFormatVersion"],
        "Transform": cloudformation.TRANSFORM,
        "Description": "A company site: one table, one API, its console, and a worker for mails.",
        "Parameters": {**tables["Parameters"], **parameters},
        "Globals": {
            "Function": {
                # The Python that writes the template and makes the package.
                "Runtime": "python{}.{}".format(*sys.version_info),
                "Architectures": ["arm64"],
                "CodeUri": PACKAGE,
                "Environment": {"Variables": cloudformation.environment_variables([SITE], names)},
            }
        },
        "Resources": {**tables["Resources"], **_web(names), **_mail(names)},
        "Outputs": {**tables["Outputs"], **outputs},
    }
    if stream:
        # Both images of what changes, as the document has it for modules that follow the table.
        properties = made["Resources"][_TABLE]["Properties"]
        properties["StreamSpecification"] = {"StreamViewType": "NEW_AND_OLD_IMAGES"}
        arn = {"Fn::GetAtt": [_TABLE, "StreamArn"]}
        made["Outputs"][f"{_TABLE}StreamArn"] = {"Value": arn}
    return made


def _web(names: Names) -> dict[str, Any]:
    """The API and the console, behind one address that takes every path."""
    every_path = {"Type": "HttpApi", "Properties": {"ApiId": {"Ref": "WebApi"}}}
    allowed = [
        *iam.statements("Read", [*iam.read_grants(SITE), *iam.list_grants(BY_TYPE)], _ARNS, names),
        *iam.statements("Write", iam.write_grants(SITE), _ARNS, names),
    ]
    properties = {
        "Description": "The site's API and console.",
        "Handler": "gotgan.functions.web",
        "MemorySize": 1024,
        "Timeout": _WEB_TIMEOUT_S,
        "Environment": {"Variables": {"GOTGAN_TRUSTED_PROXIES": {"Ref": "TrustedProxies"}}},
        "Events": {"EveryPath": every_path},
    }
    api = {"Type": "AWS::Serverless::HttpApi", "Properties": {"FailOnWarnings": True}}
    return {"WebApi": api, **_function("Web", properties, allowed)}


def _mail(names: Names) -> dict[str, Any]:
    """Who sends the mails that are due, every minute; what fails is tried by a later round."""
    minutely = {"Type": "Schedule", "Properties": {"Schedule": "rate(1 minute)"}}
    allowed = [
        *iam.statements("Read", iam.read_grants(SITE, _MAIL_READS), _ARNS, names),
        *iam.statements("Write", iam.write_grants(SITE, _MAIL_WRITES), _ARNS, names),
    ]
    properties = {
        "Description": "Sends the site's mails that are due.",
        "Handler": "gotgan.functions.send_mails",
        "MemorySize": 512,
        "Timeout": _MAIL_TIMEOUT_S,
        "Environment": {
            "Variables": {
                "GOTGAN_SMTP_URL": {"Ref": "SmtpUrl"},
                "GOTGAN_MAIL_FROM": {"Ref": "MailFrom"},
            }
        },
        "EventInvokeConfig": {"MaximumEventAgeInSeconds": 60, "MaximumRetryAttempts": 0},
        "Events": {"EveryMinute": minutely},
    }
    return _function("Mail", properties, allowed)


def _function(
    name: str, properties: Mapping[str, Any], allowed: list[dict[str, Any]]
) -> dict[str, Any]:
    """A function with its own log and role."""
    logs, role = f"{name}Logs", f"{name}Role"
    own = {"Role": {"Fn::GetAtt": [role, "Arn"]}, "LoggingConfig": {"LogGroup": {"Ref": logs}}}
    logging = {
        "Sid": "Log",
        "Effect": "Allow",
        "Action": ["logs:CreateLogStream", "logs:PutLogEvents"],
        "Resource": {"Fn::GetAtt": [logs, "Arn"]},
    }
    statements = [logging, *allowed]
    assumed = {
        "Effect": "Allow",
        "Principal": {"Service": "lambda.amazonaws.com"},
        "Action": "sts:AssumeRole",
    }
    return {
        f"{name}Function": {
            "Type": "AWS::Serverless::Function",
            "Metadata": {"SkipBuild": True},  # sam build would leave out what is compiled
            "Properties": {**properties, **own},
        },
        # Nothing but these statements: SAM's own role may write to every log of the account.
        role: {
            "Type": "AWS::IAM::Role",
            "Properties": {
                "AssumeRolePolicyDocument": {"Version": "2012-10-17", "Statement": [assumed]},
                "Policies": [{"PolicyName": "site", "PolicyDocument": iam.document(statements)}],
            },
        },
        logs: {
            "Type": "AWS::Logs::LogGroup",
            "DeletionPolicy": "Delete",
            "UpdateReplacePolicy": "Delete",
            "Properties": {
                "LogGroupName": {"Fn::Sub": f"/aws/lambda/${{AWS::StackName}}-{name.lower()}"},
                "RetentionInDays": {"Ref": "LogDays"},
            },
        },
    }
