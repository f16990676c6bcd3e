//! The nearest native alarm of one series.

use domain::{Method, MissingData, Mode, Period, Rule, Series};

/// So much of a model is in a description, which may have 1,024 characters.
const LONGEST_NAME: usize = 200;

/// A resource of a template. A JSON string is a string of YAML too, so all that is not ours is written as one.
pub(super) fn alarm(series: &Series, rule: &Rule, otps: f64, until: Period, condition: &str) -> String {
    let id = logical_id(series);
    let enabled = rule.mode == Mode::Page;
    let missing = missing(rule.missing_data);
    let (periods, datapoints) = (rule.evaluation_periods, rule.datapoints_to_alarm);
    let (description, comparison, band) = match rule.method {
        Method::Threshold => {
            let (threshold, description) = below_threshold(series, rule, otps, until);
            (
                description,
                format!("ComparisonOperator: LessThanThreshold\n      Threshold: {threshold}"),
                String::new(),
            )
        }
        Method::Anomaly { deviations, .. } => {
            let comparison =
                "ComparisonOperator: LessThanLowerThreshold\n      ThresholdMetricId: band".to_owned();
            (below_band(series, deviations), comparison, band(deviations))
        }
    };
    let description = quoted(&description);
    let metrics = metric("m1", "InvocationLatency", series)
        + &metric("m2", "OutputTokenCount", series)
        + &metric("m3", "TimeToFirstToken", series);
    format!(
        r#"  {id}:
    Type: AWS::CloudWatch::Alarm
    Condition: {condition}
    Properties:
      AlarmDescription: {description}
      ActionsEnabled: {enabled}
      AlarmActions: !If [HasTopic, [!Ref Topic], !Ref AWS::NoValue]
      OKActions: !If [HasTopic, [!Ref Topic], !Ref AWS::NoValue]
      {comparison}
      EvaluationPeriods: {periods}
      DatapointsToAlarm: {datapoints}
      TreatMissingData: {missing}
      EvaluateLowSampleCountPercentile: ignore
      Metrics:
{band}        - Id: otps
          Label: OTPS
          Expression: m2 / (m1 - m3) * 1000
          ReturnData: true
{metrics}"#
    )
}

fn metric(id: &str, name: &str, series: &Series) -> String {
    let model = quoted(series.model());
    format!(
        r"        - Id: {id}
          MetricStat:
            Metric:
              Namespace: AWS/Bedrock
              MetricName: {name}
              Dimensions:
                - Name: ModelId
                  Value: {model}
            Period: 300
            Stat: p50
          ReturnData: false
"
    )
}

fn band(deviations: f64) -> String {
    format!(
        r"        - Id: band
          Label: usual OTPS
          Expression: ANOMALY_DETECTION_BAND(otps, {deviations})
          ReturnData: true
"
    )
}

/// Tokens per second below which a period breaches: a share of what is usual, or the floor of the rule where that is higher.
pub(super) fn threshold(rule: &Rule, otps: f64) -> f64 {
    (rule.page_below * otps).max(rule.page_below_otps.unwrap_or(0.0))
}

fn below_threshold(series: &Series, rule: &Rule, otps: f64, until: Period) -> (String, String) {
    let below = format!("{:.2}", threshold(rule, otps));
    let why = if rule.page_below_otps.is_some_and(|floor| floor > rule.page_below * otps) {
        format!("the page-below-otps of its rule; {otps:.2} was usual")
    } else {
        format!("{} of the {otps:.2} that were usual", rule.page_below)
    };
    let description = format!(
        "{} decodes fewer than {below} tokens/s: {why} at {}, where the recording ended. What a static alarm cannot do: it has this line at every \
         hour of the day and learns no new level, knows no noise, cannot tell a slow host from a few slow requests, ends at the line \
         where it began, and takes a missing TimeToFirstToken for 0, which reads as slow. Its window slides every minute.",
        named(series),
        until.start(),
    );
    (below, description)
}

fn below_band(series: &Series, deviations: f64) -> String {
    format!(
        "{} decodes more slowly than a band of {deviations} standard deviations, which CloudWatch learns itself. What this alarm cannot do: it \
         asks for no least drop in a quiet series, learns from incidents too, cannot tell a slow host from a few slow requests, and takes a missing \
         TimeToFirstToken for 0, which reads as slow. Its window slides every minute.",
        named(series),
    )
}

fn named(series: &Series) -> String {
    let mut model: String = series.model().chars().take(LONGEST_NAME).collect();
    if model.len() < series.model().len() {
        model.push_str("...");
    }
    format!("{model} in {}", series.region())
}

/// CloudWatch knows no `neutral`; what keeps the state is the nearest.
const fn missing(data: MissingData) -> &'static str {
    match data {
        MissingData::Neutral | MissingData::Ignore => "ignore",
        MissingData::Missing => "missing",
        MissingData::Breaching => "breaching",
        MissingData::NotBreaching => "notBreaching",
    }
}

/// A name that depends on nothing but the series, so that an alarm stays the same when others come and go: letters and digits,
/// no more than 255. The end tells apart what differs in other characters only.
fn logical_id(series: &Series) -> String {
    let readable: String =
        camel(series.region()).chars().chain(camel(series.model()).chars()).take(200).collect();
    let fnv = series
        .to_string()
        .bytes()
        .fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    format!("Otps{readable}{fnv:08x}")
}

/// `us-east-1` as `UsEast1`.
pub(super) fn camel(name: &str) -> String {
    let words = name.split(|letter: char| !letter.is_ascii_alphanumeric());
    words
        .flat_map(|word| {
            word.chars().take(1).map(|first| first.to_ascii_uppercase()).chain(word.chars().skip(1))
        })
        .collect()
}

/// A text on one line, for a comment.
pub(super) fn text(name: &str) -> String {
    name.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}

fn quoted(value: &str) -> String {
    serde_json::Value::from(value).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_logical_id_is_stable_valid_and_its_own() {
        let id = |model: &str| logical_id(&Series::new("111122223333", "us-east-1", model));
        let one = id("example.alpha-large-v1:0");
        assert!(one.starts_with("OtpsUsEast1ExampleAlphaLargeV10"), "{one}");
        assert_eq!(one, id("example.alpha-large-v1:0"));
        assert_ne!(one, id("example.alpha.large.v1.0"));
        let long = id(&"é:x".repeat(400));
        assert!(long.len() <= 255 && long.chars().all(|letter| letter.is_ascii_alphanumeric()), "{long}");
    }

    #[test]
    fn the_floor_of_a_rule_counts_where_it_is_higher() {
        let rule = Rule { page_below_otps: Some(25.0), ..Rule::default() };
        // 0.8 x 100 is above the floor, 0.8 x 30 below it.
        assert_eq!((threshold(&rule, 100.0), threshold(&rule, 30.0)), (80.0, 25.0));
        let description =
            below_threshold(&Series::new("", "us-east-1", "m"), &rule, 30.0, Period::from_index(0)).1;
        assert!(
            description.starts_with("m in us-east-1 decodes fewer than 25.00 tokens/s: the page-below-otps"),
            "{description}"
        );
    }

    #[test]
    fn a_description_fits() {
        let series = Series::new("", "us-gov-west-1", &"arn:".repeat(250));
        let description = below_threshold(&series, &Rule::default(), 123.456, Period::from_index(0)).1;
        assert!(description.len() <= 1024, "{}", description.len());
    }
}
