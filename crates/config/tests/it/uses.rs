//! What a configuration must have depends on what it is read for.

use config::{File, Purpose, read, render};
use domain::{ExitCode, Mode, Plan, SourcePlan};

use crate::surroundings::{Surroundings, file, outcome, seen, told};

const SOURCE: &str = "[source.cloudwatch.main]\nregions = [\"us-east-1\"]\n";
const OBSERVE: &str = "[alarm]\nmode = \"observe\"\n";

fn exit(text: &str, purpose: Purpose) -> ExitCode {
    outcome(text, purpose).exit_code()
}

#[test]
fn a_daemon_needs_a_source_and_somebody_to_page() {
    insta::assert_snapshot!(seen("", Purpose::Run), @r#"
    error: there is no source, so that nothing can be watched
    --> otpsd.toml
     = hint: add a table `[source.cloudwatch.main]`; only `otpsd backtest` works
             without

    error: there is no `[[route.page]]`, so that nobody can be paged
    --> otpsd.toml
     = hint: add one, or write `mode = "observe"` in `[alarm]`
    "#);
    assert_eq!(exit("", Purpose::Run), ExitCode::No);
    assert_eq!(exit(SOURCE, Purpose::Run), ExitCode::No);
    assert_eq!(told(&format!("{OBSERVE}{SOURCE}"), Purpose::Run), [""; 0]);
    assert_eq!(told("", Purpose::Backtest), [""; 0]);
}

#[test]
fn a_look_at_the_file_takes_it_for_what_it_seems_to_be() {
    // Without a source it can only be for backtests.
    assert_eq!(told("", Purpose::Check), ["there is no source, so that nothing can be watched"]);
    assert_eq!(exit("", Purpose::Check), ExitCode::Success);
    // With one it is for a daemon.
    assert_eq!(told(SOURCE, Purpose::Check), ["there is no `[[route.page]]`, so that nobody can be paged"]);
    assert_eq!(exit(SOURCE, Purpose::Check), ExitCode::No);
}

#[test]
fn what_nobody_would_get_is_a_warning() {
    let text = format!(
        "{SOURCE}[channel.log.all]\n[channel.log.spare]\n\
         [[route.page]]\nmodels = [\"*haiku*\"]\nchannels = [\"log.all\"]\n"
    );
    insta::assert_snapshot!(seen(&text, Purpose::Run), @r#"
    warning: no route sends anything to `log.spare`
     --> otpsd.toml:4:14
      |
    4 | [channel.log.spare]
      |              ^^^^^

    warning: no route takes everything: the rest pages nobody
     --> otpsd.toml:5:1
      |
    5 | [[route.page]]
      | ^^^^^^^^^^^^^^
      |
      = hint: end with a route that has nothing but `channels`

    warning: there is no `[[route.ticket]]`, so that nobody gets tickets
    --> otpsd.toml
     = hint: a ticket tells of a slow creep and of sources that fail
    "#);
    assert_eq!(exit(&text, Purpose::Run), ExitCode::Success);
}

#[test]
fn a_ticket_about_a_source_has_no_model() {
    let text = |models: &str| {
        format!(
            "{SOURCE}[channel.log.all]\n[[route.page]]\nmodels = [\"*\"]\nchannels = [\"log.all\"]\n\
             [[route.ticket]]\n{models}channels = [\"log.all\"]\n"
        )
    };
    insta::assert_snapshot!(seen(&text("models = [\"*\"]\n"), Purpose::Run), @r#"
    warning: no route takes tickets about sources: they have no model and no account
     --> otpsd.toml:7:1
      |
    7 | [[route.ticket]]
      | ^^^^^^^^^^^^^^^^
      |
      = hint: leave out `models = ["*"]` and `accounts = ["*"]`
    "#);
    assert_eq!(told(&text(""), Purpose::Run), [""; 0]);
}

#[test]
fn a_route_that_cannot_be_read_makes_no_channel_useless() {
    let text = format!("{SOURCE}[channel.log.all]\n[[route.page]]\nto = [\"log.all\"]\n");
    assert_eq!(
        told(&text, Purpose::Run),
        [
            "5:1 unknown key `to` in `[[route.page]]`",
            "there is no `[[route.ticket]]`, so that nobody gets tickets"
        ]
    );
}

#[test]
fn a_fallback_is_used_and_hours_leave_a_rest() {
    let text = format!(
        "{SOURCE}[channel.log.all]\n[channel.sns.a]\ntopic-arn = \"arn:aws:sns:us-east-1:111122223333:a\"\n\
         fallback = \"log.all\"\n[[route.page]]\nchannels = [\"sns.a\"]\n\
         hours = {{ from = \"22:00\", to = \"07:00\", zone = \"UTC\" }}\n"
    );
    assert_eq!(
        told(&text, Purpose::Run),
        [
            "7:1 no route takes everything: the rest pages nobody",
            "there is no `[[route.ticket]]`, so that nobody gets tickets"
        ]
    );
}

#[test]
fn a_secret_that_is_not_there_stops_a_daemon_and_nothing_else() {
    let text = format!(
        "{SOURCE}[channel.log.all]\n[channel.pagerduty.oncall]\nrouting-key = {{ env = \"PD_OTHER\" }}\n\
         [[route.page]]\nchannels = [\"pagerduty.oncall\"]\n[[route.ticket]]\nchannels = [\"log.all\"]\n"
    );
    insta::assert_snapshot!(seen(&text, Purpose::Run), @r#"
    error: the environment variable `PD_OTHER` is not set
     --> otpsd.toml:5:15
      |
    5 | routing-key = { env = "PD_OTHER" }
      |               ^^^^^^^^^^^^^^^^^^^^
      |
      = hint: `routing-key` is read when the daemon starts, from the environment of
              the daemon
    "#);
    insta::assert_snapshot!(seen(&text, Purpose::Check), @r#"
    warning: the environment variable `PD_OTHER` is not set
     --> otpsd.toml:5:15
      |
    5 | routing-key = { env = "PD_OTHER" }
      |               ^^^^^^^^^^^^^^^^^^^^
      |
      = hint: `otpsd run` does not start without it
    "#);
    insta::assert_snapshot!(seen(&text, Purpose::Backtest), @"");
    assert_eq!(exit(&text, Purpose::Run), ExitCode::No);
    assert_eq!(exit(&text, Purpose::Check), ExitCode::Success);
    assert!(outcome(&text, Purpose::Check).plan.is_some());
}

fn plan(text: &str) -> Plan {
    outcome(text, Purpose::Backtest).plan.unwrap()
}

#[test]
fn values_arrive_in_the_plan() {
    let plan = plan(
        r#"
        [daemon]
        listen = "0.0.0.0:8080"
        public-url = "https://ops.example.com/otpsd/"
        state-dir = "state"
        [alarm]
        page-below = 0.7
        page-below-otps = 25
        evaluation-periods = 3
        datapoints-to-alarm = 2
        noise-sigmas = 0
        [baseline]
        history = "28d"
        seasonal = false
        never-train = ["2026-11-26/2026-11-28"]
        [source.cloudwatch.prod]
        regions = ["eu-west-1", "us-east-1"]
        account-id = "111122223333"
        settle-delay = "90s"
        include = ["*claude*"]
        ignore = ["*embed*"]
        "#,
    );
    assert_eq!(plan.daemon.listen.to_string(), "0.0.0.0:8080");
    assert_eq!(plan.daemon.public_url.as_deref(), Some("https://ops.example.com/otpsd"));
    assert_eq!(
        plan.daemon.state_dir.to_str(),
        Some("state"),
        "the folder of otpsd.toml is the working folder"
    );
    assert_eq!(plan.rule.page_below, 0.7);
    assert_eq!(plan.rule.page_below_otps, Some(25.0));
    assert_eq!((plan.rule.datapoints_to_alarm, plan.rule.evaluation_periods), (2, 3));
    assert_eq!(plan.rule.widest_window, 3, "it cannot be wider than what is looked at");
    assert_eq!(plan.learning.history_days, 28);
    assert!(!plan.learning.seasonal);
    let span = plan.learning.never_train[0];
    assert_eq!(
        (span.from.to_string(), span.until.to_string()),
        ("2026-11-26T00:00:00Z".into(), "2026-11-29T00:00:00Z".into())
    );
    let SourcePlan::CloudWatch(source) = &plan.sources[0];
    assert_eq!(source.regions, ["eu-west-1", "us-east-1"]);
    assert_eq!(source.settle_delay.as_secs(), 90);
    assert!(source.watches("us.anthropic.claude-haiku-4-5") && !source.watches("amazon.nova-pro-v1:0"));
}

#[test]
fn tables_may_stand_in_several_files_each_key_in_one() {
    let named = |path: &str, text: &str| File { path: path.into(), text: text.to_owned() };
    let files = [
        named("conf/10-rules.toml", "[alarm]\nmode = \"observe\"\n[channel.log.all]\n"),
        named("conf/20-sources.toml", "[source.cloudwatch.a]\nregions = [\"us-east-1\"]\n"),
        named("conf/30-routes.toml", "[[route.page]]\nchannels = [\"log.all\"]\n[alarm]\npage-below = 0.7\n"),
    ];
    let plan = read(&files, Purpose::Run, &Surroundings::default()).plan.unwrap();
    assert_eq!((plan.sources.len(), plan.channels.len(), plan.routes.page.len()), (1, 1, 1));
    assert_eq!((plan.rule.mode, plan.rule.page_below), (Mode::Observe, 0.7));

    let files = [
        named("conf/10-rules.toml", "[alarm]\nmode = \"observe\"\n[channel.log.all]\n"),
        named(
            "conf/20-more.toml",
            "[alarm]\nmode = \"page\"\npage-below = 80\n[channel.log.all]\n[[route.page]]\nchannels = [\"log.al\"]\n",
        ),
    ];
    let outcome = read(&files, Purpose::Backtest, &Surroundings::default());
    insta::assert_snapshot!(render::text(&outcome.problems, false), @r#"
    error: `mode` of `[alarm]` is in two files
     --> conf/20-more.toml:2:1
      |
    2 | mode = "page"
      | ^^^^
      |
     ::: conf/10-rules.toml:2:1
      |
    2 | mode = "observe"
      | ---- it is here already

    error: `page-below` must be above 0 and below 1, not 80
     --> conf/20-more.toml:3:14
      |
    3 | page-below = 80
      |              ^^
      |
      = hint: it is a share, not a percentage: did you mean 0.8?

    error: `[channel.log.all]` is in two files
     --> conf/20-more.toml:4:14
      |
    4 | [channel.log.all]
      |              ^^^
      |
     ::: conf/10-rules.toml:3:14
      |
    3 | [channel.log.all]
      |              --- it is here already

    error: there is no channel `log.al`
     --> conf/20-more.toml:6:13
      |
    6 | channels = ["log.al"]
      |             ^^^^^^^^
      |
      = hint: did you mean "log.all"?
    "#);
}

#[test]
fn a_file_that_is_not_toml_takes_nothing_away_from_the_others() {
    let files = [
        File { path: "conf/channels.toml".into(), text: "[channel.log.all\n".into() },
        File {
            path: "conf/routes.toml".into(),
            text: "[[route.page]]\nchannels = [\"log.all\"]\nto = 3\n".into(),
        },
    ];
    let outcome = read(&files, Purpose::Run, &Surroundings::default());
    let messages: Vec<_> = outcome.problems.iter().map(|problem| problem.message.as_str()).collect();
    assert_eq!(
        messages,
        ["this is not TOML: unclosed table, expected `]`", "unknown key `to` in `[[route.page]]`"]
    );
}

#[test]
fn relative_paths_start_at_the_folder_of_their_file() {
    let text = format!(
        "{OBSERVE}{SOURCE}[daemon]\nstate-dir = \"state\"\n\
         [channel.pagerduty.oncall]\nrouting-key = {{ file = \"secrets/pd\" }}\n"
    );
    let surroundings = Surroundings::default().file("/etc/otpsd/secrets/pd", b"the-key\n");
    let at = File { path: "/etc/otpsd/otpsd.toml".into(), ..file(&text) };
    let outcome = read(&[at], Purpose::Run, &surroundings);
    assert_eq!(outcome.exit_code(), ExitCode::Success, "{:?}", outcome.problems);
    assert_eq!(outcome.plan.unwrap().daemon.state_dir.to_str(), Some("/etc/otpsd/state"));
}
