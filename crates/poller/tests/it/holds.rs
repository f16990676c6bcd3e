//! What holds of every file, whatever it is: of those that tests make up, and of those that a fuzzer finds (`tests/fuzz/`).

use std::path::Path;

use domain::{Metric, Period, Reading, Series, Statistic};
use poller::{Recording, RecordingWriter};

/// Of a recording, in CSV, packed or not, or in the JSON of `aws cloudwatch get-metric-data`. What can be read can be written, and
/// is then read as the same. `folder` is one for files of this call.
pub(crate) fn recording(content: &[u8], folder: &Path) {
    let (file, again) = (folder.join("recording"), folder.join("again.csv"));
    std::fs::write(&file, content).expect("a folder of the test");
    let recording = match Recording::read(&[&file]) {
        Ok(recording) => recording,
        Err(error) => {
            let told = error.to_string();
            assert!(!told.contains(|c: char| c.is_control()), "{told:?}");
            return;
        }
    };
    let mut writer = RecordingWriter::create(&again).expect("a folder of the test");
    let mut before = None;
    let read = rows(&recording);
    for (period, series, reading) in &read {
        assert!(before < Some((*period, series)), "not in order, or twice: {series} at {period:?}");
        before = Some((*period, series));
        assert!(recording.span().is_some_and(|span| span.from <= *period && *period < span.until));
        writer.write(series, *period, reading).expect("what was read can be written");
    }
    writer.finish().expect("a folder of the test");
    if !read.is_empty() {
        assert_eq!(rows(&Recording::read(&[&again]).expect("what was written can be read")), read);
    }
}

/// All rows in the order they are handed out. Their values are numbers.
fn rows(recording: &Recording) -> Vec<(Period, Series, Reading)> {
    let mut all = Vec::new();
    for rows in recording.periods() {
        for (series, reading) in rows.rows() {
            for metric in Metric::ALL {
                for statistic in Statistic::ALL {
                    assert!(reading.of(metric).get(statistic).is_none_or(f64::is_finite), "{reading:?}");
                }
            }
            all.push((rows.period(), recording.series()[series].clone(), reading));
        }
    }
    all
}
