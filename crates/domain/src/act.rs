//! The shape of one act at an edge.

use std::future::Future;
use std::pin::Pin;

/// One asynchronous act at an edge: boxed, so that the traits of this crate can be used as objects.
pub type Act<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;
