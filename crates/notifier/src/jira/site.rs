//! Each call. Source: Jira Cloud platform REST API, version 3.

use domain::{DeliveryError, JiraPlan, Retry};
use jiff::Timestamp;
use reqwest::header::{ACCEPT, AUTHORIZATION, HeaderValue};
use reqwest::{Client, Method, Url};
use serde_json::{Value, json};

use super::answer::{Act, Answer, Place, Refusal, refused};
use super::issue::{Category, FIELDS, Issue, Mark};
use super::{PROPERTY, document, words};
use crate::http;
use crate::item::Item;
use crate::open::Timeouts;
use crate::redaction::{Redaction, basic};

/// The longest answer that is read: fifty issues with descriptions of the greatest length.
const ANSWER_BYTES: usize = 8 * 1_024 * 1_024;
/// The most issues of a search. There are few of one subject.
const MAX_ISSUES: u32 = 50;
/// So many of the newest comments are looked at for one that was said already.
const MAX_COMMENTS: u32 = 20;
/// Resolutions that say that something was dealt with, where a workflow asks for one, best first.
const RESOLUTIONS: [&str; 3] = ["done", "fixed", "resolved"];

/// A project of a site.
pub(super) struct Site {
    channel: String,
    plan: JiraPlan,
    origin: String,
    authorization: HeaderValue,
    redaction: Redaction,
    client: Client,
    now: fn() -> Timestamp,
}

/// A way to another status.
pub(super) struct Transition {
    id: String,
    pub(super) to: Category,
    /// The resolution that must be given with it.
    resolution: Option<String>,
}

impl Site {
    pub(super) fn open(
        channel: String,
        plan: &JiraPlan,
        timeouts: Timeouts,
        now: fn() -> Timestamp,
    ) -> Result<Self, DeliveryError> {
        let unusable = |why: String, hint: String| DeliveryError {
            retry: Retry::Never,
            message: format!("opening {channel}: {why}"),
            hint: Some(hint),
        };
        let url: Url = plan.url.parse().map_err(|error| {
            unusable(
                format!("its url cannot be read: {error}"),
                format!("correct `url` of [channel.{channel}]"),
            )
        })?;
        let client = http::client(&url, timeouts)
            .map_err(|why| unusable(why, "see that the certificates of the system can be read".to_owned()))?;
        let token = plan.token.expose();
        let (scheme, credentials) = match &plan.user {
            Some(user) => ("Basic", domain::Secret::new(basic(user, token))),
            None => ("Bearer", plan.token.clone()),
        };
        let mut authorization = HeaderValue::from_str(&format!("{scheme} {}", credentials.expose()))
            .map_err(|_| {
                unusable(
                    "its token cannot stand in a header".to_owned(),
                    format!("see that `token` of [channel.{channel}] is one line of plain characters"),
                )
            })?;
        authorization.set_sensitive(true);
        let redaction = Redaction::new(&plan.token).and([&credentials]);
        let origin = http::origin(&url);
        Ok(Self { channel, plan: plan.clone(), origin, authorization, redaction, client, now })
    }

    pub(super) fn channel(&self) -> &str {
        &self.channel
    }

    pub(super) const fn plan(&self) -> &JiraPlan {
        &self.plan
    }

    pub(super) fn now(&self) -> Timestamp {
        (self.now)()
    }

    /// Asks who the token is of, and for the project and its types of issues.
    pub(super) async fn look(&self) -> Result<(), DeliveryError> {
        self.call(Act::Look("whose token it is"), Method::GET, "myself", None).await?;
        let path = format!("project/{}", self.plan.project);
        let project = self.call(Act::Look("for the project"), Method::GET, &path, None).await?;
        let types = project["issueTypes"].as_array().into_iter().flatten();
        let types: Vec<&str> = types.filter_map(|kind| kind["name"].as_str()).collect();
        let wanted = &self.plan.issue_type;
        // Where none are said, nothing is known of them.
        if types.is_empty() || types.iter().any(|name| name.to_lowercase() == wanted.to_lowercase()) {
            return Ok(());
        }
        Err(DeliveryError {
            retry: Retry::Never,
            message: format!(
                "looking at project {} for {}: it has no issue type `{wanted}`",
                self.plan.project, self.channel
            ),
            hint: Some(format!(
                "correct `issue-type` of [channel.{}]: it has {}",
                self.channel,
                types.join(", ")
            )),
        })
    }

    /// The issues of the project that are about the item or its subject.
    pub(super) async fn search(&self, item: &Item) -> Result<Vec<Issue>, Refusal> {
        let names: Vec<&str> =
            [Some(item.key.as_str()), item.subject.as_deref()].into_iter().flatten().collect();
        let asked = json!({
            "jql": words::search(&self.plan.project, &names),
            "fields": FIELDS,
            "properties": [PROPERTY],
            "maxResults": MAX_ISSUES,
        });
        let found = self.call(Act::Search, Method::POST, "search/jql", Some(&asked)).await?;
        let issues = found["issues"].as_array().into_iter().flatten().filter_map(Issue::read);
        Ok(issues.filter(|issue| names.iter().any(|name| issue.is_about(name))).collect())
    }

    /// The issue of that key; `None` for one that was deleted.
    pub(super) async fn issue(&self, key: &str) -> Result<Option<Issue>, DeliveryError> {
        let fields = FIELDS.join(",");
        let path = format!("issue/{key}?fields={fields}&properties={PROPERTY}");
        match self.call(Act::Read(key), Method::GET, &path, None).await {
            Ok(issue) => match Issue::read(&issue) {
                Some(issue) => Ok(Some(issue)),
                None => Err(self.nonsense(Act::Read(key), "it is no issue").error),
            },
            // Jira says the same of what is not there and of what may not be seen. A project that can be seen tells them apart.
            Err(refusal) if refusal.status == Some(404) => {
                self.call(Act::Read(key), Method::GET, &format!("project/{}", self.plan.project), None)
                    .await?;
                Ok(None)
            }
            Err(refusal) => Err(refusal.error),
        }
    }

    /// Files an issue and says its key.
    pub(super) async fn file(&self, item: &Item, mark: &Mark) -> Result<String, Refusal> {
        let named = [Some(item.key.as_str()), item.subject.as_deref()].into_iter().flatten();
        let further = item.labels.iter().chain(&self.plan.labels).map(String::as_str);
        let labels = words::labels(named.chain(further));
        let mut issue = json!({
            "fields": {
                "project": { "key": self.plan.project },
                "issuetype": { "name": self.plan.issue_type },
                "summary": document::summary(item),
                "description": document::description(item),
                "labels": labels,
            },
            "properties": [{ "key": PROPERTY, "value": mark }],
        });
        let mut filed = self.call(Act::File, Method::POST, "issue", Some(&issue)).await;
        if let Err(refusal) = &filed
            && refusal.status == Some(400)
            && refusal.fields == ["labels"]
        {
            tracing::warn!(channel = self.channel, "filing an issue without labels: {}", refusal.error);
            if let Some(fields) = issue["fields"].as_object_mut() {
                fields.remove("labels");
            }
            filed = self.call(Act::File, Method::POST, "issue", Some(&issue)).await;
        }
        let filed = filed?;
        let key = filed["key"].as_str().map(str::to_owned);
        key.ok_or_else(|| self.nonsense(Act::File, "it does not name the issue"))
    }

    /// Says something below an issue, unless it was said already.
    pub(super) async fn comment(
        &self,
        key: &str,
        message: &str,
        item: &Item,
        note: Option<&str>,
    ) -> Result<(), Refusal> {
        let path =
            format!("issue/{key}/comment?orderBy=-created&maxResults={MAX_COMMENTS}&expand=properties");
        let said = self.call(Act::Read(key), Method::GET, &path, None).await?;
        let mut properties = said["comments"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|comment| comment["properties"].as_array());
        let is_this =
            |property: &Value| property["key"] == PROPERTY && property["value"]["message"] == message;
        if properties.any(|properties| properties.iter().any(is_this)) {
            return Ok(());
        }
        let comment = json!({
            "body": document::comment(item, note),
            "properties": [{ "key": PROPERTY, "value": { "message": message } }],
        });
        self.call(Act::Comment(key), Method::POST, &format!("issue/{key}/comment"), Some(&comment))
            .await
            .map(drop)
    }

    /// Writes down what the daemon has to know of an issue. Where it may not, the issue is told what there is to say all the same; it
    /// then looks closed by hand once it is closed.
    pub(super) async fn mark(&self, key: &str, mark: &Mark) -> Result<(), Refusal> {
        let path = format!("issue/{key}/properties/{PROPERTY}");
        match self.call(Act::Edit(key), Method::PUT, &path, Some(&json!(mark))).await {
            Err(Refusal { status: Some(403 | 404), error, .. }) => {
                let (channel, hint) = (self.channel.as_str(), error.hint.as_deref());
                tracing::warn!(channel, hint, "{key} will look closed by hand: {error}");
                Ok(())
            }
            answer => answer.map(drop),
        }
    }

    /// Lets an issue be found by one more key. Where labels cannot be set, the mark has to do.
    pub(super) async fn label(&self, key: &str, label: &str) -> Result<(), Refusal> {
        let edit = json!({ "update": { "labels": [{ "add": label }] } });
        match self.call(Act::Edit(key), Method::PUT, &format!("issue/{key}"), Some(&edit)).await {
            Err(refusal) if refusal.status == Some(400) && refusal.fields == ["labels"] => Ok(()),
            answer => answer.map(drop),
        }
    }

    /// The ways out of the status that an issue is in, without those that ask for what the daemon does not know.
    pub(super) async fn transitions(&self, key: &str) -> Result<Vec<Transition>, Refusal> {
        let path = format!("issue/{key}/transitions?expand=transitions.fields");
        let answer = self.call(Act::Read(key), Method::GET, &path, None).await?;
        let transitions = answer["transitions"].as_array().into_iter().flatten();
        Ok(transitions.filter_map(|transition| self.transition(transition)).collect())
    }

    fn transition(&self, transition: &Value) -> Option<Transition> {
        let required = |field: &Value| field["required"] == true && field["hasDefaultValue"] != true;
        let mut fields = transition["fields"].as_object().into_iter().flatten();
        if fields.any(|(name, field)| name != "resolution" && required(field)) {
            return None;
        }
        let resolution = &transition["fields"]["resolution"];
        Some(Transition {
            id: transition["id"].as_str()?.to_owned(),
            to: Category::of(&transition["to"]),
            resolution: if required(resolution) { Some(self.resolution(resolution)?) } else { None },
        })
    }

    /// The resolution to close with: a known one, otherwise the first that does not mean that nobody wants it.
    fn resolution(&self, field: &Value) -> Option<String> {
        let names: Vec<&str> =
            field["allowedValues"].as_array()?.iter().filter_map(|value| value["name"].as_str()).collect();
        let is = |name: &str, other: &str| name.to_lowercase() == other.to_lowercase();
        let known = RESOLUTIONS.iter().find_map(|known| names.iter().find(|name| is(name, known)));
        let wanted =
            || names.iter().find(|name| !self.plan.wont_fix.iter().any(|unwanted| is(name, unwanted)));
        known.or_else(wanted).map(|name| (*name).to_owned())
    }

    /// Moves an issue to another status.
    pub(super) async fn transit(&self, key: &str, transition: &Transition) -> Result<(), Refusal> {
        let mut body = json!({ "transition": { "id": transition.id } });
        if let Some(name) = &transition.resolution {
            body["fields"] = json!({ "resolution": { "name": name } });
        }
        self.call(Act::Move(key), Method::POST, &format!("issue/{key}/transitions"), Some(&body))
            .await
            .map(drop)
    }

    async fn call(
        &self,
        act: Act<'_>,
        method: Method,
        path: &str,
        body: Option<&Value>,
    ) -> Result<Value, Refusal> {
        let url = format!("{}/rest/api/3/{path}", self.plan.url.trim_end_matches('/'));
        let mut request = self
            .client
            .request(method, url)
            .header(AUTHORIZATION, self.authorization.clone())
            .header(ACCEPT, "application/json");
        if let Some(body) = body {
            request = request.json(body);
        }
        let mut response = request.send().await.map_err(|error| self.unreachable(act, error))?;
        let (status, retry_after) = (response.status(), http::retry_after(response.headers(), self.now()));
        if !status.is_success() {
            let body = http::reason(&mut response).await;
            let answer = Answer { status: status.as_u16(), retry_after, body: &body };
            let place = Place { channel: &self.channel, project: &self.plan.project, origin: &self.origin };
            return Err(refused(act, &answer, &place, &self.redaction));
        }
        match http::beginning(&mut response, ANSWER_BYTES).await {
            (bytes, true) if bytes.is_empty() => Ok(Value::Null),
            (bytes, true) => serde_json::from_slice(&bytes).map_err(|_| self.nonsense(act, "it is not JSON")),
            (_, false) => Err(self.nonsense(act, "it broke off, or is too long")),
        }
    }

    fn unreachable(&self, act: Act<'_>, error: reqwest::Error) -> Refusal {
        let why = self.redaction.of(&http::unanswered(error));
        let hint =
            format!("see that the network lets this machine reach {}, by proxy or directly", self.origin);
        unsettled(format!("{act} for {} at {}: {why}", self.channel, self.origin), hint)
    }

    /// An answer that says yes and nothing else that can be used. The next attempt finds what was done.
    fn nonsense(&self, act: Act<'_>, why: &str) -> Refusal {
        let hint = format!("look at `url` of [channel.{}], and at what stands between", self.channel);
        let (channel, origin) = (&self.channel, &self.origin);
        unsettled(format!("{act} for {channel} at {origin}: the answer cannot be understood: {why}"), hint)
    }
}

/// What the next attempt may well do.
fn unsettled(message: String, hint: String) -> Refusal {
    let error = DeliveryError { retry: Retry::Backoff, message, hint: Some(hint) };
    Refusal { status: None, fields: Vec::new(), error }
}
