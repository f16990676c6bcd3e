//! A drop that is not there: the figures of a test page.

use domain::{
    Cause, ChannelPlan, Estimator, Evidence, Group, GroupPage, GroupResolve, Incident, Key, Member, Otps,
    OtpsDrop, Page, PageState, Period, Resolve, Rule, Series, Slot, Terms, Ticket, TicketAction, Verdict,
};
use jiff::Timestamp;

/// Tokens per second that are usual,
const USUAL: f64 = 60.0;
/// and in a period that breaches.
const SLOW: f64 = 39.0;
/// Output tokens, and milliseconds to the first one.
const TOKENS: f64 = 400.0;
const TTFT: f64 = 900.0;

/// What is sent about a series.
pub(super) struct Sample {
    page: Page,
    key: Key,
    told: Timestamp,
}

impl Sample {
    /// The key is of this one test: no real incident ever has it, and a second test is not taken for the first.
    pub(super) fn of(series: &Series, told: Timestamp) -> Self {
        let newest = Period::last_ended(told);
        let ratios = [1.0, 0.98, SLOW / USUAL, SLOW / USUAL, SLOW / USUAL];
        let slots =
            ratios.into_iter().zip(0_i64..).map(|(ratio, place)| slot(newest - 4 + place, ratio)).collect();
        let evidence = Evidence {
            now: terms(SLOW),
            usual: terms(USUAL),
            slots,
            line: Some(Rule::default().page_below),
            m_of_n: (0, 0),
            findings: Vec::new(),
            learned_from: None,
        };
        let drop =
            OtpsDrop::observe(series.clone(), &Rule::default(), evidence).expect("three slots that breach");
        let key = Key::from_parts(&["test", &series.to_string(), &told.to_string()]);
        Self { page: Page::open(drop, newest), key, told }
    }

    fn state(&self, channel: &ChannelPlan) -> PageState {
        let Incident { series, onset, opened, worst, key } = self.page.incident().clone();
        PageState {
            key: self.key.clone(),
            channel: channel.name(),
            receiver: channel.receiver(),
            group: Group::from_text(series.to_string()),
            opened,
            told: self.told,
            summary: String::new(),
            members: vec![Member {
                incident: key,
                series,
                onset,
                opened,
                joined: self.told,
                worst,
                recovered: None,
                resolved: None,
            }],
            held_told: false,
            closed: None,
        }
    }

    pub(super) fn page(&self, channel: &ChannelPlan) -> GroupPage {
        GroupPage { state: self.state(channel), pages: vec![self.page.clone()] }
    }

    pub(super) fn resolve(&self, channel: &ChannelPlan) -> GroupResolve {
        let incident = self.page.incident().clone();
        let over = incident.opened + 3;
        let mut state = self.state(channel);
        for member in &mut state.members {
            (member.recovered, member.resolved) = (Some(incident.opened + 1), Some(over));
        }
        state.closed = Some(over.end());
        let slots = (1..=3).map(|later| slot(incident.opened + later, 1.0)).collect();
        let last = Resolve {
            recovered: incident.opened + 1,
            incident,
            resolved: over,
            slots,
            accepted: None,
            unwatched: false,
        };
        GroupResolve { state, last }
    }

    pub(super) fn ticket(&self, cause: Cause, is_end: bool) -> Ticket {
        let incident = self.page.incident();
        Ticket {
            series: incident.series.clone(),
            cause,
            action: if is_end { TicketAction::Closed } else { TicketAction::Opened },
            opened: incident.opened,
            decided: incident.opened,
            key: self.key.clone(),
            usual: terms(USUAL),
            now: terms(USUAL),
            days: (0, 0),
            findings: Vec::new(),
        }
    }
}

fn slot(period: Period, ratio: f64) -> Slot {
    let otps = USUAL * ratio;
    Slot {
        period,
        verdict: if ratio < Rule::default().page_below { Verdict::Breaching } else { Verdict::Within },
        estimator: Estimator::P50,
        otps: Some(Otps { p50: Some(otps), token_weighted: Some(otps) }),
        baseline: Some(USUAL),
        noise: Some(0.03),
        samples: 200.0,
        window: 1,
    }
}

fn terms(otps: f64) -> Terms {
    Terms {
        otps_p50: Some(otps),
        otps_token_weighted: Some(otps),
        latency_ms: TTFT + TOKENS / otps * 1_000.0,
        ttft_ms: TTFT,
        output_tokens: TOKENS,
        streaming_share: 1.0,
        samples: 200.0,
        ..Terms::default()
    }
}
