//! The last periods that were drawn, since a server asks for several metrics of each.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use domain::Period;

use super::request::Traffic;

/// How many requests are kept at most: 64 MiB, which is a month of one busy model.
const LIMIT: usize = 2 << 20;

/// Periods by the place of their model in the fleet; the oldest goes first.
#[derive(Debug, Default)]
pub(crate) struct Recent(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    periods: HashMap<(usize, Period), Arc<Traffic>>,
    order: VecDeque<(usize, Period)>,
    cost: usize,
}

impl Recent {
    /// The traffic of a period, drawn by `draw` unless it is kept. It is drawn outside of the lock: two askers at once
    /// may draw the same.
    pub(crate) fn get(
        &self,
        model: usize,
        period: Period,
        draw: impl FnOnce() -> Option<Traffic>,
    ) -> Option<Arc<Traffic>> {
        let key = (model, period);
        if let Some(kept) = self.0.lock().unwrap_or_else(PoisonError::into_inner).periods.get(&key) {
            return Some(Arc::clone(kept));
        }
        let traffic = Arc::new(draw()?);
        self.0.lock().unwrap_or_else(PoisonError::into_inner).keep(key, &traffic, LIMIT);
        Some(traffic)
    }
}

impl Kept {
    fn keep(&mut self, key: (usize, Period), traffic: &Arc<Traffic>, limit: usize) {
        if self.periods.insert(key, Arc::clone(traffic)).is_some() {
            return;
        }
        self.order.push_back(key);
        self.cost += cost(traffic);
        while self.cost > limit && self.order.len() > 1 {
            let oldest = self.order.pop_front().and_then(|key| self.periods.remove(&key));
            self.cost -= oldest.map_or(0, |oldest| cost(&oldest));
        }
    }
}

/// What keeping a period costs, in requests; an empty one is not free either.
fn cost(traffic: &Traffic) -> usize {
    traffic.requests.len() + 4
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_period_goes_first() {
        let mut kept = Kept::default();
        let empty = Arc::new(Traffic::default());
        let key = |index| (0, Period::from_index(index));
        for index in 0..4 {
            kept.keep(key(index), &empty, 12);
        }
        kept.keep(key(3), &empty, 12);
        assert_eq!((kept.cost, kept.order.len(), kept.periods.len()), (12, 3, 3));
        assert!(!kept.periods.contains_key(&key(0)) && kept.periods.contains_key(&key(1)));
    }

    #[test]
    fn a_kept_period_is_not_drawn_again() {
        let recent = Recent::default();
        let period = Period::from_index(7);
        let one = Traffic { throttled: vec![1], ..Traffic::default() };
        assert_eq!(recent.get(0, period, || Some(one.clone())).as_deref(), Some(&one));
        assert_eq!(recent.get(0, period, || None).as_deref(), Some(&one));
        assert_eq!(recent.get(1, period, || None), None);
    }
}
