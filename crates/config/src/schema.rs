//! The tables and keys that there are. What reads them stands in one file a table.

use crate::hint;

/// A table of settings.
#[derive(Debug)]
pub(crate) struct Section {
    /// Its header, as a file writes it, or the key that holds it.
    pub(crate) title: &'static str,
    /// Its keys, in the order of the reference.
    pub(crate) keys: &'static [&'static str],
}

impl Section {
    /// The section whose keys it may have too, for some of the things that those are about.
    pub(crate) fn lender(&self) -> Option<&'static Section> {
        let lenders: [(&Self, &'static Self); 2] = [(&SHARED, &CLOUDWATCH), (&OVERRIDE, &ALARM)];
        lenders.into_iter().find(|(section, _)| std::ptr::eq(*section, self)).map(|(_, lender)| lender)
    }

    /// Whether a key is at home in another section.
    pub(crate) fn borrows(&self, key: &str) -> bool {
        self.lender().is_some_and(|lender| lender.keys.contains(&key))
    }

    /// The key of this table that a misspelt one most likely stands for.
    pub(crate) fn near(&self, key: &str) -> Option<&'static str> {
        hint::synonym(key, self).or_else(|| hint::nearest(key, self.keys.iter().copied()))
    }
}

pub(crate) static DAEMON: Section =
    Section { title: "[daemon]", keys: &["listen", "public-url", "state-dir", "log", "heartbeat-url"] };

pub(crate) static ALARM: Section = Section {
    title: "[alarm]",
    keys: &[
        "mode",
        "method",
        "page-below",
        "page-below-otps",
        "anomaly-deviations",
        "anomaly-below",
        "evaluation-periods",
        "datapoints-to-alarm",
        "treat-missing-data",
        "estimator",
        "min-samples",
        "widest-window",
        "noise-sigmas",
        "recover-above",
        "recover-datapoints",
        "group-by",
    ],
};

pub(crate) static BASELINE: Section = Section {
    title: "[baseline]",
    keys: &["history", "min-history", "min-datapoints", "backfill", "seasonal", "never-train"],
};

pub(crate) static TICKET: Section =
    Section { title: "[ticket]", keys: &["growth", "erosion", "days", "days-to-ticket"] };

/// Its labels, what `[alarm]` has but for what is about several series, and what only some series can be told.
pub(crate) static OVERRIDE: Section = Section {
    title: "[override.NAME]",
    keys: &[
        "match",
        "labels",
        "mode",
        "method",
        "page-below",
        "page-below-otps",
        "anomaly-deviations",
        "anomaly-below",
        "evaluation-periods",
        "datapoints-to-alarm",
        "treat-missing-data",
        "estimator",
        "min-samples",
        "widest-window",
        "noise-sigmas",
        "recover-above",
        "recover-datapoints",
        "learn-from",
    ],
};

pub(crate) static MATCH: Section =
    Section { title: "match", keys: &["model", "account", "region", "source"] };

pub(crate) static MAINTENANCE: Section = Section {
    title: "[maintenance.NAME]",
    keys: &["models", "accounts", "regions", "labels", "days", "from", "to", "zone", "comment"],
};

pub(crate) static CLOUDWATCH: Section = Section {
    title: "[source.cloudwatch.NAME]",
    keys: &[
        "regions",
        "profile",
        "role-arn",
        "external-id",
        "role-session-name",
        "account-id",
        "linked-accounts",
        "endpoint-url",
        "fips",
        "dual-stack",
        "settle-delay",
        "reread-periods",
        "include",
        "ignore",
        "expect",
        "min-daily-requests",
        "max-series",
        "max-monthly-usd",
        "discover-every",
        "attempt-timeout",
        "heartbeat-url",
    ],
};

/// What sources may share: not whose they are, and not what tells that one of them is judged.
pub(crate) static SHARED: Section = Section {
    title: "[default.cloudwatch]",
    keys: &[
        "regions",
        "profile",
        "role-arn",
        "external-id",
        "role-session-name",
        "linked-accounts",
        "endpoint-url",
        "fips",
        "dual-stack",
        "settle-delay",
        "reread-periods",
        "include",
        "ignore",
        "expect",
        "min-daily-requests",
        "max-series",
        "max-monthly-usd",
        "discover-every",
        "attempt-timeout",
    ],
};

pub(crate) static HEARTBEAT: Section =
    Section { title: "[heartbeat.cloudwatch]", keys: &["region", "namespace", "profile", "endpoint-url"] };

pub(crate) static SNS: Section = Section {
    title: "[channel.sns.NAME]",
    keys: &["topic-arn", "format", "profile", "endpoint-url", "fallback", "in-flight"],
};

pub(crate) static PAGERDUTY: Section = Section {
    title: "[channel.pagerduty.NAME]",
    keys: &["routing-key", "url", "severity", "fallback", "in-flight"],
};

pub(crate) static WEBHOOK: Section =
    Section { title: "[channel.webhook.NAME]", keys: &["url", "secret", "fallback", "in-flight"] };

pub(crate) static OPSITEM: Section = Section {
    title: "[channel.opsitem.NAME]",
    keys: &[
        "region",
        "source",
        "severity",
        "notification-arn",
        "profile",
        "endpoint-url",
        "fallback",
        "in-flight",
    ],
};

pub(crate) static JIRA: Section = Section {
    title: "[channel.jira.NAME]",
    keys: &[
        "url",
        "project",
        "issue-type",
        "user",
        "token",
        "labels",
        "reopen-within",
        "wont-fix",
        "fallback",
        "in-flight",
    ],
};

pub(crate) static LOG: Section = Section { title: "[channel.log.NAME]", keys: &[] };

pub(crate) static PAGE_ROUTE: Section = Section {
    title: "[[route.page]]",
    keys: &["models", "accounts", "regions", "labels", "hours", "channels"],
};

pub(crate) static TICKET_ROUTE: Section = Section {
    title: "[[route.ticket]]",
    keys: &["models", "accounts", "regions", "labels", "causes", "hours", "channels"],
};

pub(crate) static HOURS: Section = Section { title: "hours", keys: &["from", "to", "zone", "days"] };

/// All of them, in the order of the reference.
pub(crate) static SECTIONS: [&Section; 19] = [
    &DAEMON,
    &ALARM,
    &BASELINE,
    &TICKET,
    &OVERRIDE,
    &MATCH,
    &MAINTENANCE,
    &SHARED,
    &CLOUDWATCH,
    &HEARTBEAT,
    &SNS,
    &PAGERDUTY,
    &WEBHOOK,
    &OPSITEM,
    &JIRA,
    &LOG,
    &PAGE_ROUTE,
    &TICKET_ROUTE,
    &HOURS,
];

/// What may stand outside of any table.
pub(crate) const TOP: [&str; 11] = [
    "daemon",
    "alarm",
    "baseline",
    "ticket",
    "override",
    "maintenance",
    "default",
    "source",
    "heartbeat",
    "channel",
    "route",
];
/// Kinds of `[source.KIND.NAME]`.
pub(crate) const SOURCE_KINDS: [&str; 1] = ["cloudwatch"];
/// Kinds of `[heartbeat.KIND]`.
pub(crate) const HEARTBEAT_KINDS: [&str; 1] = ["cloudwatch"];
/// Kinds of `[channel.KIND.NAME]`.
pub(crate) const CHANNEL_KINDS: [&str; 6] = ["sns", "pagerduty", "webhook", "opsitem", "jira", "log"];
/// Kinds of `[[route.KIND]]`.
pub(crate) const ROUTE_KINDS: [&str; 2] = ["page", "ticket"];
/// Keys whose value is a secret, or an address that may carry one.
pub(crate) const SECRETS: [&str; 6] =
    ["routing-key", "secret", "token", "external-id", "url", "heartbeat-url"];
/// Ways to name where a secret is.
pub(crate) const SECRET_FORMS: [&str; 2] = ["env", "file"];
/// Labels that many give to a series. There may be any others, whose values are not quoted.
pub(crate) const WELL_KNOWN_LABELS: [&str; 5] = ["owner", "team", "tier", "runbook", "alias"];

/// Whether the value of a key may be shown to anybody. A key that nobody knows may be a misspelt secret.
pub(crate) fn may_be_quoted(key: &str) -> bool {
    let known = TOP.contains(&key)
        || SECRET_FORMS.contains(&key)
        || WELL_KNOWN_LABELS.contains(&key)
        || SECTIONS.iter().any(|section| section.keys.contains(&key));
    known && !SECRETS.contains(&key)
}

#[cfg(test)]
pub(crate) mod tests;
