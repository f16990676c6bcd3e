//! Sends a page that is marked as a test through the real path, and its resolve; or shows who would get what.
//!
//! # Layout
//!
//! - `sample`: what is sent.

mod sample;

use std::io::{self, Write as _};
use std::time::Duration;

use anyhow::Result;
use domain::{
    About, Cause, ChannelPlan, ExitCode, Message, PAGE_CAUSE, Plan, Retry, Route, Series, Surroundings,
};
use jiff::Timestamp;
use notifier::{Context, render};

use self::sample::Sample;
use crate::cli::TestNotifyArgs;
use crate::commands::{complain, configuration, failed, runtime};

/// A message that fails for a while is tried so often, so long apart.
const ATTEMPTS: u32 = 3;
const PAUSE: Duration = Duration::from_secs(3);

pub(crate) fn run(args: &TestNotifyArgs) -> Result<ExitCode> {
    // Who would get it can be said without any secret.
    let sends = args.channel.is_some() || args.send;
    let purpose = if sends { config::Purpose::Run } else { config::Purpose::Check };
    let plan = match configuration::read(&args.config, purpose) {
        Ok(plan) => plan,
        Err(code) => return Ok(code),
    };
    if let Some(name) = &args.channel {
        let Some(channel) = plan.channels.iter().find(|channel| channel.name() == *name) else {
            let names: Vec<String> = plan.channels.iter().map(ChannelPlan::name).collect();
            let hint = format!("the channels are {}", names.join(", "));
            return Ok(failed(&format!("there is no channel `{name}`"), Some(&hint)));
        };
        let sample =
            Sample::of(&Series::new("111122223333", "us-east-1", "otpsd.test-model-v1:0"), Timestamp::now());
        return send(&plan, &[channel], &sample, None, args.hold);
    }
    let wanted = args.route.as_deref().unwrap_or_default();
    let series: Series = match wanted.parse() {
        Ok(series) => series,
        Err(error) => return Ok(failed(&error, Some("write it as account/region/model"))),
    };
    let cause = match cause(&args.cause) {
        Ok(cause) => cause,
        Err(code) => return Ok(code),
    };
    let at = args.at.unwrap_or_else(Timestamp::now);
    let channels = routed(&plan, &series, cause, at)?;
    if !args.send || channels.is_empty() {
        return Ok(if channels.is_empty() { ExitCode::No } else { ExitCode::Success });
    }
    send(&plan, &channels, &Sample::of(&series, Timestamp::now()), cause, args.hold)
}

/// The cause of that name; `None` for that of a page.
fn cause(name: &str) -> Result<Option<Cause>, ExitCode> {
    if name == PAGE_CAUSE {
        return Ok(None);
    }
    Cause::from_name(name).map(Some).ok_or_else(|| {
        let names: Vec<&str> = Cause::ALL.iter().map(|cause| cause.as_str()).collect();
        let hint = format!("a page has the cause `{PAGE_CAUSE}`; those of tickets are {}", names.join(", "));
        failed(&format!("there is no cause `{name}`"), Some(&hint))
    })
}

/// Who would get it, after that was printed.
fn routed<'p>(
    plan: &'p Plan,
    series: &Series,
    cause: Option<Cause>,
    at: Timestamp,
) -> Result<Vec<&'p ChannelPlan>> {
    let (labels, regions) = (plan.labels_of(series), [series.region()]);
    let name = cause.map_or(PAGE_CAUSE, Cause::as_str);
    let about = About { series: Some(series), regions: &regions, cause: name, labels: &labels };
    let (kind, routes) =
        if cause.is_none() { ("page", &plan.routes.page) } else { ("ticket", &plan.routes.ticket) };
    let mut out = io::stdout().lock();
    let shown: Vec<String> = labels.iter().map(|(key, value)| format!("{key} = {value}")).collect();
    let shown = if shown.is_empty() { "no labels".to_owned() } else { shown.join(", ") };
    writeln!(out, "{series} ({shown}), {name} at {at}")?;
    let window = plan.maintenance.iter().find(|one| one.window.contains(at) && one.matcher.takes(&about));
    if let Some(window) = window {
        let end = window.window.end(at).map_or_else(String::new, |end| format!(" until {end}"));
        writeln!(
            out,
            "  nobody: maintenance window `{}`{end}; what still stands then goes to:",
            window.name
        )?;
    }
    let found = routes.iter().enumerate().find(|(_, route)| route.takes(&about, at));
    let Some((place, Route { channels, .. })) = found else {
        writeln!(out, "  nobody: no `[[route.{kind}]]` takes it")?;
        return Ok(Vec::new());
    };
    writeln!(out, "  by the {} `[[route.{kind}]]`:", ordinal(place + 1))?;
    let named = |name: &String| plan.channels.iter().find(|channel| channel.name() == *name);
    let channels: Vec<&ChannelPlan> = channels.iter().filter_map(named).collect();
    for channel in &channels {
        let fallback = channel.delivery().fallback.as_deref();
        let fallback = fallback.map_or_else(String::new, |name| format!(", or {name} if that refuses it"));
        writeln!(out, "  {}{fallback}", channel.name())?;
    }
    Ok(channels)
}

fn ordinal(place: usize) -> String {
    match place {
        1 => "first".to_owned(),
        2 => "second".to_owned(),
        3 => "third".to_owned(),
        place => format!("{place}th"),
    }
}

fn send(
    plan: &Plan,
    channels: &[&ChannelPlan],
    sample: &Sample,
    cause: Option<Cause>,
    hold: Duration,
) -> Result<ExitCode> {
    runtime()?.block_on(async {
        let mut well = true;
        let around = Surroundings::default();
        for (round, is_end) in [false, true].into_iter().enumerate() {
            if round > 0 {
                anstream::eprintln!("waiting {} s before its end", hold.as_secs());
                tokio::time::sleep(hold).await;
            }
            let context = Context { test: true, ..Context::new(plan, Timestamp::now(), &around) };
            for channel in channels {
                let message = match (cause, is_end) {
                    (None, false) => Some(render::page(&sample.page(channel), channel, &context)),
                    (None, true) => Some(render::resolve(&sample.resolve(channel), channel, &context)),
                    (Some(cause), is_end) => render::ticket(&sample.ticket(cause, is_end), channel, &context),
                };
                let Some(message) = message else {
                    complain(&format!("{} takes no tickets", channel.name()), None);
                    well = false;
                    continue;
                };
                well &= deliver(channel, &message).await;
            }
        }
        Ok(if well { ExitCode::Success } else { ExitCode::CannotRun })
    })
}

/// Sends one message, and says how that went.
async fn deliver(channel: &ChannelPlan, message: &Message) -> bool {
    let opened = match notifier::open(channel).await {
        Ok(opened) => opened,
        Err(error) => {
            complain(&error.message, error.hint.as_deref());
            return false;
        }
    };
    let kind = message.kind.as_str();
    for attempt in 1..=ATTEMPTS {
        match opened.deliver(message, None).await {
            Ok(receipt) => {
                let reference = receipt.reference.map_or_else(String::new, |name| format!(" as {name}"));
                anstream::println!("{}: {kind} {} taken{reference}", channel.name(), message.key);
                return true;
            }
            Err(error) if error.retry == Retry::Never || attempt == ATTEMPTS => {
                complain(
                    &format!("{}: {kind} not taken: {}", channel.name(), error.message),
                    error.hint.as_deref(),
                );
                return false;
            }
            Err(error) => {
                anstream::eprintln!("{}: {kind} not taken yet: {}", channel.name(), error.message);
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
    false
}
