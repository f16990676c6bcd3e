//! One fixture a mistake, and exactly what its author reads. The files hold nothing but the mistake, so they are read
//! for a backtest, which needs neither sources nor routes.

use config::Purpose;

use crate::surroundings::seen;

/// Each text followed by what is said of it.
pub(crate) fn told(mistakes: &[&str]) -> String {
    let one = |text: &&str| {
        let seen = seen(text, Purpose::Backtest);
        assert!(!seen.is_empty(), "no problem: {text}");
        for line in seen.lines() {
            assert!(line.chars().count() <= 80, "wider than 80 columns: {line}");
        }
        format!("{seen}\n")
    };
    mistakes.iter().map(one).collect::<Vec<_>>().join("========\n\n")
}

macro_rules! snapshot {
    ($seen:expr) => {
        insta::with_settings!({ omit_expression => true }, { insta::assert_snapshot!($seen) })
    };
}

pub(crate) use snapshot;

#[test]
fn toml() {
    snapshot!(told(&[
        "[alarm]\npage-below 0.8\n",
        "[alarm]\nmode = observe\n",
        "[alarm]\nmode = \"observe\nmin-samples = 3\n",
        "[alarm\nmode = \"observe\"\n",
        "[baseline]\nnever-train = [\"2026-11-26\",\n[ticket]\ndays = 5\n",
        "[ticket]\ndays = 05\n",
        "[ticket]\ndays =\n",
        "[alarm]\npage-below = 0.8\nmin-samples = 3\npage-below = 0.7\n",
        "[alarm]\nmin-samples = 3\n\n[ticket]\ndays = 5\n\n[alarm]\npage-below = 0.7\n",
        "ticket.days = 5\nticket.days = 6\n",
    ]));
}

#[test]
fn keys_and_tables() {
    snapshot!(told(&[
        "[alarm]\npage-belw = 0.8\n",
        "[alarm]\npage_below = 0.8\n",
        "page-below = 0.8\n",
        "[baseline]\npage-below = 0.8\n",
        "[alarm]\nperiod = 250\n",
        "[alarm]\nthreshold = 0.8\n",
        "[alarm]\ncolour = \"red\"\n",
        "[alrm]\npage-below = 0.8\n",
        "[cloudwatch.main]\nregions = [\"us-east-1\"]\n",
        "[overide.batch]\nmatch = { model = \"*\" }\n",
        "[heartbeat.statsd]\nport = 8125\n",
        "[heartbeat]\nregion = \"us-east-1\"\n",
        "[maintenance]\nfrom = \"22:00\"\n",
        "[override]\nmatch = { model = \"*\" }\n",
        "override = 3\n",
        "alarm = 3\n",
        "[[alarm]]\npage-below = 0.8\n",
        "[source.main]\nregions = [\"us-east-1\"]\n",
        "[source.cloudwatch]\nregions = [\"us-east-1\"]\nsettle-delay = \"2m\"\n",
        "[source.prometheus.gpu]\nurl = \"http://127.0.0.1:9090\"\n",
        "[channel.pagerdty.oncall]\nrouting-key = { env = \"PD_ROUTING_KEY\" }\n",
        "[channel.slack.ops]\n[[route.page]]\nchannels = [\"slack.ops\"]\n",
        "[channel.sns.\"my topic\"]\ntopic-arn = \"arn:aws:sns:us-east-1:111122223333:t\"\n",
        "channel = \"log\"\n",
        "channel.log = \"all\"\n",
        "[channel.log.all]\nlevel = \"info\"\n",
    ]));
}

#[test]
fn daemon() {
    snapshot!(told(&[
        "[daemon]\nlisten = \"localhost:9464\"\n",
        "[daemon]\nlisten = 9464\n",
        "[daemon]\npublic-url = \"otpsd.ops.example.com\"\n",
        "[daemon]\nstate-dir = \"\"\n",
        "[daemon]\nlog = \"jsonl\"\n",
        "[daemon]\nlog = true\n",
        "[daemon]\nheartbeat-url = \"https://beats.example.com/0f3a5c7e-9b1d-4f6a-8c0e-1b3d5f7a9c0e\"\n",
        "[daemon]\nheartbeat-url = 3\n",
    ]));
}

#[test]
fn alarm() {
    snapshot!(told(&[
        "[alarm]\nmode = \"off\"\n",
        "[alarm]\npage-below = 80\n",
        "[alarm]\npage-below = 1.0\n",
        "[alarm]\npage-below = 0\n",
        "[alarm]\npage-below = -0.2\n",
        "[alarm]\npage-below = nan\n",
        "[alarm]\npage-below = \"0.8\"\n",
        "[alarm]\npage-below-otps = 0.8\n",
        "[alarm]\npage-below-otps = inf\n",
        "[alarm]\ndatapoints-to-alarm = 15\nevaluation-periods = 1\n",
        "[alarm]\nevaluation-periods = 2\n",
        "[alarm]\nevaluation-periods = \"3\"\n",
        "[alarm]\nmin-samples = 20.0\n",
        "[alarm]\nmin-samples = 99999999999999999999\n",
        "[alarm]\nmin-samples = 0\n",
        "[alarm]\nwidest-window = 6\n",
        "[alarm]\nnoise-sigmas = -1\n",
        "[alarm]\nestimator = \"p95\"\n",
        "[alarm]\npage-below = 0.9\n",
        "[alarm]\npage-below = 0.8\nrecover-above = 0.75\n",
        "[alarm]\nrecover-above = 85\n",
        "[alarm]\nrecover-above = 2\n",
        "[alarm]\nrecover-datapoints = 0\n",
        "[alarm]\nmethod = \"band\"\n",
        "[alarm]\nmethod = \"threshold\"\nanomaly-deviations = 3\n",
        "[alarm]\nanomaly-below = 0.9\n",
        "[alarm]\nmethod = \"anomaly\"\nanomaly-deviations = 0.5\nanomaly-below = 90\n",
        "[alarm]\ntreat-missing-data = \"breaching\"\n",
        "[alarm]\ntreat-missing-data = \"notbreaching\"\n",
        "[alarm]\ngroup-by = \"model\"\n",
    ]));
}

#[test]
fn baseline_and_ticket() {
    snapshot!(told(&[
        "[baseline]\nhistory = \"14\"\n",
        "[baseline]\nhistory = 14\n",
        "[baseline]\nhistory = \"two weeks\"\n",
        "[baseline]\nhistory = \"2 weeks\"\n",
        "[baseline]\nhistory = \"20m\"\n",
        "[baseline]\nhistory = \"36h\"\n",
        "[baseline]\nhistory = \"2d\"\n",
        "[baseline]\nhistory = \"7d\"\nmin-history = \"10d\"\n",
        "[baseline]\nhistory = \"42d\"\n",
        "[baseline]\nhistory = \"14d\"\nbackfill = \"7d\"\n",
        "[baseline]\nbackfill = \"90d\"\n",
        "[baseline]\nmin-history = \"1d\"\nhistory = \"1d\"\n",
        "[baseline]\nseasonal = \"yes\"\n",
        "[baseline]\nnever-train = \"2026-11-26\"\n",
        "[baseline]\nnever-train = [2026-11-26]\n",
        "[baseline]\nnever-train = [\n  \"2026-11-26/2026-11-28\",\n  \"2026-12-26/2026-12-24\",\n  \"Christmas\",\n]\n",
        "[ticket]\ngrowth = 15\n",
        "[ticket]\nerosion = 15\n",
        "[ticket]\ndays = 3\ndays-to-ticket = 4\n",
        "[ticket]\ndays = 60\n",
    ]));
}

#[test]
fn sources() {
    snapshot!(told(&[
        "[source.cloudwatch.main]\n",
        "[source.cloudwatch.main]\nregions = []\n",
        "[source.cloudwatch.main]\nregions = \"us-east-1\"\n",
        "[source.cloudwatch.main]\nregions = [\"us-east-1a\", 3, \"us-west-2\"]\n",
        "[source.cloudwatch.main]\nregions = [\"us-east-1\", \"us-east-1\"]\n",
        "[source.cloudwatch.main]\nregion = \"us-east-1\"\nregions = [\"us-east-1\"]\n",
        "[source.cloudwatch.main]\nregions = [\"us-east-1\"]\naccount-id = 111122223333\n",
        "[source.cloudwatch.main]\nregions = [\"us-east-1\"]\naccount-id = \"1111-2222-3333\"\n",
        "[source.cloudwatch.main]\nregions = [\"us-east-1\"]\nendpoint-url = \"127.0.0.1:4566\"\n",
        "[source.cloudwatch.main]\nregions = [\"us-east-1\"]\nsettle-delay = \"2\"\n",
        "[source.cloudwatch.main]\nregions = [\"us-east-1\"]\nsettle-delay = \"2h\"\n",
        "[source.cloudwatch.main]\nregions = [\"us-east-1\"]\nattempt-timeout = 10\n",
        "[source.cloudwatch.main]\nregions = [\"us-east-1\"]\ninclude = [\"claude-[0-9]*\"]\n",
        "[source.cloudwatch.main]\nregions = [\"us-east-1\"]\n\n[source.cloudwatch.main]\nregions = [\"eu-west-1\"]\n",
    ]));
}

#[test]
fn what_sources_share() {
    snapshot!(told(&[
        "[default.cloudwatch]\nsettle-delay = \"2h\"\n[source.cloudwatch.a]\nregions = [\"us-east-1\"]\n[source.cloudwatch.b]\nregions = [\"us-east-1\"]\n",
        "[default.cloudwatch]\nregions = [\"us-east-1a\"]\n",
        "[default.cloudwatch]\nregions = []\n[source.cloudwatch.a]\n[source.cloudwatch.b]\nregions = [\"us-east-1\"]\n",
        "[default.cloudwatch]\nignore = [\"*embed*\"]\n[source.cloudwatch.a]\n",
        "[default.cloudwatch]\naccount-id = \"111122223333\"\n",
        "[default.cloudwatch]\nheartbeat-url = { env = \"HEARTBEAT_URL\" }\n",
        "[default.cloudwatch]\nsetle-delay = \"2m\"\n",
        "[default.prometheus]\nurl = \"http://127.0.0.1:9090\"\n",
        "[default]\nregions = [\"us-east-1\"]\n",
        "[default.cloudwatch.main]\nregions = [\"us-east-1\"]\n",
        "default = 3\n",
        "[[default.cloudwatch]]\nregions = [\"us-east-1\"]\n",
    ]));
}

#[test]
fn channels() {
    snapshot!(told(&[
        "[channel.sns.ops]\n",
        "[channel.sns.ops]\ntopic-arn = \"llm-pages\"\n",
        "[channel.sns.ops]\ntopic-arn = \"arn:aws:sqs:us-east-1:111122223333:llm-pages\"\n",
        "[channel.sns.ops]\ntopic-arn = \"arn:aws:sns:us-east-1:111122223333:llm-pages.fifo\"\nformat = \"chatbot\"\n",
        "[channel.sns.ops]\ntopic-arn = \"arn:aws:sns:us-east-1:111122223333:llm-pages\"\nformat = \"sms\"\n",
        "[channel.sns.ops]\ntopic-arn = \"arn:aws:sns:us-east-1:111122223333:llm-pages\"\nin-flight = 0\n",
        "[channel.pagerduty.oncall]\n",
        "[channel.pagerduty.oncall]\nrouting-key = \"hunter2\"\n",
        "[channel.pagerduty.oncall]\nrouting-key = { value = \"hunter2\" }\n",
        "[channel.pagerduty.oncall]\nrouting-key = { env = \"R0HUNTER2HUNTER2HUNTER2HUNTER200\" }\n",
        "[channel.pagerduty.oncall]\nroutingkey = \"hunter2\"\n",
        "[channel.pagerduty.oncall]\nrouting-key = { env = \"PD_ROUTING_KEY\" }\nseverity = \"Critical\"\n",
        "[channel.pagerduty.oncall]\nrouting-key = { env = \"PD_ROUTING_KEY\" }\nurl = \"https://me:hunter2@example.com\"\n",
        "[channel.log.ops]\n\n[channel.sns.a]\ntopic-arn = \"arn:aws:sns:us-east-1:111122223333:a\"\n\n[channel.log.ops]\n",
    ]));
}

/// Channels that the routes of the next test name.
const CHANNELS: &str = r#"[channel.log.all]
[channel.pagerduty.oncall]
routing-key = { env = "PD_ROUTING_KEY" }
[channel.sns.pages]
topic-arn = "arn:aws:sns:us-east-1:111122223333:llm-pages"
"#;

#[test]
fn routes() {
    let with_channels = [
        "[[route.page]]\nmodels = [\"*\"]\n",
        "[[route.page]]\nchannels = []\n",
        "[[route.page]]\nchannels = [\"pagerduty.onclal\"]\n",
        "[[route.page]]\nchannels = [\"oncall\"]\n",
        "[[route.page]]\nchannels = [\"email.team\"]\n",
        "[[route.page]]\nchannels = [\"log.all\", \"log.all\"]\n",
        "[[route.page]]\nmodel = [\"*haiku*\"]\nchannels = [\"log.all\"]\n",
        "[[route.page]]\nmodels = [\"\"]\nchannels = [\"log.all\"]\n",
        "[route.page]\nchannels = [\"log.all\"]\n",
        "[[route.pages]]\nchannels = [\"log.all\"]\n",
        "[[route.page]]\nchannels = [\"log.all\"]\n[[route.page]]\nmodels = [\"*haiku*\"]\nchannels = [\"log.all\"]\n",
        "[[route.page]]\nmodels = [\"us.*\"]\nchannels = [\"log.all\"]\n[[route.page]]\nmodels = [\"us.anthropic.*\"]\nchannels = [\"log.all\"]\n",
        "[[route.ticket]]\nchannels = [\"pagerduty.oncall\"]\n",
        "[[route.page]]\nchannels = [\"pagerduty.oncall\"]\n[[route.ticket]]\nchannels = [\"pagerduty.oncall\"]\n",
        "[[route.page]]\nchannels = [\"sns.pages\"]\n[[route.ticket]]\nchannels = [\"log.all\", \"sns.pages\"]\n",
    ]
    .map(|routes| format!("{CHANNELS}{routes}"));
    let mut all: Vec<_> = with_channels.iter().map(String::as_str).collect();
    all.push("[[route.page]]\nchannels = [\"log.all\"]\n");
    snapshot!(told(&all));
}
