//! Writes the report of an invented backtest, to be looked at in a browser: `cargo run -p web --example report -- compared >
//! report.html`. The backtests are `alone`, `compared`, `many` and `bare`.

#[path = "../tests/it/backtests.rs"]
#[expect(dead_code, reason = "some are for tests alone")]
mod backtests;
#[path = "../tests/it/sample.rs"]
#[expect(dead_code, reason = "the fleets are for others")]
mod sample;

use std::{env, error, io};

fn main() -> Result<(), Box<dyn error::Error>> {
    let report = match env::args().nth(1).as_deref() {
        Some("alone") => backtests::november_alone(),
        Some("compared") => backtests::november_compared(),
        Some("many") => backtests::many(300),
        Some("bare") => backtests::bare(),
        _ => return Err("a backtest was expected: alone, compared, many or bare".into()),
    };
    web::report::write(&mut io::stdout().lock(), &report)?;
    Ok(())
}
