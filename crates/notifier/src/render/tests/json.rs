//! JSON for readers: indented, in the order in which it is sent, which a parsed value would lose.

/// One member a line.
pub(super) fn indented(json: &str) -> String {
    let mut out = String::new();
    let (mut depth, mut in_string, mut escaped) = (0_usize, false, false);
    let mut chars = json.chars().peekable();
    while let Some(c) = chars.next() {
        if in_string {
            out.push(c);
            in_string = escaped || c != '"';
            escaped = !escaped && c == '\\';
            continue;
        }
        match c {
            '{' | '[' if matches!(chars.peek(), Some('}' | ']')) => out.push(c),
            '{' | '[' => {
                depth += 1;
                out.push(c);
                line(&mut out, depth);
            }
            '}' | ']' if out.ends_with(['{', '[']) => out.push(c),
            '}' | ']' => {
                depth -= 1;
                line(&mut out, depth);
                out.push(c);
            }
            ',' => {
                out.push(c);
                line(&mut out, depth);
            }
            ':' => out.push_str(": "),
            c => {
                in_string = c == '"';
                out.push(c);
            }
        }
    }
    out
}

fn line(out: &mut String, depth: usize) {
    out.push('\n');
    out.push_str(&"  ".repeat(depth));
}

/// The same without the long texts, which are shown apart.
pub(super) fn without_texts(json: &str) -> String {
    let lines = indented(json);
    let lines = lines.lines().map(|line| {
        let long = ["text", "AlarmDescription", "description"];
        let of = long.iter().find(|name| line.trim_start().starts_with(&format!("\"{name}\": \"")));
        match of {
            Some(name) if line.len() > 80 => {
                let comma = if line.ends_with(',') { "," } else { "" };
                let indent = line.len() - line.trim_start().len();
                format!("{}\"{name}\": \"...\"{comma}", " ".repeat(indent))
            }
            _ => line.to_owned(),
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn it_is_the_same_json_in_the_same_order() {
    let json = r#"{"b":[1,{"a":"x, {\" \\"}],"text":"long","e":[],"f":{}}"#;
    assert_eq!(
        indented(json),
        "{\n  \"b\": [\n    1,\n    {\n      \"a\": \"x, {\\\" \\\\\"\n    }\n  ],\n  \"text\": \"long\",\n  \"e\": [],\n  \
         \"f\": {}\n}"
    );
    let long = format!(r#"{{"text":"{}","of":{{"text":"short"}}}}"#, "long ".repeat(20));
    assert_eq!(without_texts(&long), "{\n  \"text\": \"...\",\n  \"of\": {\n    \"text\": \"short\"\n  }\n}");
}
