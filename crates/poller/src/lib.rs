//! Where readings come from: Amazon CloudWatch, and files.
//!
//! # Layout
//!
//! - [`CloudWatch`]: a [`domain::Source`], one object for each Region of a configured source.
//! - [`Quotas`]: how much each account may be asked for, shared by the sources that are of it.
//! - [`Cost`]: what reads of it cost, without making them.
//! - [`Recording`]: readings from CSV, or from the JSON that the AWS command line prints, handed out in order of time.
//! - [`RecordingBuilder`]: the same of rows that come from elsewhere.
//! - [`RecordingWriter`]: readings to CSV.

#[cfg(feature = "cloudwatch")]
mod cloudwatch;
mod recording;

#[cfg(feature = "cloudwatch")]
pub use cloudwatch::{CloudWatch, Cost, Pace, Quotas};
pub use recording::{PeriodRows, Recording, RecordingBuilder, RecordingError, RecordingWriter};
