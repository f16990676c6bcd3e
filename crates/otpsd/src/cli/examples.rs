//! What people most often type, at the end of the long help of every command.

use clap::Command;

/// The commands by their names, and what is typed, with what it is for.
const EXAMPLES: &[(&str, &[(&str, &str)])] = &[
    ("run", &[("otpsd run --config /etc/otpsd", "as the unit file does it")]),
    (
        "demo",
        &[
            ("otpsd demo", "the story, in a minute"),
            ("otpsd demo --for 5m", "slowly enough to look at the status page"),
            ("otpsd demo --recording november.csv.gz", "the last day and a half of a recording"),
        ],
    ),
    (
        "discover",
        &[
            ("otpsd discover --region us-east-1 eu-west-1", "with the credentials of the environment"),
            ("otpsd discover --config config", "in its sources, judged by its rules"),
            ("otpsd discover --config config --format json", "for scripts"),
        ],
    ),
    (
        "record",
        &[
            (
                "otpsd record --config config --since 35d --out november.csv.gz",
                "all that a first start would read",
            ),
            ("otpsd record --config config --source main --since 12h --out today.csv", "of one source"),
        ],
    ),
    (
        "backtest",
        &[
            ("otpsd backtest --config config november.csv.gz", "what would have paged"),
            (
                "otpsd backtest --config config --fail-on-page november.csv.gz",
                "and fail where anything would",
            ),
            (
                "otpsd backtest --config config --against main:config november.csv.gz",
                "which pages a branch loses, gains and moves, and by which line",
            ),
            (
                "otpsd backtest --config config --against main:config --format markdown --out comment.md november.csv.gz",
                "the same as a comment on a pull request",
            ),
            ("otpsd backtest --config config --source prod --since 35d", "on what CloudWatch has"),
            ("otpsd backtest --config config --format jsonl november.csv.gz", "every event, for scripts"),
            (
                "otpsd backtest --config config --format html november.csv.gz > report.html",
                "a chart of each incident, for a browser",
            ),
        ],
    ),
    (
        "bench",
        &[
            ("otpsd bench --seeds 1..2 --models 6", "a first look, in a minute or two"),
            ("otpsd bench --config config --list", "with your rules, and what was wrong one by one"),
        ],
    ),
    (
        "explain",
        &[
            ("otpsd explain sonnet --config /etc/otpsd", "now, from the running daemon"),
            (
                "otpsd explain sonnet --config /etc/otpsd --at 2026-11-12T03:15:00Z",
                "as it was when somebody was woken",
            ),
            ("otpsd explain sonnet november.csv.gz", "from a recording, by the default rule"),
        ],
    ),
    (
        "check",
        &[
            ("otpsd check config", "every problem of a folder"),
            ("otpsd check --format github config", "as annotations of a pull request"),
            ("otpsd check --live config", "and whether sources and channels answer; nothing is sent"),
        ],
    ),
    (
        "plan",
        &[
            ("otpsd plan --config config november.csv.gz", "for the series of a recording"),
            ("otpsd plan --config config --against main:config november.csv.gz", "what a branch changes"),
            (
                "otpsd plan --config config --against main:config --format markdown november.csv.gz",
                "as a part of a comment on a pull request",
            ),
            ("otpsd plan --config config", "for what CloudWatch has now"),
        ],
    ),
    (
        "schema",
        &[("otpsd schema > otpsd.schema.json", "for `#:schema ./otpsd.schema.json` in the first line")],
    ),
    (
        "simulate",
        &[
            ("otpsd simulate --serve --rate 60", "a fleet as CloudWatch, an hour in a minute"),
            ("otpsd simulate --out fleet --fleet random --seed 7", "a recording with what is owed for it"),
        ],
    ),
    (
        "status",
        &[
            ("otpsd status --config /etc/otpsd", "how it is doing"),
            ("otpsd status --config /etc/otpsd --format json", "for scripts"),
        ],
    ),
    (
        "silence add",
        &[
            (
                "otpsd silence add --config /etc/otpsd --model '*haiku*' --for 2h --comment 'load test'",
                "some models for two hours",
            ),
            (
                "otpsd silence add --config /etc/otpsd --label tier=2 --until 2026-12-01T06:00:00Z --comment 'migration'",
                "by a label, until a time",
            ),
        ],
    ),
    ("silence list", &[("otpsd silence list --config /etc/otpsd", "those that hold, or will")]),
    ("silence expire", &[("otpsd silence expire --config /etc/otpsd s-4f2a91", "end it now")]),
    (
        "baseline show",
        &[("otpsd baseline show sonnet --config /etc/otpsd", "what is usual, and what it was learned from")],
    ),
    (
        "baseline accept",
        &[(
            "otpsd baseline accept sonnet --config /etc/otpsd --why 'new model version'",
            "the level of now is normal",
        )],
    ),
    (
        "test-notify",
        &[
            (
                "otpsd test-notify --config /etc/otpsd --channel pagerduty.oncall",
                "a page that is marked as a test",
            ),
            (
                "otpsd test-notify --config /etc/otpsd --route 111122223333/us-east-1/us.example.sonnet-v1:0 --at 2026-12-05T03:00:00Z",
                "who would be woken by this model on Saturday night; sends nothing",
            ),
        ],
    ),
    (
        "export iam-policy",
        &[
            ("otpsd export iam-policy --config config > policy.json", "the least it must be allowed"),
            ("otpsd export iam-policy --config config --format terraform", "the same for Terraform"),
            (
                "otpsd export iam-policy --config config --source search --format terraform",
                "the role of a source, for its account",
            ),
        ],
    ),
    (
        "export cloudwatch-alarms",
        &[(
            "otpsd export cloudwatch-alarms --config config november.csv.gz > alarms.yaml",
            "as CloudFormation",
        )],
    ),
    (
        "export cloudwatch-dashboard",
        &[("otpsd export cloudwatch-dashboard --config config november.csv.gz > dashboard.json", "its body")],
    ),
    ("completions", &[("otpsd completions bash > /etc/bash_completion.d/otpsd", "for bash")]),
    ("reload", &[("otpsd reload --config /etc/otpsd", "take up what has changed, if it is valid")]),
    ("healthcheck", &[("otpsd healthcheck --config /etc/otpsd", "for a container")]),
];

/// The command line with its examples.
pub(crate) fn shown(mut command: Command) -> Command {
    for (path, examples) in EXAMPLES {
        let text = text(examples);
        let mut names = path.split(' ');
        let Some(first) = names.next() else { continue };
        command = match names.next() {
            None => command.mut_subcommand(first, |one| with(one, &text)),
            Some(second) => {
                command.mut_subcommand(first, |one| one.mut_subcommand(second, |one| with(one, &text)))
            }
        };
    }
    command
}

/// Examples come before what a command says at the end of its help itself.
fn with(command: Command, examples: &str) -> Command {
    let own = command.get_after_long_help().map(|own| format!("\n\n{}", own.ansi())).unwrap_or_default();
    command.after_long_help(format!("{examples}{own}"))
}

fn text(examples: &[(&str, &str)]) -> String {
    let lines: Vec<_> = examples.iter().map(|(typed, what)| format!("  # {what}\n  {typed}")).collect();
    format!("Examples:\n{}", lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory as _, Parser as _};

    use super::*;
    use crate::cli::Cli;

    /// Every command that does something, by its names.
    fn leaves() -> Vec<String> {
        let command = Cli::command();
        let mut leaves = Vec::new();
        for one in command.get_subcommands() {
            let inner: Vec<_> = one.get_subcommands().map(Command::get_name).collect();
            if inner.is_empty() {
                leaves.push(one.get_name().to_owned());
            }
            leaves.extend(inner.into_iter().map(|name| format!("{} {name}", one.get_name())));
        }
        leaves
    }

    /// As a shell would split it, as far as the examples need it.
    fn words(typed: &str) -> Vec<String> {
        let typed = typed.split(" > ").next().unwrap_or_default();
        let typed = typed.split(" | ").next().unwrap_or_default();
        let mut words = Vec::new();
        for (k, part) in typed.split('\'').enumerate() {
            if k % 2 == 1 {
                words.push(part.to_owned());
            } else {
                words.extend(part.split_whitespace().map(str::to_owned));
            }
        }
        words
    }

    #[test]
    fn every_command_has_examples_in_its_help() {
        // `test` has a file in its help.
        let with_a_file = "test".to_owned();
        for leaf in leaves().into_iter().filter(|leaf| *leaf != with_a_file) {
            assert!(EXAMPLES.iter().any(|(path, _)| *path == leaf), "`otpsd {leaf}` has no examples");
            let mut command = shown(Cli::command());
            let mut shown = &mut command;
            for name in leaf.split(' ') {
                shown = shown.find_subcommand_mut(name).unwrap();
            }
            let help = shown.render_long_help().to_string();
            assert!(help.contains("Examples:\n  # "), "{help}");
        }
    }

    #[test]
    fn every_example_can_be_typed() {
        for (path, examples) in EXAMPLES {
            for (typed, _) in *examples {
                assert!(typed.starts_with(&format!("otpsd {path}")), "{typed} stands under {path}");
                if let Err(error) = Cli::try_parse_from(words(typed)) {
                    panic!("{typed}\n{error}");
                }
            }
        }
    }
}
