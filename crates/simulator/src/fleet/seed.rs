//! Which random numbers belong to what, so that any period can be drawn without those before it.

use domain::Series;
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;

/// The generator of all draws: fast, and by name, so that its numbers stay the same from version to version.
pub(crate) type Generator = Xoshiro256PlusPlus;

/// What numbers are for: no two purposes share any.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// The requests of a period.
    Requests,
    /// Load beyond the rhythm.
    Load,
    /// Drift of the decode speed within hours.
    Drift,
    /// Drift of the decode speed from day to day.
    DayDrift,
    /// The weights of the classes.
    Mix,
    /// The design of a random model.
    Design,
}

/// The root of everything that is drawn for a series: who else is in the fleet changes nothing for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Root(u64);

impl Root {
    /// The root of a series in a fleet.
    pub(crate) fn of(seed: u64, series: &Series) -> Self {
        let name = [series.account(), series.region(), series.model()];
        // FNV-1a, with a byte that no name has between the parts.
        let hash = name
            .iter()
            .flat_map(|part| part.bytes().chain([0xff]))
            .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
            });
        Self(scramble(scramble(seed) ^ hash))
    }

    /// The numbers for one purpose and index, such as a period.
    pub(crate) fn generator(self, purpose: Purpose, index: i64) -> Generator {
        let branch = scramble(self.0.wrapping_add(purpose as u64 + 1));
        Generator::seed_from_u64(scramble(branch ^ index.cast_unsigned()))
    }
}

/// The finalizer of SplitMix64: neighbours in, strangers out.
const fn scramble(value: u64) -> u64 {
    let value = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::Rng;

    #[test]
    fn neighbours_have_other_numbers() {
        let series = Series::new("111122223333", "us-east-1", "m");
        let other = Series::new("111122223333", "us-east-1", "n");
        let first = |seed, series: &Series, purpose, index| {
            Root::of(seed, series).generator(purpose, index).next_u64()
        };
        let numbers = [
            first(1, &series, Purpose::Requests, 5),
            first(2, &series, Purpose::Requests, 5),
            first(1, &other, Purpose::Requests, 5),
            first(1, &series, Purpose::Load, 5),
            first(1, &series, Purpose::Requests, 6),
        ];
        for (at, number) in numbers.iter().enumerate() {
            assert!(!numbers[at + 1..].contains(number));
        }
        assert_eq!(first(1, &series, Purpose::Requests, 5), numbers[0]);
    }

    #[test]
    fn scrambling_is_that_of_splitmix64() {
        // The first two outputs of the published generator from state 0.
        assert_eq!(scramble(0), 0xe220_a839_7b1d_cdaf);
        assert_eq!(scramble(0x9e37_79b9_7f4a_7c15), 0x6e78_9e6a_a1b9_65f4);
    }
}
