//! From a query's text to its clauses.

use std::cmp::Ordering;
use std::ops::Range;

use jiff::Timestamp;

use super::text::Sought;
use super::token::{self, Token};
use super::{Field, time};

#[derive(Debug)]
pub(super) enum Clause {
    And(Vec<Self>),
    Or(Vec<Self>),
    Not(Box<Self>),
    Term(Term),
}

#[derive(Debug)]
pub(super) struct Term {
    pub(super) field: Field,
    pub(super) operator: Operator,
    pub(super) values: Vec<String>,
    /// The value of a search for words.
    pub(super) sought: Option<Sought>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operator {
    /// `=` is `in` with one value.
    In,
    NotIn,
    /// `is EMPTY`
    Is,
    IsNot,
    Contains,
    Lacks,
    /// With what the comparison may give.
    Compares(&'static [Ordering]),
}

impl Clause {
    pub(super) fn terms(&self) -> Vec<&Term> {
        match self {
            Self::And(parts) | Self::Or(parts) => parts.iter().flat_map(Self::terms).collect(),
            Self::Not(part) => part.terms(),
            Self::Term(term) => vec![term],
        }
    }
}

/// Fields to sort by, and whether the greatest comes first.
pub(super) type Order = Vec<(Field, bool)>;

/// How deep brackets and `NOT`s may go. No person writes such queries, and each level takes stack.
const DEPTH_MAX: usize = 100;

/// The clauses, if there are any, and the order.
pub(super) fn query(jql: &str, now: Timestamp) -> Result<(Option<Clause>, Order), String> {
    let mut parser = Parser { tokens: token::read(jql)?, place: 0, depth: 0, now };
    let clause = if parser.ends() || parser.sees("order") { None } else { Some(parser.or()?) };
    let mut order = Vec::new();
    if parser.takes("order") {
        if !parser.takes("by") {
            return Err(parser.expected("by"));
        }
        loop {
            let (_, field) = parser.named_field()?;
            let greatest_first = parser.takes("desc");
            if !greatest_first {
                parser.takes("asc");
            }
            order.push((field, greatest_first));
            if !parser.sign(",") {
                break;
            }
        }
    }
    if parser.ends() { Ok((clause, order)) } else { Err(parser.expected("either 'OR' or 'AND'")) }
}

struct Parser {
    tokens: Vec<Token>,
    place: usize,
    depth: usize,
    now: Timestamp,
}

impl Parser {
    fn or(&mut self) -> Result<Clause, String> {
        let mut parts = vec![self.and()?];
        while self.takes("or") {
            parts.push(self.and()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Clause::Or(parts) })
    }

    fn and(&mut self) -> Result<Clause, String> {
        let mut parts = vec![self.not()?];
        while self.takes("and") {
            parts.push(self.not()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Clause::And(parts) })
    }

    fn not(&mut self) -> Result<Clause, String> {
        if self.takes("not") {
            return self.deeper(|parser| Ok(Clause::Not(Box::new(parser.not()?))));
        }
        if self.sign("(") {
            let inner = self.deeper(Self::or)?;
            return if self.sign(")") { Ok(inner) } else { Err(self.expected("')'")) };
        }
        self.term()
    }

    fn deeper(&mut self, read: impl FnOnce(&mut Self) -> Result<Clause, String>) -> Result<Clause, String> {
        if self.depth == DEPTH_MAX {
            return Err(format!("Error in the JQL Query: it is nested more than {DEPTH_MAX} deep."));
        }
        self.depth += 1;
        let clause = read(self);
        self.depth -= 1;
        clause
    }

    fn term(&mut self) -> Result<Clause, String> {
        let (name, field) = self.named_field()?;
        let place = self.place;
        let (operator, several) = self.operator()?;
        if !field.takes(operator) {
            // `EMPTY` was read with `is`.
            let end = self.place - usize::from(matches!(operator, Operator::Is | Operator::IsNot));
            let operator = self.written(place..end);
            return Err(format!("The operator '{operator}' is not supported by the '{name}' field."));
        }
        let bare = matches!(self.tokens.get(self.place), Some(Token::Word(_)));
        let values = match operator {
            Operator::Is | Operator::IsNot => Vec::new(),
            _ if several => self.list()?,
            _ => vec![self.value()?],
        };
        // `= EMPTY` says the same as `is EMPTY`; in quotation marks it is a text like any other.
        let empty = bare && !several && values.first().is_some_and(|value| is_empty_word(value));
        let (operator, values) = match operator {
            Operator::In if empty => (Operator::Is, Vec::new()),
            Operator::NotIn if empty => (Operator::IsNot, Vec::new()),
            _ => (operator, values),
        };
        let sought = match (operator, values.first()) {
            (Operator::Contains | Operator::Lacks, Some(value)) => Some(Sought::read(&name, value)?),
            _ => None,
        };
        let term = Term { field, operator, values, sought };
        if field.is_time()
            && let Some(wrong) = term.values.iter().find(|value| time::read(value, self.now).is_none())
        {
            return Err(format!(
                "Date value '{wrong}' for field '{name}' is invalid. Valid formats include: 'yyyy/MM/dd HH:mm', \
                 'yyyy-MM-dd HH:mm', 'yyyy/MM/dd', 'yyyy-MM-dd', or a period format e.g. '-5d', '4w 2d'."
            ));
        }
        Ok(Clause::Term(term))
    }

    fn named_field(&mut self) -> Result<(String, Field), String> {
        let name = self.value()?;
        match Field::named(&name) {
            Some(field) => Ok((name, field)),
            None => Err(format!("Field '{name}' does not exist or you do not have permission to view it.")),
        }
    }

    /// The operator, and whether a list follows.
    fn operator(&mut self) -> Result<(Operator, bool), String> {
        const SIGNS: [(&str, Operator); 8] = [
            ("=", Operator::In),
            ("!=", Operator::NotIn),
            ("~", Operator::Contains),
            ("!~", Operator::Lacks),
            ("<", Operator::Compares(&[Ordering::Less])),
            ("<=", Operator::Compares(&[Ordering::Less, Ordering::Equal])),
            (">", Operator::Compares(&[Ordering::Greater])),
            (">=", Operator::Compares(&[Ordering::Greater, Ordering::Equal])),
        ];
        for (sign, operator) in SIGNS {
            if self.sign(sign) {
                return Ok((operator, false));
            }
        }
        if self.takes("in") {
            return Ok((Operator::In, true));
        }
        if self.takes("not") {
            return if self.takes("in") { Ok((Operator::NotIn, true)) } else { Err(self.expected("'in'")) };
        }
        if self.takes("is") {
            let operator = if self.takes("not") { Operator::IsNot } else { Operator::Is };
            let empty = self.value()?;
            return if is_empty_word(&empty) { Ok((operator, false)) } else { Err(self.expected("'EMPTY'")) };
        }
        Err(self.expected("operator"))
    }

    fn written(&self, places: Range<usize>) -> String {
        let read = self.tokens.get(places).unwrap_or_default().iter().map(|token| match token {
            Token::Word(text) | Token::Text(text) => text.as_str(),
            Token::Sign(sign) => sign,
        });
        read.collect::<Vec<_>>().join(" ")
    }

    fn list(&mut self) -> Result<Vec<String>, String> {
        if !self.sign("(") {
            return Err(self.expected("'('"));
        }
        let mut values = vec![self.value()?];
        while self.sign(",") {
            values.push(self.value()?);
        }
        if self.sign(")") { Ok(values) } else { Err(self.expected("')'")) }
    }

    fn value(&mut self) -> Result<String, String> {
        let value = match self.tokens.get(self.place) {
            Some(Token::Word(word)) => word.clone(),
            Some(Token::Text(text)) => text.clone(),
            Some(Token::Sign(_)) | None => return Err(self.expected("a value or a field")),
        };
        self.place += 1;
        // `now()` is the only function.
        if value.eq_ignore_ascii_case("now") && self.sign("(") {
            return if self.sign(")") { Ok("now()".to_owned()) } else { Err(self.expected("')'")) };
        }
        Ok(value)
    }

    fn ends(&self) -> bool {
        self.place == self.tokens.len()
    }

    fn sees(&self, keyword: &str) -> bool {
        matches!(self.tokens.get(self.place), Some(Token::Word(word)) if word.eq_ignore_ascii_case(keyword))
    }

    fn takes(&mut self, keyword: &str) -> bool {
        let there = self.sees(keyword);
        self.place += usize::from(there);
        there
    }

    fn sign(&mut self, sign: &str) -> bool {
        let there = matches!(self.tokens.get(self.place), Some(Token::Sign(known)) if *known == sign);
        self.place += usize::from(there);
        there
    }

    fn expected(&self, what: &str) -> String {
        match self.tokens.get(self.place) {
            Some(Token::Word(got) | Token::Text(got)) => {
                format!("Error in the JQL Query: Expecting {what} but got '{got}'.")
            }
            Some(Token::Sign(got)) => format!("Error in the JQL Query: Expecting {what} but got '{got}'."),
            None => format!("Error in the JQL Query: Expecting {what} before the end of the query."),
        }
    }
}

fn is_empty_word(value: &str) -> bool {
    value.eq_ignore_ascii_case("empty") || value.eq_ignore_ascii_case("null")
}
