//! Values in one way of writing, so that two that are equal read the same.

use toml::Value;
use toml::de::DeValue;

/// A value as TOML writes it on one line: `0.8` for `0.80`, `"a"` for `'a'`.
pub(crate) fn text(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) => Value::String(text.to_string()).to_string(),
        DeValue::Integer(number) => {
            let whole = i64::from_str_radix(number.as_str(), number.radix());
            whole.map_or_else(|_| number.to_string(), |whole| whole.to_string())
        }
        DeValue::Float(number) => {
            let real = number.as_str().parse::<f64>();
            real.map_or_else(|_| number.to_string(), |real| Value::Float(real).to_string())
        }
        DeValue::Boolean(truth) => truth.to_string(),
        DeValue::Datetime(time) => time.to_string(),
        DeValue::Array(elements) => {
            let elements: Vec<_> = elements.iter().map(|element| text(element.get_ref())).collect();
            format!("[{}]", elements.join(", "))
        }
        DeValue::Table(entries) => {
            let entries: Vec<_> = entries
                .iter()
                .map(|(key, value)| format!("{} = {}", key.get_ref(), text(value.get_ref())))
                .collect();
            format!("{{ {} }}", entries.join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_equal_reads_the_same() {
        for (written, canonical) in [
            ("0.80", "0.8"),
            ("1_000.0", "1000.0"),
            ("0x1F", "31"),
            ("1_000", "1000"),
            ("'a'", "\"a\""),
            ("true", "true"),
            ("[ 'a', # why\n 'b',\n]", "[\"a\", \"b\"]"),
            ("{env='KEY'}", "{ env = \"KEY\" }"),
            ("2026-12-24T22:00:00Z", "2026-12-24T22:00:00Z"),
        ] {
            assert_eq!(text(DeValue::parse(written).unwrap().get_ref()), canonical);
        }
    }
}
