//! Which key has which kind. That this is what is read is shown by tests, value by value.

use domain::{Cause, EstimatorChoice, GroupBy, MissingData, PERIODS_PER_DAY, PagerDutySeverity, SnsFormat};

use super::kind::Kind;
use crate::schema::{CHANNEL_KINDS, Section};

/// Whether a key must be there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Presence {
    /// It must.
    Required,
    /// It need not, and nothing stands for it then.
    Optional,
    /// What the reference shows holds without it.
    Default,
}

/// What a key may be.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Shape {
    pub(super) kind: Kind,
    pub(super) presence: Presence,
    /// What it is, where the reference does not say it of this key alone.
    pub(super) note: Option<String>,
}

const DURATION: &str = "^[0-9]+[smhd]$";
const GLOB: &str = r"^[^\[\]{}\\^$|()]+$";
const MODEL: &str = r"^[^\s*?]{1,1024}$";
const REGION: &str = "^[a-z]{2,}(-[a-z]{2,})+-[0-9]{1,2}$";
const ACCOUNT: &str = "^[0-9]{12}$";
const TOPIC: &str = r"^arn:aws(-us-gov|-cn|-eusc|-iso|-iso-b|-iso-e|-iso-f)?:sns:[a-z0-9-]+:[0-9]{12}:[A-Za-z0-9_-]+(\.fifo)?$";
const ROLE: &str = r"^arn:aws(-us-gov|-cn|-eusc|-iso|-iso-b|-iso-e|-iso-f)?:iam::[0-9]{12}:role/([!-~]+/)?[A-Za-z0-9_+=,.@-]{1,64}$";
const WEB: &str = "^https?://";
const TIME: &str = "^([01][0-9]|2[0-3]):[0-5][0-9]$";
const EDGE: &str = "^([0-9]{4}-[0-9]{2}-[0-9]{2}[T ])?([01][0-9]|2[0-3]):[0-5][0-9]$";
const SHARE: &[(&str, f64)] = &[("exclusiveMinimum", 0.0), ("exclusiveMaximum", 1.0)];

impl Shape {
    /// That of a key in the section where it is at home.
    pub(super) fn of(section: &Section, key: &str) -> Self {
        let (kind, presence) = kind(section.title, key);
        Self { kind, presence, note: note(section.title, key).map(str::to_owned) }
    }
}

fn list(of: Kind) -> Kind {
    Kind::List(Box::new(of), 0)
}

fn globs() -> Kind {
    list(Kind::Pattern(GLOB))
}

fn channel() -> Kind {
    debug_assert_eq!(CHANNEL_KINDS.len(), 6, "the pattern names all kinds");
    Kind::Pattern("^(sns|pagerduty|webhook|opsitem|jira|log)\\.[A-Za-z0-9_-]{1,64}$")
}

fn kind(title: &str, key: &str) -> (Kind, Presence) {
    use Presence::{Default, Optional, Required};
    match (title, key) {
        ("match", "model" | "account" | "region") => {
            (Kind::OneOrMore(Box::new(Kind::Pattern(GLOB))), Optional)
        }
        ("match", "source") => (Kind::Text, Optional),
        ("[override.NAME]", "match") => (Kind::Table("match"), Required),
        ("[override.NAME]", "labels") => (Kind::Labels, Optional),
        ("[override.NAME]", "learn-from") => (Kind::Pattern(MODEL), Optional),
        ("hours", "from" | "to") => (Kind::Pattern(TIME), Required),
        ("[maintenance.NAME]", "from" | "to") => (Kind::Pattern(EDGE), Required),
        ("hours" | "[maintenance.NAME]", "days") => {
            let days = Kind::Words(vec!["mon", "tue", "wed", "thu", "fri", "sat", "sun"]);
            (Kind::List(Box::new(days), 1), Optional)
        }
        ("hours" | "[maintenance.NAME]", "zone") => (Kind::Text, Required),
        ("[maintenance.NAME]", "models" | "accounts" | "regions") => (globs(), Optional),
        ("[channel.pagerduty.NAME]", "severity") => {
            use PagerDutySeverity::{Critical, Error, Info, Warning};
            (Kind::Words([Critical, Error, Warning, Info].map(PagerDutySeverity::as_str).into()), Default)
        }
        ("[channel.opsitem.NAME]", "severity") => (Kind::Integer(1, 4), Default),
        ("[channel.opsitem.NAME]", "source") => (Kind::Text, Default),
        ("[channel.webhook.NAME]", "url") => (Kind::OrSecret(Box::new(Kind::Pattern(WEB))), Required),
        ("[channel.pagerduty.NAME]", "url") => (Kind::Pattern(WEB), Default),
        ("[channel.jira.NAME]", "url") => (Kind::Pattern(WEB), Required),
        ("[channel.jira.NAME]", "labels") => (list(Kind::Pattern("^\\S+$")), Default),
        ("[source.cloudwatch.NAME]", "regions") => (Kind::List(Box::new(Kind::Pattern(REGION)), 1), Optional),
        ("[source.cloudwatch.NAME]", "include" | "ignore" | "expect") => (globs(), Default),
        (_, key) => of_key(key),
    }
}

/// Keys that mean the same wherever they are.
fn of_key(key: &str) -> (Kind, Presence) {
    use Presence::{Default, Optional, Required};
    match key {
        "log" => (Kind::Words(vec!["auto", "human", "json"]), Default),
        "public-url" | "endpoint-url" => (Kind::Pattern(WEB), Optional),
        "heartbeat-url" => (Kind::OrSecret(Box::new(Kind::Pattern(WEB))), Optional),
        "mode" => (Kind::Words(vec!["page", "observe"]), Default),
        "method" => (Kind::Words(vec!["threshold", "anomaly"]), Default),
        "page-below" | "anomaly-below" => (Kind::Number(SHARE), Default),
        "page-below-otps" => (Kind::Number(&[("exclusiveMinimum", 0.0), ("maximum", 10_000.0)]), Optional),
        "anomaly-deviations" => (Kind::Number(&[("minimum", 1.0), ("maximum", 10.0)]), Default),
        "noise-sigmas" => (Kind::Number(&[("minimum", 0.0), ("maximum", 10.0)]), Default),
        "recover-above" => (Kind::Number(&[("exclusiveMinimum", 0.0), ("maximum", 1.5)]), Default),
        "evaluation-periods" | "datapoints-to-alarm" | "widest-window" | "recover-datapoints" => {
            (Kind::Integer(1, 12), Default)
        }
        "treat-missing-data" => (Kind::Words(MissingData::ALL.map(MissingData::as_str).into()), Default),
        "estimator" => {
            use EstimatorChoice::{Auto, P50, TokenWeighted};
            (Kind::Words([P50, TokenWeighted, Auto].map(EstimatorChoice::as_str).into()), Default)
        }
        "min-samples" => (Kind::Integer(1, 1_000_000), Default),
        "group-by" => (Kind::Words(GroupBy::ALL.map(GroupBy::as_str).into()), Default),
        "history" | "min-history" | "backfill" | "settle-delay" | "discover-every" | "attempt-timeout"
        | "reopen-within" => (Kind::Pattern(DURATION), Default),
        "min-datapoints" => (Kind::Integer(1, 63 * PERIODS_PER_DAY), Default),
        "seasonal" => (Kind::Boolean, Default),
        "never-train" | "wont-fix" => (list(Kind::Text), Default),
        "growth" => (Kind::Number(&[("exclusiveMinimum", 0.0), ("maximum", 2.0)]), Default),
        "erosion" => (Kind::Number(SHARE), Default),
        "days" | "days-to-ticket" => (Kind::Integer(1, 28), Default),
        "reread-periods" => (Kind::Integer(0, 12), Default),
        "in-flight" => (Kind::Integer(1, 64), Default),
        "account-id" => (Kind::Pattern(ACCOUNT), Optional),
        "role-arn" => (Kind::Pattern(ROLE), Optional),
        "external-id" => (Kind::Secret, Optional),
        "role-session-name" => (Kind::Pattern("^[A-Za-z0-9_+=,.@-]{2,64}$"), Default),
        "linked-accounts" | "fips" | "dual-stack" => (Kind::Boolean, Default),
        "min-daily-requests" => (Kind::Integer(0, 1_000_000), Default),
        "max-series" => (Kind::Integer(1, 100_000), Default),
        "max-monthly-usd" => (Kind::Number(&[("exclusiveMinimum", 0.0), ("maximum", 1_000_000.0)]), Optional),
        "region" => (Kind::Pattern(REGION), Required),
        "topic-arn" => (Kind::Pattern(TOPIC), Required),
        "notification-arn" => (Kind::Pattern(TOPIC), Optional),
        "format" => (Kind::Words(SnsFormat::ALL.map(SnsFormat::as_str).into()), Default),
        "routing-key" | "token" => (Kind::Secret, Required),
        "secret" => (Kind::Secret, Optional),
        "project" => (Kind::Pattern("^[A-Z][A-Z0-9_]*$"), Required),
        "user" => (Kind::Pattern("^[^@ :]+@[^@ :]+$"), Optional),
        "models" | "accounts" | "regions" => (globs(), Default),
        "causes" => (list(Kind::Words(Cause::ALL.map(Cause::as_str).into())), Default),
        "labels" => (Kind::Labels, Optional),
        "hours" => (Kind::Table("hours"), Optional),
        "channels" => (Kind::List(Box::new(channel()), 1), Required),
        "fallback" => (channel(), Optional),
        "profile" | "comment" => (Kind::Text, Optional),
        // `listen`, `state-dir`, `namespace`, `issue-type`
        _ => (Kind::Text, Default),
    }
}

/// Keys that have no line of their own in the reference, or share one.
fn note(title: &str, key: &str) -> Option<&'static str> {
    Some(match (title, key) {
        ("match", "model") => "a glob of models, or several",
        ("match", "account") => "a glob of accounts, or several",
        ("match", "region") => "a glob of Regions, or several",
        ("match", "source") => "a source with an account-id: its account in its Regions",
        ("[override.NAME]", "match") => "which series these are: at least one of its keys",
        ("[override.NAME]", "labels") => "what their owners call them, by key; the first value of two holds",
        ("[maintenance.NAME]", "models") => "globs of models; empty means all",
        ("[maintenance.NAME]", "labels") => "globs of the values of labels that overrides give",
        ("[maintenance.NAME]" | "[[route.ticket]]", "accounts") => "globs of accounts; empty means all",
        ("[maintenance.NAME]" | "[[route.ticket]]", "regions") => "globs of Regions; empty means all",
        ("[[route.page]]" | "[[route.ticket]]", "hours") => "when it takes anything; always when not given",
        ("[channel.opsitem.NAME]", "endpoint-url") => "another address for Systems Manager",
        ("[heartbeat.cloudwatch]", "endpoint-url") => "another address for CloudWatch",
        ("hours", "from") => "when they begin",
        ("hours", "to") => "the first minute after them; earlier than `from` is on the next day",
        ("hours", "zone") => "whose clock",
        ("hours", "days") => "the days on which they begin; all when not given",
        _ => return None,
    })
}
