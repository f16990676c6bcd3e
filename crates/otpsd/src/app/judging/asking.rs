//! What people say to the daemon: silences, and levels that they accept.

use domain::{Acceptance, AuditRecord, Commit, LedgerError, Series, Silence};
use evaluator::{Effect, Input};
use jiff::Timestamp;

use super::Judging;

/// So many series are named.
const MOST_NAMED: usize = 10;

impl Judging {
    /// The silences that hold at `now`, or will.
    pub(crate) fn silences(&self, now: Timestamp) -> impl Iterator<Item = &Silence> {
        self.silences.iter().filter(move |silence| now < silence.until)
    }

    /// What a matcher is about, of the series that are watched, in words.
    pub(crate) fn matching(&self, matcher: &domain::Matcher) -> Vec<String> {
        let cause = matcher.causes.first().map_or(domain::PAGE_CAUSE, String::as_str);
        let is_meant = |series: &&Series| {
            let (labels, regions) = (self.plan.labels_of(series), [series.region()]);
            let about = domain::About { series: Some(series), regions: &regions, cause, labels: &labels };
            matcher.takes(&about)
        };
        let all = self.engine.series().count();
        let meant: Vec<&Series> = self.engine.series().filter(is_meant).collect();
        let count = format!("it is about {} of {all} series", meant.len());
        match meant.len() {
            0 => vec![format!(
                "{count}: look at the globs, which must match the whole of a name, such as \"*sonnet*\""
            )],
            1..=MOST_NAMED => {
                std::iter::once(count).chain(meant.into_iter().map(Series::to_string)).collect()
            }
            _ => vec![count],
        }
    }

    /// Adds a silence, or replaces the one of the same id. It is written down before it is answered.
    pub(crate) async fn silence(
        &mut self,
        now: Timestamp,
        silence: Silence,
        who: &str,
        act: &str,
    ) -> Result<(), LedgerError> {
        let detail = format!("{} until {}: {}", about(&silence.matcher), silence.until, silence.comment);
        let audit = audit(now, who, act, &silence.id, detail);
        self.silences.retain(|one| one.id != silence.id && now < one.until);
        self.silences.push(silence.clone());
        self.add(Commit { silences: vec![silence], audit: vec![audit], ..Commit::default() });
        // One that ends may let something be told.
        self.tell(now, &[]);
        self.write(now).await
    }

    /// Ends what is open of series that no source of the configuration watches any more, and forgets them.
    pub(crate) fn unwatch(&mut self, now: Timestamp) {
        let is_unwatched = |series: &&Series| !self.sources.could_watch(series);
        let unwatched: Vec<Series> = self.engine.series().filter(is_unwatched).cloned().collect();
        for series in unwatched {
            let effects = self.engine.step(now, Input::Unwatch { series: &series });
            let states = self.engine.state(&series).cloned().into_iter().collect();
            if !effects.is_empty() {
                let detail =
                    "no source of the configuration watches it any more: what was open is closed".to_owned();
                let audit = audit(now, "otpsd", "configuration", &series.to_string(), detail);
                self.add(Commit { states, audit: vec![audit], ..Commit::default() });
                self.record(now, &effects);
                self.tell(now, &effects);
            }
            self.engine.forget(&series);
        }
    }

    /// The store was damaged, and begun anew.
    pub(crate) fn rebuilt(&mut self, now: Timestamp, rebuilt: &web::snapshot::StoreRebuilt) {
        let audit = audit(now, "otpsd", "store_rebuilt", &rebuilt.set_aside, rebuilt.why.clone());
        self.add(Commit { audit: vec![audit], ..Commit::default() });
    }

    /// What a series still needs before it can page, if it is going to be LEARNING.
    pub(crate) fn learning(&self, series: &Series) -> Option<String> {
        let progress = self.engine.progress(series);
        let (days, needed) =
            (progress.periods as f64 / domain::PERIODS_PER_DAY as f64, self.plan.learning.min_days);
        (days < f64::from(needed) || progress.datapoints < self.plan.learning.min_datapoints).then(|| {
            format!(
                "it is LEARNING until it has {needed} days of the new level ({days:.1} by now): before that nothing pages, unless \
                 `page-below-otps` is set"
            )
        })
    }

    /// Takes the level of a series for the new normal. Gives what followed.
    pub(crate) async fn accept(
        &mut self,
        now: Timestamp,
        series: &Series,
        acceptance: &Acceptance,
    ) -> Result<Vec<Effect>, LedgerError> {
        let effects = self.engine.step(now, Input::Accept { series, acceptance });
        let states = self.engine.state(series).cloned().into_iter().collect();
        let audit = audit(now, &acceptance.who, "accept", &series.to_string(), acceptance.why.clone());
        self.add(Commit { states, audit: vec![audit], ..Commit::default() });
        self.record(now, &effects);
        let told = self.adopting.pass(&effects, false);
        self.tell(now, &told);
        self.write(now).await?;
        Ok(effects)
    }
}

fn audit(at: Timestamp, who: &str, act: &str, subject: &str, detail: String) -> AuditRecord {
    AuditRecord { at, who: who.to_owned(), act: act.to_owned(), subject: subject.to_owned(), detail }
}

/// A matcher in a line: `model *haiku*, region us-east-1`.
pub(crate) fn about(matcher: &domain::Matcher) -> String {
    let lists = [
        ("model", &matcher.models),
        ("account", &matcher.accounts),
        ("region", &matcher.regions),
        ("cause", &matcher.causes),
    ];
    let mut parts: Vec<String> = lists
        .into_iter()
        .filter(|(_, globs)| !globs.is_empty())
        .map(|(name, globs)| format!("{name} {}", globs.join(" or ")))
        .collect();
    parts.extend(matcher.labels.iter().map(|(key, glob)| format!("label {key} {glob}")));
    if parts.is_empty() { "everything".to_owned() } else { parts.join(", ") }
}
