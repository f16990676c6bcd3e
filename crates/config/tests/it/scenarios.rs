//! Files of unit tests of alarms: what they hold, and exactly what the author of a broken one reads.

use config::scenario::{self, Expected, Scenarios, Test};
use config::{File, ProcessEnvironment, Purpose, render};
use domain::{AlarmState, Cause};

use crate::mistakes::snapshot;

fn read(text: &str) -> Scenarios {
    scenario::read(&File { path: "alarms/otpsd.test.toml".into(), text: text.to_owned() })
}

fn tests(text: &str) -> Vec<Test> {
    let read = read(text);
    assert!(read.problems.is_empty(), "{}", render::text(&read.problems, false));
    read.tests
}

/// Each text followed by what is said of it.
fn told(mistakes: &[&str]) -> String {
    let one = |text: &&str| {
        let read = read(text);
        assert!(!read.problems.is_empty() && read.tests.is_empty(), "no problem: {text}");
        let seen = render::text(&read.problems, false);
        for line in seen.lines() {
            assert!(line.chars().count() <= 80, "wider than 80 columns: {line}");
        }
        format!("{seen}\n")
    };
    mistakes.iter().map(one).collect::<Vec<_>>().join("========\n\n")
}

/// A test around some lines of its series, and one around some lines of its expectation.
fn series(lines: &str) -> String {
    format!("[[test]]\nname = \"slow\"\n[[test.series]]\n{lines}\n[[test.expect]]\nsilence = true\n")
}

fn expect(lines: &str) -> String {
    format!("[[test]]\nname = \"slow\"\n[[test.series]]\notps = \"100x11\"\n[[test.expect]]\n{lines}\n")
}

fn all_told(mistakes: &[String]) -> String {
    told(&mistakes.iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn a_short_one_has_defaults() {
    let all = tests(
        "[[test]]\nname = \"calm\"\n\n[[test.series]]\notps = \"100x11\"\n\n[[test.expect]]\nsilence = true\n",
    );
    let [test] = &all[..] else { panic!("{all:?}") };
    assert_eq!((test.name.as_str(), test.line, &test.config), ("calm", 1, &None));
    // A Monday; two weeks of five minutes are 14 x 288; eleven more are twelve.
    assert_eq!(test.start.to_string(), "2026-03-16T12:00:00Z");
    assert_eq!((test.history, test.length, test.only_expected), (4_032, 12, true));
    let course = &test.series[0];
    assert_eq!(course.series.to_string(), "111122223333/us-east-1/example.model-v1:0");
    let figures =
        [&course.otps, &course.ttft_ms, &course.output_tokens, &course.input_tokens, &course.requests];
    assert_eq!(figures.map(|figure| figure.at(11).is), [100.0, 500.0, 400.0, 2_000.0, 200.0]);
    assert_eq!([&course.streaming_share, &course.slow_share].map(|figure| figure.at(0).is), [1.0, 0.0]);
    assert_eq!(course.cache_read_share, None);
    // Of the whole test: from the period that ends with its start to the last one.
    let expected = &test.expectations[0];
    assert_eq!((expected.what, expected.line), (Expected::Silence, 7));
    assert_eq!(expected.within, (test.start - 1, test.start + 11));
}

#[test]
fn everything_can_be_said() {
    let all = tests(
        r#"
config = "../otpsd.toml"
[[test]]
name = "one"
start = 2026-10-15T18:00:00Z
history = "3d"
only-expected = false
[[test.series]]
account = "444455556666"
region = "eu-west-1"
model = "example.alpha-v1:0"
otps = """
  100x1
  60x1
"""
ttft-ms = "400+100x3"
cache-read-share = 0.5
[[test.expect]]
at = "+15m"
page = true
model = "*alpha*"
channels = ["log.all"]
[[test.expect]]
within = ["2026-10-15T18:05:00Z", "+20m"]
ticket-closed = "queueing"
[[test.expect]]
at = "+0m"
state = "LEARNING"
[[test]]
name = "two"
config = "/etc/otpsd.toml"
[[test.series]]
otps = "100"
[[test.expect]]
silence = true
"#,
    );
    let [one, two] = &all[..] else { panic!("{all:?}") };
    let named = |test: &Test| {
        let config = test.config.as_ref().unwrap();
        (config.path.display().to_string(), config.place.line, config.place.column, config.place.end_column)
    };
    assert_eq!(named(one), ("alarms/../otpsd.toml".to_owned(), 2, 10, Some(25)));
    assert_eq!(named(two), ("/etc/otpsd.toml".to_owned(), 31, 10, Some(27)));
    assert_eq!((one.start.to_string().as_str(), one.history, one.length), ("2026-10-15T18:00:00Z", 864, 4));
    assert!(!one.only_expected);
    let course = &one.series[0];
    assert_eq!(course.series.to_string(), "444455556666/eu-west-1/example.alpha-v1:0");
    assert_eq!((course.otps.at(1).is, course.otps.at(2).is, course.ttft_ms.at(3).is), (100.0, 60.0, 700.0));
    assert_eq!(course.cache_read_share.as_ref().unwrap().at(0).is, 0.5);
    let [page, closed, state] = &one.expectations[..] else { panic!("{:?}", one.expectations) };
    // What is said at +15m is said of the period that began at +10m.
    assert_eq!((page.what, page.within), (Expected::Page, (one.start + 2, one.start + 2)));
    assert_eq!(page.channels.as_deref(), Some(&["log.all".to_owned()][..]));
    assert_eq!(page.matcher.models, ["*alpha*"]);
    assert_eq!(
        (closed.what, closed.within),
        (Expected::TicketClosed(Cause::Queueing), (one.start, one.start + 3))
    );
    assert_eq!((state.what, state.within.0), (Expected::State(AlarmState::Learning), one.start - 1));
}

#[test]
fn files_and_tables() {
    snapshot!(told(&[
        "",
        "[[test]]\nname = \"slow\n",
        "[[tests]]\nname = \"slow\"\n",
        "[test]\nname = \"slow\"\n",
        "[[test]]\n",
        "[alarm]\npage-below = 0.8\n",
        "[[test]]\nname = \"slow\"\n[test.series]\notps = \"100\"\n[[test.expect]]\nsilence = true\n",
        "[[test]]\nname = \"slow\"\nfrom = 3\n[[test.serie]]\notps = \"100\"\n[[test.expect]]\nsilence = true\n",
    ]));
}

#[test]
fn keys_of_a_test() {
    let one = |lines: &str| {
        format!("[[test]]\n{lines}\n[[test.series]]\notps = \"100\"\n[[test.expect]]\nsilence = true\n")
    };
    snapshot!(all_told(&[
        one("name = \"\""),
        one("name = \"slow\"\nstart = \"noon\""),
        one("name = \"slow\"\nstart = 2026-03-16T12:03:00Z"),
        one("name = \"slow\"\nstart = 2026-03-16T12:00:00"),
        one("name = \"slow\"\nhistory = 14"),
        one("name = \"slow\"\nhistory = \"90d\""),
        one("name = \"slow\"\nhistory = \"7m\""),
        one("name = \"slow\"\nconfig = 3"),
        one("name = \"slow\"\nonly-expected = \"no\""),
        one("name = \"slow\"").repeat(2),
    ]));
}

#[test]
fn values_of_a_series() {
    snapshot!(all_told(&[
        series("model = \"m\""),
        series("otps = \"100x11 sixty 100x11\""),
        series("otps = \"100,60,100\""),
        series("otps = \"100*11\""),
        series("otps = \"100+5\""),
        series("otps = \"100-20x9\""),
        series("otps = \"_x9\""),
        series("otps = [100, 60]"),
        series("otps = 0"),
        series("otps = \"\"\"\n100x11\n60xx5\n\"\"\""),
        series("otps = \"100x11\"\nttft_ms = 400"),
        series("otps = \"100x11\"\nttft-ms = \"400x20\""),
        series("otps = \"100x11\"\nstreaming-share = \"1x3 60x3\""),
        series("otps = \"100x999999\""),
        series("region = \"us/east\"\notps = \"100\""),
        series("otps = \"100\"\n[[test.series]]\notps = \"90\""),
    ]));
}

#[test]
fn what_is_expected() {
    snapshot!(all_told(&[
        expect("at = \"+15m\""),
        expect("at = \"+15m\"\npage = true\nresolve = true"),
        expect("page = true"),
        expect("at = \"+15m\"\npage = false"),
        expect("at = \"+15m\"\npage = \"yes\""),
        expect("at = \"15m\"\npage = true"),
        expect("at = \"+15\"\npage = true"),
        expect("at = \"+12m\"\npage = true"),
        expect("at = \"+2h\"\npage = true"),
        expect("at = \"2026-03-16T11:00:00Z\"\nstate = \"OK\""),
        expect("at = \"+15m\"\nwithin = [\"+15m\", \"+20m\"]\npage = true"),
        expect("within = \"+15m\"\npage = true"),
        expect("within = [\"+15m\"]\npage = true"),
        expect("within = [\"+25m\", \"+15m\"]\npage = true"),
        expect("at = \"+15m\"\nticket = \"queuing\""),
        expect("at = \"+15m\"\nstate = \"ok\""),
        expect("at = \"+15m\"\npages = true"),
        expect("at = \"+15m\"\npage = true\nmodel = \"*haiku*\""),
        expect("silence = true\nchannels = [\"log.all\"]"),
    ]));
}

/// Pieces of what such files are made of, in any order.
const PIECES: [&str; 24] = [
    "[[test]]\n",
    "[[test.series]]\n",
    "[[test.expect]]\n",
    "name = ",
    "otps = ",
    "at = ",
    "within = [",
    "]",
    "start = ",
    "history = ",
    "config = ",
    "page = true\n",
    "silence = true\n",
    "\"100x11 60x5\"\n",
    "\"_x0\"\n",
    "\"+1h15m\"",
    "\"é\"",
    "\"\"\"\n",
    "2026-03-16T12:00:00Z\n",
    "99999999999999999999\n",
    "\"14d\"\n",
    ", ",
    "state = \"OK\"\n",
    "\"1-0.5x4294967295\"\n",
];

proptest::proptest! {
    #[test]
    fn no_text_is_too_odd_to_read(pieces in proptest::collection::vec(0..PIECES.len(), 0..24)) {
        let read = read(&pieces.into_iter().map(|piece| PIECES[piece]).collect::<String>());
        proptest::prop_assert_eq!(read.tests.is_empty(), !read.problems.is_empty());
    }

    #[test]
    fn no_value_and_no_time_is_too_odd_to_read(value in "[-+0-9x_.é ]{0,12}", time in "\\+?[0-9dhmsé:TZ-]{0,12}") {
        let text = series(&format!("otps = \"{value}\"")).replace("silence = true", &format!("at = \"{time}\"\npage = true"));
        let read = read(&text);
        proptest::prop_assert_eq!(read.tests.is_empty(), !read.problems.is_empty());
        for test in &read.tests {
            proptest::prop_assert!((0..i64::from(test.length)).all(|at| test.series[0].otps.at(at).is > 0.0));
        }
    }
}

#[test]
fn what_cannot_be_read_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let load = |name: &str| {
        let read = scenario::load(&folder.path().join(name), &ProcessEnvironment);
        assert!(read.tests.is_empty());
        render::text(&read.problems, false).replace(folder.path().to_str().unwrap(), "DIR")
    };
    std::fs::write(folder.path().join("latin.test.toml"), b"# caf\xe9\n").unwrap();
    insta::assert_snapshot!(load("none.test.toml"), @r"
    error: cannot read `DIR/none.test.toml`: there is no such file
    --> DIR/none.test.toml
    ");
    insta::assert_snapshot!(load("latin.test.toml"), @r"
    error: this is not UTF-8
    --> DIR/latin.test.toml
     = hint: save the file as UTF-8
    ");
}

#[test]
fn tests_stand_beside_what_they_test() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("otpsd.toml"), "[alarm]\npage-below = 0.7\n").unwrap();
    std::fs::write(folder.path().join("otpsd.test.toml"), expect("silence = true")).unwrap();
    let outcome = config::load(&[folder.path().to_owned()], Purpose::Backtest, &ProcessEnvironment);
    assert_eq!((outcome.problems.len(), outcome.files), (0, 1));
}
