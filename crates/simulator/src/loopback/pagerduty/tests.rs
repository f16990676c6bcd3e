use super::*;

fn event(action: &str, routing_key: &str, dedup_key: Option<&str>) -> Vec<u8> {
    let mut event = json!({
        "routing_key": routing_key,
        "event_action": action,
        "payload": {"summary": "slow", "source": "otpsd", "severity": "critical"},
    });
    if let Some(key) = dedup_key {
        event["dedup_key"] = Value::from(key);
    }
    event.to_string().into_bytes()
}

fn post(service: &PagerDuty, action: &str, dedup_key: Option<&str>) -> Answer {
    service.enqueue(&event(action, "key-a", dedup_key), Timestamp::UNIX_EPOCH)
}

fn states(service: &PagerDuty) -> Vec<(PagerDutyStatus, usize)> {
    service.alerts().iter().map(|alert| (alert.status, alert.triggers.len())).collect()
}

#[test]
fn triggers_share_the_open_alert_and_open_another_after_the_resolve() {
    let service = PagerDuty::default();
    assert_eq!(post(&service, "trigger", Some("k")).body["dedup_key"], "k");
    post(&service, "trigger", Some("k"));
    assert_eq!(states(&service), [(PagerDutyStatus::Triggered, 2)]);
    post(&service, "acknowledge", Some("k"));
    post(&service, "trigger", Some("k"));
    assert_eq!(states(&service), [(PagerDutyStatus::Acknowledged, 3)]);
    post(&service, "resolve", Some("k"));
    post(&service, "trigger", Some("k"));
    assert_eq!(states(&service), [(PagerDutyStatus::Resolved, 3), (PagerDutyStatus::Triggered, 1)]);
}

#[test]
fn a_resolve_with_another_routing_key_is_dropped() {
    let service = PagerDuty::default();
    post(&service, "trigger", Some("k"));
    let answer = service.enqueue(&event("resolve", "key-b", Some("k")), Timestamp::UNIX_EPOCH);
    assert_eq!(answer.status, 202, "it is accepted all the same");
    assert_eq!(post(&service, "resolve", Some("other")).status, 202);
    assert_eq!(states(&service), [(PagerDutyStatus::Triggered, 1)]);
}

#[test]
fn triggers_without_a_key_are_alerts_of_their_own() {
    let service = PagerDuty::default();
    let first = post(&service, "trigger", None).body["dedup_key"].clone();
    let second = post(&service, "trigger", None).body["dedup_key"].clone();
    assert_ne!(first, second);
    assert_eq!(states(&service).len(), 2);
}

#[test]
fn a_limit_looks_back_over_a_minute() {
    let rules = PagerDutyRules { events_a_minute: Some(2), ..PagerDutyRules::default() };
    let service = PagerDuty::new(rules);
    let at = |second: i64| {
        let now = Timestamp::from_second(second).unwrap();
        service.enqueue(&event("trigger", "key-a", None), now).status
    };
    assert_eq!([at(0), at(30), at(59), at(60), at(61)], [202, 202, 429, 202, 429]);
    assert_eq!(service.alerts().len(), 3, "what is limited is not taken");
}

#[test]
fn a_limit_is_of_each_routing_key_and_can_be_changed() {
    let service = PagerDuty::new(PagerDutyRules { events_a_minute: Some(1), ..PagerDutyRules::default() });
    let post = |key: &str| service.enqueue(&event("trigger", key, None), Timestamp::UNIX_EPOCH);
    assert_eq!([post("key-a").status, post("key-b").status], [202, 202]);
    let refused = post("key-a");
    assert_eq!((refused.status, refused.retry_after), (429, Some(30)));
    assert_eq!(refused.body["errors"][0], "Event API throttle exceeded");
    service.limit(None);
    assert_eq!(post("key-a").status, 202);
}

#[test]
fn what_was_taken_is_counted_by_keys() {
    let service = PagerDuty::default();
    for action in ["trigger", "trigger", "acknowledge", "resolve", "resolve", "trigger"] {
        post(&service, action, Some("k"));
    }
    service.enqueue(&event("resolve", "key-b", Some("k")), Timestamp::UNIX_EPOCH);
    let [mine, other] = service.incidents().try_into().unwrap();
    let expected = PagerDutyIncident {
        routing_key: "key-a".to_owned(),
        dedup_key: "k".to_owned(),
        open: true,
        triggers: 3,
        opens: 2,
        acknowledges: 1,
        resolves: 1,
        dropped: 1,
        resolved_by_hand: 0,
    };
    assert_eq!(mine, expected);
    assert_eq!((other.routing_key.as_str(), other.opens, other.dropped), ("key-b", 0, 1));
}

#[test]
fn responders_act_by_hand() {
    let service = PagerDuty::default();
    let now = Timestamp::from_second(60).unwrap();
    let by_hand = |key: &str, status| service.move_by_hand("key-a", key, status, now);
    assert!(!by_hand("k", PagerDutyStatus::Resolved), "nothing is open");
    post(&service, "trigger", Some("k"));
    assert!(!by_hand("other", PagerDutyStatus::Resolved));
    assert!(by_hand("k", PagerDutyStatus::Acknowledged));
    assert_eq!(states(&service), [(PagerDutyStatus::Acknowledged, 1)]);
    assert!(by_hand("k", PagerDutyStatus::Resolved));
    assert_eq!(service.alerts()[0].resolved, Some(now));
    let incident = &service.incidents()[0];
    assert_eq!((incident.open, incident.resolves, incident.resolved_by_hand), (false, 0, 1));
    post(&service, "trigger", Some("k"));
    assert_eq!(states(&service).len(), 2, "it is paged for again");
}
