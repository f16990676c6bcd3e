//! Which models are watched: what `include`, `ignore` and `expect` leave of each other.

use domain::Glob;

use super::Values;
use crate::quote::quoted;
use crate::report::At;
use crate::table::Table;

type Globs<'v> = &'v [(String, At)];

/// Reports patterns that leave nothing to watch, and models that are expected and not watched.
pub(super) fn something_is(table: &mut Table<'_, '_, '_>, values: &Values) {
    let (Some(include), Some(ignore)) = (&values.include.value, &values.ignore.value) else { return };
    let (include, ignore) = (include.as_deref().unwrap_or_default(), ignore.as_deref().unwrap_or_default());
    if let Some((glob, at)) = covering(ignore, "*") {
        let message = format!("`ignore` has {}: no model is watched", quoted(glob));
        table.report.error(*at, message).hint("leave out the whole source to watch nothing of it");
        return;
    }
    let hidden: Vec<_> = include
        .iter()
        .filter_map(|(glob, at)| covering(ignore, glob).map(|(_, by)| (glob, *at, *by)))
        .collect();
    for (glob, at, by) in &hidden {
        let draft = if hidden.len() == include.len() {
            let message = format!(
                "`include` has {}, all of which `ignore` leaves out: no model is watched",
                quoted(glob)
            );
            table.report.error(*at, message)
        } else {
            table
                .report
                .warning(*at, format!("`include` has {}, all of which `ignore` leaves out", quoted(glob)))
        };
        draft
            .hint("what is ignored is not watched, even when it is included")
            .see(*by, "it is left out here");
    }
    for (glob, at) in values.expect.value.iter().flatten().flatten() {
        expected(table, (glob, *at), include, (ignore, values.include.at));
    }
}

/// A model that is not watched is not seen, whether it is there or not.
fn expected(
    table: &mut Table<'_, '_, '_>,
    (glob, at): (&str, At),
    include: Globs<'_>,
    (ignore, include_at): (Globs<'_>, Option<At>),
) {
    if let Some((_, by)) = covering(ignore, glob) {
        let message = format!("`expect` has {}, which `ignore` leaves out", quoted(glob));
        let draft = table.report.error(at, message);
        draft.hint("only a model that is watched can be missed").see(*by, "it is left out here");
        return;
    }
    let is_included =
        include.is_empty() || include.iter().any(|(one, _)| Glob::new(one).meets(Glob::new(glob)));
    if let Some(include_at) = include_at.filter(|_| !is_included) {
        let message = format!("`expect` has {}, which `include` does not take", quoted(glob));
        let draft = table.report.error(at, message);
        draft.hint("only a model that is watched can be missed").see(include_at, "only these are watched");
    }
}

/// The one that surely matches all that `glob` does.
fn covering<'v>(globs: Globs<'v>, glob: &str) -> Option<&'v (String, At)> {
    globs.iter().find(|(one, _)| Glob::new(one).covers(Glob::new(glob)))
}
