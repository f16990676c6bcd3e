//! The same for Terraform: a policy document as a data source, and a policy or a role made of it, written as `terraform fmt` would.

use std::fmt::Write as _;

use super::permissions::Statement;
use super::trust::Trust;

pub(super) fn hcl(statements: &[Statement]) -> String {
    let mut text = document(statements);
    text += "\nresource \"aws_iam_policy\" \"otpsd\" {\n";
    text += "  name        = \"otpsd\"\n";
    text += "  description = \"What otpsd needs for its configuration, and no more\"\n";
    text += "  policy      = data.aws_iam_policy_document.otpsd.json\n}\n";
    text
}

/// A role with its policy and its trust policy, for the account that it is of.
pub(super) fn role(statements: &[Statement], trust: Trust<'_>) -> String {
    let mut text = String::new();
    if trust.principal.is_none() {
        text += "variable \"otpsd_principal\" {\n";
        text += "  description = \"The ARN of the role or user that otpsd runs as\"\n";
        text += "  type        = string\n}\n\n";
    }
    if trust.asks() {
        text += "variable \"otpsd_external_id\" {\n";
        text += "  description = \"The external id that the source has in the configuration of otpsd\"\n";
        text += "  type        = string\n  sensitive   = true\n}\n\n";
    }
    text += &document(statements);
    let principal = trust.principal.map_or_else(|| "var.otpsd_principal".to_owned(), quoted);
    text += "\ndata \"aws_iam_policy_document\" \"otpsd_trust\" {\n  statement {\n";
    text += "    sid     = \"LetOtpsdReadWithThisRole\"\n    effect  = \"Allow\"\n";
    text += "    actions = [\"sts:AssumeRole\"]\n";
    let _ = write!(
        text,
        "\n    principals {{\n      type        = \"AWS\"\n      identifiers = [{principal}]\n    }}\n"
    );
    if trust.asks() {
        text += "\n    condition {\n      test     = \"StringEquals\"\n      variable = \"sts:ExternalId\"\n";
        text += "      values   = [var.otpsd_external_id]\n    }\n";
    }
    text += "  }\n}\n";
    let (path, name) = trust.name();
    let _ = write!(
        text,
        "\nresource \"aws_iam_role\" \"otpsd\" {{\n  name               = {}\n  path               = {}\n  \
         assume_role_policy = data.aws_iam_policy_document.otpsd_trust.json\n}}\n",
        quoted(name),
        quoted(&path)
    );
    text += "\nresource \"aws_iam_role_policy\" \"otpsd\" {\n  name   = \"otpsd\"\n";
    text += "  role   = aws_iam_role.otpsd.id\n  policy = data.aws_iam_policy_document.otpsd.json\n}\n";
    text
}

fn document(statements: &[Statement]) -> String {
    let mut text = String::from("data \"aws_iam_policy_document\" \"otpsd\" {\n");
    for (place, one) in statements.iter().enumerate() {
        if place > 0 {
            text.push('\n');
        }
        text += &statement(one);
    }
    text + "}\n"
}

fn statement(one: &Statement) -> String {
    let mut text = String::from("  statement {\n");
    let actions = list(one.actions.iter().copied(), 4);
    let resources = list(one.resources.iter().map(String::as_str), 4);
    let (sid, effect) = (quoted(one.sid), quoted("Allow"));
    let _ = writeln!(text, "    sid    = {sid}\n    effect = {effect}\n");
    // Two lists stand apart, so that `terraform fmt` has nothing to line up.
    let _ = writeln!(text, "    actions = {actions}\n\n    resources = {resources}");
    for (key, values) in &one.equals {
        let (key, values) = (quoted(key), list(values.iter().map(String::as_str), 6));
        // `terraform fmt` does not line up a list of several lines.
        let name = if values.contains('\n') { "values" } else { "values  " };
        let _ = writeln!(
            text,
            "\n    condition {{\n      test     = \"StringEquals\"\n      variable = {key}\n      {name} = {values}\n    }}"
        );
    }
    text += "  }\n";
    text
}

/// A list, with a line for each entry if there are several; `indent` is that of its attribute.
fn list<'a>(entries: impl Iterator<Item = &'a str>, indent: usize) -> String {
    let entries: Vec<String> = entries.map(quoted).collect();
    match entries.as_slice() {
        [one] => format!("[{one}]"),
        several => {
            let lines: String =
                several.iter().map(|entry| format!("{:width$}{entry},\n", "", width = indent + 2)).collect();
            format!("[\n{lines}{:indent$}]", "")
        }
    }
}

/// A string of HCL, in which `${` and `%{` would begin a template.
fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            '$' | '%' if characters.peek() == Some(&'{') => quoted.extend([character, character]),
            control if control.is_control() => {
                let _ = write!(quoted, "\\u{:04x}", u32::from(control));
            }
            other => quoted.push(other),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_text_is_a_template() {
        assert_eq!(quoted("llm/${team}"), r#""llm/$${team}""#);
        assert_eq!(quoted("5 %{if}"), r#""5 %%{if}""#);
        assert_eq!(quoted("a \"b\" \\ $5\n"), r#""a \"b\" \\ $5\u000a""#);
    }
}
