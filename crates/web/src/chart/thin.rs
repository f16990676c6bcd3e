//! As many points as can be told apart.

use super::path::Point;

/// The points as they are, or, where they span more than `most` periods, the lowest and the highest of each stretch of
/// time. What is kept is joined only if nothing is missing in between, so that a gap stays a gap.
pub(crate) fn thin(points: &[Option<Point>], most: usize) -> Vec<Option<Point>> {
    if points.len() <= most {
        return points.to_vec();
    }
    // Two of each stretch are kept.
    let stretch = (points.len() * 2).div_ceil(most.max(2));
    let mut kept = Vec::with_capacity(most + most / 2);
    // Where the last one that was kept stood.
    let mut last: Option<usize> = None;
    for (number, chunk) in points.chunks(stretch).enumerate() {
        let valid = || chunk.iter().enumerate().filter_map(|(place, point)| Some((place, (*point)?)));
        let Some(lowest) = valid().min_by_key(|(_, (_, y))| *y) else { continue };
        let Some(highest) = valid().max_by_key(|(_, (_, y))| *y) else { continue };
        let (first, second) = if lowest.0 <= highest.0 { (lowest, highest) } else { (highest, lowest) };
        for (place, point) in [first, second] {
            let place = number * stretch + place;
            if last == Some(place) {
                continue;
            }
            if last.is_some_and(|last| points[last..place].iter().any(Option::is_none)) {
                kept.push(None);
            }
            kept.push(Some(point));
            last = Some(place);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(values: &[Option<i64>]) -> Vec<Option<Point>> {
        (0..).zip(values).map(|(x, y)| y.map(|y| (x, y))).collect()
    }

    #[test]
    fn few_points_stay_as_they_are() {
        let few = points(&[Some(1), None, Some(3)]);
        assert_eq!(thin(&few, 3), few);
    }

    #[test]
    fn of_many_the_lowest_and_the_highest_stay_in_their_order() {
        // Stretches of four: 5 9 1 5 keeps the 9 and then the 1; 2 2 8 2 the first 2 and the 8.
        let many = points(&[5, 9, 1, 5, 2, 2, 8, 2].map(Some));
        assert_eq!(thin(&many, 4), [(1, 9), (2, 1), (4, 2), (6, 8)].map(Some));
    }

    #[test]
    fn a_stretch_that_is_level_is_one_point() {
        // The last of equals is the highest.
        let level = points(&[Some(7); 8]);
        assert_eq!(thin(&level, 4), [(0, 7), (3, 7), (4, 7), (7, 7)].map(Some));
        assert_eq!(thin(&points(&[None, Some(7), None, None, None, None, None, None]), 4), [Some((1, 7))]);
    }

    #[test]
    fn nothing_is_drawn_over_a_gap() {
        // The gap lies between two that are kept: within the first stretch, then between the second and the third.
        let gaps = points(&[
            Some(1),
            None,
            Some(3),
            Some(2),
            Some(4),
            Some(4),
            Some(4),
            None,
            Some(4),
            Some(5),
            Some(4),
            Some(4),
        ]);
        assert_eq!(
            thin(&gaps, 6),
            [Some((0, 1)), None, Some((2, 3)), Some((4, 4)), Some((6, 4)), None, Some((8, 4)), Some((9, 5))]
        );
    }

    #[test]
    fn however_broken_a_line_is_it_has_no_more_points() {
        let broken: Vec<Option<i64>> = (0..10_000).map(|k| (k % 2 == 0).then_some(k)).collect();
        // Stretches of 29 periods, two of each.
        assert_eq!(thin(&points(&broken), 700).iter().flatten().count(), 690);
    }
}
