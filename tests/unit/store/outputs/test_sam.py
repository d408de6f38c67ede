"""SAM templates with tables, policies, and the setting that names the tables."""

from __future__ import annotations

import json

from gotgan.store.outputs import cloudformation
from gotgan.store.outputs.cloudformation import sam_template
from gotgan.store.outputs.yaml_text import to_yaml

from .blog import BLOG, EVENTS
from .declared import DOCUMENTS, plain
from .templates import complaints, read

LONGEST_POLICY = 6144
"""Characters of a managed policy, without white space."""

FUNCTION = {
    "Type": "AWS::Serverless::Function",
    "Properties": {
        "Runtime": "python3.13",
        "Handler": "app.handler",
        "InlineCode": "def handler(event, context): ...",
        "Policies": [{"Ref": "BlogTableReadPolicy"}, {"Ref": "BlogTableWritePolicy"}],
    },
}


def test_cfn_lint_finds_nothing_to_complain_about() -> None:
    tables = [BLOG, EVENTS, plain(), *(declare() for declare in DOCUMENTS)]
    assert complaints(to_yaml(sam_template(tables))) == []


def test_a_function_can_be_given_the_policies() -> None:
    made = sam_template([BLOG])
    made["Resources"]["Function"] = FUNCTION
    assert complaints(to_yaml(made)) == []


def test_the_yaml_says_what_the_template_says() -> None:
    made = sam_template([BLOG, EVENTS])
    assert read(to_yaml(made)) == made


def test_the_tables_are_those_of_the_plain_template() -> None:
    plain_one = cloudformation.template([BLOG])["Resources"]
    assert sam_template([BLOG])["Resources"].items() >= plain_one.items()


def test_each_table_has_a_policy_to_read_and_one_to_write() -> None:
    made = sam_template([BLOG, plain()])
    policies = [name for name in made["Resources"] if name.endswith("Policy")]
    assert policies == ["BlogTableReadPolicy", "BlogTableWritePolicy"]
    assert made["Outputs"]["BlogTableReadPolicyArn"] == {"Value": {"Ref": "BlogTableReadPolicy"}}


def test_functions_are_told_the_names_of_the_tables() -> None:
    variables = sam_template([BLOG])["Globals"]["Function"]["Environment"]["Variables"]
    assert variables == {
        "GOTGAN_DYNAMODB": "aws",
        "GOTGAN_SECRET": {"Ref": "Secret"},
        "GOTGAN_TABLES": {"Fn::Sub": "blog=${BlogTable}"},
    }


def test_a_policy_is_short_enough_to_be_managed() -> None:
    resources = sam_template([BLOG, EVENTS])["Resources"].values()
    documents = [
        json.dumps(each["Properties"]["PolicyDocument"], separators=(",", ":"))
        for each in resources
        if each["Type"] == "AWS::IAM::ManagedPolicy"
    ]
    assert documents
    assert max(len(document) for document in documents) < LONGEST_POLICY
