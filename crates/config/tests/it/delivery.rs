//! Mistakes in who is told what, when and through which channel: one fixture each, and exactly what its author reads.

use config::Purpose;

use crate::mistakes::{snapshot, told};
use crate::surroundings;

/// Each text after `before`, with what is said of the two together.
fn told_after(before: &str, mistakes: &[&str]) -> String {
    let texts: Vec<_> = mistakes.iter().map(|text| format!("{before}{text}")).collect();
    told(&texts.iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn overrides() {
    snapshot!(told(&[
        "[override.batch]\npage-below = 0.7\n",
        "[override.batch]\nmatch = { model = \"*haiku*\" }\n",
        "[override.batch]\nmatch = \"*haiku*\"\nlabels = { tier = \"2\" }\n",
        "[override.batch]\nmatch = {}\nlabels = { tier = \"2\" }\n",
        "[override.batch]\nmatch = { models = [\"*haiku*\"] }\nlabels = { tier = \"2\" }\n",
        "[override.batch]\nmatch = { model = \"*haiku*\", account = \"1111-2222-3333\" }\nlabels = { tier = \"2\" }\n",
        "[override.batch]\nmatch = { model = \"*haiku*\" }\nlabels = {}\n",
        "[override.batch]\nmatch = { model = \"*haiku*\" }\nlabels = [\"tier-2\"]\n",
        "[override.batch]\nmatch = { model = \"*haiku*\" }\nlabels = { tier = 2 }\n",
        "[override.batch]\nmatch = { model = \"*haiku*\" }\nlabels = { cost_centre = \"4711\" }\n",
        "[override.batch]\nmatch = { model = \"*haiku*\" }\nlabels = { owner = \"\" }\n",
        "[override.batch]\nmatch = { model = \"*haiku*\" }\nlabels = { owner = \"a\\nb\" }\n",
        &format!(
            "[override.batch]\nmatch = {{ model = \"*haiku*\" }}\nlabels = {{ owner = \"{}\" }}\n",
            "a".repeat(257)
        ),
        "[override.batch]\nmatch = { model = \"*haiku*\" }\nlabels = { runbook = \"wiki.example.com/llm\" }\n",
        "[override.a]\nmatch = { model = [\"b\", \"a\"] }\nlabels = { tier = \"2\" }\n[override.b]\nmatch = { model = [\"a\", \"b\"] }\nlabels = { owner = \"team-b\", tier = \"1\" }\n",
        "[override.a]\ntier = \"2\"\nmatch = { model = \"*haiku*\" }\nlabels = { owner = \"team-a\" }\n",
    ]));
}

#[test]
fn rules_of_overrides() {
    let haiku = "[override.batch]\nmatch = { model = \"*haiku*\" }\n";
    let and = |text: &str| format!("{haiku}{text}");
    let fixtures = [
        and("page-below = 70\n"),
        and("page-belw = 0.7\n"),
        and("group-by = \"series\"\n"),
        and("model = \"*haiku*\"\n"),
        and("mode = \"off\"\n"),
        // What does not go together, whichever part stands where.
        and("page-below = 0.9\n"),
        and("recover-above = 0.75\n"),
        and("datapoints-to-alarm = 6\n"),
        and("evaluation-periods = 2\n"),
        and("anomaly-below = 0.9\n"),
        format!("[alarm]\nrecover-above = 0.86\n{}", and("page-below = 0.9\n")),
        format!("[alarm]\npage-below = 0.7\nrecover-above = 0.8\n{}", and("recover-above = 0.6\n")),
        format!("[alarm]\ndatapoints-to-alarm = 4\n{}", and("evaluation-periods = 3\n")),
        format!("[alarm]\nevaluation-periods = 3\n{}", and("datapoints-to-alarm = 4\n")),
        // A mistake of `[alarm]` is told once, there.
        format!("[alarm]\npage-below = 80\nrecover-above = 0.75\n{}", and("min-samples = 20\n")),
        // Two for the same series.
        and("page-below = 0.7\n[override.other]\nmatch = { model = \"*haiku*\" }\npage-below = 0.6\n"),
        and(
            "page-below = 0.7\n[override.other]\nmatch = { model = \"us.*haiku-4*\", region = \"eu-*\" }\npage-below = 0.6\n",
        ),
        and("method = \"anomaly\"\n[override.all]\nmatch = { model = \"*\" }\nanomaly-below = 0.8\n"),
        // The parts of two that are about the same series.
        and(
            "evaluation-periods = 3\n[override.more]\nmatch = { model = \"us.haiku\" }\ndatapoints-to-alarm = 4\n",
        ),
        and(
            "page-below = 0.7\n[override.europe]\nmatch = { region = \"eu-*\" }\npage-below = 0.6\nmin-samples = 20\n",
        ),
    ];
    snapshot!(told(&fixtures.each_ref().map(String::as_str)));
}

#[test]
fn models_to_learn_from() {
    let and = |text: &str| format!("[override.next]\nmatch = {{ model = \"*sonnet-5*\" }}\n{text}");
    let fixtures = [
        and("learn-from = \"*sonnet-4-5*\"\n"),
        and("learn-from = \"\"\n"),
        and("learn-from = \"claude sonnet 4.5\"\n"),
        and("learn-from = [\"us.sonnet-4-5\"]\n"),
        and("learns-from = \"us.sonnet-4-5\"\n"),
        "[alarm]\nlearn-from = \"us.sonnet-4-5\"\n".to_owned(),
        "[override.next]\nmatch = { model = \"us.sonnet-5\", region = \"eu-*\" }\nlearn-from = \"us.sonnet-5\"\n"
            .to_owned(),
        and("learn-from = \"us.sonnet-4\"\n[override.all]\nmatch = { model = \"*\" }\nlearn-from = \"us.haiku\"\n"),
    ];
    snapshot!(told(&fixtures.each_ref().map(String::as_str)));
}

#[test]
fn sources_of_overrides() {
    let sources = "[source.cloudwatch.a]\nregions = [\"us-east-1\", \"eu-west-1\"]\naccount-id = \"111122223333\"\n[source.cloudwatch.b]\nregions = [\"us-east-1\"]\n";
    snapshot!(told_after(
        sources,
        &[
            "[override.batch]\nmatch = { source = \"batch\" }\npage-below = 0.7\n",
            "[override.batch]\nmatch = { source = \"A\" }\npage-below = 0.7\n",
            "[override.batch]\nmatch = { source = [\"a\"] }\npage-below = 0.7\n",
            "[override.batch]\nmatch = { source = \"b\" }\npage-below = 0.7\n",
            "[override.batch]\nmatch = { source = \"a\", account = \"444455556666\" }\npage-below = 0.7\n",
            "[override.batch]\nmatch = { source = \"a\", region = \"ap-*\" }\npage-below = 0.7\n",
            "[override.batch]\nmatch = { source = \"a\" }\npage-below = 0.7\n[source.cloudwatch.same]\nregions = [\"eu-west-1\"]\naccount-id = \"111122223333\"\n",
            "[override.batch]\nmatch = { source = \"a\" }\npage-below = 0.7\n[override.all]\nmatch = { account = \"1111*\" }\npage-below = 0.6\n",
        ]
    ));
    let there_is_none = "[override.batch]\nmatch = { source = \"a\" }\npage-below = 0.7\n";
    snapshot!(told(&[there_is_none]));
}

const CHANNELS: &str = "[channel.log.all]\n[channel.log.night]\n";

#[test]
fn what_routes_are_about() {
    snapshot!(told_after(
        &format!(
            "{CHANNELS}[override.batch]\nmatch = {{ model = \"*haiku*\" }}\nlabels = {{ tier = \"2\", owner = \"batch\" }}\n"
        ),
        &[
            "[[route.page]]\ntier = \"2\"\nchannels = [\"log.all\"]\n",
            "[[route.page]]\nto = [\"log.all\"]\n",
            "[[route.page]]\ncauses = [\"otps_drop\"]\nchannels = [\"log.all\"]\n",
            "[[route.ticket]]\ncauses = [\"otps_drop\"]\nchannels = [\"log.all\"]\n",
            "[[route.ticket]]\ncauses = [\"queuing\", \"source-failing\"]\nchannels = [\"log.all\"]\n",
            "[[route.ticket]]\ncauses = [\"weather\"]\nchannels = [\"log.all\"]\n",
            "[[route.page]]\naccounts = [\"11112222333\"]\nchannels = [\"log.all\"]\n",
            "[[route.page]]\nregions = \"eu-*\"\nchannels = [\"log.all\"]\n",
            "[[route.page]]\nlabels = { teir = \"2\" }\nchannels = [\"log.all\"]\n",
            "[[route.page]]\nlabels = { service = \"chat\" }\nchannels = [\"log.all\"]\n",
            "[[route.page]]\nlabels = { tier = \"3\" }\nchannels = [\"log.all\"]\n",
            "[[route.page]]\nlabels = { tier = [\"2\"] }\nchannels = [\"log.all\"]\n",
            "[[route.page]]\nregions = [\"eu-*\"]\nchannels = [\"log.all\"]\n[[route.page]]\nregions = [\"eu-west-1\"]\nlabels = { tier = \"2\" }\nchannels = [\"log.night\"]\n",
            "[[route.ticket]]\ncauses = [\"queueing\", \"no_data\"]\nchannels = [\"log.all\"]\n[[route.ticket]]\ncauses = [\"queueing\"]\nchannels = [\"log.night\"]\n",
        ],
    ));
}

#[test]
fn hours_of_routes() {
    let route = |hours: &str| {
        format!("[channel.log.all]\n[[route.page]]\nchannels = [\"log.all\"]\nhours = {hours}\n")
    };
    let texts = [
        r#""22:00-07:00""#,
        r#"{ from = "22:00", to = "07:00" }"#,
        r#"{ from = "22:00", zone = "UTC" }"#,
        r#"{ from = "10pm", to = "7:00", zone = "UTC" }"#,
        r#"{ from = 22:00:00, to = "24:00", zone = "UTC" }"#,
        r#"{ from = "09:00", to = "09:00", zone = "UTC" }"#,
        r#"{ from = "22:00", to = "07:00", zone = "America/NewYork" }"#,
        r#"{ from = "22:00", to = "07:00", zone = "Berlin" }"#,
        r#"{ from = "22:00", to = "07:00", zone = "+01:00" }"#,
        r#"{ from = "22:00", to = "07:00", zone = "UTC", days = [] }"#,
        r#"{ from = "22:00", to = "07:00", zone = "UTC", days = ["Friday", "weekend"] }"#,
        r#"{ from = "22:00", until = "07:00", zone = "UTC" }"#,
    ]
    .map(route);
    snapshot!(told(&texts.iter().map(String::as_str).collect::<Vec<_>>()));
}

#[test]
fn maintenance() {
    snapshot!(told(&[
        "[maintenance.deploy]\nmodels = [\"*haiku*\"]\n",
        "[maintenance.deploy]\nfrom = \"22:00\"\nto = \"02:00\"\n",
        "[maintenance.deploy]\nfrom = \"22:00\"\nto = \"2026-12-25T02:00\"\nzone = \"UTC\"\n",
        "[maintenance.deploy]\nfrom = \"2026-12-24\"\nto = \"2026-12-25T02:00\"\nzone = \"UTC\"\n",
        "[maintenance.deploy]\nfrom = \"2026-12-24T22:00Z\"\nto = \"tomorrow\"\nzone = \"UTC\"\n",
        "[maintenance.deploy]\nfrom = 2026-12-24T22:00:00\nto = \"2026-12-25T02:00\"\nzone = \"UTC\"\n",
        "[maintenance.deploy]\nfrom = \"2026-12-25T02:00\"\nto = \"2026-12-24T22:00\"\nzone = \"UTC\"\n",
        "[maintenance.deploy]\ndays = [\"sat\"]\nfrom = \"2026-12-24T22:00\"\nto = \"2026-12-25T02:00\"\nzone = \"UTC\"\n",
        "[maintenance.deploy]\nfrom = \"2027-03-14T02:30\"\nto = \"2027-03-14T05:00\"\nzone = \"America/New_York\"\n",
        "[maintenance.deploy]\nfrom = \"2026-11-30T22:00\"\nto = \"2026-12-01T02:00\"\nzone = \"UTC\"\n",
        "[maintenance.deploy]\nfrom = \"2025-12-24T22:00\"\nto = \"2025-12-25T02:00\"\nzone = \"UTC\"\n",
        "[maintenance.deploy]\nfrom = \"2026-12-24T22:00\"\nto = \"2027-01-25T02:00\"\nzone = \"UTC\"\n",
        "[maintenance.deploy]\nlabels = { tier = \"2\" }\nfrom = \"22:00\"\nto = \"22:00\"\nzone = \"UTC\"\n",
        "[maintenance.deploy]\nmatch = { model = \"*\" }\nfrom = \"22:00\"\nto = \"23:00\"\nzone = \"UTC\"\n",
    ]));
}

#[test]
fn regions_that_no_source_reads() {
    let text = "[alarm]\nmode = \"observe\"\n[source.cloudwatch.main]\nregions = [\"us-east-1\", \"eu-west-1\"]\n\
                [maintenance.deploy]\nregions = [\"us-east-2\", \"eu-*\", \"ap-*\"]\nfrom = \"22:00\"\nto = \"23:00\"\nzone = \"UTC\"\n";
    assert_eq!(
        surroundings::told(text, Purpose::Check),
        [
            "6:12 no source reads a Region that fits `us-east-2`",
            "6:33 no source reads a Region that fits `ap-*`"
        ]
    );
    assert_eq!(surroundings::told(text, Purpose::Backtest), [""; 0], "a recording has Regions of its own");
}

#[test]
fn receivers() {
    snapshot!(told(&[
        "[channel.webhook.chat]\nsecret = { env = \"S\" }\n",
        "[channel.webhook.chat]\nurl = \"hooks.example.com/otpsd\"\n",
        "[channel.webhook.chat]\nurl = \"https://me:hunter2@hooks.example.com/otpsd\"\n",
        "[channel.webhook.chat]\nurl = \"https://hooks.example.com/otpsd?token=hunter2\"\n",
        "[channel.webhook.chat]\nurl = \"https://hooks.example.com/T00/B00/a1B2c3D4e5F6g7H8i9J0k1L2\"\n",
        "[channel.webhook.chat]\nurl = { env = \"WEBHOOK_URL\" }\nsecret = \"hunter2\"\n",
        "[channel.webhook.chat]\nurl = { env = \"WEBHOOK_URL\" }\nmethod = \"PUT\"\n",
        "[channel.opsitem.ops]\nregion = \"virginia\"\nseverity = 5\nsource = \"aws-otps\"\n",
        "[channel.opsitem.ops]\nregion = \"us-east-1\"\nnotification-arn = \"ops-changes\"\n",
        "[channel.jira.llm]\n",
        "[channel.jira.llm]\nurl = \"example.atlassian.net\"\nproject = \"llmops-17\"\nuser = \"otpsd\"\ntoken = \"hunter2\"\n",
        "[channel.jira.llm]\nurl = \"https://example.atlassian.net\"\nproject = \"LLMOPS\"\ntoken = { env = \"JIRA_TOKEN\" }\nlabels = [\"slow models\"]\nreopen-within = \"2 weeks\"\n",
        "[channel.jira.llm]\nurl = \"https://example.atlassian.net\"\nproject = \"LLMOPS\"\ntoken = { env = \"JIRA_TOKEN\" }\nwont-fix = \"Won't Do\"\nin-flight = 100\n",
        "[heartbeat.cloudwatch]\nnamespace = \"AWS/Bedrock\"\n",
        "[heartbeat.cloudwatch]\nregion = \"us-east-1\"\nnamespace = \"\"\n",
    ]));
}

/// Channels of each kind, each with a receiver of its own.
const RECEIVERS: &str = r#"[channel.log.all]
[channel.pagerduty.oncall]
routing-key = { env = "PD_ROUTING_KEY" }
[channel.webhook.chat]
url = { env = "WEBHOOK_URL" }
[channel.jira.llm]
url = "https://example.atlassian.net"
project = "LLMOPS"
token = { env = "JIRA_TOKEN" }
"#;

fn topic(name: &str, fallback: &str) -> String {
    format!(
        "[channel.sns.{name}]\ntopic-arn = \"arn:aws:sns:us-east-1:111122223333:{name}\"\nfallback = \"{fallback}\"\n"
    )
}

#[test]
fn fallbacks() {
    let routes = |page: &str, ticket: &str| {
        format!("[[route.page]]\nchannels = [\"{page}\"]\n[[route.ticket]]\nchannels = [\"{ticket}\"]\n")
    };
    let same = "[channel.sns.b]\ntopic-arn = \"arn:aws:sns:us-east-1:111122223333:a\"\n";
    let texts = [
        topic("a", "pagerduty.onclal"),
        topic("a", "sns.a"),
        format!("{}{}{}", topic("a", "sns.b"), topic("b", "sns.c"), topic("c", "sns.a")),
        format!("{}{same}", topic("a", "sns.b")),
        format!("{}{}", topic("a", "pagerduty.oncall"), routes("log.all", "sns.a")),
        format!("{}{}", topic("a", "webhook.chat"), routes("webhook.chat", "sns.a")),
        format!("{}{}", topic("a", "webhook.chat"), routes("sns.a", "webhook.chat")),
        format!(
            "{}{}{}{}",
            topic("a", "sns.b"),
            topic("b", "sns.c"),
            topic("c", "log.all"),
            routes("sns.a", "sns.c")
        ),
    ];
    let texts: Vec<_> = texts.iter().map(String::as_str).collect();
    snapshot!(told_after(RECEIVERS, &texts));
}

#[test]
fn where_tickets_cannot_go() {
    let opsitem = "[channel.opsitem.ops]\nregion = \"us-east-1\"\n\
                   notification-arn = \"arn:aws:sns:us-east-1:111122223333:a\"\n";
    let texts = [
        "[[route.page]]\nchannels = [\"webhook.chat\"]\n[[route.ticket]]\nchannels = [\"webhook.chat\"]\n".to_owned(),
        "[channel.webhook.other]\nurl = { env = \"WEBHOOK_URL\" }\n[[route.page]]\nchannels = [\"webhook.chat\"]\n\
         [[route.ticket]]\nchannels = [\"webhook.other\"]\n"
            .to_owned(),
        format!(
            "{}{opsitem}[[route.page]]\nchannels = [\"sns.a\"]\n[[route.ticket]]\nchannels = [\"opsitem.ops\"]\n",
            topic("a", "log.all")
        ),
        "[channel.jira.other]\nurl = \"https://example.atlassian.net/\"\nproject = \"LLMOPS\"\ntoken = { env = \"JIRA_TOKEN\" }\n"
            .to_owned(),
    ];
    let texts: Vec<_> = texts.iter().map(String::as_str).collect();
    snapshot!(told_after(RECEIVERS, &texts));
    // What is read, and wakes nobody, takes both.
    let both = format!(
        "{RECEIVERS}[channel.opsitem.ops]\nregion = \"us-east-1\"\n[[route.page]]\n\
         channels = [\"jira.llm\", \"opsitem.ops\", \"log.all\"]\n[[route.ticket]]\n\
         channels = [\"jira.llm\", \"opsitem.ops\", \"log.all\"]\n"
    );
    assert_eq!(surroundings::told(&both, Purpose::Backtest), [""; 0]);
}
