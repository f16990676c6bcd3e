//! Tasks that are started in order and ended in the reverse one.

use std::future::Future;
use std::time::Duration;

use tokio::task::JoinHandle;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// However long tasks would like to go on. What is cut off then is written down, and goes on after the next start.
pub(crate) const LONGEST_STOP: Duration = Duration::from_secs(7);
/// What every task is given all the same: one that hangs must not keep the others from ending in order.
const LEAST_STOP: Duration = Duration::from_millis(200);

/// Tasks in the order in which they were started.
#[derive(Debug, Default)]
pub(crate) struct Stages {
    tasks: Vec<Task>,
}

#[derive(Debug)]
struct Task {
    name: &'static str,
    stop: CancellationToken,
    handle: JoinHandle<()>,
}

impl Stages {
    /// Starts a task. It is to end soon after its token is cancelled.
    pub(crate) fn start<F>(&mut self, name: &'static str, task: impl FnOnce(CancellationToken) -> F)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let stop = CancellationToken::new();
        let handle = tokio::spawn(task(stop.clone()));
        self.tasks.push(Task { name, stop, handle });
    }

    /// Ends them, the last one first, each before the next is told.
    pub(crate) async fn stop(self) {
        let deadline = Instant::now() + LONGEST_STOP;
        for mut task in self.tasks.into_iter().rev() {
            task.stop.cancel();
            let until = deadline.max(Instant::now() + LEAST_STOP);
            match tokio::time::timeout_at(until, &mut task.handle).await {
                Ok(Ok(())) => {}
                Ok(Err(error)) => tracing::error!(task = task.name, %error, "a task had failed"),
                Err(_) => {
                    tracing::warn!(task = task.name, "a task did not end in time and is cut off");
                    task.handle.abort();
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn the_last_one_ends_first_and_one_that_hangs_is_cut_off() {
        let ended = Arc::new(Mutex::new(Vec::new()));
        let mut stages = Stages::default();
        for name in ["first", "second"] {
            let ended = Arc::clone(&ended);
            stages.start(name, |stop| async move {
                stop.cancelled().await;
                ended.lock().unwrap().push(name);
            });
        }
        stages.start("hangs", |_| std::future::pending());
        let before = Instant::now();
        stages.stop().await;
        let took = before.elapsed();
        assert!((LONGEST_STOP..LONGEST_STOP + Duration::from_millis(5)).contains(&took), "{took:?}");
        assert_eq!(*ended.lock().unwrap(), ["second", "first"]);
    }
}
