//! Problems as text: for people, for scripts, and as annotations of a pull request.

mod github;
mod json;
mod text;

pub use github::github;
pub use json::json;
pub use text::text;
