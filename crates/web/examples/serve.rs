//! Serves an invented fleet, to be looked at in a browser: `cargo run -p web --example serve -- trouble 127.0.0.1:9465`.
//! The fleets are `trouble`, `night`, `healthy`, `large` and `starting`.

#[path = "../tests/it/sample.rs"]
mod sample;

use std::sync::Arc;
use std::{env, error};

use tokio::net::TcpListener;
use tokio::sync::watch;
use web::{Clock, Metrics, Web};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn error::Error>> {
    let mut arguments = env::args().skip(1);
    let snapshot = match arguments.next().as_deref() {
        Some("trouble") => sample::trouble(),
        Some("night") => sample::delivery::night(),
        Some("healthy") => sample::healthy(14),
        Some("large") => sample::healthy(200),
        Some("starting") => web::Snapshot::starting(sample::now(), "0.1.0", domain::Rule::default()),
        _ => return Err("a fleet was expected: trouble, night, healthy, large or starting".into()),
    };
    let address = arguments.next().unwrap_or_else(|| "127.0.0.1:9465".to_owned());
    let (_sender, snapshots) = watch::channel(Arc::new(snapshot));
    let clock: Clock = Arc::new(sample::now);
    let metrics = Arc::new(Metrics::new(snapshots.clone(), Arc::clone(&clock)));
    let listener = TcpListener::bind(address).await?;
    eprintln!("http://{}/", listener.local_addr()?);
    axum::serve(listener, web::router(Web { snapshots, clock, metrics })).await?;
    Ok(())
}
