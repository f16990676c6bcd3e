//! `otpsd check --live`: who answers is said, with what is not known; who does not is said with what to do; and nobody is told anything.

use std::collections::BTreeSet;

use domain::Series;
use simulator::loopback::{Fault, FaultRule, Refusal};

use crate::process::{Ran, write};
use crate::served::Served;
use crate::story::{reading, series_in};

const CONFIG: &str = r#"
[default.cloudwatch]
regions = ["us-east-1"]
endpoint-url = "URL"
[source.cloudwatch.main]
heartbeat-url = { file = "heartbeat" }
[source.cloudwatch.search]
role-arn = "arn:aws:iam::444455556666:role/metrics-reader"
external-id = { file = "external-id" }
[heartbeat.cloudwatch]
region = "us-east-1"
namespace = "llm/otpsd"
endpoint-url = "URL"
[channel.sns.pages]
topic-arn = "arn:aws:sns:us-east-1:111122223333:llm-pages"
endpoint-url = "URL"
[channel.pagerduty.oncall]
routing-key = { file = "routing-key" }
url = "URL/v2/enqueue"
[channel.webhook.chat]
url = { file = "webhook" }
[channel.opsitem.ops]
region = "us-east-1"
endpoint-url = "URL"
[channel.jira.llm]
url = "URL"
project = "OPS"
token = { file = "token" }
[channel.log.all]
[[route.page]]
channels = ["sns.pages", "pagerduty.oncall"]
[[route.ticket]]
channels = ["webhook.chat", "opsitem.ops", "jira.llm", "log.all"]
"#;

const ROUTING_KEY: &str = "R0123456789abcdefghijklmnopqrstu";
const EXTERNAL_ID: &str = "of-otpsd-4711";
const TOKEN: &str = "token-of-nobody-4711";

/// A model in the base account and one in another, and every secret that the configuration names.
fn serve() -> Served {
    let all = [
        series_in("us-east-1", "us.example.sonnet-large-v1:0"),
        Series::new("444455556666", "us-east-1", "us.example.haiku-v1:0"),
    ];
    let served = Served::with(all.to_vec(), Box::new(|_, _| Some(reading(false))), |options| {
        options.accounts = [("AKIAIOSFODNN7EXAMPLE".to_owned(), "111122223333".to_owned())].into();
        let role = "arn:aws:iam::444455556666:role/metrics-reader".to_owned();
        options.roles = [(role, Some(EXTERNAL_ID.to_owned()))].into();
        options.topics = BTreeSet::from(["arn:aws:sns:us-east-1:111122223333:llm-pages".to_owned()]);
        options.jira_projects = BTreeSet::from(["OPS".to_owned()]);
        options.jira_token = Some(TOKEN.to_owned());
    });
    let url = served.url();
    for (name, secret) in [
        ("routing-key", ROUTING_KEY.to_owned()),
        ("external-id", EXTERNAL_ID.to_owned()),
        ("token", TOKEN.to_owned()),
        ("webhook", format!("{url}/webhook/secret-path-4711")),
        ("heartbeat", format!("{url}/webhook/heartbeat-4711")),
    ] {
        write(served.folder(), name, &secret);
    }
    served.configure(CONFIG);
    served
}

fn check(served: &Served, arguments: &[&str]) -> Ran {
    let ran = served.run(&[&["check", "--live"], arguments, &["otpsd.toml"]].concat());
    for secret in [ROUTING_KEY, EXTERNAL_ID, TOKEN, "4711"] {
        assert!(!ran.out.contains(secret) && !ran.err.contains(secret), "{}{}", ran.out, ran.err);
    }
    Ran { out: ran.out.replace(&served.url(), "URL"), ..ran }
}

/// Whatever could have been told somebody.
fn assert_nobody_was_told(served: &Served) {
    let loopback = served.loopback();
    assert_eq!(loopback.sns_messages(), []);
    assert_eq!(loopback.pagerduty_alerts(), []);
    let told: Vec<String> = loopback
        .calls()
        .into_iter()
        .map(|total| total.operation)
        .filter(|operation| {
            ["Publish", "enqueue", "webhook", "PutMetricData", "CreateOpsItem", "jira.create"]
                .contains(&operation.as_str())
        })
        .collect();
    assert_eq!(told, [""; 0]);
}

#[test]
fn everybody_answers_and_nobody_is_told() {
    let served = serve();
    let ran = check(&served, &[]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    assert_nobody_was_told(&served);
    insta::assert_snapshot!(ran.out);
}

#[test]
fn whoever_fails_is_named_with_what_to_do() {
    let served = serve();
    served.loopback().faults().set([
        FaultRule::new(Fault::Refuse(Refusal::Denied)).operation("AssumeRole"),
        FaultRule::new(Fault::Refuse(Refusal::Denied)).operation("DescribeOpsItems"),
    ]);
    let change = |text: String| {
        let other_topic = text.replace("llm-pages\"", "llm-pagers\"");
        other_topic.replace("project = \"OPS\"", "project = \"OPS\"\nissue-type = \"Incident\"")
    };
    let config = served.folder().join("otpsd.toml");
    std::fs::write(&config, change(std::fs::read_to_string(&config).unwrap())).unwrap();
    // Nobody listens there.
    write(served.folder(), "webhook", "http://127.0.0.1:9/4711");
    std::fs::remove_file(served.folder().join("routing-key")).unwrap();
    let ran = check(&served, &[]);
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
    assert_nobody_was_told(&served);
    insta::assert_snapshot!(ran.out);

    let ran = check(&served, &["--format", "json"]);
    assert_eq!(ran.code, 1);
    let said: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    let live = said["live"].as_array().unwrap();
    let ok: Vec<(&str, bool)> =
        live.iter().map(|one| (one["what"].as_str().unwrap(), one["ok"].as_bool().unwrap())).collect();
    assert_eq!(
        ok,
        [
            ("source main in us-east-1", true),
            ("source search in us-east-1", false),
            ("channel jira.llm", false),
            ("channel log.all", true),
            ("channel opsitem.ops", false),
            ("channel pagerduty.oncall", false),
            ("channel sns.pages", false),
            ("channel webhook.chat", false),
            ("heartbeat of source main", true),
            ("heartbeat in CloudWatch", true),
        ]
    );
    assert_eq!(said["problems"].as_array().unwrap().len(), 1, "the key that is not there: {}", ran.out);

    let ran = check(&served, &["--format", "github"]);
    assert_eq!(ran.code, 1);
    let errors: Vec<&str> = ran.out.lines().filter(|line| line.starts_with("::error ")).collect();
    assert_eq!(errors.len(), 6, "{}", ran.out);
    assert!(
        errors[0].starts_with("::error file=otpsd.toml,line=7,col=1::source search in us-east-1: "),
        "{}",
        errors[0]
    );
}

#[test]
fn an_account_that_is_given_has_to_be_that_of_the_credentials() {
    let served = serve();
    served.configure(
        r#"
[alarm]
mode = "observe"
[source.cloudwatch.main]
regions = ["us-east-1"]
endpoint-url = "URL"
account-id = "777788889999"
"#,
    );
    let ran = check(&served, &[]);
    assert_eq!(ran.code, 1);
    insta::assert_snapshot!(ran.out);
    // Where STS cannot be reached, what is given is believed.
    served.loopback().faults().set([FaultRule::new(Fault::HangUp).operation("GetCallerIdentity")]);
    let ran = check(&served, &[]);
    assert_eq!(ran.code, 0, "{}", ran.out);
    assert!(ran.out.contains("1 model that streams, in account 777788889999, as given"), "{}", ran.out);
}

#[test]
fn a_configuration_with_errors_is_not_asked_about() {
    let served = serve();
    served.configure("[source.cloudwatch.main]\nregions = [\"us-east-1\"]\nendpoint-url = \"URL\"\n");
    let ran = served.run(&["check", "--live", "otpsd.toml"]);
    assert_eq!(ran.code, 1);
    assert_eq!(ran.err, "note: nobody was asked, since the configuration has errors\n");
    assert_eq!(served.loopback().calls(), []);
}
