//! The review of a pull request: the steps of the ready workflow are run as GitHub would run them, in a repository of their own, with
//! stand-ins for the download and for GitHub's own command line.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process::{ROOT, Ran, otpsd};
use crate::repository::Repository;

const WORKFLOW: &str = include_str!("../../deploy/ci/github-actions.yml");
const SCRIPT: &str = include_str!("../../deploy/ci/review.sh");

const CONFIG: &str = r#"[source.cloudwatch.main]
regions = ["eu-west-1"]
[channel.pagerduty.oncall]
routing-key = { env = "PD_ROUTING_KEY" }
[channel.log.all]
[[route.page]]
channels = ["pagerduty.oncall"]
[[route.ticket]]
channels = ["log.all"]
"#;
const TESTS: &str = r#"config = "otpsd.toml"
[[test]]
name = "a slow host pages"
[[test.series]]
otps = "100x11 65x11"
[[test.expect]]
at = "+1h15m"
page = true
"#;

/// What is downloaded in the place of the binary.
const DOWNLOAD: &str = concat!("#!/bin/sh\nexec '", env!("CARGO_BIN_EXE_otpsd"), "' \"$@\"\n");

/// What a step runs.
fn script(name: &str) -> String {
    let (_, step) = WORKFLOW.split_once(&format!("      - name: {name}\n")).unwrap();
    let (_, run) = step.split_once("        run: |\n").unwrap();
    let lines = run
        .lines()
        .map_while(|line| line.strip_prefix("          ").or_else(|| line.is_empty().then_some("")));
    lines.map(|line| format!("{line}\n")).collect()
}

/// The variables that the workflow sets for all steps.
fn environment() -> BTreeMap<String, String> {
    let (_, env) = WORKFLOW.split_once("\nenv:\n").unwrap();
    let lines = env.lines().take_while(|line| line.starts_with("  "));
    let pairs =
        lines.filter_map(|line| line.trim().split_once(": ").filter(|(name, _)| !name.starts_with('#')));
    pairs.map(|(name, value)| (name.to_owned(), value.trim_matches('"').to_owned())).collect()
}

/// A machine of GitHub that has checked out a pull request.
struct Runner {
    repository: Repository,
    /// What belongs to the machine and not to the repository: programs, and what the steps hand on.
    machine: tempfile::TempDir,
}

impl Runner {
    /// A pull request that brings these files into a repository that has a configuration, its tests and the script.
    fn new(files: &[(&str, &str)]) -> Self {
        let repository = Repository::new();
        repository.write("config/otpsd.toml", CONFIG);
        repository.write("config/otpsd.test.toml", TESTS);
        repository.write("deploy/ci/review.sh", SCRIPT);
        repository.commit();
        Self::with(repository, files)
    }

    /// The same for what `main` of a repository has.
    fn with(repository: Repository, files: &[(&str, &str)]) -> Self {
        repository.git(&["checkout", "--quiet", "-b", "change"]);
        for (name, text) in files {
            repository.write(name, text);
        }
        repository.commit();
        // What is checked out is the merge, and no branch.
        repository.git(&["checkout", "--quiet", "--detach", "main"]);
        repository.git(&["merge", "--quiet", "--no-ff", "--message", "merge", "change"]);
        let runner = Self { repository, machine: tempfile::tempdir().unwrap() };
        // What is downloaded leads to the binary.
        std::fs::write(runner.file("download"), DOWNLOAD).unwrap();
        let download = runner.file("download").display().to_string();
        runner.program(
            "curl",
            &format!("while [ \"$1\" != --output ]; do shift; done; cp '{download}' \"$2\""),
        );
        runner
    }

    fn file(&self, name: &str) -> PathBuf {
        self.machine.path().join(name)
    }

    fn program(&self, name: &str, text: &str) {
        use std::os::unix::fs::PermissionsExt as _;
        let path = self.file("programs").join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// Runs a step as GitHub does, with what those before it have handed on.
    fn step(&self, name: &str, environment: &[(&str, &str)]) -> Ran {
        let on_path = std::fs::read_to_string(self.file("path")).unwrap_or_default();
        let programs = self.file("programs");
        let path = [on_path.trim(), programs.to_str().unwrap(), &std::env::var("PATH").unwrap()].join(":");
        let mut command = Command::new("bash");
        command
            .args(["-e", "-c", &script(name)])
            .env_clear()
            .envs(self::environment())
            .env("PATH", path)
            .env("HOME", self.machine.path())
            .env("GITHUB_ACTIONS", "true")
            .env("GITHUB_BASE_REF", "main")
            .env("GITHUB_REPOSITORY", "example/alarms")
            .env("GITHUB_PATH", self.file("path"))
            .env("GITHUB_STEP_SUMMARY", self.file("summary.md"))
            .env("RUNNER_TEMP", self.machine.path())
            .envs(environment.iter().copied())
            .current_dir(self.repository.path());
        command.output().unwrap().into()
    }

    /// Gets the binary and reviews, without a recording.
    fn review(&self, recordings: &str) -> Ran {
        let sum = Command::new("sha256sum").arg(self.file("download")).output().unwrap();
        let sum = String::from_utf8(sum.stdout).unwrap();
        let got = self.step("Get otpsd", &[("OTPSD_SHA256", sum.split(' ').next().unwrap())]);
        assert_eq!(got.code, 0, "{}", got.err);
        self.step("Review", &[("RECORDINGS", recordings)])
    }

    fn comment(&self) -> String {
        self.repository.read("review/comment.md")
    }

    /// The same, with the commit of `main`, which depends on the script, left open.
    fn comment_of_any_commit(&self) -> String {
        let main = self.repository.git(&["rev-parse", "main"]);
        self.comment().replace(&main[..7], "1234567")
    }
}

#[test]
fn the_workflow_asks_for_no_more_than_it_needs() {
    assert!(!WORKFLOW.contains("secrets."), "a fork would lack it, or have it");
    let triggers: Vec<_> = WORKFLOW
        .lines()
        .skip_while(|line| *line != "on:")
        .skip(1)
        .take_while(|line| line.starts_with(' '))
        .collect();
    assert!(triggers[0] == "  pull_request:" && triggers.len() == 2, "{triggers:?}");
    let of = |start: &str| {
        WORKFLOW.lines().map(str::trim).filter(|line| line.starts_with(start)).collect::<Vec<_>>()
    };
    assert_eq!(of("permissions:"), ["permissions: {}", "permissions:", "permissions:"]);
    assert_eq!(of("contents:"), ["contents: read # the checkout"]);
    let writes: Vec<_> = WORKFLOW.lines().map(str::trim).filter(|line| line.contains(": write")).collect();
    assert_eq!(writes, ["pull-requests: write # comments of pull requests"]);
    for action in [of("- uses:"), of("uses:")].concat() {
        let (_, commit) = action.split_once('@').unwrap();
        let (commit, version) = commit.split_once(" # v").unwrap();
        assert!(commit.len() == 40 && commit.bytes().all(|byte| byte.is_ascii_hexdigit()), "{action}");
        assert_eq!(version.split('.').count(), 3, "{action}");
    }
    // What others wrote reaches a shell as variables, never as text of the script.
    for step in ["Get otpsd", "Review", "Show it with the run", "Comment"] {
        let script = script(step);
        assert!(!script.is_empty() && !script.contains("${{"), "{script}");
    }
}

#[test]
fn a_binary_that_is_not_the_one_is_not_run() {
    let runner = Runner::new(&[]);
    let got = runner.step("Get otpsd", &[]);
    assert_ne!(got.code, 0);
    assert!(!runner.file("path").exists());
}

#[test]
fn a_change_is_reviewed_without_a_recording() {
    let changed = CONFIG.replace("[source", "[alarm]\npage-below = 0.70\n[source");
    let runner = Runner::new(&[("config/otpsd.toml", &changed)]);
    let ran = runner.review("");
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    insta::assert_snapshot!(runner.comment_of_any_commit());
    let plan: serde_json::Value = serde_json::from_str(&runner.repository.read("review/plan.json")).unwrap();
    assert_eq!(plan["changes"]["list"][0]["after"], "0.7");
    // It stands with the run, too.
    assert_eq!(runner.step("Show it with the run", &[]).code, 0);
    assert_eq!(std::fs::read_to_string(runner.file("summary.md")).unwrap(), runner.comment());
}

#[test]
fn a_page_that_would_be_lost_is_first_in_the_comment() {
    let changed = CONFIG.replace("[source", "[alarm]\npage-below = 0.60\n[source");
    let tests = TESTS.replace("65x11", "55x11");
    // A slow hour at two thirds of the speed.
    let files = [
        ("config/otpsd.toml", changed.as_str()),
        ("config/otpsd.test.toml", &tests),
        ("history/fleet.csv", &crate::bench::recording()),
    ];
    let runner = Runner::new(&files);
    let ran = runner.review("history/fleet.csv");
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    let comment = runner.comment();
    assert!(comment.starts_with("<!-- otpsd review -->\n### otpsd: 1 page lost"), "{comment}");
    insta::assert_snapshot!(runner.comment_of_any_commit());
    let report = runner.repository.read("review/report.html");
    assert!(report.starts_with("<!doctype html>") && report.contains("example.alpha-large-v1:0"), "{report}");
    // The page that is lost is drawn, though the new configuration has none.
    assert!(report.contains("1 page lost") && report.contains("<svg"), "{report}");
    let plan: serde_json::Value = serde_json::from_str(&runner.repository.read("review/plan.json")).unwrap();
    assert_eq!(plan["recordings"], serde_json::json!(["fleet.csv"]));
}

#[test]
fn a_test_that_fails_is_first_in_the_comment() {
    // 65 of 100 is not below 0.60 any more.
    let changed = CONFIG.replace("[source", "[alarm]\npage-below = 0.60\n[source");
    let runner = Runner::new(&[("config/otpsd.toml", &changed)]);
    let ran = runner.review("");
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
    let comment = runner.comment();
    assert!(
        comment.starts_with("<!-- otpsd review -->\n### otpsd: a test of the alarms fails\n\n```text\n"),
        "{comment}"
    );
    assert!(comment.contains("FAIL  a slow host pages (line 2)"), "{comment}");
    assert!(comment.contains("`page-below` in `[alarm]`: `0.8` → `0.6`"), "{comment}");
    assert!(comment.contains("**`test` 1 test, 0 passed, 1 failed**"), "{comment}");
}

#[test]
fn what_is_invalid_is_annotated_and_nothing_else() {
    let changed = CONFIG.replace("[source", "[alarm]\npage-below = 80\n[source");
    let runner = Runner::new(&[("config/otpsd.toml", &changed)]);
    let ran = runner.review("");
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
    // A secret that is not there is no annotation.
    let annotations: Vec<_> = ran.out.lines().filter(|line| line.starts_with("::")).collect();
    assert_eq!(annotations.len(), 1, "{}", ran.out);
    assert!(annotations[0].starts_with("::error file=config/otpsd.toml,line=2,"), "{}", ran.out);
    insta::assert_snapshot!(runner.comment_of_any_commit());
}

#[test]
fn a_configuration_that_is_new_is_shown_whole() {
    let repository = Repository::new();
    repository.write("README.md", "alarms\n");
    repository.commit();
    let files = [("config/otpsd.toml", CONFIG), ("deploy/ci/review.sh", SCRIPT)];
    let runner = Runner::with(repository, &files);
    let ran = runner.review("");
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    let comment = runner.comment();
    assert!(
        comment.contains("`base/main:config` cannot be compared with, so all of it is shown as it is"),
        "{comment}"
    );
    assert!(comment.contains("### otpsd plan: 0 series, $0.00 a month"), "{comment}");
    assert!(comment.contains("no tests"), "{comment}");
}

/// GitHub's command line in the place of GitHub: it has one comment of the workflow, or none, and writes down what it is told.
fn gh(runner: &Runner, before: &str) {
    let log = runner.file("gh.log");
    let text = format!(
        "case \"$*\" in\n*--method*) echo \"$*\" >>'{log}'; cat review/comment.md >>'{log}' ;;\n*) echo '{before}' ;;\nesac",
        log = log.display()
    );
    runner.program("gh", &text);
}

#[test]
fn there_is_one_comment_however_often_it_is_pushed() {
    let runner = Runner::new(&[]);
    runner.repository.write("review/comment.md", "<!-- otpsd review -->\n### otpsd plan: nothing changes\n");
    let environment = [("PULL_REQUEST", "7"), ("GH_TOKEN", "none"), ("KEPT", "https://example.com/kept")];
    gh(&runner, "");
    let ran = runner.step("Comment", &environment);
    assert_eq!(ran.code, 0, "{}", ran.err);
    gh(&runner, "4711\n4712");
    let ran = runner.step("Comment", &environment);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let log = std::fs::read_to_string(runner.file("gh.log")).unwrap();
    let calls: Vec<_> = log.lines().filter(|line| line.starts_with("api ")).collect();
    assert_eq!(
        calls,
        [
            "api --silent --method POST repos/example/alarms/issues/7/comments --field body=@review/comment.md",
            "api --silent --method PATCH repos/example/alarms/issues/comments/4711 --field body=@review/comment.md",
        ]
    );
    assert!(log.contains("[otpsd-review](https://example.com/kept)"), "{log}");
}

/// Runs the script by hand, as another CI would.
fn by_hand(repository: &Repository, arguments: &[&str]) -> Ran {
    let mut command = otpsd();
    let environment: Vec<_> =
        command.get_envs().filter_map(|(name, value)| Some((name.to_owned(), value?.to_owned()))).collect();
    command = Command::new("sh");
    command.arg(Path::new(ROOT).join("deploy/ci/review.sh")).args(arguments);
    command
        .env_clear()
        .envs(environment)
        .env("OTPSD", env!("CARGO_BIN_EXE_otpsd"))
        .current_dir(repository.path());
    command.output().unwrap().into()
}

#[test]
fn the_script_says_how_it_is_used() {
    let repository = Repository::new();
    let ran = by_hand(&repository, &["--nothing"]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.err.starts_with("error: unknown option --nothing\ndeploy/ci/review.sh [--config PATH]"),
        "{}",
        ran.err
    );
    assert_eq!(by_hand(&repository, &["--base"]).code, 2);
    // A commit that nobody fetched is an error, or everything would pass for new.
    repository.write("config/otpsd.toml", CONFIG);
    repository.commit();
    let ran = by_hand(&repository, &["--base", "origin/main"]);
    assert_eq!(ran.code, 3, "{}{}", ran.out, ran.err);
    assert!(repository.read("review/comment.md").contains("git knows no commit `origin/main`"));
    let ran = by_hand(&repository, &["--base", "main"]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    assert!(!ran.out.contains("::"), "annotations are GitHub's: {}", ran.out);
}

#[test]
fn a_comment_that_is_too_long_is_cut_where_nothing_is_open() {
    let repository = Repository::new();
    repository.write("config/otpsd.toml", CONFIG);
    repository.commit();
    let test = |n: usize| {
        let name = format!("{n} {}", "a long story ".repeat(150));
        format!(
            "[[test]]\nname = \"{name}\"\nhistory = \"1d\"\n[[test.series]]\notps = \"100\"\n[[test.expect]]\nat = \"+5m\"\npage = true\n"
        )
    };
    let tests: String = (0..40).map(test).collect();
    repository.write("config/long.test.toml", &tests);
    let ran = by_hand(&repository, &["--base", "main"]);
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
    assert!(ran.out.len() > 65_536, "{}", ran.out.len());
    let comment = repository.read("review/comment.md");
    assert!((59_000..65_536).contains(&comment.len()), "{}", comment.len());
    assert!(
        comment.ends_with(
            "\n```\n\n**The rest does not fit a comment**: it is in the files that CI has kept.\n"
        ),
        "{comment}"
    );
}
