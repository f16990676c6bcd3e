//! The fleet that the command line asks for.

use domain::Period;
use simulator::{DEMO_STORY, Fleet, FleetOptions};

use crate::cli::{FleetName, SimulateArgs};

/// Days at the start of every fleet in which a baseline can be learned: nothing in them is labelled.
pub(super) const LEARN_DAYS: i64 = 14;
/// Days of a random fleet that is served: as many as CloudWatch is asked for at a first start, and three weeks to come.
const SERVED_DAYS: i64 = LEARN_DAYS + 21;

/// A fleet that has been there for a while at `now`.
pub(super) fn served(args: &SimulateArgs, now: Period) -> Fleet {
    match args.fleet {
        FleetName::Demo => Fleet::demo(args.seed, now),
        FleetName::Random => {
            let origin = Period::first_of_day(now.day() - LEARN_DAYS);
            let days = args.days.map_or(SERVED_DAYS, i64::from);
            Fleet::random(args.seed, &FleetOptions { origin, ..random(args, days) })
        }
    }
}

/// A fleet to be written, the same at every call: the demonstration's ends with its story.
pub(super) fn written(args: &SimulateArgs, story: Period) -> Fleet {
    match args.fleet {
        FleetName::Demo => Fleet::demo(args.seed, story).ending(story + DEMO_STORY),
        FleetName::Random => {
            let days = args.days.map_or_else(|| FleetOptions::default().days, i64::from);
            Fleet::random(args.seed, &random(args, days))
        }
    }
}

fn random(args: &SimulateArgs, days: i64) -> FleetOptions {
    let usual = FleetOptions::default();
    let models = args.models.map_or(usual.models, usize::from);
    FleetOptions { models, days, learn_days: LEARN_DAYS, calm: args.calm, ..usual }
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;
    use domain::PERIODS_PER_DAY;

    use super::*;
    use crate::cli::{Cli, Command};

    fn args(line: &str) -> SimulateArgs {
        let line = format!("otpsd simulate {line}");
        match Cli::try_parse_from(line.split(' ')).unwrap().command {
            Command::Simulate(args) => args,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_served_fleet_has_learned_for_two_weeks() {
        let now = Period::containing("2026-11-02T09:20:00Z".parse().unwrap());
        let fleet = served(&args("--serve --fleet random --models 2 --days 20"), now);
        let (from, until) = (fleet.span().from.to_string(), fleet.span().until.to_string());
        assert_eq!((from.as_str(), until.as_str()), ("2026-10-19T00:00:00Z", "2026-11-08T00:00:00Z"));
        let fleet = served(&args("--serve --fleet random --models 2"), now);
        assert_eq!(fleet.span().until - fleet.span().from, 35 * PERIODS_PER_DAY);
        assert!(fleet.events().iter().all(|event| event.from.day() >= now.day()));
    }

    #[test]
    fn what_is_written_is_what_was_asked_for() {
        let story = Period::containing("2026-11-02T00:00:00Z".parse().unwrap());
        let fleet = written(&args("--out x --fleet random --models 3 --days 15 --calm"), story);
        assert_eq!((fleet.specs().count(), fleet.events().len()), (3, 0));
        assert_eq!(fleet.span().until - fleet.span().from, 15 * PERIODS_PER_DAY);
        assert_eq!(written(&args("--out x"), story).span().until, story + DEMO_STORY);
    }
}
