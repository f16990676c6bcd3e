"""What `otpsd export` prints is read by tools of other people: cfn-lint for templates, HashiCorp's grammar for Terraform, and JSON
Schema as editors have it for configurations."""

import datetime
import json
import os
import pathlib
import subprocess
import tomllib

import cfnlint.api
import hcl2
import jsonschema
import pytest

ROOT = pathlib.Path(__file__).parents[2]
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
OTPSD = TARGET / "debug" / "otpsd"

CONFIG = """
[source.cloudwatch.main]
regions = ["us-east-1", "eu-west-1"]
profile = "quoted \\"name\\" ${not} %{this}"

[heartbeat.cloudwatch]
region = "us-east-1"
namespace = "llm/otpsd"

[channel.sns.pages]
topic-arn = "arn:aws:sns:us-east-1:111122223333:llm-pages"

[channel.opsitem.ops]
region = "eu-west-1"

[[route.page]]
channels = ["sns.pages"]

[[route.ticket]]
channels = ["opsitem.ops"]

[override.band]
match = { model = "*gamma*" }
method = "anomaly"
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A configuration, and fifteen days of two series whose names ask for quotes."""
    folder = tmp_path_factory.mktemp("exports")
    (folder / "otpsd.toml").write_text(CONFIG)
    begin = datetime.datetime(2026, 3, 2, tzinfo=datetime.UTC)
    rows = ["Timestamp,AccountId,Region,ModelId,InvocationLatency.p50,InvocationLatency.SampleCount,TimeToFirstToken.p50,OutputTokenCount.p50"]
    for k in range(15 * 288):
        time = (begin + datetime.timedelta(minutes=5 * k)).strftime("%Y-%m-%dT%H:%M:%SZ")
        rows.append(f"{time},111122223333,eu-west-1,example.alpha: #1 'v1':0,5000,400,1000,400")
        rows.append(f"{time},111122223333,us-east-1,example.gamma-v1:0+latency-optimized,6000,400,1000,400")
    (folder / "recording.csv").write_text("\n".join(rows) + "\n")
    return folder


def export(folder, *arguments):
    done = subprocess.run([OTPSD, "export", *arguments], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def findings(template):
    return [f"{match.rule.id} {match.message}" for match in cfnlint.api.lint(template, regions=["us-east-1", "eu-west-1"])]


def test_alarms_are_a_template(folder):
    template = export(folder, "cloudwatch-alarms", "--config", "otpsd.toml", "recording.csv")
    assert template.count("AWS::CloudWatch::Alarm") == 2
    assert findings(template) == []


def test_a_broken_template_is_found(folder):
    template = export(folder, "cloudwatch-alarms", "--config", "otpsd.toml", "recording.csv")
    assert findings(template.replace("ComparisonOperator", "ComparisonOperation")) != []


def test_the_alarm_of_the_heartbeat_is_a_template():
    assert findings((ROOT / "deploy/monitoring/heartbeat-alarm.yaml").read_text()) == []


def statements(tree):
    """Every `statement` block below a tree of HCL: its actions by its name."""
    if isinstance(tree, list):
        tree = {str(k): each for k, each in enumerate(tree)}
    if not isinstance(tree, dict):
        return {}
    found = {}
    for key, value in tree.items():
        if key == "statement":
            found |= {each["sid"].strip('"'): {action.strip('"') for action in each["actions"]} for each in value}
        else:
            found |= statements(value)
    return found


def test_terraform_reads_the_same_policy(folder):
    policy = json.loads(export(folder, "iam-policy", "--config", "otpsd.toml"))
    terraform = hcl2.loads(export(folder, "iam-policy", "--config", "otpsd.toml", "--format", "terraform"))
    assert statements(terraform) == {each["Sid"]: set(each["Action"]) for each in policy["Statement"]}


ROLE = """
[alarm]
mode = "observe"

[source.cloudwatch.search]
regions = ["us-east-1", "eu-west-1"]
role-arn = "arn:aws:iam::444455556666:role/ops/metrics-reader"
external-id = { env = "NOT_THERE" }
"""


def test_terraform_reads_the_role_of_a_source(tmp_path):
    (tmp_path / "otpsd.toml").write_text(ROLE)
    of_role = ["iam-policy", "--config", "otpsd.toml", "--source", "search"]
    policy = json.loads(export(tmp_path, *of_role))
    trust = json.loads(export(tmp_path, *of_role, "--trust", "--principal", "arn:aws:iam::111122223333:role/otpsd"))
    terraform = hcl2.loads(export(tmp_path, *of_role, "--format", "terraform"))
    documents = {each["Sid"]: {each["Action"]} if isinstance(each["Action"], str) else set(each["Action"])
                 for each in policy["Statement"] + trust["Statement"]}
    assert statements(terraform) == documents


def test_a_dashboard_is_what_put_dashboard_takes(folder):
    body = json.loads(export(folder, "cloudwatch-dashboard", "--config", "otpsd.toml", "recording.csv"))
    assert {widget["type"] for widget in body["widgets"]} <= {"metric", "text"}


def schema():
    return jsonschema.Draft202012Validator(json.loads((ROOT / "config/otpsd.schema.json").read_text()))


CONFIGURATIONS = sorted(path for path in (ROOT / "config").glob("**/*.toml") if "scenarios" not in path.parts)


@pytest.mark.parametrize("path", CONFIGURATIONS, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_schema_takes_what_is_shipped(path):
    assert [error.message for error in schema().iter_errors(tomllib.loads(path.read_text()))] == []


@pytest.mark.parametrize("text", ["[alarm]\npage-belw = 0.8", "[alarm]\npage-below = 80", "[alarm]\nevaluation-periods = 0", "[source.cloudwatch.a]\nregions = 'x'"])
def test_the_schema_refuses_what_is_wrong(text):
    assert not schema().is_valid(tomllib.loads(text))
