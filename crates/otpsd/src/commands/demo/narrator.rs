//! Tells the story on the terminal: what happened, what was polled, what changed, who was told what.

use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;
use std::time::Duration;

use anstream::{print, println};
use anstyle::{AnsiColor, Style};
use domain::{AlarmState, Key, NoticeKind, Owed, OwedState, Period, Series};
use jiff::Timestamp;
use simulator::loopback::CallTotals;
use web::Snapshot;

use super::stage::Stage;

pub(super) const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const RED: Style = AnsiColor::Red.on_default().bold();
const GREEN: Style = AnsiColor::Green.on_default().bold();
const YELLOW: Style = AnsiColor::Yellow.on_default().bold();
const BLUE: Style = AnsiColor::Cyan.on_default();
/// The channel whose body is the text for people.
const TEXT_CHANNEL: &str = "log.terminal";
/// What was polled is told this often, by the clock of the story.
const HOURS_BETWEEN_POLL_LINES: i64 = 6;

pub(super) struct Narrator<'a> {
    stage: &'a Stage,
    page: SocketAddr,
    loopback: String,
    last_look: Timestamp,
    states: BTreeMap<Series, AlarmState>,
    told: BTreeSet<(Key, NoticeKind)>,
    polled_hour: i64,
    calls: (u64, u64),
}

impl<'a> Narrator<'a> {
    pub(super) fn new(stage: &'a Stage, page: SocketAddr, loopback: &str) -> Self {
        Self {
            stage,
            page,
            loopback: loopback.to_owned(),
            last_look: stage.begins(),
            states: BTreeMap::new(),
            told: BTreeSet::new(),
            polled_hour: 0,
            calls: (0, 0),
        }
    }

    pub(super) fn introduce(&self) {
        println!("{BOLD}otpsd demo{BOLD:#}: a day and a half of six models, every request simulated.");
        println!(
            "The daemon, its AWS clients and its store are the real ones. CloudWatch, SNS and PagerDuty"
        );
        println!("are stand-ins on {}. No credentials, no network.", self.loopback);
        println!("Status page while it plays: {BOLD}http://{}/{BOLD:#}\n", self.page);
    }

    /// The history has been read and learned.
    pub(super) fn learned(&mut self, snapshot: &Snapshot, took: Duration, calls: &[CallTotals]) {
        let datapoints: u64 = calls.iter().map(|total| total.datapoints).sum();
        self.calls = read(calls);
        self.line(
            self.stage.begins(),
            BLUE,
            "history",
            &format!(
                "35 days of {} models from CloudWatch: {datapoints} datapoints in {:.1} s",
                snapshot.series.len(),
                took.as_secs_f64()
            ),
        );
        for status in &snapshot.series {
            let usual = status.current().and_then(|slot| slot.baseline);
            let usual =
                usual.map_or_else(|| "learning".to_owned(), |usual| format!("usually {usual:.0} tokens/s"));
            self.line(self.stage.begins(), DIM, "", &format!("{:<32} {usual}", status.series.model()));
            self.states.insert(status.series.clone(), status.state);
        }
        // Creep that stood when the history ended is told with it.
        self.messages(snapshot);
    }

    /// Tells what is new.
    pub(super) fn look(&mut self, now: Timestamp, snapshot: &Snapshot, calls: &[CallTotals]) {
        for event in self.stage.events() {
            let (from, until) = (event.from.start(), event.until.start());
            if self.last_look < from && from <= now {
                self.line(from, BOLD, "story", &format!("{}: {}", event.series.model(), event.describe()));
            }
            if self.last_look < until && until <= now && until < self.stage.end() {
                self.line(until, BOLD, "story", &format!("{}: as before again", event.series.model()));
            }
        }
        self.last_look = self.last_look.max(now);
        for status in &snapshot.series {
            let before = self.states.insert(status.series.clone(), status.state);
            if let Some(before) = before.filter(|before| *before != status.state) {
                let text = format!("{}: {before} -> {}", status.series.model(), status.state);
                self.line(status.since.end(), BLUE, "state", &text);
            }
        }
        self.messages(snapshot);
        self.polled(now, snapshot, calls);
    }

    /// Messages that every receiver has taken.
    fn messages(&mut self, snapshot: &Snapshot) {
        let mut by_notice: BTreeMap<(Key, NoticeKind), Vec<&Owed>> = BTreeMap::new();
        for owed in &snapshot.messages {
            by_notice.entry((owed.message.key.clone(), owed.message.kind)).or_default().push(owed);
        }
        for (notice, all) in by_notice {
            let delivered = all.iter().all(|owed| matches!(owed.state, OwedState::Delivered(_)));
            if !delivered || !self.told.insert(notice.clone()) {
                continue;
            }
            let (style, word) = match notice.1 {
                NoticeKind::Page => (RED, "PAGE"),
                NoticeKind::Resolve => (GREEN, "resolve"),
                NoticeKind::Ticket(_) => (YELLOW, "ticket"),
            };
            let to: Vec<&str> = all.iter().map(|owed| owed.message.channel.as_str()).rev().collect();
            let Some(text) = all.iter().find(|owed| owed.message.channel == TEXT_CHANNEL) else { continue };
            self.line(text.message.created, style, word, &format!("to {}", to.join(", ")));
            for line in text.message.body.lines() {
                println!("{style}{:>18} |{style:#} {line}", "");
            }
        }
    }

    fn polled(&mut self, now: Timestamp, snapshot: &Snapshot, calls: &[CallTotals]) {
        let hour = Period::containing(now).index() / 12 / HOURS_BETWEEN_POLL_LINES;
        if hour == self.polled_hour {
            return;
        }
        self.polled_hour = hour;
        let (made, billed) = read(calls);
        let (more, metrics) = (made - self.calls.0, billed - self.calls.1);
        if more > 0 {
            let judged = snapshot.series.iter().map(|status| status.judged_through).min();
            let judged = judged.map(|period| clock(period.end())).unwrap_or_default();
            self.line(
                now,
                DIM,
                "polled",
                &format!("{more} calls, {metrics} metrics; all judged up to {judged}"),
            );
        }
        self.calls = (made, billed);
    }

    pub(super) fn stopped(&self) {
        println!("\nstopped");
    }

    fn line(&self, time: Timestamp, style: Style, word: &str, text: &str) {
        print!("{DIM}{:<9}{DIM:#} {style}{word:<8}{style:#} ", clock(time));
        println!("{text}");
    }
}

/// Calls to CloudWatch, and metrics as it bills them.
fn read(calls: &[CallTotals]) -> (u64, u64) {
    let cloudwatch =
        calls.iter().filter(|total| matches!(total.operation.as_str(), "GetMetricData" | "ListMetrics"));
    cloudwatch.fold((0, 0), |(calls, billed), total| (calls + total.calls, billed + total.billed_metrics))
}

/// `Mon 03:15`.
fn clock(time: Timestamp) -> String {
    let civil = time.to_zoned_datetime(jiff::tz::TimeZone::UTC);
    let day = match civil.weekday() {
        jiff::civil::Weekday::Monday => "Mon",
        jiff::civil::Weekday::Tuesday => "Tue",
        jiff::civil::Weekday::Wednesday => "Wed",
        jiff::civil::Weekday::Thursday => "Thu",
        jiff::civil::Weekday::Friday => "Fri",
        jiff::civil::Weekday::Saturday => "Sat",
        jiff::civil::Weekday::Sunday => "Sun",
    };
    format!("{day} {:02}:{:02}", civil.hour(), civil.minute())
}
