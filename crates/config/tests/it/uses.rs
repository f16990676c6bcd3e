//! uses
