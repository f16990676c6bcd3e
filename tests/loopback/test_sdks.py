"""The loopback services, as boto3 and the AWS command line see them.

The cases are those that the Rust SDK is asked too; their values are worked out by hand. Needs the URL of the example
`loopback` of the simulator:

    cargo run -p simulator --example loopback        # prints the URL, ends with its standard input
    OTPSD_LOOPBACK_URL=http://127.0.0.1:PORT pytest tests/loopback
"""

import datetime
import json
import os
import pathlib
import subprocess
import sys

import botocore.exceptions
import botocore.session
import pytest

from clients import KEY, URL, client, page

CASES = json.loads(pathlib.Path(__file__).with_name("cases.json").read_text())
PAGES = "arn:aws:sns:us-east-1:111122223333:llm-pages"
ROLE = "arn:aws:iam::444455556666:role/metrics-reader"
PROTOCOLS = ["smithy-rpc-v2-cbor", "json", "query"]


def aws(region, *arguments):
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": os.devnull,
        "AWS_ACCESS_KEY_ID": KEY,
        "AWS_SECRET_ACCESS_KEY": "secret",
        "AWS_DEFAULT_REGION": region,
        "AWS_MAX_ATTEMPTS": "1",
        "AWS_PAGER": "",
    }
    command = [str(pathlib.Path(sys.executable).with_name("aws")), *arguments, "--endpoint-url", URL, "--output", "json"]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def instant(time):
    # The command line of version 1 prints a time as it came on the wire, which is a number in awsJson.
    if isinstance(time, (int, float)):
        time = datetime.datetime.fromtimestamp(time, datetime.timezone.utc)
    elif isinstance(time, str):
        time = datetime.datetime.fromisoformat(time)
    return time.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def together(pages):
    """Results of all pages by id, the later status over the earlier."""
    results = {}
    for result in (result for page in pages for result in page["MetricDataResults"]):
        whole = results.setdefault(result["Id"], {"Timestamps": [], "Values": []})
        whole.update(Label=result["Label"], StatusCode=result["StatusCode"])
        whole["Timestamps"] += [instant(time) for time in result["Timestamps"]]
        whole["Values"] += result["Values"]
    return results


def described(metrics):
    return [
        " ".join([metric["MetricName"], *(f"{one['Name']}={one['Value']}" for one in metric["Dimensions"])])
        for metric in metrics
    ]


def answer(case, pages):
    if case["operation"] == "GetMetricData":
        return together(pages)
    return described(metric for page in pages for metric in page["Metrics"])


def expected(case):
    return case.get("results") or case.get("metrics")


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_boto_gets_the_answers_of_all_sdks(case, protocol):
    cloudwatch = client("cloudwatch", case["region"], protocol)
    assert cloudwatch.meta.service_model.resolved_protocol == protocol
    call = {"GetMetricData": cloudwatch.get_metric_data, "ListMetrics": cloudwatch.list_metrics}[case["operation"]]
    request = dict(case["request"])
    if "page_size" in case:
        request["MaxDatapoints"] = case["page_size"]
    if "error" in case:
        with pytest.raises(botocore.exceptions.ClientError) as refused:
            call(**request)
        error = refused.value.response["Error"]
        assert {"Code": error["Code"], "Message": error["Message"]} == case["error"]
        return
    pages = [call(**request)]
    while token := pages[-1].get("NextToken"):
        pages.append(call(**request, NextToken=token))
    assert answer(case, pages) == expected(case)
    assert (len(pages) > 1) == ("page_size" in case)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_the_command_line_gets_them_too(case):
    operation = {"GetMetricData": "get-metric-data", "ListMetrics": "list-metrics"}[case["operation"]]
    arguments = ["cloudwatch", operation, "--cli-input-json", json.dumps(case["request"])]
    if "page_size" in case:
        arguments += ["--page-size", str(case["page_size"])]
    done = aws(case["region"], *arguments)
    if "error" in case:
        assert done.returncode != 0
        assert f"({case['error']['Code']})" in done.stderr
        assert case["error"]["Message"] in done.stderr
        return
    assert done.returncode == 0, done.stderr
    assert answer(case, [json.loads(done.stdout)]) == expected(case)


def test_what_is_published_arrives():
    attributes = {"kind": {"DataType": "String", "StringValue": "page"}}
    sns = client("sns")
    told = sns.publish(TopicArn=PAGES, Message="<é>", Subject="ALARM: \"a & b\"", MessageAttributes=attributes)
    shell = aws(
        "us-east-1", "sns", "publish", "--topic-arn", PAGES, "--message", "from the shell",
        "--message-attributes", json.dumps(attributes),
    )
    assert shell.returncode == 0, shell.stderr
    messages = {message["message_id"]: message for message in page("messages")["sns"]}
    first = messages[told["MessageId"]]
    assert (first["message"], first["subject"]) == ("<é>", "ALARM: \"a & b\"")
    assert first["attributes"] == {"kind": {"data_type": "String", "value": "page"}}
    second = messages[json.loads(shell.stdout)["MessageId"]]
    assert (second["message"], second["subject"]) == ("from the shell", None)


@pytest.mark.parametrize(
    ("fields", "code", "message"),
    [
        ({"TopicArn": "arn:aws:sns:us-east-1:111122223333:other"}, "NotFound", "Topic does not exist"),
        ({"Subject": "two\nlines"}, "InvalidParameter", "Invalid parameter: Subject"),
        ({"Message": "x" * 262_145}, "InvalidParameter", "Invalid parameter: Message too long"),
        (
            {"MessageStructure": "json", "Message": "{}"},
            "InvalidParameter",
            "Invalid parameter: Message Structure - No default entry in JSON message body",
        ),
    ],
)
def test_what_is_refused_is_named(fields, code, message):
    with pytest.raises(botocore.exceptions.ClientError) as refused:
        client("sns").publish(**{"TopicArn": PAGES, "Message": "m", **fields})
    error = refused.value.response["Error"]
    assert (error["Code"], error["Message"]) == (code, message)


def test_a_role_sees_its_own_account_only():
    sts = client("sts")
    assert sts.get_caller_identity()["Account"] == "111122223333"
    keys = sts.assume_role(RoleArn=ROLE, RoleSessionName="otpsd")["Credentials"]
    session = botocore.session.Session()
    session.set_credentials(keys["AccessKeyId"], keys["SecretAccessKey"], keys["SessionToken"])
    cloudwatch = session.create_client("cloudwatch", region_name="us-east-1", endpoint_url=URL)
    models = {metric["Dimensions"][0]["Value"] for metric in cloudwatch.list_metrics()["Metrics"]}
    assert models == {"example.gamma-v1:0"}
    shell = aws("us-east-1", "sts", "get-caller-identity")
    assert json.loads(shell.stdout)["Arn"] == "arn:aws:iam::111122223333:user/loopback"
