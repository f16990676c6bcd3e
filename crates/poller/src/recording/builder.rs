//! Rows in any order become a recording.

use std::collections::HashMap;

use domain::{Period, Series, UNKNOWN_ACCOUNT};

use super::{PackedRow, Recording};

/// A recording that is being read.
#[derive(Debug, Default)]
pub(super) struct Builder {
    series: Vec<Series>,
    rows: Vec<PackedRow>,
    values: Vec<f64>,
    /// Series that are known, by the parts of their name with [`SEPARATOR`] between them.
    known: HashMap<Vec<u8>, u32>,
    /// The key that is looked up, kept for its memory.
    key: Vec<u8>,
}

/// A byte that is no part of any UTF-8 text.
const SEPARATOR: u8 = 0xff;

impl Builder {
    /// The number of a series, for [`Self::start_row`]. The parts are parsed, by `parse`, only when they are new.
    pub(super) fn series<E>(
        &mut self,
        account: &[u8],
        region: &[u8],
        model: &[u8],
        parse: impl FnOnce() -> Result<Series, E>,
    ) -> Result<u32, E> {
        // An account that is not given has a name, too, and the series must not be there twice.
        let account = if account.is_empty() { UNKNOWN_ACCOUNT.as_bytes() } else { account };
        self.key.clear();
        self.key.extend_from_slice(account);
        self.key.push(SEPARATOR);
        self.key.extend_from_slice(region);
        self.key.push(SEPARATOR);
        self.key.extend_from_slice(model);
        if let Some(&number) = self.known.get(&self.key) {
            return Ok(number);
        }
        let series = parse()?;
        let number = u32::try_from(self.series.len()).expect("so many series do not fit the memory");
        self.series.push(series);
        self.known.insert(self.key.clone(), number);
        Ok(number)
    }

    /// Begins a row without values.
    pub(super) fn start_row(&mut self, series: u32, period: Period) {
        self.rows.push(PackedRow { period, series, cells: 0, values: self.values.len() });
    }

    /// Gives the row that was begun last a value. Cells come in ascending order; a repeated one replaces its value.
    pub(super) fn set(&mut self, cell: u8, value: f64) {
        let Some(row) = self.rows.last_mut() else { return };
        let bit = 1_u64 << cell;
        debug_assert!(row.cells >> cell <= 1, "cells come in ascending order");
        if row.cells & bit != 0 {
            self.values.pop();
        }
        row.cells |= bit;
        self.values.push(value);
    }

    /// Puts series and rows in order.
    pub(super) fn finish(self) -> Recording {
        let Self { mut series, mut rows, values, .. } = self;
        let mut order: Vec<u32> = (0..).take(series.len()).collect();
        order.sort_by(|&a, &b| series[a as usize].cmp(&series[b as usize]));
        let mut rank = vec![0; order.len()];
        for (place, &number) in (0..).zip(&order) {
            rank[number as usize] = place;
        }
        series.sort();
        for row in &mut rows {
            row.series = rank[row.series as usize];
        }
        // Stable: of two rows about the same, the one that was read later must come later.
        rows.sort_by_key(|row| (row.period, row.series));
        Recording { series, rows, values }
    }
}
