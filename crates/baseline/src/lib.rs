//! baseline.
