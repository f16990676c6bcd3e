//! As much of JQL as finds tickets: comparisons of the fields below, with `AND`, `OR`, `NOT`, brackets and `ORDER BY`.

use std::cmp::Ordering;

use jiff::Timestamp;

use super::{JiraIssue, JiraRules, document};

mod parse;
mod text;
mod time;
mod token;

use parse::{Clause, Operator, Order, Term};

/// A query that can be answered, as of the time it was asked.
#[derive(Debug)]
pub(super) struct Query {
    clause: Clause,
    order: Order,
    now: Timestamp,
}

/// The fields that are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Field {
    Project,
    Key,
    Labels,
    Summary,
    Description,
    Comment,
    /// All of the three before.
    Text,
    IssueType,
    Priority,
    Status,
    StatusCategory,
    Resolution,
    Created,
    Updated,
    ResolutionDate,
}

impl Field {
    fn named(name: &str) -> Option<Self> {
        Some(match name.to_ascii_lowercase().as_str() {
            "project" => Self::Project,
            "key" | "issue" | "issuekey" | "id" => Self::Key,
            "labels" => Self::Labels,
            "summary" => Self::Summary,
            "description" => Self::Description,
            "comment" => Self::Comment,
            "text" => Self::Text,
            "issuetype" | "type" => Self::IssueType,
            "priority" => Self::Priority,
            "status" => Self::Status,
            "statuscategory" => Self::StatusCategory,
            "resolution" => Self::Resolution,
            "created" | "createddate" => Self::Created,
            "updated" | "updateddate" => Self::Updated,
            "resolved" | "resolutiondate" => Self::ResolutionDate,
            _ => return None,
        })
    }

    /// What an issue has there. Labels may be several, others are one or none.
    fn texts(self, issue: &JiraIssue) -> Vec<&str> {
        match self {
            Self::Project => vec![&issue.project],
            Self::Key => vec![&issue.key, &issue.id],
            Self::Labels => issue.labels.iter().map(String::as_str).collect(),
            Self::Summary => vec![&issue.summary],
            Self::IssueType => vec![&issue.issue_type],
            Self::Priority => vec![&issue.priority],
            Self::Status => vec![issue.status.name()],
            Self::StatusCategory => vec![issue.status.name(), issue.status.category()],
            Self::Resolution => issue.resolution.as_deref().into_iter().collect(),
            Self::Description | Self::Comment | Self::Text => Vec::new(),
            Self::Created | Self::Updated | Self::ResolutionDate => Vec::new(),
        }
    }

    /// What there is to search for words, if it is a field of text. An issue without a description has nothing there.
    fn written(self, issue: &JiraIssue) -> Vec<String> {
        let description = || document::text(&issue.description);
        let comments = || issue.comments.iter().map(|comment| document::text(&comment.body));
        let mut written = match self {
            Self::Summary => vec![issue.summary.clone()],
            Self::Description => vec![description()],
            Self::Comment => comments().collect(),
            Self::Text => [issue.summary.clone(), description()].into_iter().chain(comments()).collect(),
            _ => Vec::new(),
        };
        written.retain(|text| !text.is_empty());
        written
    }

    fn time(self, issue: &JiraIssue) -> Option<Timestamp> {
        match self {
            Self::Created => Some(issue.created),
            Self::Updated => Some(issue.updated),
            Self::ResolutionDate => issue.resolved,
            _ => None,
        }
    }

    /// Which operators it has. Jira also compares keys and priorities by `<` and the like; here they are refused.
    const fn takes(self, operator: Operator) -> bool {
        match operator {
            Operator::In | Operator::NotIn => !self.is_text(),
            Operator::Is | Operator::IsNot => !matches!(self, Self::Comment | Self::Text),
            Operator::Contains | Operator::Lacks => self.is_text(),
            Operator::Compares(_) => self.is_time(),
        }
    }

    const fn is_text(self) -> bool {
        matches!(self, Self::Summary | Self::Description | Self::Comment | Self::Text)
    }

    const fn is_time(self) -> bool {
        matches!(self, Self::Created | Self::Updated | Self::ResolutionDate)
    }
}

impl Query {
    /// Reads a query. The error is what Jira says of it.
    pub(super) fn parse(jql: &str, now: Timestamp) -> Result<Self, String> {
        let (clause, order) = parse::query(jql, now)?;
        let clause = clause.ok_or(
            "Unbounded JQL queries are not allowed here. Please add a search restriction to your query.",
        )?;
        Ok(Self { clause, order, now })
    }

    /// Refuses what names a project that there is not.
    pub(super) fn check(&self, rules: &JiraRules) -> Result<(), String> {
        self.clause.terms().into_iter().filter(|term| term.field == Field::Project).try_for_each(|term| {
            match term.values.iter().find(|key| !rules.has_project(&key.to_ascii_uppercase())) {
                Some(key) => Err(format!("The value '{key}' does not exist for the field 'project'.")),
                None => Ok(()),
            }
        })
    }

    pub(super) fn fits(&self, issue: &JiraIssue) -> bool {
        self.clause_fits(&self.clause, issue)
    }

    fn clause_fits(&self, clause: &Clause, issue: &JiraIssue) -> bool {
        match clause {
            Clause::And(parts) => parts.iter().all(|part| self.clause_fits(part, issue)),
            Clause::Or(parts) => parts.iter().any(|part| self.clause_fits(part, issue)),
            Clause::Not(part) => !self.clause_fits(part, issue),
            Clause::Term(term) => self.term_fits(term, issue),
        }
    }

    fn term_fits(&self, term: &Term, issue: &JiraIssue) -> bool {
        if term.field.is_time() {
            return self.time_fits(term, issue);
        }
        if term.field.is_text() {
            return text_fits(term, issue);
        }
        let has = term.field.texts(issue);
        // `EMPTY` is also the name of the resolution of what is not resolved.
        let unresolved = |value: &str| {
            term.field == Field::Resolution && has.is_empty() && value.eq_ignore_ascii_case("Unresolved")
        };
        let equals = |value: &String| {
            has.iter().any(|text| match term.field {
                Field::Labels => *text == value,
                _ => text.eq_ignore_ascii_case(value),
            }) || unresolved(value)
        };
        match term.operator {
            Operator::Is => has.is_empty(),
            Operator::IsNot => !has.is_empty(),
            Operator::In => term.values.iter().any(equals),
            // What is empty differs from nothing: Jira leaves it out, which has surprised many.
            Operator::NotIn => !has.is_empty() && !term.values.iter().any(equals),
            Operator::Contains | Operator::Lacks | Operator::Compares(_) => false,
        }
    }

    fn time_fits(&self, term: &Term, issue: &JiraIssue) -> bool {
        let Some(at) = term.field.time(issue) else { return term.operator == Operator::Is };
        let than = |value: &String| time::read(value, self.now);
        match term.operator {
            Operator::Is => false,
            Operator::IsNot => true,
            Operator::Compares(orders) => {
                term.values.first().and_then(than).is_some_and(|value| orders.contains(&at.cmp(&value)))
            }
            Operator::In => term.values.iter().filter_map(than).any(|value| at == value),
            Operator::NotIn => term.values.iter().filter_map(than).all(|value| at != value),
            Operator::Contains | Operator::Lacks => false,
        }
    }

    /// In the order that was asked for, or else the newest first.
    pub(super) fn sort<'a>(&self, mut issues: Vec<&'a JiraIssue>) -> Vec<&'a JiraIssue> {
        // They come in the order they were created.
        issues.reverse();
        issues.sort_by(|one, other| {
            let orders = self.order.iter().map(|(field, greatest_first)| {
                let order = match field.is_time() {
                    true => field.time(one).cmp(&field.time(other)),
                    false if *field == Field::Key => number(one).cmp(&number(other)),
                    false => field.texts(one).cmp(&field.texts(other)),
                };
                if *greatest_first { order.reverse() } else { order }
            });
            orders.fold(Ordering::Equal, Ordering::then)
        });
        issues
    }
}

fn number(issue: &JiraIssue) -> (&str, u64) {
    (&issue.project, issue.key.rsplit('-').next().and_then(|number| number.parse().ok()).unwrap_or_default())
}

fn text_fits(term: &Term, issue: &JiraIssue) -> bool {
    let written = term.field.written(issue);
    let sought = term.sought.as_ref();
    let is_there = || sought.is_some_and(|sought| written.iter().any(|text| sought.is_in(text)));
    match term.operator {
        Operator::Is => written.is_empty(),
        Operator::IsNot => !written.is_empty(),
        Operator::Contains => is_there(),
        Operator::Lacks => !written.is_empty() && !is_there(),
        Operator::In | Operator::NotIn | Operator::Compares(_) => false,
    }
}

#[cfg(test)]
mod tests;
