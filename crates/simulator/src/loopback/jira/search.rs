//! `POST /rest/api/3/search/jql`.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};

use super::jql::Query;
use super::property::Wanted;
use super::{Answer, JiraIssue, JiraRules, Request, State, refusal};

/// What the search says that was removed.
pub(super) const REMOVED: &str = "The requested API has been removed. Please migrate to the /rest/api/3/search/jql API. A full \
    migration guideline is available at https://developer.atlassian.com/changelog/#CHANGE-2046";

/// Issues on a page, if not said, and at most.
const PAGE: usize = 50;
const PAGE_MAX: usize = 5_000;

impl State {
    pub(super) fn search(&self, rules: &JiraRules, request: &Request<'_>) -> Result<Answer, Answer> {
        let body = request.json()?;
        let jql = body.get("jql").and_then(Value::as_str).unwrap_or_default();
        let query = Query::parse(jql, request.now).and_then(|query| {
            query.check(rules)?;
            Ok(query)
        });
        let query = query.map_err(|message| refusal(400, &[message.as_str()]))?;
        let properties = Wanted::of_search(&body)?;
        let reconciled = body.get("reconcileIssues").and_then(Value::as_array).cloned().unwrap_or_default();
        let is_indexed = |issue: &JiraIssue| {
            let age = request.now.duration_since(issue.created).as_secs();
            age >= self.settings.index_delay_seconds
                || reconciled.iter().any(|id| id.to_string().trim_matches('"') == issue.id)
        };
        let found = self.issues.iter().filter(|issue| is_indexed(issue) && query.fits(issue));
        let found = query.sort(found.collect());

        let first = match body.get("nextPageToken").and_then(Value::as_str) {
            None => 0,
            Some(token) => read_token(token, jql)
                .ok_or_else(|| refusal(400, &["The provided next page token is invalid or expired."]))?,
        };
        let size = body.get("maxResults").and_then(Value::as_u64);
        let size = size.and_then(|size| usize::try_from(size).ok()).unwrap_or(PAGE).clamp(1, PAGE_MAX);
        let page = found.iter().skip(first).take(size);
        let fields: Option<Vec<String>> = body
            .get("fields")
            .and_then(Value::as_array)
            .map(|names| names.iter().filter_map(Value::as_str).map(str::to_owned).collect());
        let site = request.site_url();
        // Who names no fields gets ids only.
        let issues: Vec<Value> = page
            .map(|issue| match &fields {
                None => match properties.of_issue(issue) {
                    None => json!({"id": issue.id}),
                    Some(properties) => json!({"id": issue.id, "properties": properties}),
                },
                Some(fields) => issue.described(&site, Some(fields), &properties),
            })
            .collect();
        let next = first + issues.len();
        let mut answer = json!({"issues": issues, "isLast": next >= found.len()});
        if next < found.len() {
            answer["nextPageToken"] = token(next, jql).into();
        }
        Ok(Answer::new(200, answer))
    }
}

/// A page goes on where the one before it ended, for the same query.
fn token(first: usize, jql: &str) -> String {
    URL_SAFE_NO_PAD.encode(format!("{first} {jql}"))
}

fn read_token(token: &str, jql: &str) -> Option<usize> {
    let text = String::from_utf8(URL_SAFE_NO_PAD.decode(token).ok()?).ok()?;
    let (first, of) = text.split_once(' ')?;
    if of == jql { first.parse().ok() } else { None }
}
