//! Numbers that only explain, in two bytes or one.

/// No value.
pub(crate) const NOTHING: u16 = u16::MAX;

/// Steps between two powers of two: whole numbers up to 2,048 are exact, everything else within 0.05 %.
const STEPS: u32 = 1_024;

/// Packs a value of zero or more; below one it is rounded to zero or one. Negative and non-finite values are nothing.
pub(crate) fn pack(value: f64) -> u16 {
    if !value.is_finite() || value < 0.0 {
        return NOTHING;
    }
    if value < 0.5 {
        return 0;
    }
    let value = value.max(1.0);
    // `as` saturates. At most 2^61: far above any sum of a period.
    let exponent = ((value.to_bits() >> 52) as u32).saturating_sub(1_023).min(61);
    let steps = (value / f64::from(exponent).exp2() - 1.0) * f64::from(STEPS);
    let code = exponent * STEPS + (steps.round() as u32).min(STEPS) + 1;
    code.min(u32::from(NOTHING) - 1) as u16
}

/// What was packed.
pub(crate) fn unpack(code: u16) -> Option<f64> {
    match code {
        NOTHING => None,
        0 => Some(0.0),
        code => {
            let code = u32::from(code) - 1;
            let (exponent, steps) = (code / STEPS, code % STEPS);
            // A power of two by its bits: this is read for every period of two weeks.
            let power = f64::from_bits(u64::from(exponent + 1_023) << 52);
            Some(power * (1.0 + f64::from(steps) / f64::from(STEPS)))
        }
    }
}

/// No value, in one byte.
pub(crate) const TINY_NOTHING: u8 = u8::MAX;

/// The logarithm to the base 2 of the steps between two powers of two, in one byte.
const TINY_STEPS: u32 = 3;

/// Packs a count into one byte: exact up to 16, within 7 % above, at most 2^32.
pub(crate) fn pack_tiny(value: f64) -> u8 {
    if !value.is_finite() || value < 0.0 {
        return TINY_NOTHING;
    }
    // `as` saturates.
    let count = value.round() as u32;
    if count < 1 << (TINY_STEPS + 1) {
        return count as u8;
    }
    let shift = count.ilog2() - TINY_STEPS;
    // Rounded to the nearest step; the highest one has no next.
    let steps = count.saturating_add(1 << (shift - 1)) >> shift;
    ((shift << TINY_STEPS) + steps) as u8
}

/// What was packed.
pub(crate) fn unpack_tiny(code: u8) -> Option<f64> {
    let code = u32::from(code);
    if code == u32::from(TINY_NOTHING) {
        None
    } else if code < 1 << (TINY_STEPS + 1) {
        Some(f64::from(code))
    } else {
        let shift = (code >> TINY_STEPS) - 1;
        let steps = (code & ((1 << TINY_STEPS) - 1)) + (1 << TINY_STEPS);
        Some(f64::from(steps) * f64::from(shift).exp2())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_exact_and_the_rest_is_near() {
        for count in 0..=2_048 {
            assert_eq!(unpack(pack(f64::from(count))), Some(f64::from(count)));
        }
        for value in [2_049.4, 65_535.0, 1_234_567.8, 3.2e9, 1e15] {
            let back = unpack(pack(value)).unwrap();
            assert!((back / value - 1.0).abs() < 0.000_5, "{value} {back}");
        }
    }

    #[test]
    fn a_byte_counts() {
        for count in 0..=16 {
            assert_eq!(unpack_tiny(pack_tiny(f64::from(count))), Some(f64::from(count)));
        }
        for value in [17.0, 23.0, 31.0, 32.0, 100.0, 1_000.0, 65_535.0, 3e9] {
            let back = unpack_tiny(pack_tiny(value)).unwrap();
            assert!((back / value - 1.0).abs() < 0.07, "{value} {back}");
        }
        assert_eq!(unpack_tiny(TINY_NOTHING), None);
        assert_eq!(pack_tiny(f64::NAN), TINY_NOTHING);
        assert!(unpack_tiny(pack_tiny(1e99)).is_some());
    }

    #[test]
    fn nothing_and_the_ends() {
        assert_eq!(unpack(NOTHING), None);
        for value in [f64::NAN, f64::INFINITY, -1.0] {
            assert_eq!(pack(value), NOTHING);
        }
        assert_eq!(unpack(pack(0.4)), Some(0.0));
        assert_eq!(unpack(pack(0.6)), Some(1.0));
        assert!(unpack(pack(f64::MAX)).is_some_and(f64::is_finite));
    }
}
