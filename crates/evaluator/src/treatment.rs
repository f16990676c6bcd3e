//! What missing periods make of an alarm, by the rules of CloudWatch.
//!
//! Source: Amazon CloudWatch user guide, "Configuring how CloudWatch alarms treat missing data", whose two tables are the
//! tests of this module.

use domain::{AlarmState, MissingData, Slot, Verdict};

/// CloudWatch looks at some periods more than the rule asks for, and does not say how many; its tables look at two more.
pub(crate) const BEYOND: u8 = 2;

/// A period, as far as a treatment looks at it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mark {
    Breaching,
    Within,
    Missing,
}

impl From<&Slot> for Mark {
    fn from(slot: &Slot) -> Self {
        match slot.verdict {
            Verdict::Breaching => Self::Breaching,
            Verdict::Within => Self::Within,
            Verdict::Missing(_) => Self::Missing,
        }
    }
}

/// The real periods that are looked at, oldest first: the newest `periods` of them, or all where there are fewer.
pub(crate) fn evaluated<T>(range: &[T], periods: u8, is_real: impl Fn(&T) -> bool) -> Vec<&T> {
    let mut real: Vec<&T> = range.iter().rev().filter(|one| is_real(one)).take(periods.into()).collect();
    real.reverse();
    real
}

/// The state that CloudWatch would show for an evaluation range, oldest first. `None` where that is the state before.
pub(crate) fn state(
    range: &[Mark],
    datapoints_to_alarm: u8,
    periods: u8,
    treatment: MissingData,
) -> Option<AlarmState> {
    let real = evaluated(range, periods, |mark| *mark != Mark::Missing);
    let breaching = real.iter().filter(|mark| ***mark == Mark::Breaching).count();
    // Missing periods only fill up what the real ones leave open.
    let filled = usize::from(periods).saturating_sub(real.len());
    let counted = breaching + if treatment == MissingData::Breaching { filled } else { 0 };
    if counted >= usize::from(datapoints_to_alarm) {
        return Some(AlarmState::Alarm);
    }
    if real.is_empty() {
        return match treatment {
            MissingData::Ignore => None,
            MissingData::Missing | MissingData::Neutral => Some(AlarmState::InsufficientData),
            MissingData::Breaching | MissingData::NotBreaching => Some(AlarmState::Ok),
        };
    }
    let alone = breaching == real.len() && is_old_enough(range, datapoints_to_alarm, periods);
    match treatment {
        MissingData::Missing if alone => Some(AlarmState::Alarm),
        MissingData::Ignore if alone => None,
        _ => Some(AlarmState::Ok),
    }
}

/// Whether the oldest breaching period among the last `periods` is at least as old as the alarm needs breaching ones: by then
/// it would have been one, had the others come and been like it.
fn is_old_enough(range: &[Mark], datapoints_to_alarm: u8, periods: u8) -> bool {
    let last = &range[range.len().saturating_sub(periods.into())..];
    last.iter()
        .position(|mark| *mark == Mark::Breaching)
        .is_some_and(|oldest| last.len() - oldest >= usize::from(datapoints_to_alarm))
}

#[cfg(test)]
mod tests {
    use MissingData::{Breaching, Ignore, Missing, NotBreaching};

    use super::*;

    const TREATMENTS: [MissingData; 4] = [Missing, Ignore, Breaching, NotBreaching];
    const RETAIN: Option<AlarmState> = None;
    const OK: Option<AlarmState> = Some(AlarmState::Ok);
    const ALARM: Option<AlarmState> = Some(AlarmState::Alarm);
    const INSUFFICIENT: Option<AlarmState> = Some(AlarmState::InsufficientData);

    /// `0` within, `X` breaching, `-` missing, newest right: as in the guide.
    fn marks(text: &str) -> Vec<Mark> {
        text.split(' ')
            .map(|mark| match mark {
                "X" => Mark::Breaching,
                "0" => Mark::Within,
                _ => Mark::Missing,
            })
            .collect()
    }

    fn row(text: &str, m: u8, n: u8, expected: [Option<AlarmState>; 4]) {
        for (treatment, expected) in TREATMENTS.into_iter().zip(expected) {
            assert_eq!(state(&marks(text), m, n, treatment), expected, "{text} {treatment:?}");
        }
    }

    #[test]
    fn three_of_three() {
        row("0 - X - X", 3, 3, [OK, OK, OK, OK]);
        row("0 - - - -", 3, 3, [OK, OK, OK, OK]);
        row("- - - - -", 3, 3, [INSUFFICIENT, RETAIN, ALARM, OK]);
        row("0 X X - X", 3, 3, [ALARM, ALARM, ALARM, ALARM]);
        row("- - X - -", 3, 3, [ALARM, RETAIN, ALARM, OK]);
    }

    #[test]
    fn two_of_three() {
        row("0 - X - X", 2, 3, [ALARM, ALARM, ALARM, ALARM]);
        row("0 0 X 0 X", 2, 3, [ALARM, ALARM, ALARM, ALARM]);
        row("0 - X - -", 2, 3, [OK, OK, ALARM, OK]);
        row("- - - - 0", 2, 3, [OK, OK, ALARM, OK]);
        row("- - - X -", 2, 3, [ALARM, RETAIN, ALARM, OK]);
    }

    #[test]
    fn a_breach_that_is_too_young_is_no_alarm_yet() {
        for text in ["- - - - X", "- - - X -"] {
            assert_eq!(state(&marks(text), 3, 3, Missing), OK, "{text}");
        }
        assert_eq!(state(&marks("- - X - -"), 3, 3, Missing), ALARM);
    }

    #[test]
    fn three_of_five_over_seven() {
        row("- - - - X - -", 3, 5, [ALARM, RETAIN, ALARM, OK]);
        row("0 - - - X - -", 3, 5, [OK, OK, ALARM, OK]);
        row("- - - - - - -", 3, 5, [INSUFFICIENT, RETAIN, ALARM, OK]);
        row("X X X 0 0 - -", 3, 5, [ALARM, ALARM, ALARM, ALARM]);
    }
}
