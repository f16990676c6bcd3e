//! `[channel.jira.NAME]`: a project in Jira Cloud.

use std::time::Duration;

use domain::{ChannelPlan, JiraPlan, Secret};

use super::{Read, delivery};
use crate::duration::Bounds;
use crate::environment::Environment;
use crate::quote::quoted;
use crate::table::{Fault, Table};
use crate::value::{text, word};
use crate::{Purpose, address, secret};

const ISSUE_TYPE: &str = "Task";
const REOPEN_WITHIN: Bounds = Bounds { least: 0, most: 365 * 86_400, unit: 'd' };
const WONT_FIX: [&str; 4] = ["Won't Do", "Won't Fix", "Duplicate", "Cannot Reproduce"];
/// What Jira takes as a label.
const MAX_LABEL: usize = 255;

pub(crate) fn read(
    mut table: Table<'_, '_, '_>,
    name: &str,
    surroundings: (Purpose, &dyn Environment),
) -> Read {
    let url = table.required("url", "\"https://example.atlassian.net\"", text(address::base));
    let project = table.required("project", "\"LLMOPS\"", text(project));
    let issue_type = table.setting("issue-type", ISSUE_TYPE.to_owned(), text(word));
    let user = table.optional("user", text(user));
    let token = table.required("token", "{ env = \"JIRA_TOKEN\" }", secret::reference("JIRA_TOKEN"));
    let labels = table.list("labels", "[\"llm\"]", label);
    let two_weeks = Duration::from_secs(14 * 86_400);
    let reopen_within = table.setting("reopen-within", two_weeks, |value| REOPEN_WITHIN.read(value));
    let wont_fix = table.list("wont-fix", "[\"Won't Do\"]", word);
    let delivery = delivery::read(&mut table);
    let token = secret::resolve(table.report, surroundings, "token", token);
    let leads = url
        .value
        .as_ref()
        .zip(project.value.as_ref())
        .map(|(url, project)| Secret::new(format!("{url} {project}")));
    let plain = |list: Vec<(String, _)>| list.into_iter().map(|(text, _)| text).collect();
    let plan = || {
        Some(ChannelPlan::Jira(JiraPlan {
            name: name.to_owned(),
            url: url.value?,
            project: project.value?,
            issue_type: issue_type.value?,
            user: user.value?,
            token: token?,
            labels: plain(labels.value?.unwrap_or_default()),
            reopen_within: reopen_within.value?,
            wont_fix: wont_fix.value?.map_or_else(|| WONT_FIX.map(str::to_owned).into(), plain),
            delivery: delivery.plan?,
        }))
    };
    Read { leads, fallback: delivery.fallback, notifies: None, plan: plan() }
}

/// The key of a project, which begins its issues: `LLMOPS` of `LLMOPS-17`.
fn project(text: &str) -> Result<String, Fault> {
    let fits = |text: &str| {
        text.starts_with(|c: char| c.is_ascii_uppercase())
            && text.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
    };
    if fits(text) {
        return Ok(text.to_owned());
    }
    let fault = Fault::new(format!("must be the key of a project, not {}", quoted(text)));
    let likely = text.split('-').next().unwrap_or_default().to_uppercase();
    Err(if fits(&likely) {
        fault.hint(format!("did you mean \"{likely}\"? It is what issues begin with"))
    } else {
        fault.hint("it is what issues begin with, such as LLMOPS of LLMOPS-17")
    })
}

fn user(text: &str) -> Result<String, Fault> {
    let is_address = text.split_once('@').is_some_and(|(name, host)| !name.is_empty() && host.contains('.'));
    if is_address && !text.contains([' ', ':']) && text.matches('@').count() == 1 {
        Ok(text.to_owned())
    } else {
        Err(Fault::new("must be the email address of the account that the token belongs to"))
    }
}

fn label(text: &str) -> Result<String, Fault> {
    if text.contains(char::is_whitespace) {
        let likely = text.split_whitespace().collect::<Vec<_>>().join("-");
        Err(Fault::new(format!("has a label with a blank, which Jira does not take: {}", quoted(text)))
            .hint(format!("did you mean {}?", quoted(&likely))))
    } else if text.chars().count() > MAX_LABEL {
        Err(Fault::new(format!("has a label of more than {MAX_LABEL} characters")))
    } else {
        word(text)
    }
}
