//! A recording of rows that come from elsewhere than files.

use domain::{Metric, Row, Statistic, Tier};

use super::builder::Builder;
use super::{Recording, cell, cell_of_tier};

/// Takes rows in any order. Only what they hold is kept: 32 bytes a row, and 8 a value.
#[derive(Debug, Default)]
pub struct RecordingBuilder {
    builder: Builder,
}

impl RecordingBuilder {
    /// Takes one row in. Of two about the same series and period, the values of the later one win. A value that is not
    /// finite is no value, as it is none in a file.
    pub fn add(&mut self, row: &Row) {
        let Row { series, period, reading } = row;
        let names = [series.account(), series.region(), series.model()].map(str::as_bytes);
        let [account, region, model] = names;
        let Ok(number) = self.builder.series(account, region, model, || Ok::<_, Never>(series.clone()));
        self.builder.start_row(number, *period);
        for metric in Metric::ALL {
            for statistic in Statistic::ALL {
                if let Some(value) = reading.get(metric, statistic).filter(|value| value.is_finite()) {
                    self.builder.set(cell(metric, statistic), value);
                }
            }
        }
        for tier in Tier::ALL {
            if let Some(requests) = reading.served(tier).filter(|requests| requests.is_finite()) {
                self.builder.set(cell_of_tier(tier), requests);
            }
        }
    }

    /// Puts everything in order.
    #[must_use]
    pub fn finish(self) -> Recording {
        self.builder.finish()
    }
}

/// What cannot happen to a name that was read before.
type Never = std::convert::Infallible;
