//! evaluator.
