//! Which operation a request is for.

use axum::http::Method;

/// The operations, each with the key or id of the issue or project that it names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Route<'a> {
    /// The search that was removed in 2025.
    RemovedSearch,
    Search,
    Create,
    Read(&'a str),
    Edit(&'a str),
    Comments(&'a str),
    Comment(&'a str),
    /// The keys of the properties of an issue.
    PropertyKeys(&'a str),
    /// A property of an issue, by its key.
    Property(&'a str, &'a str),
    SetProperty(&'a str, &'a str),
    Transitions(&'a str),
    Transition(&'a str),
    Myself,
    Project(&'a str),
}

impl<'a> Route<'a> {
    pub(super) fn of(method: &Method, path: &'a str) -> Option<Self> {
        let steps: Vec<&str> = path.strip_prefix("/rest/api/3/")?.split('/').collect();
        Some(match (method.as_str(), steps.as_slice()) {
            ("GET" | "POST", ["search"]) => Self::RemovedSearch,
            ("POST", ["search", "jql"]) => Self::Search,
            ("POST", ["issue"]) => Self::Create,
            ("GET", ["issue", key]) => Self::Read(key),
            ("PUT", ["issue", key]) => Self::Edit(key),
            ("GET", ["issue", key, "comment"]) => Self::Comments(key),
            ("POST", ["issue", key, "comment"]) => Self::Comment(key),
            ("GET", ["issue", key, "properties"]) => Self::PropertyKeys(key),
            ("GET", ["issue", key, "properties", name]) => Self::Property(key, name),
            ("PUT", ["issue", key, "properties", name]) => Self::SetProperty(key, name),
            ("GET", ["issue", key, "transitions"]) => Self::Transitions(key),
            ("POST", ["issue", key, "transitions"]) => Self::Transition(key),
            ("GET", ["myself"]) => Self::Myself,
            ("GET", ["project", key]) => Self::Project(key),
            _ => return None,
        })
    }

    /// The name that faults and counters know.
    pub(super) const fn operation(self) -> &'static str {
        match self {
            Self::RemovedSearch | Self::Search => "jira.search",
            Self::Create => "jira.create",
            // It takes the same permission.
            Self::Edit(_) | Self::SetProperty(..) => "jira.edit",
            Self::Comment(_) => "jira.comment",
            Self::Transition(_) => "jira.transition",
            Self::Read(_)
            | Self::Comments(_)
            | Self::PropertyKeys(_)
            | Self::Property(..)
            | Self::Transitions(_)
            | Self::Myself
            | Self::Project(_) => "jira.read",
        }
    }

    /// The issue or project that the path names.
    pub(super) const fn issue(self) -> Option<&'a str> {
        match self {
            Self::RemovedSearch | Self::Search | Self::Create | Self::Myself => None,
            Self::Read(key)
            | Self::Edit(key)
            | Self::Comments(key)
            | Self::Comment(key)
            | Self::PropertyKeys(key)
            | Self::Property(key, _)
            | Self::SetProperty(key, _)
            | Self::Transitions(key)
            | Self::Transition(key)
            | Self::Project(key) => Some(key),
        }
    }
}
