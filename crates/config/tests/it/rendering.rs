//! The three forms of the same problems.

use config::{Purpose, render};

use crate::surroundings::outcome;

const TEXT: &str =
    "[alarm]\npage-below = 80 # percent\nwidest = 3\n[[route.page]]\nchannels = [\"log.all\"]\n";

#[test]
fn json_is_one_array() {
    let problems = outcome(TEXT, Purpose::Check).problems;
    insta::assert_snapshot!(render::json(&problems).replace("},", "},\n"), @r#"
    [{"file":"otpsd.toml","line":2,"column":14,"end_column":16,"severity":"error","message":"`page-below` must be above 0 and below 1, not 80","hint":"it is a share, not a percentage: did you mean 0.8?"},
    {"file":"otpsd.toml","line":3,"column":1,"end_column":7,"severity":"error","message":"unknown key `widest` in `[alarm]`","hint":"did you mean `widest-window`?"},
    {"file":"otpsd.toml","line":5,"column":13,"end_column":22,"severity":"error","message":"there is no channel `log.all`","hint":"add `[channel.log.all]`"},
    {"file":"otpsd.toml","line":null,"column":null,"severity":"warning","message":"there is no source, so that nothing can be watched","hint":"add a table `[source.cloudwatch.main]`; only `otpsd backtest` works without"},
    {"file":"otpsd.toml","line":null,"column":null,"severity":"warning","message":"there is no `[[route.ticket]]`, so that nobody gets tickets","hint":"a ticket tells of a slow creep and of sources that fail"}]
    "#);
    assert_eq!(render::json(&[]), "[]");
}

#[test]
fn github_gets_one_annotation_a_line() {
    let mut problems = outcome(TEXT, Purpose::Check).problems;
    problems[0].file = "conf/a,b:c.toml".into();
    problems[0].message = "100% sure\r\n".into();
    insta::assert_snapshot!(render::github(&problems), @r#"
    ::error file=conf/a%2Cb%3Ac.toml,line=2,col=14,endColumn=16::100%25 sure%0D%0A%0Ahint: it is a share, not a percentage: did you mean 0.8?
    ::error file=otpsd.toml,line=3,col=1,endColumn=7::unknown key `widest` in `[alarm]`%0Ahint: did you mean `widest-window`?
    ::error file=otpsd.toml,line=5,col=13,endColumn=22::there is no channel `log.all`%0Ahint: add `[channel.log.all]`
    ::warning file=otpsd.toml::there is no source, so that nothing can be watched%0Ahint: add a table `[source.cloudwatch.main]`; only `otpsd backtest` works without
    ::warning file=otpsd.toml::there is no `[[route.ticket]]`, so that nobody gets tickets%0Ahint: a ticket tells of a slow creep and of sources that fail
    "#);
    assert_eq!(render::github(&[]), "");
}

#[test]
fn styles_colour_and_change_no_word() {
    let problems = outcome(TEXT, Purpose::Check).problems;
    let styled = render::text(&problems, true);
    assert!(styled.contains("\u{1b}[1m\u{1b}[91merror"), "{styled:?}");
    let mut plain = String::new();
    let mut rest = styled.as_str();
    while let Some((before, after)) = rest.split_once("\u{1b}[") {
        plain.push_str(before);
        rest = after.split_once('m').unwrap().1;
    }
    plain.push_str(rest);
    let spaceless = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(spaceless(&plain), spaceless(&render::text(&problems, false)));
    assert_eq!(render::text(&[], true), "");
}

#[test]
fn a_long_line_is_cut_around_the_caret() {
    let names: Vec<_> = (0..40).map(|n| format!("\"log.n{n}\"")).collect();
    let text = format!("[channel.log.n0]\n[[route.page]]\nchannels = [{}]\n", names.join(", "));
    let seen = render::text(&outcome(&text, Purpose::Backtest).problems, false);
    for line in seen.lines() {
        assert!(line.chars().count() <= 90, "{line}");
    }
    insta::assert_snapshot!(seen.split("\n\n").nth(20).unwrap(), @r#"
    error: there is no channel `log.n21`
     --> otpsd.toml:3:234
      |
    3 | ...g.n18", "log.n19", "log.n20", "log.n21", "log.n22", "log.n23", "log.n2...
      |                                  ^^^^^^^^^
      |
      = hint: did you mean "log.n0"?
    "#);
}

#[test]
fn a_line_that_no_screen_shows_is_not_quoted() {
    let text = format!("[[route.page]]\nmodels = [\"{}\"]\nchannels = [\"log.all\"]\n", "[ab]".repeat(600));
    let seen = render::text(&outcome(&text, Purpose::Backtest).problems[..1], false);
    insta::assert_snapshot!(seen, @r#"
    error: `models` has a pattern with `[`, which no model fits:
           `[ab][ab][ab][ab][ab][ab][ab][ab][ab][ab][ab][ab][ab][ab][ab]…`
    --> otpsd.toml:2:11
     = hint: a pattern knows `*` for any text and `?` for one character
    "#);
}

#[test]
fn what_would_take_over_a_terminal_is_shown_as_text() {
    let text = "[alarm]\n\"pa\\u001b[31mge\" = 1\n\"mo\u{202e}de\" = 2\n";
    let problems = outcome(text, Purpose::Backtest).problems;
    for output in [render::text(&problems, false), render::json(&problems), render::github(&problems)] {
        assert!(!output.contains(['\u{1b}', '\u{202e}']), "{output:?}");
    }
}
