//! notifier.
