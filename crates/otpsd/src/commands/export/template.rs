//! A template of CloudFormation. One template serves all accounts and Regions: each alarm has the condition that the stack is
//! where its metrics are.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use domain::{ExitCode, PERIODS_PER_DAY, Series, UNKNOWN_ACCOUNT};

use super::alarms::{alarm, camel, text};
use super::learned::{Learned, Level};
use crate::commands::failed;

/// A template may have no more resources.
const MOST_RESOURCES: usize = 500;

const HEAD: &str = r#"# Written by `otpsd export cloudwatch-alarms`. Deploy it in each account and Region whose models it has:
# an alarm is only made where its metrics are.
AWSTemplateFormatVersion: "2010-09-09"
Description: The nearest native alarms to what otpsd pages about
Parameters:
  Topic:
    Type: String
    Default: ""
    Description: The ARN of an SNS topic to tell, in the Region of the stack; nobody is told if it is empty
Conditions:
  HasTopic: !Not [!Equals [!Ref Topic, ""]]
"#;

/// The template, or why there is none.
pub(super) fn yaml(all: &[Learned]) -> Result<String, ExitCode> {
    let mut places: BTreeMap<String, &Series> = BTreeMap::new();
    let (mut resources, mut alarms) = (String::new(), 0);
    for one in all {
        let name = text(&one.series.to_string());
        match &one.level {
            Level::Known { otps, until } => {
                let condition = place(&one.series);
                let _ = write!(
                    resources,
                    "  # {name}\n{}",
                    alarm(&one.series, &one.rule, *otps, *until, &condition)
                );
                places.insert(condition, &one.series);
                alarms += 1;
            }
            Level::Learning(progress) => {
                let days = progress.periods as f64 / PERIODS_PER_DAY as f64;
                let points = progress.datapoints;
                let _ = writeln!(
                    resources,
                    "  # {name}: no alarm, it is LEARNING, with {days:.1} days and {points} datapoints"
                );
            }
            Level::OnlyTokenWeighted => {
                let _ = writeln!(resources, "  # {name}: no alarm, too little is known of its p50");
            }
        }
    }
    if alarms == 0 {
        let hint = "a series is LEARNING until it has `min-history` and `min-datapoints`; `otpsd explain SERIES RECORDING` shows how far it is";
        return Err(failed(
            &"no alarm can be made: nothing is usual yet at the end of the recording",
            Some(hint),
        ));
    }
    if alarms > MOST_RESOURCES {
        let what = format!(
            "{alarms} alarms do not fit into a template of CloudFormation, which has at most {MOST_RESOURCES} resources"
        );
        return Err(failed(&what, Some("give recordings of fewer series, such as those of one Region")));
    }
    let mut template = HEAD.to_owned();
    for (name, series) in places {
        let _ = writeln!(template, "  {name}: {}", condition(series));
    }
    template.push_str("Resources:\n");
    template.push_str(&resources);
    Ok(template)
}

/// The name of the condition that the stack is where a series is.
fn place(series: &Series) -> String {
    let account = if series.account() == UNKNOWN_ACCOUNT { "" } else { series.account() };
    format!("In{}{}", camel(series.region()), camel(account))
}

fn condition(series: &Series) -> String {
    let equals =
        |what: &str, value: &str| format!("!Equals [!Ref AWS::{what}, {}]", serde_json::Value::from(value));
    let region = equals("Region", series.region());
    match series.account() {
        UNKNOWN_ACCOUNT => region,
        account => format!("!And [{}, {region}]", equals("AccountId", account)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stack_is_asked_where_it_is_as_far_as_the_recording_says() {
        let known = Series::new("111122223333", "us-east-1", "m");
        assert_eq!(place(&known), "InUsEast1111122223333");
        assert_eq!(
            condition(&known),
            r#"!And [!Equals [!Ref AWS::AccountId, "111122223333"], !Equals [!Ref AWS::Region, "us-east-1"]]"#
        );
        let unknown = Series::new("", "us-east-1", "m");
        assert_eq!(place(&unknown), "InUsEast1");
        assert_eq!(condition(&unknown), r#"!Equals [!Ref AWS::Region, "us-east-1"]"#);
    }
}
