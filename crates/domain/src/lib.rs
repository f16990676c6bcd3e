//! The nouns of otpsd. Everything else is built from them, and they depend on nothing but a time type.
//!
//! This crate has no clock, socket, file, thread, randomness or hash map, and no serde: a type that can be
//! serialised is a promise, so `store`, `web` and `config` own their row, JSON and file types.
//!
//! # Layout
//!
//! - [`Series`], [`Period`]: who and when.
//! - [`Statistics`], [`Reading`], [`Row`]: what a source read, before any judgement.
//! - [`Otps`], [`Terms`], [`TierShares`]: output tokens per second by both estimators, and the identity of latency.
//! - [`Datapoint`], [`MissingReason`], [`Verdict`], [`Slot`]: what one period says.
//! - [`AlarmState`], [`Transition`], [`Incident`], [`Key`], [`SeriesState`]: what is remembered.
//! - [`OtpsDrop`], [`Page`], [`Resolve`]: what wakes somebody, and can be made in one way only.
//! - [`GroupBy`], [`PageState`], [`GroupPage`], [`GroupResolve`]: incidents that are told together, and what is remembered of that.
//! - [`Matcher`], [`Hours`], [`Maintenance`], [`Silence`]: who is told of what, and when nobody is.
//! - [`FellBack`]: latency-optimized traffic that is served with Standard latency.
//! - [`Ticket`], [`Cause`]: everything else that deserves a reader.
//! - [`GapTicket`], [`Gap`], [`Thrift`]: what of a source is not watched as it should be.
//! - [`SourceTicket`], [`SourceState`]: a source that cannot be read, and what is remembered of one.
//! - [`Plan`], [`Rule`], [`Override`], [`Learning`], [`Glob`]: a configuration that has been validated.
//! - [`Source`], [`Ledger`], [`Channel`]: what the edges must be able to do.
//! - [`AuditRecord`]: what was done, by whom and why.
//! - [`Secret`], [`ExitCode`]: small contracts of the whole.

mod act;
mod audit;
mod channel;
mod channel_plan;
mod cloudwatch;
mod coverage;
mod datapoint;
mod evidence;
mod exit;
mod fell_back;
mod glob;
mod group;
mod hours;
mod incident;
mod key;
mod ledger;
mod maintenance;
mod matcher;
mod otps;
mod overrides;
mod page;
mod period;
mod plan;
mod reading;
mod rule;
mod secret;
mod series;
mod silence;
mod source;
mod source_state;
mod source_ticket;
mod state;
mod ticket;

pub use act::Act;
pub use audit::AuditRecord;
pub use channel::{Channel, DeliveryError, Message, NoticeKind, Receipt, Retry};
pub use channel_plan::{
    ChannelPlan, DeliveryPlan, JiraPlan, OpsItemPlan, PagerDutyPlan, PagerDutySeverity, SnsFormat, SnsPlan,
    WebhookPlan,
};
pub use cloudwatch::{Metric, Statistic, Tier};
pub use coverage::{Gap, GapFigures, GapTicket, LeftOut, OpenGap, Spending, Thrift};
pub use datapoint::{Datapoint, MissingReason, Slot, Verdict};
pub use evidence::{Check, Evidence, Finding, Subject};
pub use exit::ExitCode;
pub use fell_back::{FellBack, Split};
pub use glob::Glob;
pub use group::{
    Elsewhere, Group, GroupBy, GroupPage, GroupResolve, HeldPage, Member, PageState, Surroundings, Unseen,
};
pub use hours::{Hours, Weekdays};
pub use incident::{Incident, IncidentRecord};
pub use key::Key;
pub use ledger::{Backlog, Commit, Filed, Ledger, LedgerError, Loaded, Outcome, Owed, OwedState};
pub use maintenance::{Maintenance, Window};
pub use matcher::{About, Labels, Matcher, PAGE_CAUSE};
pub use otps::{Estimator, Otps, Terms, TierShares};
pub use overrides::{Override, RulePatch};
pub use page::{Acceptance, OtpsDrop, Page, Resolve};
pub use period::{PERIOD_SECONDS, PERIODS_PER_DAY, PERIODS_PER_HOUR, Period, Span};
pub use plan::{
    CloudWatchPlan, DaemonPlan, HeartbeatPlan, Labelling, LogPlan, Plan, RolePlan, Route, Routes, SourcePlan,
};
pub use reading::{Reading, Row, Statistics};
pub use rule::{EstimatorChoice, Learning, Method, MissingData, Mode, Rule, TicketRule};
pub use secret::Secret;
pub use series::{ParseSeriesError, Series, UNKNOWN_ACCOUNT};
pub use silence::Silence;
pub use source::{Failure, MetricSet, ReadAnswer, ReadRequest, Source, SourceError};
pub use source_state::{OpenSourceTicket, RegionState, SourceState, Trouble};
pub use source_ticket::{SourceAct, SourceClosed, SourceTicket};
pub use state::{AlarmState, OpenTicket, SeriesState, Transition};
pub use ticket::{Cause, Ticket, TicketAction};
