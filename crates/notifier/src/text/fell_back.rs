//! Latency-optimized traffic that is served with Standard latency.

use domain::{FellBack, Series, Split};

use super::heading;
use crate::context::Context;
use crate::figures::{count, share};
use crate::sheet::Sheet;

/// More series are counted, not named.
const NAMED: usize = 4;

/// What to do about it.
pub(super) const STEP: &str = "Look at the usage quota of latency-optimized inference: once it is used up, Bedrock serves the same requests with \
     Standard latency. Which one served a request is in its response (performanceConfig.latency) and in CloudTrail. \
     Ask for more quota, or keep the optimized calls for those who wait for them.";

/// Whether traffic fell back in any series of a page.
pub(super) fn any(context: &Context<'_>) -> bool {
    !context.surroundings.fell_back.is_empty()
}

/// Of the series of a page, the share that was optimized and is.
pub(super) fn told(sheet: &mut Sheet, context: &Context<'_>) {
    let all = &context.surroundings.fell_back;
    if all.is_empty() {
        return;
    }
    let mut named: Vec<String> = all.iter().take(NAMED).map(one).collect();
    if all.len() > NAMED {
        named.push(format!("and {} more", all.len() - NAMED));
    }
    sheet.item("Fell back to Standard latency: ", &format!("{}.", named.join("; ")));
}

/// `70 % of 300 requests in 5 minutes are usually served as example+latency-optimized, now 2.0 % of 310`
fn one(fell: &FellBack) -> String {
    let part = |split: Split| {
        format!("{} of {} requests", share(split.share().unwrap_or(0.0)), count(split.requests()))
    };
    let twin: Series = fell.series.latency_optimized();
    format!(
        "{} in 5 minutes are usually served as {}, now {}",
        part(fell.usual),
        heading::model(&twin),
        part(fell.now)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    #[test]
    fn a_long_list_is_counted() {
        let mut around = sample::surroundings();
        around.fell_back = vec![sample::fell_back(); 6];
        let plan = sample::labelled();
        let mut sheet = Sheet::default();
        told(&mut sheet, &Context::new(&plan, sample::told(), &around));
        let text = sheet.finish().split_whitespace().collect::<Vec<_>>().join(" ");
        // 2,030 of 2,900 requests, then 147 of 2,940.
        assert!(
            text.starts_with("Fell back to Standard latency: 70 % of 2,900 requests in 5 minutes"),
            "{text}"
        );
        assert!(text.contains("+latency-optimized, now 5.0 % of 2,940 requests;"), "{text}");
        assert!(text.ends_with("; and 2 more."), "{text}");
    }
}
