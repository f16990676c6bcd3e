//! Who is watched, and how much is read of it.

use domain::{Cause, Thrift};

use super::*;

impl World {
    /// The configuration of the source, between two polls.
    fn plan(&mut self) -> &mut CloudWatchPlan {
        &mut Arc::get_mut(&mut self.poll).expect("no read is under way").plan
    }

    async fn gaps(&self) -> Vec<Cause> {
        self.poll.judging.lock().await.gaps("main").map(|open| open.gap.cause()).collect()
    }

    async fn left_out(&self) -> Vec<String> {
        let judging = self.poll.judging.lock().await;
        judging.left_out(&self.poll.place).iter().map(|one| one.series.model().to_owned()).collect()
    }

    async fn thrift(&self) -> Thrift {
        self.poll.judging.lock().await.thrift("main")
    }

    fn count_of(&self, metrics: MetricSet) -> usize {
        self.source.asked.lock().unwrap().iter().filter(|request| request.metrics == metrics).count()
    }
}

#[tokio::test]
async fn little_traffic_is_not_taken_up_and_counted_again_once_an_hour() {
    let mut world = World::new(&["a"]);
    // 288 periods of 200 requests are 57,600.
    world.plan().min_daily_requests = 57_601;
    world.poll(noon()).await;
    assert_eq!((world.count_of(MetricSet::Traffic), world.judged("a").await), (1, None));
    assert_eq!(world.gaps().await, [], "that is no gap");
    for k in 1..12 {
        world.poll(noon() + k).await;
        assert_eq!(world.count_of(MetricSet::Traffic), 0);
    }
    world.plan().min_daily_requests = 57_600;
    world.poll(noon() + 12).await;
    assert_eq!(world.asked()[0], read("a", 13 - PERIODS_PER_DAY, 12), "counted");
    assert_eq!(world.judged("a").await, Some(12));
}

#[tokio::test]
async fn no_more_are_watched_than_may_be_and_the_others_are_named() {
    let mut world = World::new(&["b", "a", "pinned"]);
    world.plan().max_series = 2;
    world.plan().expect = vec!["pin*".to_owned()];
    world.poll(noon()).await;
    assert_eq!(world.left_out().await, ["b"], "as many requests as `a`, and a later name");
    assert_eq!(world.gaps().await, [Cause::SeriesLimit]);
    assert_eq!((world.judged("a").await, world.judged("pinned").await), (Some(0), Some(0)));
    assert_eq!(world.judged("b").await, None);
    // What is watched stays so, though CloudWatch does not list it any more; what must be listed is missed.
    *world.source.models.lock().unwrap() = Ok(vec!["b"]);
    world.poll(noon() + 3).await;
    assert_eq!(world.left_out().await, ["b"]);
    assert_eq!(world.gaps().await, [Cause::SeriesLimit, Cause::ModelMissing]);
    assert_eq!(world.judged("pinned").await, Some(3));
    world.plan().max_series = 3;
    *world.source.models.lock().unwrap() = Ok(vec!["a", "b", "pinned"]);
    world.poll(noon() + 6).await;
    assert_eq!(world.gaps().await, []);
    assert_eq!(world.judged("b").await, Some(6));
}

#[tokio::test]
async fn a_region_that_cannot_be_asked_proves_nothing() {
    let mut world = World::new(&["a"]);
    world.plan().expect = vec!["b".to_owned()];
    *world.source.models.lock().unwrap() = Err(Failure::Denied);
    world.poll(noon()).await;
    assert_eq!(world.gaps().await, []);
    *world.source.models.lock().unwrap() = Ok(vec!["a"]);
    world.poll(noon() + 1).await;
    assert_eq!(world.gaps().await, [Cause::ModelMissing]);
}

/// 30.5 days of a series are 8,784 polls at 3 metrics, $0.2635, and 732 hours at 7, $0.0512.
#[tokio::test]
async fn what_explains_is_shed_first() {
    let mut world = World::new(&["a"]);
    world.plan().max_monthly_usd = Some(0.28);
    world.poll(noon()).await;
    assert_eq!((world.thrift().await, world.gaps().await), (Thrift::Diagnosis, vec![Cause::CostLimit]));
    for k in 1..=13 {
        world.poll(noon() + k).await;
        assert_eq!((world.count_of(MetricSet::Diagnosis), world.judged("a").await), (0, Some(k)));
    }
    world.plan().max_monthly_usd = Some(0.4);
    world.poll(noon() + 14).await;
    assert_eq!((world.thrift().await, world.gaps().await), (Thrift::None, Vec::new()));
    world.poll(noon() + 15).await;
    assert_eq!(world.count_of(MetricSet::Diagnosis), 1, "what the hour lacked");
}

#[tokio::test]
async fn polling_is_widened_last_and_every_period_is_judged_all_the_same() {
    let mut world = World::new(&["a"]);
    world.plan().max_monthly_usd = Some(0.2);
    world.poll(noon()).await;
    assert_eq!(world.thrift().await, Thrift::Polling);
    // A period that starts at noon is the first of two.
    world.poll(noon() + 1).await;
    assert_eq!(world.judged("a").await, Some(1));
    world.poll(noon() + 2).await;
    assert_eq!(world.asked(), []);
    world.poll(noon() + 3).await;
    assert_eq!(world.asked(), [read("a", -1, 3)], "both, and the last three again");
    assert_eq!(world.judged("a").await, Some(3));
}
