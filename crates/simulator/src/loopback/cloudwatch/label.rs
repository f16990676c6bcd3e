//! Labels of results.

use super::shapes::MetricStat;

/// The label of a result that was asked for without one: the metric's name, then the statistic and the period as far
/// as the queries of the call differ in them. Values of dimensions that differ stand first; AWS does not document how
/// it labels those.
pub(crate) fn default_label(of: &MetricStat, all: &[&MetricStat]) -> String {
    let differs = |differs: fn(&MetricStat, &MetricStat) -> bool| all.iter().any(|other| differs(of, other));
    let mut words: Vec<String> = Vec::new();
    for dimension in &of.metric.dimensions {
        if all.iter().any(|other| !other.metric.dimensions.contains(dimension)) {
            words.push(dimension.value.clone());
        }
    }
    words.push(of.metric.metric_name.clone());
    if differs(|a, b| a.stat != b.stat) {
        words.push(of.stat.clone());
    }
    if differs(|a, b| a.period != b.period) {
        words.push(of.period.to_string());
    }
    words.join(" ")
}

/// Fills in `${PROP('Region')}` and its kin. Others (`${LAST}`, `${MAX_TIME}`, …) are left as they stand.
pub(crate) fn dynamic_label(label: &str, of: &MetricStat, account: &str, region: &str) -> String {
    let mut filled = String::with_capacity(label.len());
    let mut rest = label;
    while let Some((before, after)) = rest.split_once("${PROP('") {
        filled.push_str(before);
        match after
            .split_once("')}")
            .and_then(|(name, tail)| Some((property(name, of, account, region)?, tail)))
        {
            Some((value, tail)) => {
                filled.push_str(&value);
                rest = tail;
            }
            None => {
                filled.push_str("${PROP('");
                rest = after;
            }
        }
    }
    filled.push_str(rest);
    filled
}

fn property(name: &str, of: &MetricStat, account: &str, region: &str) -> Option<String> {
    if let Some(dimension) = name.strip_prefix("Dim.") {
        let dimensions = &of.metric.dimensions;
        return dimensions.iter().find(|one| one.name == dimension).map(|one| one.value.clone());
    }
    match name {
        "AccountId" | "AccountLabel" => Some(account.to_owned()),
        "MetricName" => Some(of.metric.metric_name.clone()),
        "Namespace" => Some(of.metric.namespace.clone()),
        "Period" => Some(of.period.to_string()),
        "Region" => Some(region.to_owned()),
        "Stat" => Some(of.stat.clone()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::shapes::{Dimension, Metric};
    use super::*;

    fn stat(metric: &str, model: &str, stat: &str, period: i64) -> MetricStat {
        MetricStat {
            metric: Metric {
                namespace: "AWS/Bedrock".to_owned(),
                metric_name: metric.to_owned(),
                dimensions: vec![Dimension { name: "ModelId".to_owned(), value: model.to_owned() }],
            },
            period,
            stat: stat.to_owned(),
            unit: None,
        }
    }

    fn labels(stats: &[MetricStat]) -> Vec<String> {
        let all: Vec<&MetricStat> = stats.iter().collect();
        stats.iter().map(|one| default_label(one, &all)).collect()
    }

    #[test]
    fn a_default_label_says_what_differs() {
        // The first three are how AWS has been seen to label.
        assert_eq!(labels(&[stat("a", "m", "Sum", 60), stat("b", "m", "Sum", 60)]), ["a", "b"]);
        assert_eq!(
            labels(&[stat("a", "m", "Sum", 60), stat("a", "m", "Minimum", 60)]),
            ["a Sum", "a Minimum"]
        );
        assert_eq!(
            labels(&[stat("a", "m", "Sum", 60), stat("a", "m", "Minimum", 300)]),
            ["a Sum 60", "a Minimum 300"]
        );
        assert_eq!(labels(&[stat("a", "m", "Sum", 60), stat("a", "n", "Sum", 60)]), ["m a", "n a"]);
    }

    #[test]
    fn properties_are_filled_in() {
        let of = stat("InvocationLatency", "example.model-v1:0", "p50", 300);
        let label = "${PROP('Region')} ${PROP('Dim.ModelId')} ${PROP('MetricName')} ${PROP('Stat')}";
        let filled = dynamic_label(label, &of, "111122223333", "eu-west-1");
        assert_eq!(filled, "eu-west-1 example.model-v1:0 InvocationLatency p50");
        let filled =
            dynamic_label("${PROP('Period')}|${PROP('AccountId')}|${PROP('Namespace')}", &of, "1", "r");
        assert_eq!(filled, "300|1|AWS/Bedrock");
    }

    #[test]
    fn what_is_not_known_stays() {
        let of = stat("a", "m", "p50", 300);
        for label in ["${PROP('Nothing')}", "${PROP('Dim.Other')}", "${LAST}", "${PROP('Region", "plain"] {
            assert_eq!(dynamic_label(label, &of, "1", "r"), label);
        }
    }
}
