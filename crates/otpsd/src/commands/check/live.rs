//! Everybody is asked at once: one that hangs holds up nobody but the end.

use std::time::Duration;

use anyhow::Result;
use domain::{ChannelPlan, DaemonPlan, HeartbeatPlan, Plan, Secret, SourcePlan};
use notifier::probe::{self, Answered, Unanswered};
use tokio::task::JoinSet;

use super::answers::{Answer, Answers};
use super::source;
use crate::commands::runtime;

/// However often something is tried again.
const LONGEST: Duration = Duration::from_secs(90);

/// Asks every source in each of its Regions, every channel and every heartbeat.
pub(super) fn ask(plan: &Plan) -> Result<Answers> {
    let runtime = runtime()?;
    let answers = runtime.block_on(async {
        let mut asked = Asked::default();
        for SourcePlan::CloudWatch(source) in &plan.sources {
            for place in source::places(source).await {
                let (what, table) = (place.what(), place.table());
                asked.begin(what, table, async move { place.ask().await });
            }
        }
        for channel in &plan.channels {
            let (what, table) =
                (format!("channel {}", channel.name()), format!("channel.{}", channel.name()));
            let channel: ChannelPlan = channel.clone();
            asked.begin(what, table, async move { probe::probe(&channel).await });
        }
        heartbeats(plan, &mut asked);
        asked.end().await
    });
    // Whoever still hangs is not waited for.
    runtime.shutdown_background();
    Ok(answers)
}

fn heartbeats(plan: &Plan, asked: &mut Asked) {
    let DaemonPlan { heartbeat_url, .. } = &plan.daemon;
    let of_daemon = heartbeat_url.iter().map(|url| ("heartbeat".to_owned(), "daemon".to_owned(), url));
    let of_sources = plan.sources.iter().filter_map(|SourcePlan::CloudWatch(source)| {
        let what = format!("heartbeat of source {}", source.name);
        Some((what, format!("source.cloudwatch.{}", source.name), source.heartbeat_url.as_ref()?))
    });
    for (what, table, url) in of_daemon.chain(of_sources) {
        let url: Secret = url.clone();
        asked.begin(what, table, async move {
            let origin = probe::reach(url.expose()).await?;
            let not_checked = Some("its path: only a sign of life would tell".to_owned());
            Ok(Answered { said: format!("{origin} answers"), not_checked })
        });
    }
    if let Some(heartbeat) = &plan.heartbeat {
        let heartbeat: HeartbeatPlan = heartbeat.clone();
        let (what, table) = ("heartbeat in CloudWatch".to_owned(), "heartbeat.cloudwatch".to_owned());
        asked.begin(what, table, async move { probe::probe_heartbeat(&heartbeat).await });
    }
}

/// Questions that are under way.
#[derive(Default)]
struct Asked {
    asked: Vec<(String, String)>,
    answers: JoinSet<(usize, Result<Answered, Unanswered>)>,
}

impl Asked {
    fn begin(
        &mut self,
        what: String,
        table: String,
        act: impl Future<Output = Result<Answered, Unanswered>> + Send + 'static,
    ) {
        let place = self.asked.len();
        self.asked.push((what, table));
        self.answers.spawn(async move {
            let answer = tokio::time::timeout(LONGEST, act).await;
            (place, answer.unwrap_or_else(|_| Err(late())))
        });
    }

    /// All answers, in the order of the questions.
    async fn end(mut self) -> Answers {
        let mut answers = Vec::new();
        while let Some(answer) = self.answers.join_next().await {
            // A task that panicked is a fault of this program: it ends here as it would have without tasks.
            answers.push(answer.unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic())));
        }
        answers.sort_by_key(|(place, _)| *place);
        let all = self.asked.into_iter().zip(answers);
        Answers(all.map(|((what, table), (_, outcome))| Answer { what, table, outcome }).collect())
    }
}

fn late() -> Unanswered {
    Unanswered {
        message: format!("no answer within {} s", LONGEST.as_secs()),
        hint: Some("look at the network, and at what stands between".to_owned()),
    }
}
