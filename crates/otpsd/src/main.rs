//! otpsd.
fn main() {}
