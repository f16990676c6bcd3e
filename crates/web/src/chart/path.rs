//! SVG path data from points with gaps between them, in as few characters as that takes: a fleet's page holds hundreds.

use std::fmt::Write;

/// A point in units of the plot.
pub(crate) type Point = (i64, i64);

/// The points as lines, one for each unbroken run. A point alone is a dot (with round line ends).
pub(crate) fn line(points: &[Option<Point>]) -> String {
    let mut data = String::with_capacity(points.len() * 5);
    for run in runs(points) {
        push_run(&mut data, run);
    }
    data
}

/// The surface between the points and `bottom`, one for each unbroken run.
pub(crate) fn area(points: &[Option<Point>], bottom: i64) -> String {
    let mut data = String::with_capacity(points.len() * 2);
    for run in runs(points) {
        if let Some(Some((x, _))) = run.first() {
            push_run(&mut data, run);
            // Writing into a string cannot fail.
            let _ = write!(data, "V{bottom}H{x}Z");
        }
    }
    data
}

/// The points as dots.
pub(crate) fn dots(points: &[Option<Point>]) -> String {
    let mut data = String::new();
    for (x, y) in points.iter().flatten() {
        let _ = write!(data, "M{x} {y}h0");
    }
    data
}

fn runs(points: &[Option<Point>]) -> impl Iterator<Item = &[Option<Point>]> {
    points.split(Option::is_none).filter(|run| !run.is_empty())
}

fn push_run(data: &mut String, run: &[Option<Point>]) {
    let mut points = run.iter().flatten();
    let Some(&(mut x, mut y)) = points.next() else { return };
    let _ = write!(data, "M{x} {y}");
    let mut drawn = false;
    let mut level = 0;
    for &(next_x, next_y) in points {
        if next_y == y {
            level += next_x - x;
        } else {
            push_level(data, &mut level);
            let _ = write!(data, "l{} {}", next_x - x, next_y - y);
        }
        (x, y, drawn) = (next_x, next_y, true);
    }
    push_level(data, &mut level);
    if !drawn {
        data.push_str("h0");
    }
}

fn push_level(data: &mut String, level: &mut i64) {
    if *level != 0 {
        let _ = write!(data, "h{level}");
        *level = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const POINTS: [Option<Point>; 8] =
        [Some((0, 10)), Some((1, 10)), Some((2, 10)), Some((3, 4)), None, Some((5, 7)), None, None];

    #[test]
    fn a_line_breaks_at_gaps_and_merges_what_is_level() {
        assert_eq!(line(&POINTS), "M0 10h2l1 -6M5 7h0");
        assert_eq!(line(&[None, None]), "");
    }

    #[test]
    fn an_area_reaches_down_to_the_bottom() {
        assert_eq!(area(&POINTS[..5], 100), "M0 10h2l1 -6V100H0Z");
    }

    #[test]
    fn dots_have_no_length() {
        assert_eq!(dots(&POINTS[3..6]), "M3 4h0M5 7h0");
    }
}
