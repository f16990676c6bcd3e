"""The command of docs/reference/recording.md, as it is written there, and `otpsd record`: both bring the same history."""

import csv
import datetime
import gzip
import json
import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).parents[2]
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
OTPSD = TARGET / "debug" / "otpsd"

CONFIG = """
[source.cloudwatch.main]
regions = ["us-east-1"]

[channel.log.all]

[[route.page]]
channels = ["log.all"]

[[route.ticket]]
channels = ["log.all"]
"""

# More than one page of 100,800 values: sixteen queries of 30 days are 138,240.
DAYS = 30


def stamp(time):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ")


def documented():
    """The command, which stands in the page as one block of lines that are set in."""
    lines = (ROOT / "docs/reference/recording.md").read_text().splitlines()
    begin = next(k for k, line in enumerate(lines) if line.startswith("    aws cloudwatch get-metric-data"))
    end = next(k for k, line in enumerate(lines) if k > begin and not line.startswith("    "))
    return "\n".join(line[4:] for line in lines[begin:end])


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """Two models with all that may happen to them in five weeks, at their end."""
    folder = tmp_path_factory.mktemp("served")
    fleet = ["--fleet", "random", "--models", "2", "--seed", "2", "--days", "35"]
    subprocess.run([OTPSD, "simulate", "--out", "fleet", *fleet], cwd=folder, check=True)
    with gzip.open(folder / "fleet.csv.gz", "rt") as rows:
        last = max(row.split(",", 1)[0] for row in rows if row[0] == "2")
    end = datetime.datetime.fromisoformat(last) + datetime.timedelta(minutes=5)
    serve = ["simulate", "--serve", "--port", "0", "--recording", "fleet.csv.gz", "--from", stamp(end + datetime.timedelta(hours=1))]
    with subprocess.Popen([OTPSD, *serve], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as child:
        yield child.stdout.readline().strip(), end
        child.terminate()


def events(folder, recording):
    done = subprocess.run(
        [OTPSD, "backtest", "--config", "otpsd.toml", "--format", "jsonl", recording],
        cwd=folder, capture_output=True, text=True, check=True,
    )
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    return [(line["event"], line["time"], line["model"], line.get("cause")) for line in lines]


def test_the_documented_command_brings_what_record_brings(served, tmp_path):
    url, until = served
    environment = {
        **os.environ,
        "AWS_ACCESS_KEY_ID": "AKIALOOPBACKEXAMPLE1",
        "AWS_SECRET_ACCESS_KEY": "secret",
        "AWS_ENDPOINT_URL": url,
        "AWS_EC2_METADATA_DISABLED": "true",
    }
    (tmp_path / "otpsd.toml").write_text(CONFIG)
    begin = until - datetime.timedelta(days=DAYS)
    # The end of a record is when it had to have settled, two minutes before.
    settled = stamp(until + datetime.timedelta(minutes=2))
    subprocess.run(
        [OTPSD, "record", "--config", "otpsd.toml", "--since", f"{DAYS}d", "--until", settled, "--out", "all.csv.gz"],
        cwd=tmp_path, env=environment, check=True,
    )
    # The JSON names no account, and the hour at which a series learns follows from its whole name.
    with gzip.open(tmp_path / "all.csv.gz", "rt") as rows, open(tmp_path / "all.csv", "w") as plain:
        table = csv.DictReader(rows)
        kept = csv.DictWriter(plain, [name for name in table.fieldnames if name != "AccountId"], extrasaction="ignore")
        kept.writeheader()
        kept.writerows(table)
    recorded = events(tmp_path, "all.csv")
    assert {event[0] for event in recorded} >= {"page_opened", "page_resolved"}, "something happens in a month"
    for model in ["sim.host-000-v1:0", "sim.host-001-v1:0"]:
        command = documented()
        for written, wanted in [
            ("us.anthropic.claude-sonnet-4-5-20250929-v1:0", model),
            ("2026-10-01T00:00:00Z", stamp(begin)),
            ("2026-10-31T00:00:00Z", stamp(until)),
            ("get-metric-data.json", str(ROOT / "docs/reference/get-metric-data.json")),
            ("sonnet.json", f"{model}.json"),
        ]:
            assert written in command
            command = command.replace(written, wanted)
        subprocess.run(["bash", "-ec", command], cwd=tmp_path, env=environment, check=True)
        told = events(tmp_path, f"{model}.json")
        assert told == [event for event in recorded if event[2] == model]
