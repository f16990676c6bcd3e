//! Who may assume the role of a source.

use domain::RolePlan;
use serde::Serialize;

use super::policy::VERSION;

/// What stands in a document for the external id, which is a secret of the configuration: nobody who pastes it is let in by mistake.
const EXTERNAL_ID: &str = "REPLACE-WITH-THE-EXTERNAL-ID";

/// A trust policy.
#[derive(Debug, Clone, Copy)]
pub(super) struct Trust<'a> {
    pub(super) role: &'a RolePlan,
    /// Who may; `None` is for Terraform to ask.
    pub(super) principal: Option<&'a str>,
}

impl<'a> Trust<'a> {
    /// Whether it asks for an external id.
    pub(super) const fn asks(self) -> bool {
        self.role.external_id.is_some()
    }

    /// The path of the role, such as `/ops/`, and its name.
    pub(super) fn name(self) -> (String, &'a str) {
        let resource = self.role.arn.splitn(6, ':').nth(5).unwrap_or_default();
        let path = resource.strip_prefix("role").unwrap_or(resource);
        let (path, name) = path.rsplit_once('/').unwrap_or(("", path));
        (format!("{path}/"), name)
    }

    /// A trust policy document.
    pub(super) fn json(self) -> String {
        if self.asks() {
            anstream::eprintln!(
                "note: write the external id of the role in the place of {EXTERNAL_ID}: it is a secret of the configuration, which is not shown"
            );
        }
        let statement = Statement {
            sid: "LetOtpsdReadWithThisRole",
            effect: "Allow",
            principal: Principal { aws: self.principal },
            action: "sts:AssumeRole",
            condition: self.asks().then_some(Condition { string_equals: Asked { external_id: EXTERNAL_ID } }),
        };
        let document = Document { version: VERSION, statement: [statement] };
        let mut text =
            serde_json::to_string_pretty(&document).expect("names and texts can be written as JSON");
        text.push('\n');
        text
    }
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
struct Document<'a> {
    version: &'static str,
    statement: [Statement<'a>; 1],
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
struct Statement<'a> {
    sid: &'static str,
    effect: &'static str,
    principal: Principal<'a>,
    action: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    condition: Option<Condition>,
}

#[derive(Debug, Serialize)]
struct Principal<'a> {
    #[serde(rename = "AWS")]
    aws: Option<&'a str>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
struct Condition {
    string_equals: Asked,
}

#[derive(Debug, Serialize)]
struct Asked {
    #[serde(rename = "sts:ExternalId")]
    external_id: &'static str,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_role_has_a_path_and_a_name() {
        let role =
            |arn: &str| RolePlan { arn: arn.to_owned(), external_id: None, session_name: "otpsd".to_owned() };
        let name = |arn: &str| {
            let role = role(arn);
            let (path, name) = Trust { role: &role, principal: None }.name();
            (path, name.to_owned())
        };
        assert_eq!(name("arn:aws:iam::444455556666:role/reader"), ("/".to_owned(), "reader".to_owned()));
        assert_eq!(
            name("arn:aws:iam::444455556666:role/ops/llm/reader"),
            ("/ops/llm/".to_owned(), "reader".to_owned())
        );
    }
}
