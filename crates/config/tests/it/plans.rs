//! What is written about delivery arrives in the plan.

use config::Purpose;
use domain::{
    ChannelPlan, DeliveryPlan, GroupBy, Method, MissingData, Mode, Plan, Rule, Series, SnsFormat, SourcePlan,
    Window,
};
use jiff::Timestamp;

use crate::surroundings::{outcome, told};

fn plan(text: &str) -> Plan {
    let outcome = outcome(text, Purpose::Backtest);
    assert_eq!(outcome.problems, []);
    outcome.plan.unwrap()
}

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

#[test]
fn the_rule() {
    let band = |text: &str| plan(&format!("[alarm]\nmethod = \"anomaly\"\n{text}")).rule.method;
    assert_eq!(band(""), Method::Anomaly { deviations: 3.0, below: 0.9 });
    assert_eq!(
        band("anomaly-deviations = 4\nanomaly-below = 0.95\n"),
        Method::Anomaly { deviations: 4.0, below: 0.95 }
    );
    assert_eq!(plan("").rule.method, Method::Threshold);
    for treatment in
        [MissingData::Neutral, MissingData::Missing, MissingData::Ignore, MissingData::NotBreaching]
    {
        let text = format!("[alarm]\ntreat-missing-data = \"{}\"\n", treatment.as_str());
        assert_eq!(plan(&text).rule.missing_data, treatment);
    }
    for group_by in GroupBy::ALL {
        assert_eq!(plan(&format!("[alarm]\ngroup-by = \"{}\"\n", group_by.as_str())).group_by, group_by);
    }
    assert_eq!(plan("[ticket]\nerosion = 0.3\n").ticket_rule.erosion, 0.3);
}

#[test]
fn of_two_values_of_a_label_the_first_in_the_file_holds() {
    let plan = plan(
        r#"
        [override.zebra]
        match = { model = ["*sonnet*", "*opus*"], region = "us-*" }
        labels = { tier = "1", runbook = "https://wiki.example.com/llm?page=3#slow" }
        [override.ant]
        match = { account = "111122223333" }
        labels = { tier = "2", owner = "team-a" }
        "#,
    );
    let labels = |region: &str, model: &str| {
        let labels = plan.labels_of(&Series::new("111122223333", region, model));
        labels.into_iter().map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>().join(" ")
    };
    let names: Vec<_> = plan.labels.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names, ["zebra", "ant"]);
    assert_eq!(
        labels("us-east-1", "claude-opus"),
        "owner=team-a runbook=https://wiki.example.com/llm?page=3#slow tier=1"
    );
    assert_eq!(labels("eu-west-1", "claude-opus"), "owner=team-a tier=2");
}

#[test]
fn hours_follow_the_clock_of_their_zone_on_both_days_that_it_is_changed() {
    let plan = plan(
        "[channel.log.all]\n[[route.page]]\nchannels = [\"log.all\"]\n\
         hours = { from = \"22:00\", to = \"07:00\", zone = \"America/New_York\", days = [\"sat\"] }\n",
    );
    let hours = plan.routes.page[0].hours.clone().unwrap();
    for (time, inside) in [
        // Forward on Sunday 8 March 2026: from 22:00 at UTC-5 to 07:00 at UTC-4.
        ("2026-03-08T02:59:59Z", false),
        ("2026-03-08T03:00:00Z", true),
        ("2026-03-08T10:59:59Z", true),
        ("2026-03-08T11:00:00Z", false),
        // Back on Sunday 1 November 2026: from 22:00 at UTC-4 to 07:00 at UTC-5.
        ("2026-11-01T01:59:59Z", false),
        ("2026-11-01T02:00:00Z", true),
        ("2026-11-01T11:59:59Z", true),
        ("2026-11-01T12:00:00Z", false),
        // The night from Sunday to Monday is another day's.
        ("2026-11-02T03:00:00Z", false),
    ] {
        assert_eq!(hours.contains(at(time)), inside, "{time}");
    }
}

#[test]
fn a_window_holds_both_of_the_times_that_a_clock_shows_twice() {
    let plan = plan(
        r#"
        [maintenance.patch]
        models = ["*haiku*"]
        from = "2027-11-07T01:30"
        to = "2027-11-07T01:45"
        zone = "America/New_York"
        comment = "kernels"
        [maintenance.weekly]
        from = "22:00"
        to = "02:00"
        zone = "Europe/Berlin"
        days = ["sat"]
        "#,
    );
    let [patch, weekly] = &plan.maintenance[..] else { panic!("{:?}", plan.maintenance) };
    assert_eq!((patch.name.as_str(), patch.comment.as_deref()), ("patch", Some("kernels")));
    assert_eq!(patch.matcher.models, ["*haiku*"]);
    // 01:30 at UTC-4 and, an hour and a quarter later, 01:45 at UTC-5.
    assert_eq!(
        patch.window,
        Window::Once { from: at("2027-11-07T05:30:00Z"), until: at("2027-11-07T06:45:00Z") }
    );
    assert!(weekly.matcher.takes_all());
    // Saturday 5 December 2026, 22:00 in Berlin is 21:00 UTC.
    for (time, inside) in
        [("2026-12-05T20:59:59Z", false), ("2026-12-05T21:00:00Z", true), ("2026-12-06T01:00:00Z", false)]
    {
        assert_eq!(weekly.window.contains(at(time)), inside, "{time}");
    }
}

#[test]
fn routes_by_everything() {
    let plan = plan(
        r#"
        [override.batch]
        match = { model = "*" }
        labels = { tier = "2" }
        [channel.log.all]
        [[route.ticket]]
        models = ["*haiku*"]
        accounts = ["1111*"]
        regions = ["eu-*"]
        labels = { tier = "?" }
        causes = ["queueing", "source_failing"]
        channels = ["log.all"]
        "#,
    );
    let matcher = &plan.routes.ticket[0].matcher;
    assert_eq!(matcher.models, ["*haiku*"]);
    assert_eq!(matcher.accounts, ["1111*"]);
    assert_eq!(matcher.regions, ["eu-*"]);
    assert_eq!(matcher.causes, ["queueing", "source_failing"]);
    assert_eq!(matcher.labels.get("tier").map(String::as_str), Some("?"));
    assert_eq!(plan.routes.ticket[0].hours, None);
}

#[test]
fn receivers() {
    let plan = plan(
        r#"
        [channel.jira.llm]
        url = "https://example.atlassian.net/"
        project = "LLMOPS"
        token = { env = "JIRA_TOKEN" }
        [channel.jira.other]
        url = "https://example.atlassian.net"
        project = "OPS_2"
        issue-type = "Incident"
        user = "otpsd@example.com"
        token = { file = "/run/secrets/jira" }
        labels = ["llm", "otps"]
        reopen-within = "3d"
        wont-fix = []
        fallback = "log.all"
        in-flight = 2
        [channel.log.all]
        [channel.opsitem.ops]
        region = "us-east-1"
        [channel.opsitem.other]
        region = "eu-west-1"
        source = "llm-ops"
        severity = 1
        notification-arn = "arn:aws:sns:eu-west-1:111122223333:ops"
        profile = "prod"
        endpoint-url = "http://127.0.0.1:4566"
        [channel.sns.ops]
        topic-arn = "arn:aws:sns:us-east-1:111122223333:llm-pages.fifo"
        format = "json"
        in-flight = 64
        [channel.webhook.chat]
        url = "https://hooks.example.com/otpsd?room=llm"
        "#,
    );
    let names: Vec<_> = plan.channels.iter().map(ChannelPlan::name).collect();
    assert_eq!(
        names,
        ["jira.llm", "jira.other", "log.all", "opsitem.ops", "opsitem.other", "sns.ops", "webhook.chat"]
    );
    let [
        ChannelPlan::Jira(llm),
        ChannelPlan::Jira(other),
        _,
        ChannelPlan::OpsItem(ops),
        ChannelPlan::OpsItem(other_ops),
        ChannelPlan::Sns(sns),
        ChannelPlan::Webhook(chat),
    ] = &plan.channels[..]
    else {
        panic!("{names:?}")
    };
    assert_eq!((llm.url.as_str(), llm.issue_type.as_str()), ("https://example.atlassian.net", "Task"));
    assert_eq!(llm.reopen_within.as_secs(), 14 * 86_400);
    assert_eq!(llm.wont_fix, ["Won't Do", "Won't Fix", "Duplicate", "Cannot Reproduce"]);
    assert_eq!((&llm.user, &llm.labels[..], &llm.delivery), (&None, &[][..], &DeliveryPlan::DEFAULT));
    assert_eq!((other.project.as_str(), other.issue_type.as_str()), ("OPS_2", "Incident"));
    assert_eq!(other.user.as_deref(), Some("otpsd@example.com"));
    assert_eq!((other.labels.len(), other.reopen_within.as_secs(), other.wont_fix.len()), (2, 259_200, 0));
    assert_eq!(other.delivery, DeliveryPlan { fallback: Some("log.all".to_owned()), in_flight: 2 });
    assert_eq!((ops.source.as_str(), ops.severity, &ops.notification_arn), ("otpsd", 3, &None));
    assert_eq!(
        (other_ops.region.as_str(), other_ops.source.as_str(), other_ops.severity),
        ("eu-west-1", "llm-ops", 1)
    );
    assert_eq!(other_ops.notification_arn.as_deref(), Some("arn:aws:sns:eu-west-1:111122223333:ops"));
    assert_eq!(other_ops.profile.as_deref(), Some("prod"));
    assert_eq!(other_ops.endpoint_url.as_deref(), Some("http://127.0.0.1:4566"));
    assert!(sns.is_fifo());
    assert_eq!((sns.format, sns.delivery.in_flight), (SnsFormat::Json, 64));
    assert_eq!(chat.url.expose(), "https://hooks.example.com/otpsd?room=llm");
    assert_eq!((&chat.secret, &chat.delivery), (&None, &DeliveryPlan::DEFAULT));
}

#[test]
fn heartbeats() {
    let plan = plan(
        r#"
        [daemon]
        heartbeat-url = "https://beats.example.com/otpsd"
        [source.cloudwatch.main]
        regions = ["us-east-1"]
        heartbeat-url = "http://127.0.0.1:8080/main"
        [heartbeat.cloudwatch]
        region = "us-west-2"
        endpoint-url = "http://127.0.0.1:4566"
        "#,
    );
    assert_eq!(plan.daemon.heartbeat_url.unwrap().expose(), "https://beats.example.com/otpsd");
    let SourcePlan::CloudWatch(source) = &plan.sources[0];
    assert_eq!(source.heartbeat_url.as_ref().unwrap().expose(), "http://127.0.0.1:8080/main");
    let heartbeat = plan.heartbeat.unwrap();
    assert_eq!((heartbeat.namespace.as_str(), heartbeat.region.as_str()), ("otpsd", "us-west-2"));
    assert_eq!(heartbeat.endpoint_url.as_deref(), Some("http://127.0.0.1:4566"));
}

#[test]
fn sources_have_what_they_share_unless_they_say_otherwise() {
    let plan = plan(
        r#"
        [default.cloudwatch]
        regions = ["us-east-1", "eu-west-1"]
        ignore = ["*embed*"]
        settle-delay = "3m"
        [source.cloudwatch.a]
        account-id = "111122223333"
        [source.cloudwatch.b]
        regions = ["us-west-2"]
        ignore = []
        "#,
    );
    let of = |SourcePlan::CloudWatch(source): &SourcePlan| {
        let ignores_embeddings = !source.watches("amazon.titan-embed-text-v2:0");
        (source.regions.join(" "), ignores_embeddings, source.settle_delay.as_secs(), source.reread_periods)
    };
    assert_eq!(of(&plan.sources[0]), ("us-east-1 eu-west-1".to_owned(), true, 180, 3));
    assert_eq!(of(&plan.sources[1]), ("us-west-2".to_owned(), false, 180, 3));
}

#[test]
fn a_series_has_the_rule_of_its_overrides() {
    let plan = plan(
        r#"
        [alarm]
        page-below = 0.75
        evaluation-periods = 3
        widest-window = 2
        [source.cloudwatch.a]
        regions = ["us-east-1", "eu-west-1"]
        account-id = "111122223333"
        [override.haiku]
        match = { model = "*haiku*" }
        page-below = 0.6
        evaluation-periods = 6
        page-below-otps = 25
        [override.europe]
        match = { source = "a", region = "eu-*" }
        mode = "observe"
        labels = { tier = "2" }
        [override.sonnet]
        match = { model = "*sonnet*" }
        method = "anomaly"
        anomaly-below = 0.85
        evaluation-periods = 1
        datapoints-to-alarm = 1
        "#,
    );
    let of = |account: &str, region: &str, model: &str| plan.rule_of(&Series::new(account, region, model));
    let general = &plan.rule;
    assert_eq!(of("111122223333", "us-east-1", "nova"), *general);
    assert_eq!((general.widest_window, general.evaluation_periods), (2, 3));
    let haiku = of("111122223333", "us-east-1", "haiku");
    let expected =
        Rule { page_below: 0.6, evaluation_periods: 6, page_below_otps: Some(25.0), ..general.clone() };
    assert_eq!(haiku, expected);
    assert_eq!(of("111122223333", "eu-west-1", "haiku"), Rule { mode: Mode::Observe, ..expected.clone() });
    assert_eq!(of("444455556666", "eu-west-1", "haiku"), expected, "of another source");
    let sonnet = of("111122223333", "us-east-1", "sonnet");
    assert_eq!(sonnet.method, Method::Anomaly { deviations: 3.0, below: 0.85 });
    // The widest window is at most N, also where it was set for a wider one.
    assert_eq!((sonnet.evaluation_periods, sonnet.datapoints_to_alarm, sonnet.widest_window), (1, 1, 1));
    assert_eq!(plan.labels_of(&Series::new("111122223333", "eu-west-1", "nova"))["tier"], "2");
    assert_eq!(plan.overrides[1].source.as_deref(), Some("a"));
}

#[test]
fn one_override_that_pages_needs_somebody_to_tell() {
    let text = "[alarm]\nmode = \"observe\"\n[source.cloudwatch.a]\nregions = [\"us-east-1\"]\n";
    assert_eq!(told(text, Purpose::Run), [""; 0]);
    let pages = format!("{text}[override.haiku]\nmatch = {{ model = \"*haiku*\" }}\nmode = \"page\"\n");
    assert_eq!(told(&pages, Purpose::Run), ["there is no `[[route.page]]`, so that nobody can be paged"]);
}
