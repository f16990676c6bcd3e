//! Answers that come late, change, lack something, or arrive in pieces and out of order.

use domain::{Metric, Period, Series};
use serde_json::Value;
use simulator::loopback::{Fault, FaultRule};

use crate::rehearsal::{Daemon, SHORT_HISTORY, Scene};
use crate::story::{reading, series_in};

fn of(daemon: &Daemon, series: &Series) -> Value {
    let answer = daemon.get(&format!("/api/v1/series/{series}"));
    serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap()
}

/// The windows that `GetMetricData` was asked for, in order.
fn windows(rehearsal: &crate::rehearsal::Rehearsal) -> Vec<(i64, i64)> {
    rehearsal.loopback().recent_calls().into_iter().filter_map(|call| call.window).collect()
}

/// Three models at 100 tokens a second. Of one, a period reads 66.7 until two minutes after its end; of another, until the
/// second time it is read again; and of the third nothing is answered from some time on.
#[test]
fn what_is_late_revised_or_missing_pages_nobody() {
    let [late, revised, silent] =
        ["late", "revised", "silent"].map(|name| series_in("us-east-1", &format!("us.example.{name}-v1:0")));
    let rehearsal = Scene {
        rate: 1_200.0,
        series: vec![late.clone(), revised.clone(), silent.clone()],
        tell: Box::new(|_, k| (k >= -3 * 288).then(|| reading(false))),
        config: SHORT_HISTORY,
        ..Scene::new()
    }
    .open();
    let low = |seconds, one: &Series| {
        FaultRule::new(Fault::Revised { seconds, factor: 2.0 / 3.0 })
            .metric(Metric::OutputTokenCount)
            .model(one.model())
    };
    let faults = rehearsal.loopback().faults();
    faults.set([low(120, &late), low(700, &revised)]);
    let daemon = rehearsal.start();
    rehearsal.wait_until_all_judged(std::slice::from_ref(&late), 0, &daemon);
    faults.add(FaultRule::new(Fault::Missing).model(silent.model()));
    let begin = rehearsal.period();
    rehearsal.wait_until_all_judged(&[late.clone(), revised.clone(), silent.clone()], begin + 36, &daemon);

    assert!(rehearsal.alerts().is_empty(), "{:?}", rehearsal.alerts());
    assert!(rehearsal.tickets().is_empty(), "{:?}", rehearsal.tickets());
    for (series, unsettled) in [(&late, 0), (&revised, 3)] {
        let history = of(&daemon, series)["history"].as_array().unwrap().clone();
        let kept: Vec<f64> = history.iter().filter_map(|point| point["otps_p50"].as_f64()).collect();
        assert!(kept.len() > 36, "{}", kept.len());
        // 400 / (5000 - 1000) ms.
        let settled = &kept[..kept.len() - unsettled];
        assert!(settled.iter().all(|otps| (otps - 100.0).abs() < 1e-9), "{series}: {kept:?}");
    }
    let of_silent = of(&daemon, &silent);
    assert_eq!(of_silent["state"], "INSUFFICIENT_DATA");
    assert_eq!(of_silent["current"]["reason"], "no_data");
    assert_eq!(of_silent["seen"], true, "CloudWatch answers: there is nothing");

    // Windows begin and end with a period, move on, and leave no hole.
    let windows = windows(&rehearsal);
    assert!(windows.iter().all(|(start, end)| start % 300 == 0 && end % 300 == 0 && start < end));
    let mut through = windows[0].1;
    for (start, end) in &windows[1..] {
        assert!(*start <= through, "a hole before {start}");
        through = through.max(*end);
    }
    assert!(Period::from_index(through / 300) - rehearsal.story > begin + 36);
}

/// Names that sort and read alike, each at a speed of its own; answers in pages, shuffled, with a result nobody asked for.
#[test]
fn pages_order_and_strangers_change_nothing() {
    let names = ["3rd-gen.v1:0", "Big.Model", "a.b-c", "a-b.c"];
    let all: Vec<Series> = names.iter().map(|name| series_in("us-east-1", name)).collect();
    let told = all.clone();
    let rehearsal = Scene {
        series: all.clone(),
        tell: Box::new(move |one, k| {
            let place = told.iter().position(|other| other == one)?;
            // The newest third of the history is slower, so that a history of which only that arrived would show.
            let level = if (-288..-6).contains(&k) { 100.0 } else { 140.0 } * (place + 1) as f64;
            let mut reading = reading(false);
            let tokens = reading.of_mut(Metric::OutputTokenCount);
            (tokens.p50, tokens.p95) = (Some(level * 4.0), Some(level * 6.0));
            tokens.sum = Some(level * 4.0 * 200.0);
            (k >= -3 * 288).then_some(reading)
        }),
        config: SHORT_HISTORY,
        ..Scene::new()
    }
    .open();
    rehearsal.loopback().faults().set([
        FaultRule::new(Fault::SmallPages { datapoints: 2_000 }),
        FaultRule::new(Fault::ShuffleResults),
        FaultRule::new(Fault::UnknownIds),
    ]);
    let daemon = rehearsal.start();
    rehearsal.wait_until_all_judged(&all, 2, &daemon);
    for (place, series) in all.iter().enumerate() {
        let current = &of(&daemon, series)["current"];
        let level = 140.0 * (place + 1) as f64;
        let is = |field: &str| current[field].as_f64().unwrap();
        assert!((is("otps_p50") - level).abs() < 1e-9, "{series}: {current}");
        assert!((is("baseline") - level).abs() < 0.01 * level, "{series}: {current}");
    }
    assert!(rehearsal.alerts().is_empty());
    let calls = rehearsal.loopback().recent_calls();
    let history = calls.iter().filter(|call| call.window.is_some_and(|(start, end)| end - start > 86_400));
    assert!(history.count() > 20, "the history came in pages");
}
