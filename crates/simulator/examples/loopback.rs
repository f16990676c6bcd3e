//! Serves a few made-up requests on a port of 127.0.0.1, prints its URL as the first line, and ends with its standard
//! input. The tests of other languages' SDKs, in `tests/loopback/` at the top of the project, talk to it.

use simulator::loopback::Loopback;

#[path = "../tests/loopback/scenario.rs"]
mod scenario;

#[tokio::main]
async fn main() -> std::io::Result<()> {
    let loopback = Loopback::start(scenario::options()).await?;
    println!("{}", loopback.url());
    tokio::task::spawn_blocking(|| std::io::copy(&mut std::io::stdin(), &mut std::io::sink())).await??;
    loopback.shutdown().await;
    Ok(())
}
