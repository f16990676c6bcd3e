//! Two configurations side by side, and the pages that differ.

use super::super::Backtest;
use super::super::hindsight::{Comparison, Episode, Hindsight, Kind, PagePair};
use super::super::words;
use super::super::words::both;
use super::super::words::pair::{self, Reasons};
use super::cells::{self, bold};
use super::sheet::{Budget, Sheet};
use super::{past, shown};
use crate::commands::against::Former;
use crate::commands::plan::{self, Changes, Told, alike, keys, numbered};
use crate::figures::counted;
use crate::markdown::{code, text};

/// Pages that moved are shown beside the others up to so many.
const MOVED: usize = 5;

/// What there is to say.
pub(super) struct Both<'b> {
    pub(super) backtest: &'b Backtest<'b>,
    pub(super) former: &'b Former,
    pub(super) comparison: &'b Comparison,
    pub(super) changes: &'b Changes,
}

impl Both<'_> {
    pub(super) fn write(&self, sheet: &mut Sheet) {
        let (comparison, changes) = (self.comparison, self.changes);
        sheet.line(&format!("### otpsd: {}\n", self.headline()));
        let config = code(&shown(&self.backtest.args.config.display().to_string()));
        sheet.line(&format!(
            "{} → {config}, {}\n",
            code(&shown(&self.former.to_string())),
            past(self.backtest)
        ));
        if comparison.by_decision {
            sheet.line("Neither tells anybody of pages, so decisions are compared.\n");
        }
        self.table(sheet);
        let rows: Vec<String> = changes
            .all
            .iter()
            .enumerate()
            .map(|(place, change)| numbered(place + 1, change).trim_end().to_owned())
            .collect();
        if rows.is_empty() {
            sheet.line("Nothing changes that is written.\n");
        } else {
            sheet.line(&format!("{}\n", bold("What changes")));
            sheet.list(&rows, Budget::Changes);
        }
        self.pages(sheet);
        self.tickets(sheet);
    }

    /// `1 page lost, 0 gained, 1 moved; 21 series added; +$6.05 a month — **read the lost page**`
    fn headline(&self) -> String {
        let read = match self.comparison.count(Kind::Lost) {
            0 => "",
            1 => " — **read the lost page**",
            _ => " — **read the lost pages**",
        };
        format!("{}{}{read}", pair::headline(self.comparison), both::fleet(self.changes))
    }

    fn table(&self, sheet: &mut Sheet) {
        sheet.line("| | before | after | |\n| --- | ---: | ---: | --- |");
        for row in both::side_by_side(self.backtest.plan, self.comparison, self.changes) {
            sheet.line(&cells::row(&[&row.what, &row.before, &row.after, &row.note]));
        }
        sheet.line("");
    }

    fn pages(&self, sheet: &mut Sheet) {
        let reasons = Reasons::of(self.comparison);
        let rows = |which: &dyn Fn(Kind) -> bool| -> Vec<String> {
            let those = self.comparison.pages.iter().filter(|one| which(one.kind));
            those.filter_map(|one| self.page(one, &reasons)).collect()
        };
        let folds = self.comparison.count(Kind::Moved) > MOVED;
        let head =
            "| | decided | series | OTPS / baseline | lasted | why |\n| --- | --- | --- | --- | --- | --- |";
        let shown =
            rows(&|kind| matches!(kind, Kind::Lost | Kind::Gained) || (kind == Kind::Moved && !folds));
        sheet.table(&format!("{} (times UTC)", bold("Pages that differ")), head, &shown, Budget::Pages);
        if folds {
            let moved = rows(&|kind| kind == Kind::Moved);
            let summary = format!("{} moved", counted(moved.len(), "page"));
            sheet.folded(&summary, head, &moved, Budget::Moved);
        }
        for lines in reasons.shared(code) {
            sheet.line(&format!("{}\n", lines.join("\n")));
        }
    }

    fn page(&self, one: &PagePair, reasons: &Reasons<'_>) -> Option<String> {
        let (before, after) = self.comparison.episodes(one);
        let (of, shown): (&Hindsight, &Episode) = match one.kind {
            Kind::Gained => (&self.comparison.after, after?),
            _ => (&self.comparison.before, before?),
        };
        let kind = match one.kind {
            Kind::Lost => "**LOST**",
            Kind::Gained => "**gained**",
            _ => one.kind.as_str(),
        };
        let decided = match after.filter(|after| one.kind == Kind::Moved && after.opened() != shown.opened())
        {
            Some(after) => {
                let (was, is) = (shown.opened().end(), after.opened().end());
                format!("{} → {}", words::short_time(was), words::short_time_after(is, was))
            }
            None => words::short_time(shown.opened().end()),
        };
        let mut why = vec![text(&pair::what(self.comparison, one)), words::grounds(shown)];
        why.extend(reasons.at(one, code));
        why.push(format!("to {}", text(&words::told(shown))));
        Some(cells::row(&[
            kind,
            &decided,
            &cells::series(shown.series()),
            &words::evidence(shown, &of.rule(shown.series())),
            &words::lasted(shown, of.span.until),
            &why.join("<br>"),
        ]))
    }

    fn tickets(&self, sheet: &mut Sheet) {
        let differ = self.comparison.tickets.iter().filter(|one| one.kind != Kind::Same);
        let row = |one: &super::super::hindsight::TicketPair| {
            let (before, after) = self.comparison.filed(one);
            Some(cells::ticket(Some(if one.kind == Kind::Lost { "gone" } else { "new" }), before.or(after)?))
        };
        let rows: Vec<String> = differ.filter_map(row).collect();
        let head = "| | opened | cause | series | summary | to |\n| --- | --- | --- | --- | --- | --- |";
        sheet.table(&format!("{} (times UTC)", bold("Tickets that differ")), head, &rows, Budget::Tickets);
    }
}

/// What most readers need not see: pages that stay, and what changed series are judged by now.
pub(super) fn folded(sheet: &mut Sheet, backtest: &Backtest<'_>, comparison: &Comparison, changes: &Changes) {
    let same = comparison.pages.iter().filter(|one| one.kind == Kind::Same);
    let row = |one: &PagePair| {
        let (_, after) = comparison.episodes(one);
        after.map(|after| {
            cells::row(&[
                &words::short_time(after.opened().end()),
                &cells::series(after.series()),
                &words::evidence(after, &comparison.after.rule(after.series())),
                &words::lasted(after, comparison.after.span.until),
            ])
        })
    };
    let rows: Vec<String> = same.filter_map(row).collect();
    let head = "| decided | series | OTPS / baseline | lasted |\n| --- | --- | --- | --- |";
    sheet.folded(&format!("{} as before", counted(rows.len(), "page")), head, &rows, Budget::Folded);
    let mut changed: Vec<&domain::Series> = changes
        .all
        .iter()
        .filter(|change| ["rule", "pages_told"].contains(&change.kind))
        .flat_map(|change| &change.series)
        .collect();
    changed.sort();
    changed.dedup();
    let mut lines = Vec::new();
    let count = changed.len();
    for group in alike(backtest.plan, backtest.origins, changed.into_iter()) {
        lines.push(counted(group.series.len(), "series"));
        lines.extend(keys(&group.judged, "  ").lines().map(str::to_owned));
        if let Some(first) = group.series.first() {
            let told = Told::of(backtest.plan, backtest.origins, first, plan::Kind::Page);
            lines.push(format!("  pages go to {}", told.words_with_places()));
        }
    }
    sheet.block(&format!("New effective rule of the {count} changed series"), &lines, Budget::Folded);
}
