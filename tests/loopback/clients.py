"""Clients of the loopback services: botocore, plain HTTP, and the loopback's own pages."""

import json
import os

import botocore.awsrequest
import botocore.config
import botocore.httpsession
import botocore.session

URL = os.environ["OTPSD_LOOPBACK_URL"]
KEY = "AKIALOOPBACKEXAMPLE1"


def client(service, region="us-east-1", protocol=None):
    """A client of botocore that does not try again."""
    session = botocore.session.Session()
    session.set_credentials(KEY, "secret")
    if protocol:
        # botocore speaks the first of the service's protocols that it knows; leave it one.
        model = session.get_component("data_loader").load_service_model(service, "service-2")
        model["metadata"].update(protocol=protocol, protocols=[protocol])
    config = botocore.config.Config(retries={"total_max_attempts": 1}, ignore_configured_endpoint_urls=True)
    return session.create_client(service, region_name=region, endpoint_url=URL, config=config)


def http(method, path, body=None, headers=None):
    """Status and answer, where both bodies are JSON or nothing."""
    data = None if body is None else json.dumps(body).encode()
    return http_bytes(method, path, data, {"Content-Type": "application/json", **(headers or {})})


def http_bytes(method, path, data, headers=None):
    request = botocore.awsrequest.AWSRequest(method, URL + path, data=data, headers=headers or {}).prepare()
    answer = botocore.httpsession.URLLib3Session().send(request)
    return answer.status_code, json.loads(answer.content or "null")


def page(name):
    """One of the loopback's own pages."""
    return http("GET", f"/_loopback/{name}")[1]


def set_faults(*rules):
    """From now on these go wrong, and nothing else."""
    status, answer = http("POST", "/_loopback/faults", list(rules))
    assert status == 200, answer
