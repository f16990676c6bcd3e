//! awsQuery: a form whose names are paths, and answers in XML.

use serde_json::{Map, Value};

use super::aws_error::{AwsError, Service};

/// The fields of a form, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Form(Vec<(String, String)>);

impl Form {
    pub(crate) fn read(body: &[u8]) -> Self {
        Self(form_urlencoded::parse(body).into_owned().collect())
    }

    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(field, _)| field == name).map(|(_, value)| value.as_str())
    }

    /// Bytes of all names and values.
    pub(crate) fn bytes(&self) -> usize {
        self.0.iter().map(|(name, value)| name.len() + value.len()).sum()
    }

    /// The numbers that a list has, in order: `LIST.1.Name`, `LIST.2.Name`.
    pub(crate) fn members(&self, list: &str) -> Vec<u32> {
        let number =
            |field: &str| field.strip_prefix(list)?.strip_prefix('.')?.split('.').next()?.parse().ok();
        let mut numbers: Vec<u32> = self.0.iter().filter_map(|(field, _)| number(field)).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }

    /// The tree that the paths describe: `A.B.member.1.C=x` is `{"A": {"B": [{"C": "x"}]}}`. `typed` makes the leaf
    /// of a field's last name.
    pub(crate) fn tree(&self, typed: fn(&str, &str) -> Value) -> Value {
        let mut root = Value::Object(Map::new());
        for (path, text) in &self.0 {
            let mut place = &mut root;
            let mut steps = path.split('.').filter(|step| *step != "member").peekable();
            let mut last = "";
            while let Some(step) = steps.next() {
                // What follows decides whether this step holds a list or a map.
                let next_is_number = steps.peek().is_some_and(|next| next.parse::<usize>().is_ok());
                place = match step.parse::<usize>() {
                    Ok(number) => element(place, number),
                    Err(_) => {
                        last = step;
                        field(place, step)
                    }
                };
                if next_is_number && !place.is_array() {
                    *place = Value::Array(Vec::new());
                }
            }
            *place = typed(last, text);
        }
        root
    }
}

/// Lists longer than this are cut: no call of these services may be longer.
const LIST_MAX: usize = 10_000;

fn element(place: &mut Value, number: usize) -> &mut Value {
    let index = number.clamp(1, LIST_MAX) - 1;
    if !place.is_array() {
        *place = Value::Array(Vec::new());
    }
    match place {
        Value::Array(list) => {
            if list.len() <= index {
                list.resize(index + 1, Value::Object(Map::new()));
            }
            &mut list[index]
        }
        other => other,
    }
}

fn field<'a>(place: &'a mut Value, name: &str) -> &'a mut Value {
    if !place.is_object() {
        *place = Value::Object(Map::new());
    }
    &mut place[name]
}

/// `<NAME>text</NAME>`, escaped.
pub(crate) fn element_xml(name: &str, text: &str) -> String {
    let mut xml = format!("<{name}>");
    for character in text.chars() {
        match character {
            '&' => xml.push_str("&amp;"),
            '<' => xml.push_str("&lt;"),
            '>' => xml.push_str("&gt;"),
            '"' => xml.push_str("&quot;"),
            other => xml.push(other),
        }
    }
    xml.push_str("</");
    xml.push_str(name);
    xml.push('>');
    xml
}

/// The answer of an operation: `result` is the XML within `<ACTIONResult>`.
pub(crate) fn answer_xml(service: Service, action: &str, result: &str, request_id: &str) -> String {
    let namespace = service.namespace();
    let id = element_xml("RequestId", request_id);
    format!(
        "<{action}Response xmlns=\"{namespace}\"><{action}Result>{result}</{action}Result>\
         <ResponseMetadata>{id}</ResponseMetadata></{action}Response>"
    )
}

/// The answer of an operation that went wrong.
pub(crate) fn error_xml(service: Service, error: &AwsError, request_id: &str) -> String {
    let namespace = service.namespace();
    let kind = element_xml("Type", error.kind());
    let code = element_xml("Code", error.code);
    let message = element_xml("Message", &error.message);
    let id = element_xml("RequestId", request_id);
    format!("<ErrorResponse xmlns=\"{namespace}\"><Error>{kind}{code}{message}</Error>{id}</ErrorResponse>")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn text(_: &str, text: &str) -> Value {
        Value::from(text)
    }

    #[test]
    fn paths_become_a_tree() {
        let form = Form::read(
            b"Action=GetMetricData&Queries.member.2.Id=b&Queries.member.1.Stat.Metric.Dimensions.member.1.Name=ModelId\
              &Queries.member.1.Id=a%26",
        );
        assert_eq!(
            form.tree(text),
            json!({
                "Action": "GetMetricData",
                "Queries": [
                    {"Id": "a&", "Stat": {"Metric": {"Dimensions": [{"Name": "ModelId"}]}}},
                    {"Id": "b"},
                ],
            })
        );
    }

    #[test]
    fn a_hostile_path_cannot_take_all_memory() {
        let form = Form::read(b"A.member.18446744073709551615.B=x&C.member.0=y");
        let tree = form.tree(text);
        assert_eq!(tree["A"].as_array().map(Vec::len), Some(LIST_MAX));
        assert_eq!(tree["C"], json!(["y"]));
    }

    #[test]
    fn members_are_found_by_number() {
        let form = Form::read(b"M.entry.2.Name=b&M.entry.1.Name=a&M.entry.1.Value=x&Other=1");
        assert_eq!(form.members("M.entry"), [1, 2]);
        assert_eq!(form.get("M.entry.2.Name"), Some("b"));
    }

    #[test]
    fn xml_is_escaped() {
        assert_eq!(
            element_xml("Message", "a < b & \"c\""),
            "<Message>a &lt; b &amp; &quot;c&quot;</Message>"
        );
    }
}
