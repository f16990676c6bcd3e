//! `learn-from`: the model whose history a new one is judged by until it has its own.

use domain::Matcher;

use crate::quote::quoted;
use crate::reach::Reach;
use crate::table::{Fault, Table};
use crate::value::text;

/// The most characters that CloudWatch takes for the value of a dimension.
const MAX_MODEL: usize = 1_024;

/// `Some(None)` without one. `matcher` says which series are to learn from it, where that is known.
pub(super) fn read(
    table: &mut Table<'_, '_, '_>,
    matcher: Option<&Matcher>,
    reach: Option<Reach<'_>>,
) -> Option<Option<String>> {
    let setting = table.optional("learn-from", text(model));
    let model = setting.value?;
    if let (Some(model), Some(at)) = (&model, setting.at) {
        let is_only_itself =
            |matcher: &Matcher| !matcher.models.is_empty() && matcher.models.iter().all(|glob| glob == model);
        if matcher.is_some_and(is_only_itself) {
            let message = format!("`learn-from` has {}, which is all that `match` is about", quoted(model));
            table.report.error(at, message).hint("name another model, whose history is there already");
            return None;
        }
        if let Some(reach) = reach {
            reach.model(table.report, model, at);
        }
    }
    Some(model)
}

/// One model by its whole name: a pattern could fit several, and each has a history of its own.
fn model(text: &str) -> Result<String, Fault> {
    let example =
        "write the whole name that CloudWatch has, such as \"us.anthropic.claude-sonnet-4-5-20250929-v1:0\"";
    let length = text.chars().count();
    if text.is_empty() {
        Err(Fault::new("is empty").hint(example))
    } else if text.contains(['*', '?']) {
        Err(Fault::new(format!("must name one model, not a pattern: {}", quoted(text))).hint(example))
    } else if length > MAX_MODEL {
        Err(Fault::new(format!("must have at most {MAX_MODEL} characters, not {length}")))
    } else if text.contains(|c: char| c.is_whitespace() || c.is_control()) {
        Err(Fault::new(format!("must name a model, which has no blanks: {}", quoted(text))).hint(example))
    } else {
        Ok(text.to_owned())
    }
}
