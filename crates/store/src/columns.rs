//! How values stand in columns.
//!
//! Every value comes back as it went in, with one exception that no comparison can see: SQLite keeps -0.0 as 0.0.

use std::fmt;

use domain::{AlarmState, Cause, Failure, NoticeKind, Period, SourceAct, Thrift};
use jiff::Timestamp;
use rusqlite::ToSql;
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSqlOutput, ValueRef};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// A figure. SQLite has no NaN and would turn it into NULL, which means "none" here; so it is written as a text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Real(pub(crate) f64);

const NAN: &str = "NaN";

impl ToSql for Real {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(if self.0.is_nan() { NAN.into() } else { self.0.into() })
    }
}

impl FromSql for Real {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        match value {
            ValueRef::Text(text) if text == NAN.as_bytes() => Ok(Self(f64::NAN)),
            other => f64::column_result(other).map(Self),
        }
    }
}

/// A period, by its number.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Number(pub(crate) Period);

impl ToSql for Number {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.0.index().into())
    }
}

impl FromSql for Number {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        i64::column_result(value).map(|index| Self(Period::from_index(index)))
    }
}

/// A time, as text of equal length: nothing is lost, and text sorts as time does.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Time(pub(crate) Timestamp);

impl ToSql for Time {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(format!("{:.9}", self.0).into())
    }
}

impl FromSql for Time {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        value.as_str()?.parse().map(Self).map_err(FromSqlError::other)
    }
}

/// Something with a closed set of names.
pub(crate) trait Named: Sized {
    const WHAT: &'static str;
    fn name(&self) -> &'static str;
    fn named(name: &str) -> Option<Self>;
}

impl Named for AlarmState {
    const WHAT: &'static str = "state";

    fn name(&self) -> &'static str {
        self.as_str()
    }

    fn named(name: &str) -> Option<Self> {
        Self::from_name(name)
    }
}

impl Named for Cause {
    const WHAT: &'static str = "cause";

    fn name(&self) -> &'static str {
        self.as_str()
    }

    fn named(name: &str) -> Option<Self> {
        Self::from_name(name)
    }
}

impl Named for NoticeKind {
    const WHAT: &'static str = "kind of message";

    fn name(&self) -> &'static str {
        self.as_str()
    }

    fn named(name: &str) -> Option<Self> {
        Self::from_name(name)
    }
}

impl Named for SourceAct {
    const WHAT: &'static str = "act of a source";

    fn name(&self) -> &'static str {
        self.as_str()
    }

    fn named(name: &str) -> Option<Self> {
        Self::from_name(name)
    }
}

impl Named for Failure {
    const WHAT: &'static str = "failure";

    fn name(&self) -> &'static str {
        self.as_str()
    }

    fn named(name: &str) -> Option<Self> {
        Self::from_name(name)
    }
}

impl Named for Thrift {
    const WHAT: &'static str = "way to save";

    fn name(&self) -> &'static str {
        self.as_str()
    }

    fn named(name: &str) -> Option<Self> {
        Self::from_name(name)
    }
}

/// One of a closed set, by its name.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Name<T>(pub(crate) T);

impl<T: Named> ToSql for Name<T> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.0.name().into())
    }
}

impl<T: Named> FromSql for Name<T> {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let name = value.as_str()?;
        T::named(name)
            .map(Self)
            .ok_or_else(|| FromSqlError::other(UnknownName { what: T::WHAT, name: name.to_owned() }))
    }
}

/// A name that is not of the set: the row was written by hand, or by another version.
#[derive(Debug)]
struct UnknownName {
    what: &'static str,
    name: String,
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not the name of a {}", self.name, self.what)
    }
}

impl std::error::Error for UnknownName {}

/// Texts, as JSON: an array of names, an array of pairs, or an object of labels.
#[derive(Debug, Clone)]
pub(crate) struct Json<T>(pub(crate) T);

impl<T: Serialize> ToSql for Json<T> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        let text = serde_json::to_string(&self.0);
        text.map(Into::into).map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))
    }
}

impl<T: DeserializeOwned> FromSql for Json<T> {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        serde_json::from_str(value.as_str()?).map(Self).map_err(FromSqlError::other)
    }
}

#[cfg(test)]
mod tests {
    use rusqlite::Connection;

    use super::*;

    fn connection() -> Connection {
        let connection = Connection::open_in_memory().unwrap();
        connection.execute_batch("CREATE TABLE t (figure REAL, time TEXT)").unwrap();
        connection
    }

    fn there_and_back(figure: Option<f64>) -> Option<f64> {
        let connection = connection();
        connection.execute("INSERT INTO t (figure) VALUES (?1)", [figure.map(Real)]).unwrap();
        connection
            .query_one("SELECT figure FROM t", [], |row| row.get::<_, Option<Real>>(0))
            .unwrap()
            .map(|r| r.0)
    }

    #[test]
    fn figures_come_back_to_the_last_bit() {
        let largest_integer = 9_007_199_254_740_993.0;
        for figure in [
            0.0,
            0.1,
            1.0 / 3.0,
            -2.5,
            5e-324,
            f64::MAX,
            f64::MIN_POSITIVE,
            f64::INFINITY,
            f64::NEG_INFINITY,
            largest_integer,
        ] {
            assert_eq!(there_and_back(Some(figure)).map(f64::to_bits), Some(figure.to_bits()), "{figure}");
        }
    }

    #[test]
    fn what_is_no_number_is_not_what_is_not_there() {
        assert!(there_and_back(Some(f64::NAN)).unwrap().is_nan());
        assert_eq!(there_and_back(None), None);
        assert_eq!(there_and_back(Some(-0.0)), Some(0.0));
    }

    #[test]
    fn times_are_exact_and_sort_as_text() {
        let connection = connection();
        let times = ["2026-10-15T18:20:00Z", "2026-10-15T18:20:00.000000001Z", "2026-10-15T18:20:00.5Z"];
        let times = times.map(|time| time.parse::<Timestamp>().unwrap());
        for time in times.iter().rev() {
            connection.execute("INSERT INTO t (time) VALUES (?1)", [Time(*time)]).unwrap();
        }
        let mut statement = connection.prepare("SELECT time FROM t ORDER BY time").unwrap();
        let sorted: Vec<_> =
            statement.query_map([], |row| row.get::<_, Time>(0)).unwrap().map(|t| t.unwrap().0).collect();
        assert_eq!(sorted, times);
        let text: String = connection.query_one("SELECT max(time) FROM t", [], |row| row.get(0)).unwrap();
        assert_eq!(text, "2026-10-15T18:20:00.500000000Z");
    }

    #[test]
    fn an_unknown_name_is_an_error_that_says_it() {
        let error = Name::<Cause>::column_result(ValueRef::Text(b"boredom")).unwrap_err();
        assert_eq!(error.to_string(), "`boredom` is not the name of a cause");
    }
}
