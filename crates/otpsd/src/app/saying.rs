//! What people say to the daemon over the control socket: silences, and levels that they accept.

use std::sync::Arc;

use domain::{Acceptance, Cause, Key, Matcher, PAGE_CAUSE, Silence};
use evaluator::Effect;
use jiff::{SignedDuration, Timestamp};
use tokio::sync::{Mutex, Notify};

use super::clock::Clock;
use super::control::{Answer, Request, SilenceLine};
use super::judging::Judging;
use super::reloading::Reloading;
use crate::explained::which::which;

/// Silences that hold at once; whoever needs more needs a maintenance window.
const MOST_SILENCES: usize = 1_000;
/// Longer names, comments and reasons are a mistake.
const LONGEST_TEXT: usize = 1_000;

/// What is needed to answer.
#[derive(Clone)]
pub(crate) struct Saying {
    pub(crate) judging: Arc<Mutex<Judging>>,
    pub(crate) reloading: Option<Reloading>,
    pub(crate) clock: Clock,
    /// There is something new to show.
    pub(crate) changed: Arc<Notify>,
}

impl Saying {
    /// The answer to `silence_add`.
    pub(crate) async fn silence_add(&self, request: Request) -> Answer {
        let Some(line) = request.silence else {
            return Answer::refused(
                "`silence_add` has no `silence`",
                "say what is to be silent, until when and why",
            );
        };
        let now = self.clock.now();
        let silence = match silence(&line, now) {
            Ok(silence) => silence,
            Err((error, hint)) => return Answer::refused(error, hint),
        };
        let mut judging = self.judging.lock().await;
        if judging.silences(now).count() >= MOST_SILENCES {
            return Answer::refused(
                format!("there are {MOST_SILENCES} silences already"),
                "expire some, or write a `[maintenance.NAME]` window",
            );
        }
        let author = silence.author.clone();
        let matching = judging.matching(&silence.matcher);
        let written = judging.silence(now, silence.clone(), &author, "silence_add").await;
        drop(judging);
        self.changed.notify_one();
        let answer = Answer { done: Some(matching), ..Answer::silences(vec![SilenceLine::of(&silence)]) };
        match written {
            Ok(()) => answer,
            Err(error) => not_written(answer, &error),
        }
    }

    /// The answer to `silence_list`.
    pub(crate) async fn silence_list(&self) -> Answer {
        let judging = self.judging.lock().await;
        Answer::silences(judging.silences(self.clock.now()).map(SilenceLine::of).collect())
    }

    /// The answer to `silence_expire`.
    pub(crate) async fn silence_expire(&self, request: Request) -> Answer {
        let (Some(id), Some(who)) = (request.id, request.who) else {
            return Answer::refused(
                "`silence_expire` needs `id` and `who`",
                "otpsd silence list shows the ids",
            );
        };
        let now = self.clock.now();
        let mut judging = self.judging.lock().await;
        let Some(silence) = judging.silences(now).find(|one| one.id == id).cloned() else {
            let hint = "it may have ended; `otpsd silence list` shows those that hold".to_owned();
            return Answer::no("unknown_silence", format!("there is no silence `{id}`"), Some(hint));
        };
        let silence = Silence { from: silence.from.min(now), until: now, ..silence };
        let written = judging.silence(now, silence.clone(), &who, "silence_expire").await;
        drop(judging);
        self.changed.notify_one();
        let answer = Answer::silences(vec![SilenceLine::of(&silence)]);
        match written {
            Ok(()) => answer,
            Err(error) => not_written(answer, &error),
        }
    }

    /// The answer to `reload`.
    pub(crate) fn reload(&self) -> Answer {
        let Some(reloading) = &self.reloading else {
            return Answer::refused("this daemon has no configuration of its own", "it is a demo");
        };
        match reloading.read(self.clock.now()) {
            Ok(()) => Answer::done(vec!["the configuration is valid, and is taken up".to_owned()]),
            Err(problems) => {
                self.changed.notify_one();
                Answer::no(
                    "invalid_configuration",
                    problems.trim_end(),
                    Some("the one before holds".to_owned()),
                )
            }
        }
    }

    /// The answer to `accept`.
    pub(crate) async fn accept(&self, request: Request) -> Answer {
        let (Some(wanted), Some(who), Some(why)) = (request.series, request.who, request.why) else {
            return Answer::refused(
                "`accept` needs `series`, `who` and `why`",
                "a level is accepted by somebody, for a reason",
            );
        };
        if let Err((error, hint)) = text("who", &who).and_then(|()| text("why", &why)) {
            return Answer::refused(error, hint);
        }
        let now = self.clock.now();
        let mut judging = self.judging.lock().await;
        let series = match which(judging.engine().series(), &wanted) {
            Ok(series) => series.clone(),
            Err(not_one) => return Answer::no(not_one.no, not_one.message, not_one.hint),
        };
        let done = judging.accept(now, &series, &Acceptance { who, why }).await;
        let learning = judging.learning(&series);
        drop(judging);
        self.changed.notify_one();
        match done {
            Ok(effects) => {
                let mut lines = vec![format!("{series}: the level of now is the new normal")];
                lines.extend(effects.iter().filter_map(followed));
                lines.extend(learning);
                if effects.is_empty() {
                    lines.push(
                        "it had no incident, so that only what slow erosion is compared with moves"
                            .to_owned(),
                    );
                }
                Answer::done(lines)
            }
            Err(error) => not_written(
                Answer::done(vec![format!("{series}: the level of now is the new normal")]),
                &error,
            ),
        }
    }
}

/// What followed from an acceptance, in a line.
fn followed(effect: &Effect) -> Option<String> {
    match effect {
        Effect::Resolve(resolve) => Some(format!("its incident {} is resolved", resolve.incident.key)),
        Effect::Ticket(ticket) => Some(format!("its ticket {} ({}) is closed", ticket.key, ticket.cause)),
        _ => None,
    }
}

/// It is done, and could not be written down yet.
fn not_written(answer: Answer, error: &domain::LedgerError) -> Answer {
    let hint = "it holds, and writing is tried again; a restart before that forgets it".to_owned();
    Answer { error: Some(format!("it is not written down yet: {error}")), hint: Some(hint), ..answer }
}

/// What is wrong, and what to do about it.
type Wrong = (String, &'static str);

fn text(name: &str, value: &str) -> Result<(), Wrong> {
    if value.trim().is_empty() {
        return Err((format!("`{name}` is empty"), "whoever reads it later wants to know"));
    }
    if value.chars().count() > LONGEST_TEXT || value.chars().any(|c| c.is_control() && c != '\n') {
        return Err((
            format!("`{name}` is longer than {LONGEST_TEXT} characters, or no plain text"),
            "shorten it",
        ));
    }
    Ok(())
}

fn time(name: &str, value: &str) -> Result<Timestamp, Wrong> {
    value.parse().map_err(|_| (format!("`{name}` is not a time"), "write it such as 2026-10-15T18:20:00Z"))
}

/// The silence that a request asks for.
fn silence(line: &SilenceLine, now: Timestamp) -> Result<Silence, Wrong> {
    text("author", &line.author)?;
    text("comment", &line.comment)?;
    let from = line.from.as_deref().map_or(Ok(now), |from| time("from", from))?;
    let until = match line.for_seconds {
        Some(seconds) => from.saturating_add(SignedDuration::from_secs(seconds)).unwrap_or(Timestamp::MAX),
        None => time("until", &line.until)?,
    };
    if until <= now || until <= from {
        return Err((format!("it ends at {until}, which is over"), "give an end that is still to come"));
    }
    let causes = || Cause::ALL.iter().map(|cause| cause.as_str()).chain([PAGE_CAUSE]);
    if let Some(unknown) = line.causes.iter().find(|cause| !causes().any(|known| known == cause.as_str())) {
        return Err((
            format!("there is no cause `{unknown}`"),
            "a page has the cause `otps_drop`; docs/reference/recording.md lists those of tickets",
        ));
    }
    let matcher = Matcher {
        models: line.models.clone(),
        accounts: line.accounts.clone(),
        regions: line.regions.clone(),
        causes: line.causes.clone(),
        labels: line.labels.clone(),
    };
    let id =
        Key::from_parts(&["silence", &format!("{matcher:?}"), &line.author, &line.comment, &now.to_string()]);
    let id = id.as_str().trim_start_matches("otpsd-").chars().take(8).collect();
    Ok(Silence { id, matcher, author: line.author.clone(), comment: line.comment.clone(), from, until })
}

impl SilenceLine {
    /// As it is shown.
    pub(crate) fn of(silence: &Silence) -> Self {
        let matcher = &silence.matcher;
        Self {
            id: silence.id.clone(),
            models: matcher.models.clone(),
            accounts: matcher.accounts.clone(),
            regions: matcher.regions.clone(),
            causes: matcher.causes.clone(),
            labels: matcher.labels.clone(),
            author: silence.author.clone(),
            comment: silence.comment.clone(),
            from: Some(silence.from.to_string()),
            until: silence.until.to_string(),
            for_seconds: None,
        }
    }

    /// What it is about, in a line.
    pub(crate) fn about(&self) -> String {
        super::judging::about(&Matcher {
            models: self.models.clone(),
            accounts: self.accounts.clone(),
            regions: self.regions.clone(),
            causes: self.causes.clone(),
            labels: self.labels.clone(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line() -> SilenceLine {
        SilenceLine {
            models: vec!["*haiku*".to_owned()],
            author: "ada".to_owned(),
            comment: "load test".to_owned(),
            until: "2026-12-01T04:00:00Z".to_owned(),
            ..SilenceLine::default()
        }
    }

    fn now() -> Timestamp {
        "2026-12-01T02:00:00Z".parse().unwrap()
    }

    #[test]
    fn a_silence_begins_now_and_has_a_name() {
        let one = silence(&line(), now()).unwrap();
        assert_eq!((one.from, one.until.to_string().as_str()), (now(), "2026-12-01T04:00:00Z"));
        assert_eq!(one.id.len(), 8);
        assert!(one.id.chars().all(|c| c.is_ascii_hexdigit()));
        assert_eq!(SilenceLine::of(&one).about(), "model *haiku*");
    }

    #[test]
    fn a_silence_that_says_nothing_is_refused() {
        for (broken, error) in [
            (SilenceLine { comment: " ".to_owned(), ..line() }, "`comment` is empty"),
            (SilenceLine { author: String::new(), ..line() }, "`author` is empty"),
            (SilenceLine { until: "later".to_owned(), ..line() }, "`until` is not a time"),
            (
                SilenceLine { until: "2026-12-01T01:00:00Z".to_owned(), ..line() },
                "it ends at 2026-12-01T01:00:00Z, which is over",
            ),
            (SilenceLine { causes: vec!["slow".to_owned()], ..line() }, "there is no cause `slow`"),
        ] {
            assert_eq!(silence(&broken, now()).unwrap_err().0, error);
        }
    }
}
