//! A Jira on loopback with what the tests need of it: a search by labels and text, a workflow, limits of fields, and properties.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};

use jiff::{Span, Timestamp};
use serde_json::{Value, json};

use super::super::document;
use crate::fake::{Fake, Received, Reply};

/// How the site is set up.
#[derive(Default)]
pub(super) struct Setup {
    /// Labels are taken and forgotten.
    pub(super) drops_labels: bool,
    /// Labels are not on the screen of the project.
    pub(super) refuses_labels: bool,
    /// The search knows of nothing yet.
    pub(super) search_is_behind: bool,
    /// A transition to done needs a resolution.
    pub(super) asks_for_a_resolution: bool,
    /// No transition leads anywhere.
    pub(super) is_stuck: bool,
    /// The project cannot be seen.
    pub(super) hides_the_project: bool,
    /// What a call is answered with, by what its method and path begin with.
    pub(super) answers: Vec<(&'static str, Reply)>,
    /// So many answers are lost on the way, after what was asked was done.
    pub(super) loses: usize,
}

#[derive(Default)]
pub(super) struct Tracker {
    pub(super) setup: Setup,
    pub(super) issues: BTreeMap<String, Value>,
    /// Method and path of each call, without the query.
    pub(super) called: Vec<String>,
}

/// The tracker and its address.
pub(super) struct Jira {
    tracker: Arc<Mutex<Tracker>>,
    pub(super) fake: Fake,
}

impl Jira {
    pub(super) async fn start(setup: Setup) -> Self {
        let tracker = Arc::new(Mutex::new(Tracker { setup, ..Tracker::default() }));
        let memory = Arc::clone(&tracker);
        let fake = Fake::start(move |request| memory.lock().unwrap().answer(request)).await;
        Self { tracker, fake }
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, Tracker> {
        self.tracker.lock().unwrap()
    }

    /// The calls since the last time.
    pub(super) fn called(&self) -> Vec<String> {
        std::mem::take(&mut self.lock().called)
    }

    /// The keys of all issues.
    pub(super) fn keys(&self) -> Vec<String> {
        self.lock().issues.keys().cloned().collect()
    }

    pub(super) fn status(&self, key: &str) -> String {
        self.lock().issues[key]["fields"]["status"]["name"].as_str().unwrap().to_owned()
    }

    pub(super) fn labels(&self, key: &str) -> Vec<String> {
        let labels = self.lock().issues[key]["fields"]["labels"].clone();
        serde_json::from_value(labels).unwrap()
    }

    /// The texts of the comments of an issue.
    pub(super) fn comments(&self, key: &str) -> Vec<String> {
        let issue = self.lock().issues[key].clone();
        let comments = issue["comments"].as_array().unwrap().iter();
        comments
            .map(|comment| document::text(&comment["body"]).split_whitespace().collect::<Vec<_>>().join(" "))
            .collect()
    }

    /// Somebody moves an issue.
    pub(super) fn moved(&self, key: &str, status: &str, resolution: Option<&str>, at: &str) {
        let at = at.parse().unwrap();
        self.lock().move_to(key, status, resolution, at);
    }

    /// Everything that happened to an issue happened so much earlier.
    pub(super) fn age(&self, key: &str, hours: i64) {
        let mut tracker = self.lock();
        let issue = tracker.issues.get_mut(key).unwrap();
        let changed = issue["fields"]["statuscategorychangedate"].as_str().unwrap();
        let changed =
            Timestamp::strptime("%Y-%m-%dT%H:%M:%S%.f%z", changed).unwrap() - Span::new().hours(hours);
        issue["fields"]["statuscategorychangedate"] = json!(written(changed));
        let mark = &mut issue["properties"]["otpsd"];
        if let Some(closed) = mark["closed"].as_i64() {
            mark["closed"] = json!(closed - hours * 3_600);
        }
    }
}

const STATUSES: [(&str, &str); 3] = [("To Do", "new"), ("In Progress", "indeterminate"), ("Done", "done")];

fn status(name: &str) -> Value {
    let category = STATUSES.iter().find(|(known, _)| *known == name).unwrap().1;
    json!({ "name": name, "statusCategory": { "key": category } })
}

fn written(at: Timestamp) -> String {
    at.strftime("%Y-%m-%dT%H:%M:%S.000+0000").to_string()
}

fn fault(status: u16, field: &str, why: &str) -> Reply {
    let body = json!({ "errorMessages": [], "errors": { field: why } });
    Reply::With(status, Vec::new(), body.to_string())
}

impl Tracker {
    fn answer(&mut self, request: &Received) -> Reply {
        let path = request.target.strip_prefix("/rest/api/3/").unwrap();
        let path = path.split('?').next().unwrap();
        let call = format!("{} {path}", request.method);
        self.called.push(call.clone());
        if let Some((_, reply)) = self.setup.answers.iter().find(|(begins, _)| call.starts_with(begins)) {
            return reply.clone();
        }
        let body: Value = serde_json::from_str(&request.body).unwrap_or_default();
        let parts: Vec<&str> = path.split('/').collect();
        let reply = match (request.method.as_str(), &parts[..]) {
            ("POST", ["search", "jql"]) => self.search(&body),
            ("POST", ["issue"]) => self.file(body),
            ("GET", ["project", "LLM"]) if !self.setup.hides_the_project => said(&json!({ "key": "LLM" })),
            (_, ["issue", key, ..]) if self.issues.contains_key(*key) => {
                self.about(request.method.as_str(), &parts, body)
            }
            _ => Reply::With(404, Vec::new(), json!({ "errorMessages": ["It does not exist"] }).to_string()),
        };
        if request.method != "GET" && !path.starts_with("search") && self.setup.loses > 0 {
            self.setup.loses -= 1;
            return Reply::Silence;
        }
        reply
    }

    fn search(&self, body: &Value) -> Reply {
        let jql = body["jql"].as_str().unwrap();
        assert!(jql.starts_with("project = \"LLM\" AND ("), "{jql}");
        if self.setup.search_is_behind {
            return said(&json!({ "issues": [] }));
        }
        let plain = jql.replace('\\', "").replace("\"\"", "\"");
        let names: Vec<&str> = plain.split('"').filter(|word| word.starts_with("otpsd-")).collect();
        let found = |issue: &&Value| {
            let labels = issue["fields"]["labels"].as_array().unwrap();
            let text = document::text(&issue["fields"]["description"]);
            // Text is found by its parts, as Jira does: more than was asked for.
            names.iter().any(|name| labels.contains(&json!(name)) || text.contains("otpsd"))
        };
        said(&json!({ "issues": self.issues.values().filter(found).collect::<Vec<_>>() }))
    }

    fn file(&mut self, body: Value) -> Reply {
        let mut fields = body["fields"].clone();
        let length = |value: &Value| value.as_str().unwrap().chars().count();
        if fields["summary"].as_str().is_none_or(|summary| summary.is_empty() || summary.contains('\n'))
            || length(&fields["summary"]) > 255
        {
            return fault(400, "summary", "The summary is invalid");
        }
        if document::text(&fields["description"]).chars().count() > 32_767 {
            return fault(400, "description", "The entered text is too long");
        }
        if self.setup.refuses_labels && !fields["labels"].is_null() {
            return fault(
                400,
                "labels",
                "Field 'labels' cannot be set. It is not on the appropriate screen, or unknown.",
            );
        }
        let labels = fields["labels"].as_array().cloned().unwrap_or_default();
        if labels
            .iter()
            .any(|label| length(label) > 255 || label.as_str().unwrap().contains(char::is_whitespace))
        {
            return fault(400, "labels", "The label contains spaces or is too long");
        }
        fields["labels"] = if self.setup.drops_labels { json!([]) } else { json!(labels) };
        let key = format!("LLM-{}", self.issues.len() + 1);
        fields["status"] = status("To Do");
        fields["created"] = json!("2026-12-03T06:17:02.000+0000");
        fields["statuscategorychangedate"] = fields["created"].clone();
        let mut properties = json!({});
        for property in body["properties"].as_array().unwrap() {
            properties[property["key"].as_str().unwrap()] = property["value"].clone();
        }
        let issue = json!({ "key": key, "fields": fields, "properties": properties, "comments": [] });
        self.issues.insert(key.clone(), issue);
        Reply::With(201, Vec::new(), json!({ "id": "1", "key": key }).to_string())
    }

    fn about(&mut self, method: &str, parts: &[&str], body: Value) -> Reply {
        let key = parts[1].to_owned();
        let issue = self.issues.get_mut(&key).unwrap();
        match (method, &parts[2..]) {
            ("GET", []) => said(issue),
            ("PUT", []) if self.setup.refuses_labels => fault(400, "labels", "Field 'labels' cannot be set"),
            ("PUT", []) => {
                if !self.setup.drops_labels {
                    let added = body["update"]["labels"][0]["add"].clone();
                    issue["fields"]["labels"].as_array_mut().unwrap().push(added);
                }
                Reply::status(204)
            }
            ("PUT", ["properties", name]) => {
                issue["properties"][*name] = body;
                Reply::status(200)
            }
            ("GET", ["comment"]) => said(&json!({ "comments": issue["comments"] })),
            ("POST", ["comment"]) => {
                issue["comments"].as_array_mut().unwrap().push(body);
                Reply::With(201, Vec::new(), json!({ "id": "1" }).to_string())
            }
            ("GET", ["transitions"]) => said(&json!({ "transitions": self.transitions() })),
            ("POST", ["transitions"]) => {
                let (name, category) =
                    STATUSES[body["transition"]["id"].as_str().unwrap().parse::<usize>().unwrap()];
                let resolution = body["fields"]["resolution"]["name"].as_str();
                if category == "done" && self.setup.asks_for_a_resolution && resolution.is_none() {
                    return fault(400, "resolution", "Resolution is required");
                }
                self.move_to(&key, name, resolution, super::tests::now());
                Reply::status(204)
            }
            other => panic!("{other:?} is not called"),
        }
    }

    fn transitions(&self) -> Value {
        if self.setup.is_stuck {
            return json!([{ "id": "0", "to": status("Done"), "fields": { "approver": { "required": true } } }]);
        }
        let resolution = json!({
            "required": true,
            "allowedValues": [{ "name": "Won't Do" }, { "name": "Cannot Reproduce" }, { "name": "Done" }]
        });
        let all = STATUSES.iter().enumerate().map(|(id, (name, category))| {
            let asks = *category == "done" && self.setup.asks_for_a_resolution;
            let fields = if asks { json!({ "resolution": resolution }) } else { json!({}) };
            json!({ "id": id.to_string(), "to": status(name), "fields": fields })
        });
        // The best one is not the first.
        Value::from(all.rev().collect::<Vec<_>>())
    }

    fn move_to(&mut self, key: &str, name: &str, resolution: Option<&str>, at: Timestamp) {
        let fields = &mut self.issues.get_mut(key).unwrap()["fields"];
        fields["status"] = status(name);
        fields["resolution"] = resolution.map_or(Value::Null, |name| json!({ "name": name }));
        fields["statuscategorychangedate"] = json!(written(at));
    }
}

fn said(body: &Value) -> Reply {
    Reply::With(200, Vec::new(), body.to_string())
}
