//! `otpsd check`.

use crate::process::{run, write};

#[test]
fn the_shipped_configurations_are_valid() {
    let examples = std::fs::read_dir(format!("{}/config/examples", crate::process::ROOT)).unwrap();
    let examples =
        examples.map(|entry| format!("config/examples/{}", entry.unwrap().file_name().to_str().unwrap()));
    for path in examples.chain(["config/otpsd.toml".to_owned()]) {
        let path = path.as_str();
        let ran = run(&["check", path]);
        assert_eq!(ran.code, 0, "{path}: {}{}", ran.out, ran.err);
    }
}

#[test]
fn a_ticket_never_goes_where_pages_go() {
    let folder = tempfile::tempdir().unwrap();
    let text = r#"[source.cloudwatch.main]
regions = ["us-east-1"]
[channel.pagerduty.oncall]
routing-key = { env = "PD_ROUTING_KEY" }
[channel.sns.ops]
topic-arn = "arn:aws:sns:us-east-1:111122223333:llm-pages"
[channel.sns.same]
topic-arn = "arn:aws:sns:us-east-1:111122223333:llm-pages"
[[route.page]]
channels = ["sns.ops"]
[[route.ticket]]
channels = ["pagerduty.oncall", "sns.ops", "sns.same"]
"#;
    let path = write(folder.path(), "otpsd.toml", text);
    let ran = run(&["check", "--format", "json", path.to_str().unwrap()]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    let problems: Vec<serde_json::Value> = serde_json::from_str(&ran.out).unwrap();
    let errors: Vec<_> = problems.iter().filter(|problem| problem["severity"] == "error").collect();
    assert_eq!(errors.len(), 3, "{}", ran.out);
    assert!(errors.iter().all(|problem| problem["line"] == 12), "{}", ran.out);
}

#[test]
fn a_folder_is_a_configuration() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    assert_eq!(run(&["check", path]).code, 3, "nothing in it ends with .toml");
    write(folder.path(), "10-sources.toml", "[source.cloudwatch.main]\nregions = [\"us-east-1\"]\n");
    write(folder.path(), "20-rules.toml", "[alarm]\nmode = \"observe\"\n");
    let ran = run(&["check", path]);
    assert_eq!((ran.code, ran.out.as_str()), (0, "2 files ok\n"), "{}", ran.err);
    write(folder.path(), "30-more.toml", "[alarm]\nmode = \"page\"\n");
    let ran = run(&["check", path]);
    assert_eq!(ran.code, 1);
    assert!(ran.out.contains("30-more.toml:2:1") && ran.out.contains("20-rules.toml:2:1"), "{}", ran.out);
}

#[test]
fn the_schema_of_a_configuration_is_printed() {
    let ran = run(&["schema"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let schema: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
}

#[test]
fn unreadable_and_invalid_differ() {
    assert_eq!(run(&["check", "no-such-file.toml"]).code, 3);
    assert_eq!(run(&["check"]).code, 2);
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), "otpsd.toml", "[alarm]\ndatapoints-to-alarm = 6\n");
    let ran = run(&["check", path.to_str().unwrap()]);
    assert_eq!(ran.code, 1);
    assert!(ran.out.contains("otpsd.toml:2:"), "{}", ran.out);
}

#[test]
fn every_shell_gets_a_script_that_knows_the_commands() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let ran = run(&["completions", shell]);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{shell}");
        assert!(ran.out.contains("backtest") && ran.out.contains("test-notify"), "{shell}");
    }
    assert_eq!(run(&["completions", "cmd"]).code, 2);
}
