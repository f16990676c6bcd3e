"""The receivers of messages and tickets, as boto3 and a plain client of HTTP see them.

All tests share one loopback, so each has names of its own.
"""

import base64
import datetime
import hashlib
import hmac
import json
import uuid

import botocore.exceptions
import pytest

from clients import client, http, http_bytes, page, set_faults

PROTOCOLS = ["smithy-rpc-v2-cbor", "json", "query"]
AUTHORIZATION = {"Authorization": "Basic " + base64.b64encode(b"otpsd@example.com:token-1").decode()}
FIFO = "arn:aws:sns:us-east-1:111122223333:llm-pages.fifo"
BY_CONTENT = "arn:aws:sns:us-east-1:111122223333:llm-tickets.fifo"


def unique(name):
    return f"{name}-{uuid.uuid4().hex[:12]}"


def refused(call, **fields):
    with pytest.raises(botocore.exceptions.ClientError) as error:
        call(**fields)
    return error.value.response


@pytest.fixture(autouse=True)
def no_faults():
    yield
    set_faults()


# OpsCenter


def ops_item(dedup, **fields):
    data = {"/aws/dedup": {"Type": "SearchableString", "Value": json.dumps({"dedupString": dedup})}}
    return {"Title": "TTFT creeps", "Source": "otpsd", "Description": "since Monday", "OperationalData": data, **fields}


def test_an_ops_item_is_opened_once_until_it_is_resolved():
    ssm, dedup = client("ssm"), unique("otpsd")
    first = ssm.create_ops_item(**ops_item(dedup, Severity="3", Priority=4))["OpsItemId"]
    again = refused(ssm.create_ops_item, **ops_item(dedup))
    assert again["Error"]["Code"] == "OpsItemAlreadyExistsException"
    assert again["OpsItemId"] == first
    filters = [
        {"Key": "OperationalData", "Operator": "Equal", "Values": [json.dumps(
            {"key": "/aws/dedup", "value": json.dumps({"dedupString": dedup})})]},
        {"Key": "Status", "Operator": "Equal", "Values": ["Open", "InProgress"]},
    ]
    found = ssm.describe_ops_items(OpsItemFilters=filters)["OpsItemSummaries"]
    assert [item["OpsItemId"] for item in found] == [first]
    assert found[0]["CreatedTime"] == datetime.datetime(2026, 10, 15, 12, 1, 30, tzinfo=datetime.timezone.utc)

    note = {"otpsd/last-seen": {"Type": "String", "Value": "2026-10-15"}}
    ssm.update_ops_item(OpsItemId=first, Description="still", OperationalData=note)
    item = ssm.get_ops_item(OpsItemId=first)["OpsItem"]
    assert (item["Description"], item["Severity"], item["Priority"], item["Status"]) == ("still", "3", 4, "Open")
    assert item["OperationalData"]["otpsd/last-seen"]["Value"] == "2026-10-15"

    ssm.update_ops_item(OpsItemId=first, Status="Resolved")
    assert ssm.describe_ops_items(OpsItemFilters=filters)["OpsItemSummaries"] == []
    second = ssm.create_ops_item(**ops_item(dedup))["OpsItemId"]
    assert second != first
    assert http("POST", "/_loopback/opsitems/move", {"id": second, "status": "Closed"})[0] == 200
    assert ssm.create_ops_item(**ops_item(dedup))["OpsItemId"] not in (first, second)


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"Source": "my-aws-tool"}, "OpsItemInvalidParameterException"),
        ({"OperationalData": {"aws/mine": {"Type": "String", "Value": "x"}}}, "OpsItemInvalidParameterException"),
        ({"Title": "x" * 1025}, "ValidationException"),
        ({"Description": "x" * 2049}, "ValidationException"),
    ],
)
def test_what_opscenter_refuses_is_named(fields, code):
    assert refused(client("ssm").create_ops_item, **ops_item(unique("otpsd"), **fields))["Error"]["Code"] == code


def test_opscenter_fails_as_aws_does():
    ssm = client("ssm")
    set_faults({"fault": {"throttle": {}}, "operation": "CreateOpsItem", "times": 1})
    assert refused(ssm.create_ops_item, **ops_item(unique("otpsd")))["Error"]["Code"] == "ThrottlingException"
    set_faults({"fault": {"refuse": "denied"}, "operation": "GetOpsItem"})
    denied = refused(ssm.get_ops_item, OpsItemId="oi-000000000001")
    assert denied["Error"]["Code"] == "AccessDeniedException"
    assert "ssm:GetOpsItem" in denied["Error"]["Message"]
    set_faults()
    assert refused(ssm.get_ops_item, OpsItemId="oi-0000ffffffff")["Error"]["Code"] == "OpsItemNotFoundException"


# SNS


def test_a_fifo_topic_delivers_a_repeat_once():
    sns, message = client("sns"), unique("message")
    fields = {"TopicArn": FIFO, "Message": message, "MessageGroupId": "otpsd", "MessageDeduplicationId": unique("d")}
    first, repeat = sns.publish(**fields), sns.publish(**fields)
    assert (first["MessageId"], first["SequenceNumber"]) == (repeat["MessageId"], repeat["SequenceNumber"])
    messages = page("messages")
    assert [one["message_id"] for one in messages["sns"] if one["message"] == message] == [first["MessageId"]]
    assert [one["message_id"] for one in messages["sns_repeats"] if one["message"] == message] == [first["MessageId"]]


def test_a_topic_can_tell_repeats_by_their_content():
    sns, message = client("sns"), unique("message")
    for _ in range(2):
        sns.publish(TopicArn=BY_CONTENT, Message=message, MessageGroupId="otpsd")
    delivered = [one for one in page("messages")["sns"] if one["message"] == message]
    assert [one["deduplication_id"] for one in delivered] == [hashlib.sha256(message.encode()).hexdigest()]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({}, "The MessageGroupId parameter is required for FIFO topics"),
        ({"MessageGroupId": "g"}, "ContentBasedDeduplication enabled or MessageDeduplicationId provided explicitly"),
        ({"MessageGroupId": "two words", "MessageDeduplicationId": "d"}, "MessageGroupId"),
    ],
)
def test_a_fifo_topic_needs_its_ids(fields, message):
    error = refused(client("sns").publish, TopicArn=FIFO, Message="m", **fields)["Error"]
    assert error["Code"] == "InvalidParameter"
    assert message in error["Message"]


@pytest.mark.parametrize(
    ("fault", "code"),
    [
        ("kms-access-denied", "KMSAccessDenied"),
        ("kms-disabled", "KMSDisabled"),
        ("denied", "AuthorizationError"),
    ],
)
def test_a_topic_can_be_out_of_reach(fault, code):
    set_faults({"fault": {"refuse": fault}, "operation": "Publish"})
    publish = client("sns").publish
    fields = {"TopicArn": FIFO, "Message": "m", "MessageGroupId": "g", "MessageDeduplicationId": "d"}
    assert refused(publish, **fields)["Error"]["Code"] == code


# CloudWatch


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_what_is_put_into_cloudwatch_is_kept_and_listed(protocol):
    cloudwatch, host = client("cloudwatch", protocol=protocol), unique("host")
    at = datetime.datetime(2026, 10, 15, 12, 0, tzinfo=datetime.timezone.utc)
    dimensions = [{"Name": "Host", "Value": host}]
    data = [
        {"MetricName": "PagesOwed", "Dimensions": dimensions, "Timestamp": at, "Value": 2.5, "Unit": "Count"},
        {"MetricName": "PollSeconds", "Dimensions": dimensions, "Values": [0.5, 2.0], "Counts": [3.0, 1.0]},
    ]
    # Over 10 KiB botocore compresses, where the protocol lets it.
    filler = [{"MetricName": f"Filler{number:03}", "Dimensions": dimensions, "Value": 1.0} for number in range(200)]
    cloudwatch.put_metric_data(Namespace="otpsd", MetricData=data + filler)
    kept = [datum for datum in page("metrics") if datum["dimensions"] == {"Host": host}]
    assert len(kept) == 202
    assert (kept[0]["values"], kept[0]["unit"], kept[0]["timestamp"]) == ([[2.5, 1.0]], "Count", "2026-10-15T12:00:00Z")
    assert (kept[1]["samples"], kept[1]["sum"], kept[1]["unit"]) == (4.0, 3.5, "None")
    listed = cloudwatch.list_metrics(Namespace="otpsd", MetricName="PagesOwed", Dimensions=dimensions)["Metrics"]
    assert listed == [{"Namespace": "otpsd", "MetricName": "PagesOwed", "Dimensions": dimensions}]


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"Namespace": "AWS/Bedrock"}, "InvalidParameterValue"),
        ({"MetricData": [{"MetricName": "m", "Value": float("nan")}]}, "InvalidParameterValue"),
        ({"MetricData": [{"MetricName": "m", "Value": 1.0, "Unit": "Tokens"}]}, "InvalidParameterValue"),
        ({"MetricData": [{"MetricName": "m", "Value": 1.0, "Values": [1.0]}]}, "InvalidParameterCombination"),
        ({"MetricData": [{"MetricName": "m"}]}, "MissingParameter"),
    ],
)
def test_what_cloudwatch_refuses_is_named(protocol, fields, code):
    put = client("cloudwatch", protocol=protocol).put_metric_data
    request = {"Namespace": "otpsd", "MetricData": [{"MetricName": "m", "Value": 1.0}], **fields}
    assert refused(put, **request)["Error"]["Code"] == code


# Jira


def document(text):
    return {"type": "doc", "version": 1, "content": [{"type": "paragraph", "content": [{"type": "text", "text": text}]}]}


class Jira:
    def __init__(self):
        self.label = unique("otpsd")

    def call(self, method, path, body=None):
        return http(method, f"/rest/api/3/{path}", body, AUTHORIZATION)

    def create(self, **fields):
        ticket = {
            "project": {"key": "OPS"}, "issuetype": {"name": "Task"}, "summary": "TTFT creeps",
            "description": document("since Monday"), "labels": [self.label], **fields,
        }
        return self.call("POST", "issue", {"fields": ticket})

    def keys(self, more=""):
        jql = f'project = OPS AND labels = "{self.label}" {more} ORDER BY created DESC'
        status, found = self.call("POST", "search/jql", {"jql": jql, "fields": ["status"], "maxResults": 10})
        assert status == 200, found
        return [issue["key"] for issue in found["issues"]]


@pytest.fixture
def jira():
    yield Jira()
    http("POST", "/_loopback/jira/settings", {})


def test_a_ticket_lives_from_its_filing_to_its_end(jira):
    status, issue = jira.create()
    assert status == 201
    assert sorted(issue) == ["id", "key", "self"]
    assert jira.keys() == [issue["key"]]
    path = f"issue/{issue['key']}"
    assert jira.call("POST", f"{path}/comment", {"body": document("still")})[0] == 201
    assert jira.call("PUT", path, {"fields": {"summary": "TTFT creeps on"}}) == (204, None)
    transitions = jira.call("GET", f"{path}/transitions")[1]["transitions"]
    done = next(one["id"] for one in transitions if one["to"]["statusCategory"]["key"] == "done")
    assert jira.call("POST", f"{path}/transitions", {"transition": {"id": done}}) == (204, None)
    fields = jira.call("GET", path)[1]["fields"]
    assert (fields["summary"], fields["resolution"]["name"]) == ("TTFT creeps on", "Done")
    assert fields["comment"]["comments"][0]["body"] == document("still")
    assert jira.keys("AND statusCategory != Done") == []
    assert jira.keys("AND (resolution is EMPTY OR resolution != \"Won't Do\")") == [issue["key"]]


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_the_old_search_is_gone(jira, method):
    status, body = jira.call(method, "search", {"jql": "project = OPS"} if method == "POST" else None)
    assert status == 410
    assert "/rest/api/3/search/jql" in body["errorMessages"][0]


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"labels": ["two words"]}, "labels"),
        ({"labels": ["x" * 256]}, "labels"),
        ({"project": {"key": "OTHER"}}, "project"),
        ({"description": "plain text"}, "description"),
        ({"summary": "x" * 256}, "summary"),
    ],
)
def test_what_jira_refuses_is_laid_at_its_field(jira, fields, field):
    status, body = jira.create(**fields)
    assert (status, body["errorMessages"], list(body["errors"])) == (400, [], [field])


def test_a_person_closes_a_ticket(jira):
    key = jira.create()[1]["key"]
    close = {"key": key, "status": "done", "resolution": "Won't Do"}
    assert http("POST", "/_loopback/jira/move", close)[0] == 200
    assert jira.call("GET", f"issue/{key}?fields=resolution")[1]["fields"] == {"resolution": {"name": "Won't Do"}}


def test_labels_can_be_lost(jira):
    assert http("POST", "/_loopback/jira/settings", {"drop-labels": True})[0] == 200
    assert jira.create()[0] == 201
    assert jira.keys() == []


def test_what_is_kept_beside_a_ticket_comes_back(jira):
    key = jira.create()[1]["key"]
    path = f"issue/{key}/properties/otpsd"
    assert jira.call("PUT", path, {"closed": 7}) == (201, None)
    assert jira.call("PUT", path, {"closed": 8}) == (200, None)
    assert jira.call("GET", path) == (200, {"key": "otpsd", "value": {"closed": 8}})
    assert jira.call("GET", f"issue/{key}?fields=labels&properties=otpsd")[1]["properties"] == {"otpsd": {"closed": 8}}
    search = {"jql": f'labels = "{jira.label}"', "fields": ["labels"], "properties": ["otpsd", "other"]}
    [found] = jira.call("POST", "search/jql", search)[1]["issues"]
    assert found["properties"] == {"otpsd": {"closed": 8}}

    note = [{"key": "otpsd", "value": {"message": "m-1"}}]
    assert jira.call("POST", f"issue/{key}/comment", {"body": document("still"), "properties": note})[0] == 201
    comments = jira.call("GET", f"issue/{key}/comment?orderBy=-created&maxResults=1&expand=properties")[1]
    assert [comment["properties"] for comment in comments["comments"]] == [note]


def test_a_ticket_is_found_by_a_phrase_of_its_text(jira):
    assert http("POST", "/_loopback/jira/settings", {"drop-labels": True})[0] == 200
    key = jira.create(description=document(f"Found again by: {jira.label} and more"))[1]["key"]

    def found(jql):
        status, body = jira.call("POST", "search/jql", {"jql": jql, "fields": ["labels"]})
        return [issue["key"] for issue in body["issues"]] if status == 200 else (status, body["errorMessages"])

    assert found(f'project = OPS AND (labels in ("{jira.label}") OR description ~ "\\"{jira.label}\\"")') == [key]
    assert found(f'description ~ "\\"{jira.label} more\\""') == []
    assert found(f'description ~ "{jira.label} more"') == [key]
    assert found("summary = TTFT") == (400, ["The operator '=' is not supported by the 'summary' field."])


def test_jira_wants_to_know_who_calls_and_can_be_down(jira):
    status, _ = http("GET", "/rest/api/3/myself")
    assert status == 401
    assert jira.call("GET", "myself")[0] == 200
    set_faults({"fault": {"refuse": "unavailable"}, "operation": "jira"})
    assert jira.create()[0] == 503
    assert page("calls")["recent"][-1]["operation"] == "jira.create"


# Webhook


def test_a_webhook_says_whether_it_was_signed():
    path, secret = f"/webhook/{unique('team')}", unique("whsec")
    body = {"a": 1}
    signature = hmac.new(secret.encode(), b"1792065600." + json.dumps(body).encode(), hashlib.sha256).hexdigest()
    signed = {"Otpsd-Signature": f"t=1792065600,v1={signature}"}
    assert http("POST", "/_loopback/webhook/secret", {"secret": secret})[0] == 200
    assert http("POST", path, body, signed) == (200, {"signature": "matched"})
    assert http("POST", path, body) == (401, {"signature": "missing"})
    assert http("POST", path, {"a": 2}, signed) == (401, {"signature": "wrong"})
    assert http_bytes("POST", "/_loopback/webhook/secret", b"null")[0] == 200
    assert http("GET", f"{path}/heartbeat")[0] == 200
    got = [one for one in page("webhook") if one["path"].startswith(path)]
    assert [one["signature"] for one in got] == ["matched", "missing", "wrong", "not-expected"]
    assert (got[0]["body"], got[0]["headers"]["otpsd-signature"]) == ('{"a": 1}', signed["Otpsd-Signature"])


# PagerDuty


def test_pagerduty_counts_what_it_took():
    key, dedup = uuid.uuid4().hex, unique("otpsd")
    event = {"routing_key": key, "dedup_key": dedup, "payload": {"summary": "s", "source": "otpsd", "severity": "critical"}}
    post = lambda action: http("POST", "/v2/enqueue", {**event, "event_action": action})[0]
    assert [post(action) for action in ("trigger", "trigger", "resolve", "resolve", "trigger")] == [202] * 5
    keys = {"routing_key": key, "dedup_key": dedup}
    assert http("POST", "/_loopback/pagerduty/resolve", keys)[0] == 200
    mine = next(one for one in page("pagerduty")["incidents"] if one["routing_key"] == key)
    assert {name: mine[name] for name in ("triggers", "opens", "resolves", "dropped", "resolved_by_hand", "open")} == {
        "triggers": 3, "opens": 2, "resolves": 1, "dropped": 1, "resolved_by_hand": 1, "open": False,
    }
