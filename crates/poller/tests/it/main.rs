//! What `poller` promises, through its public interface: files on disk, and a CloudWatch on a loopback socket.

mod cloudwatch;
mod csv;
mod edited;
#[path = "../../../../tests/edits.rs"]
mod edits;
mod files;
mod holds;
mod json;
mod packing;
mod writer;
