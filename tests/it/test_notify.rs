//! `otpsd test-notify`: a page that is marked as a test, through the real path; and who would get what.

use crate::rehearsal::{Rehearsal, Scene};

fn scene(config: &'static str) -> Rehearsal {
    Scene { config, ..Scene::new() }.open()
}

#[test]
fn a_test_page_arrives_marked_and_is_resolved() {
    let rehearsal = scene("");
    let sent = rehearsal.run(&["test-notify", "--channel", "pagerduty.oncall", "--hold", "0s"]);
    assert_eq!(sent.code, 0, "{sent:?}");
    let alerts = rehearsal.alerts();
    assert_eq!(alerts.len(), 1);
    assert!(
        alerts[0].triggers[0]["payload"]["summary"].as_str().unwrap().starts_with("[TEST] "),
        "{alerts:#?}"
    );
    assert!(alerts[0].resolved.is_some(), "it does not stay open");
    let key = &alerts[0].dedup_key;
    assert_eq!(
        sent.out,
        format!("pagerduty.oncall: page {key} taken\npagerduty.oncall: resolve {key} taken\n")
    );

    let sent = rehearsal.run(&["test-notify", "--channel", "sns.pages", "--hold", "0s"]);
    assert_eq!(sent.code, 0, "{sent:?}");
    let subjects = rehearsal.subjects();
    assert!(subjects.iter().all(|subject| subject.contains("[TEST]")), "{subjects:?}");
    assert!(subjects[0].contains("ALARM") && subjects[1].contains("OK"), "{subjects:?}");
}

#[test]
fn a_receiver_that_refuses_is_said_with_what_to_do() {
    let rehearsal = scene("");
    rehearsal.edit(|text| text.replace("/v2/enqueue", "/v2/nowhere"));
    let sent = rehearsal.run(&["test-notify", "--channel", "pagerduty.oncall", "--hold", "0s"]);
    assert_eq!(sent.code, 3, "{sent:?}");
    assert!(sent.err.contains("pagerduty.oncall: page not taken"), "{}", sent.err);
    let unknown = rehearsal.run(&["test-notify", "--channel", "pagerduty.offcall", "--hold", "0s"]);
    assert_eq!(unknown.code, 3);
    assert!(
        unknown.err.contains("hint: the channels are pagerduty.oncall, sns.pages, sns.tickets"),
        "{}",
        unknown.err
    );
}

const NIGHT: &str = "\
[override.batch]
match = { model = \"*haiku*\" }
labels = { tier = \"2\" }
";

#[test]
fn who_gets_what_depends_on_the_hour_and_the_label() {
    let rehearsal = scene(NIGHT);
    rehearsal.edit(|text| {
        let night = "[[route.page]]\nlabels = { tier = \"2\" }\nchannels = [\"sns.pages\"]\n\
                     hours = { from = \"22:00\", to = \"07:00\", zone = \"America/New_York\" }\n[[route.page]]";
        text.replacen("[[route.page]]", night, 1)
    });
    let ask = |model: &str, at: &str| {
        let series = format!("111122223333/us-east-1/{model}");
        rehearsal.run(&["test-notify", "--route", &series, "--at", at])
    };
    // 03:00Z on 1 December is 22:00 in New York.
    let night = ask("us.example.haiku-v1:0", "2026-12-01T03:00:00Z");
    let expected = "111122223333/us-east-1/us.example.haiku-v1:0 (tier = 2), otps_drop at 2026-12-01T03:00:00Z\n  \
                    by the first `[[route.page]]`:\n  sns.pages\n";
    assert_eq!((night.code, night.out.as_str()), (0, expected), "{night:?}");
    let day = ask("us.example.haiku-v1:0", "2026-12-01T15:00:00Z");
    assert!(day.out.contains("by the second") && day.out.contains("pagerduty.oncall"), "{day:?}");
    let other = ask("us.example.sonnet-v1:0", "2026-12-01T03:00:00Z");
    assert!(other.out.contains("(no labels)") && other.out.contains("by the second"), "{other:?}");
    assert!(rehearsal.alerts().is_empty() && rehearsal.subjects().is_empty(), "nothing was sent");
}
