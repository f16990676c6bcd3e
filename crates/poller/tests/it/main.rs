//! What `poller` promises, through its public interface: files on disk, and a CloudWatch on a loopback socket.

mod cloudwatch;
mod csv;
mod files;
mod json;
mod packing;
mod writer;
