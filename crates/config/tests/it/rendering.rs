//! rendering
