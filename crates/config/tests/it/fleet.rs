//! Many accounts, Regions and models: what is written about them, and what is wrong with it.

use config::{File, Purpose, read, render};
use domain::{CloudWatchPlan, Plan, Series, SourcePlan};

use crate::surroundings::{Surroundings, outcome, seen, told};

const ID: &str = "E0TESTTESTTESTTESTTESTTESTTEST00";

/// How a fleet is meant to read: three accounts that share all but their roles.
const FLEET: &str = r#"#:schema ./otpsd.schema.json
[daemon]
listen = "0.0.0.0:9464"
public-url = "https://otpsd.ops.example.com"
state-dir = "/var/lib/otpsd"
heartbeat-url = { env = "HEARTBEAT_URL" }

[alarm]
mode = "page"
page-below = 0.80
group-by = "region"

[baseline]
backfill = "35d"
never-train = ["2026-11-26/2026-11-28"]

[default.cloudwatch]
regions = ["us-east-1", "us-west-2", "eu-west-1", "eu-central-1"]
external-id = { env = "OTPSD_EXTERNAL_ID" }
ignore = ["*embed*", "*rerank*"]
max-series = 300
[source.cloudwatch.prod-a]
role-arn = "arn:aws:iam::111122223333:role/otpsd-read"
[source.cloudwatch.prod-b]
role-arn = "arn:aws:iam::444455556666:role/otpsd-read"
[source.cloudwatch.prod-c]
role-arn = "arn:aws:iam::777788889999:role/otpsd-read"

[override.support]
match = { source = "prod-a", model = "us.anthropic.claude-sonnet-4-5*" }
labels = { owner = "team-support", tier = "1", runbook = "https://wiki.example.com/rb/support-llm" }
page-below-otps = 25
[override.batch]
match = { source = "prod-c", model = "*haiku*" }
labels = { owner = "team-batch", tier = "2" }
page-below = 0.70

[channel.pagerduty.llm-oncall]
routing-key = { env = "PD_ROUTING_KEY" }
fallback = "sns.ops"
[channel.sns.ops]
topic-arn = "arn:aws:sns:us-east-1:111122223333:llm-ops"
[channel.jira.llm]
url = "https://example.atlassian.net"
project = "LLMOPS"
token = { env = "JIRA_TOKEN" }
[[route.page]]
labels = { tier = "2" }
hours = { from = "22:00", to = "07:00", zone = "America/New_York" }
channels = ["jira.llm"]
[[route.page]]
channels = ["pagerduty.llm-oncall"]
[[route.ticket]]
channels = ["jira.llm"]
"#;

fn surroundings() -> Surroundings {
    Surroundings::default()
        .variable("OTPSD_EXTERNAL_ID", ID)
        .variable("PD_ROUTING_KEY", "R0TESTTESTTESTTESTTESTTESTTEST00")
        .variable("JIRA_TOKEN", "J0TESTTESTTESTTESTTESTTESTTEST00")
        .variable("HEARTBEAT_URL", "https://beats.example.com/B0TESTTESTTESTTESTTESTTESTTEST00")
        .variable("ODD", "two words")
        .variable("SHORT", "x")
}

fn plan(text: &str) -> Plan {
    let file = File { path: "otpsd.toml".into(), text: text.to_owned() };
    let outcome = read(&[file], Purpose::Run, &surroundings());
    assert_eq!(outcome.problems, []);
    outcome.plan.unwrap()
}

fn sources(plan: &Plan) -> Vec<&CloudWatchPlan> {
    plan.sources.iter().map(|SourcePlan::CloudWatch(source)| source).collect()
}

#[test]
fn three_accounts_share_all_but_their_roles() {
    let plan = plan(FLEET);
    let [a, b, c] = sources(&plan)[..] else { panic!("{:?}", plan.sources) };
    for (source, account) in [(a, "111122223333"), (b, "444455556666"), (c, "777788889999")] {
        let role = source.role.as_ref().unwrap();
        assert_eq!(role.arn, format!("arn:aws:iam::{account}:role/otpsd-read"));
        assert_eq!(role.external_id.as_ref().unwrap().expose(), ID);
        assert_eq!(role.session_name, "otpsd");
        assert_eq!(source.account_id.as_deref(), Some(account), "whose role it is");
        assert_eq!((source.regions.len(), source.max_series, source.ignore.len()), (4, 300, 2));
    }
    // The source of an override stands for the account of its role.
    let rule = |account: &str| {
        let sonnet = "us.anthropic.claude-sonnet-4-5-20250929-v1:0";
        plan.rule_of(&Series::new(account, "us-east-1", sonnet)).page_below_otps
    };
    assert_eq!((rule("111122223333"), rule("444455556666")), (Some(25.0), None));
}

#[test]
fn every_key_of_a_source_arrives() {
    let plan = plan(
        r#"
        [alarm]
        mode = "observe"
        [source.cloudwatch.main]
        regions = ["us-gov-west-1"]
        profile = "hub"
        role-arn = "arn:aws-us-gov:iam::444455556666:role/ops/otpsd-read"
        role-session-name = "otpsd-prod@ops"
        account-id = "444455556666"
        linked-accounts = true
        fips = true
        dual-stack = true
        include = ["*claude*", "amazon.*"]
        ignore = ["*embed*"]
        expect = ["us.anthropic.claude-sonnet-4-5*", "amazon.nova-pro-v1:0"]
        min-daily-requests = 50
        max-series = 20
        max-monthly-usd = 12.5
        "#,
    );
    let [source] = sources(&plan)[..] else { panic!("{:?}", plan.sources) };
    let role = source.role.as_ref().unwrap();
    assert_eq!(role.session_name, "otpsd-prod@ops");
    assert!(role.external_id.is_none());
    assert_eq!(
        (source.profile.as_deref(), source.account_id.as_deref()),
        (Some("hub"), Some("444455556666"))
    );
    assert!(source.linked_accounts && source.fips && source.dual_stack);
    assert_eq!(source.expect, ["us.anthropic.claude-sonnet-4-5*", "amazon.nova-pro-v1:0"]);
    assert_eq!((source.min_daily_requests, source.max_series, source.max_monthly_usd), (50, 20, Some(12.5)));
}

#[test]
fn what_is_not_written_limits_nothing_but_the_number_of_series() {
    let plan = plan("[alarm]\nmode = \"observe\"\n[source.cloudwatch.main]\nregions = [\"us-east-1\"]\n");
    let [source] = sources(&plan)[..] else { panic!("{:?}", plan.sources) };
    assert!(source.role.is_none() && source.account_id.is_none());
    assert!(!source.linked_accounts && !source.fips && !source.dual_stack);
    assert_eq!((source.min_daily_requests, source.max_series, source.max_monthly_usd), (0, 1_000, None));
    assert!(source.expect.is_empty());
}

/// What a daemon is told of a text, after a source of its Region and `[alarm]`.
fn told_of(keys: &str) -> String {
    let text =
        format!("[alarm]\nmode = \"observe\"\n[source.cloudwatch.a]\nregions = [\"us-east-1\"]\n{keys}");
    let file = File { path: "otpsd.toml".into(), text };
    render::text(&read(&[file], Purpose::Run, &surroundings()).problems, false)
}

#[test]
fn a_new_version_learns_from_the_old_one() {
    let plan = plan(
        r#"
        [alarm]
        mode = "observe"
        [source.cloudwatch.main]
        regions = ["us-east-1"]
        [override.next]
        match = { model = "us.anthropic.claude-sonnet-*" }
        learn-from = "us.anthropic.claude-sonnet-4-5-20250929-v1:0"
        "#,
    );
    let learns_from = |model: &str| plan.rule_of(&Series::new("111122223333", "us-east-1", model)).learn_from;
    let old = "us.anthropic.claude-sonnet-4-5-20250929-v1:0";
    assert_eq!(learns_from("us.anthropic.claude-sonnet-5-v1:0").as_deref(), Some(old));
    assert_eq!(learns_from(old), None, "nothing learns from itself");
    assert_eq!(learns_from("us.anthropic.claude-haiku-4-5"), None);
}

#[test]
fn an_external_id_is_never_shown_whatever_is_wrong_with_it() {
    let role = "role-arn = \"arn:aws:iam::111122223333:role/otpsd-read\"\n";
    insta::assert_snapshot!(told_of(&format!("{role}external-id = {{ env = \"SHORT\" }}\n")), @r#"
    error: the environment variable `SHORT` does not hold what can be an external id
     --> otpsd.toml:6:15
      |
    6 | external-id = { env = "SHORT" }
      |               ^^^^^^^^^^^^^^^^^
      |
      = hint: AWS takes 2 to 1224 letters, digits and any of _ + = , . @ : / -
    "#);
    insta::assert_snapshot!(told_of(&format!("{role}external-id = \"{ID}\"\n")), @r#"
    error: `external-id` is a secret, and must not stand in the file
     --> otpsd.toml:6:15
      |
    6 | external-id = "********************************"
      |               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
      |
      = hint: write where it is: { env = "NAME" } or { file = "PATH" }
    "#);
    let seen = told_of(&format!("{role}external-id = {{ env = \"ODD\" }}\n"));
    assert!(seen.contains("holds more than one word") && !seen.contains("two words"), "{seen}");
}

#[test]
fn what_only_a_role_has_is_no_mistake_where_another_source_has_one() {
    let shared = "[alarm]\nmode = \"observe\"\n[default.cloudwatch]\nrole-session-name = \"otpsd-prod\"\n\
                  [source.cloudwatch.hub]\nregions = [\"us-east-1\"]\n";
    let with_role = "[source.cloudwatch.spoke]\nregions = [\"us-east-1\"]\n\
                     role-arn = \"arn:aws:iam::444455556666:role/otpsd-read\"\n";
    assert_eq!(told(&format!("{shared}{with_role}"), Purpose::Run), [""; 0]);
    assert_eq!(told(shared, Purpose::Run), ["4:1 `role-session-name` needs `role-arn`, which no source has"]);
}

#[test]
fn two_sources_may_divide_the_models_of_an_account() {
    let text = |one: &str, two: &str| {
        format!(
            "[source.cloudwatch.a]\nregions = [\"us-east-1\"]\n{one}\n\
             [source.cloudwatch.b]\nregions = [\"us-east-1\", \"eu-west-1\"]\n{two}\n\
             [channel.log.all]\n[[route.page]]\nchannels = [\"log.all\"]\n[[route.ticket]]\nchannels = [\"log.all\"]\n"
        )
    };
    let warns = |one: &str, two: &str| match &told(&text(one, two), Purpose::Run)[..] {
        [] => false,
        [only] => only.starts_with("4:20 `a` and `b` both read "),
        more => panic!("{more:?}"),
    };
    assert!(warns("", ""), "the same credentials are the same account");
    assert!(warns("account-id = \"111122223333\"", "account-id = \"111122223333\""));
    assert!(!warns("account-id = \"111122223333\"", "account-id = \"444455556666\""));
    assert!(!warns("profile = \"one\"", "profile = \"two\""));
    assert!(!warns("include = [\"*haiku\"]", "include = [\"*sonnet\"]"));
    assert!(warns("include = [\"us.*\"]", "include = [\"*haiku*\"]"));
    assert!(!warns("include = [\"us.*\"]", "ignore = [\"us.*\"]"));
}

#[test]
fn what_nothing_fits_is_a_warning() {
    let sources = "[source.cloudwatch.a]\nregions = [\"us-east-1\"]\naccount-id = \"111122223333\"\n\
                   include = [\"us.*\"]\nignore = [\"*embed*\"]\n\
                   [source.cloudwatch.b]\nregions = [\"eu-west-1\"]\n\
                   role-arn = \"arn:aws:iam::444455556666:role/otpsd-read\"\ninclude = [\"eu.*\"]\n\
                   [channel.log.all]\n[[route.ticket]]\nchannels = [\"log.all\"]\n\
                   [[route.page]]\nchannels = [\"log.all\"]\n";
    let fits = format!(
        "{sources}[override.a]\nmatch = {{ account = \"4444*\", region = \"eu-*\", model = \"eu.*haiku*\" }}\nmin-samples = 20\n"
    );
    assert_eq!(told(&fits, Purpose::Run), [""; 0]);
    let misses = format!(
        "{sources}[override.a]\nmatch = {{ account = \"777788889999\", region = \"ap-*\", model = \"amazon.*\" }}\nmin-samples = 20\n\
         [maintenance.weekly]\nmodels = [\"*embed-v2*\"]\naccounts = [\"444455556667\"]\nfrom = \"22:00\"\nto = \"23:00\"\nzone = \"UTC\"\n"
    );
    insta::assert_snapshot!(seen(&misses, Purpose::Run), @r#"
    warning: no source reads an account that fits `777788889999`
      --> otpsd.toml:16:21
       |
    16 | match = { account = "777788889999", region = "ap-*", model = "amazon.*" }
       |                     ^^^^^^^^^^^^^^
       |
       = hint: they read `111122223333` and `444455556666`

    warning: no source reads a Region that fits `ap-*`
      --> otpsd.toml:16:46
       |
    16 | match = { account = "777788889999", region = "ap-*", model = "amazon.*" }
       |                                              ^^^^^^
       |
       = hint: they read `eu-west-1` and `us-east-1`

    warning: no source watches a model that fits `amazon.*`
      --> otpsd.toml:16:62
       |
    16 | match = { account = "777788889999", region = "ap-*", model = "amazon.*" }
       |                                                              ^^^^^^^^^^
       |
       = hint: `include` and `ignore` of the sources leave it out

    warning: no source reads an account that fits `444455556667`
      --> otpsd.toml:20:13
       |
    20 | accounts = ["444455556667"]
       |             ^^^^^^^^^^^^^^
       |
       = hint: did you mean "444455556666"?
    "#);
    // A recording may be of anything.
    assert_eq!(told(&misses, Purpose::Backtest), [""; 0]);
    // Who has linked accounts does not say which.
    let linked = misses.replace("include = [\"eu.*\"]", "linked-accounts = true");
    assert!(!told(&linked, Purpose::Run).iter().any(|problem| problem.contains("account")));
    assert!(outcome(&linked, Purpose::Run).plan.is_some());
}
