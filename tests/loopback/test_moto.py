"""The built daemon publishes to SNS as moto plays it, and SQS queues that subscribe get what was published.

moto is somebody else's SNS: it has FIFO topics, deduplication, subscriptions and filter policies. It has no OpsItems and no
CloudWatch of the protocol that the daemon speaks; the loopback stands in for these.
"""

import json
import os
import pathlib
import subprocess

import boto3
import pytest
from moto.server import ThreadedMotoServer

REGION = "eu-west-1"
# moto's own: whatever is made in it belongs to this account.
ACCOUNT = "123456789012"
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", pathlib.Path(__file__).parents[2] / "target"))
OTPSD = TARGET / "debug" / "otpsd"


@pytest.fixture(scope="module")
def moto():
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    yield f"http://{host}:{port}"
    server.stop()


def client(moto, service):
    return boto3.client(
        service, endpoint_url=moto, region_name=REGION, aws_access_key_id="AKIAEXAMPLE", aws_secret_access_key="secret"
    )


def queue(moto, topic, name, **subscription):
    """A queue that subscribes to the topic."""
    fifo = topic.endswith(".fifo")
    sqs = client(moto, "sqs")
    url = sqs.create_queue(
        QueueName=name + (".fifo" if fifo else ""), Attributes={"FifoQueue": "true"} if fifo else {}
    )["QueueUrl"]
    arn = sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
    client(moto, "sns").subscribe(TopicArn=topic, Protocol="sqs", Endpoint=arn, Attributes=subscription)
    return url


def received(moto, url):
    answer = client(moto, "sqs").receive_message(
        QueueUrl=url, MaxNumberOfMessages=10, AttributeNames=["All"], MessageAttributeNames=["All"]
    )
    return answer.get("Messages", [])


def test_notify(moto, topic, folder, **keys):
    """`otpsd test-notify` to the topic: a page, and its resolve."""
    lines = [
        "[daemon]",
        f'state-dir = "{folder}/state"',
        "[source.cloudwatch.main]",
        f'regions = ["{REGION}"]',
        "[channel.sns.ops]",
        f'topic-arn = "{topic}"',
        f'endpoint-url = "{moto}"',
        *(f'{key} = "{value}"' for key, value in keys.items()),
        "[[route.page]]",
        'channels = ["sns.ops"]',
    ]
    config = folder / "otpsd.toml"
    config.write_text("\n".join(lines))
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "AWS_ACCESS_KEY_ID": "AKIAEXAMPLE",
        "AWS_SECRET_ACCESS_KEY": "secret",
    }
    command = [OTPSD, "test-notify", "--config", config, "--channel", "sns.ops", "--hold", "0s"]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)


test_notify.__test__ = False


def states(messages):
    bodies = [json.loads(json.loads(message["Body"])["Message"]) for message in messages]
    return [(body["OldStateValue"], body["NewStateValue"]) for body in bodies]


@pytest.mark.parametrize("suffix", ["", ".fifo"])
def test_a_page_and_its_resolve_arrive_in_order(moto, tmp_path, suffix):
    attributes = {"FifoTopic": "true"} if suffix else {}
    topic = client(moto, "sns").create_topic(Name="pages" + suffix, Attributes=attributes)["TopicArn"]
    every = queue(moto, topic, "every")
    resolves = queue(
        moto, topic, "resolves", FilterPolicy=json.dumps({"kind": ["resolve"]}), RawMessageDelivery="true"
    )
    run = test_notify(moto, topic, tmp_path)
    assert run.returncode == 0, run.stderr
    messages = received(moto, every)
    assert states(messages) == [("OK", "ALARM"), ("ALARM", "OK")]
    subjects = [json.loads(message["Body"])["Subject"].split(":")[0] for message in messages]
    assert subjects == ["ALARM", "OK"]
    [resolve] = received(moto, resolves)
    assert resolve["MessageAttributes"]["kind"]["StringValue"] == "resolve"
    if suffix:
        ids = [message["Attributes"] for message in messages]
        assert ids[0]["MessageGroupId"] == ids[1]["MessageGroupId"]
        assert ids[0]["MessageDeduplicationId"] != ids[1]["MessageDeduplicationId"]


def test_a_topic_that_is_not_there_is_named(moto, tmp_path):
    topic = f"arn:aws:sns:{REGION}:{ACCOUNT}:nowhere"
    run = test_notify(moto, topic, tmp_path)
    assert run.returncode == 3
    assert "NotFound" in run.stderr and topic in run.stderr, run.stderr
    assert "create the topic" in run.stderr


def test_a_message_as_json_arrives_whole(moto, tmp_path):
    topic = client(moto, "sns").create_topic(Name="as-json")["TopicArn"]
    every = queue(moto, topic, "as-json", RawMessageDelivery="true")
    assert test_notify(moto, topic, tmp_path, format="json").returncode == 0
    bodies = [json.loads(message["Body"]) for message in received(moto, every)]
    assert [body["kind"] for body in bodies] == ["page", "resolve"]
    assert bodies[0]["key"] == bodies[1]["key"] and all(body["test"] for body in bodies)
