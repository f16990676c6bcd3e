//! Evidence as JSON. It is the only thing in the store that is kept whole and not in columns: nobody asks for a part of it, and it is
//! forgotten with its incident.

use domain::{
    Check, Estimator, Evidence, Finding, MissingReason, Otps, Period, Slot, Subject, Terms, TierShares,
    Verdict,
};
use rusqlite::ToSql;
use rusqlite::types::{FromSql, FromSqlResult, ToSqlOutput, ValueRef};
use serde::{Deserialize, Serialize};

/// The column `evidence`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Written<'a>(pub(crate) &'a Evidence);

impl ToSql for Written<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        let text = serde_json::to_string(&Borrowed { evidence: self.0 });
        text.map(Into::into).map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))
    }
}

/// What the column says. What another version wrote may not be readable here: then there is none, and the incident stays what it is.
#[derive(Debug)]
pub(crate) struct Read(pub(crate) Option<Evidence>);

impl FromSql for Read {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let ValueRef::Text(text) = value else { return Ok(Self(None)) };
        let read = serde_json::from_slice::<Owned>(text);
        if let Err(error) = &read {
            tracing::warn!(%error, "the evidence of an incident cannot be read, and is taken as unknown");
        }
        Ok(Self(read.ok().map(|owned| owned.evidence)))
    }
}

#[derive(Serialize)]
#[serde(transparent)]
struct Borrowed<'a> {
    #[serde(with = "EvidenceJson")]
    evidence: &'a Evidence,
}

#[derive(Deserialize)]
#[serde(transparent)]
struct Owned {
    #[serde(with = "EvidenceJson")]
    evidence: Evidence,
}

// The mirrors of the types of `domain`: the compiler holds each to the fields of its original.

#[derive(Serialize, Deserialize)]
#[serde(remote = "Evidence")]
struct EvidenceJson {
    #[serde(with = "TermsJson")]
    now: Terms,
    #[serde(with = "TermsJson")]
    usual: Terms,
    #[serde(with = "slots")]
    slots: Vec<Slot>,
    #[serde(with = "some_figure")]
    line: Option<f64>,
    m_of_n: (u8, u8),
    #[serde(with = "findings")]
    findings: Vec<Finding>,
    #[serde(default)]
    learned_from: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Terms")]
struct TermsJson {
    #[serde(with = "some_figure")]
    otps_p50: Option<f64>,
    #[serde(with = "some_figure")]
    otps_token_weighted: Option<f64>,
    #[serde(with = "figure")]
    latency_ms: f64,
    #[serde(with = "figure")]
    ttft_ms: f64,
    #[serde(with = "figure")]
    output_tokens: f64,
    #[serde(with = "some_figure")]
    input_tokens: Option<f64>,
    #[serde(with = "some_figure")]
    cache_read_share: Option<f64>,
    #[serde(with = "figure")]
    streaming_share: f64,
    #[serde(with = "some_figure")]
    throttle_share: Option<f64>,
    #[serde(with = "some_figure")]
    server_error_share: Option<f64>,
    // Evidence of before there were these has none.
    #[serde(default, with = "some_figure")]
    quota_tokens: Option<f64>,
    #[serde(default, with = "some_tiers")]
    tiers: Option<TierShares>,
    #[serde(with = "figure")]
    samples: f64,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "TierShares")]
struct TierSharesJson {
    #[serde(with = "figure")]
    reserved: f64,
    #[serde(with = "figure")]
    priority: f64,
    #[serde(with = "figure")]
    flex: f64,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Slot")]
struct SlotJson {
    #[serde(with = "number")]
    period: Period,
    #[serde(with = "VerdictJson")]
    verdict: Verdict,
    #[serde(with = "EstimatorJson")]
    estimator: Estimator,
    #[serde(with = "some_otps")]
    otps: Option<Otps>,
    #[serde(with = "some_figure")]
    baseline: Option<f64>,
    #[serde(with = "some_figure")]
    noise: Option<f64>,
    #[serde(with = "figure")]
    samples: f64,
    window: u8,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Otps")]
struct OtpsJson {
    #[serde(with = "some_figure")]
    p50: Option<f64>,
    #[serde(with = "some_figure")]
    token_weighted: Option<f64>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Estimator", rename_all = "snake_case")]
enum EstimatorJson {
    P50,
    TokenWeighted,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Verdict", rename_all = "snake_case")]
enum VerdictJson {
    Breaching,
    Within,
    Missing(#[serde(with = "MissingReasonJson")] MissingReason),
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "MissingReason", rename_all = "snake_case")]
enum MissingReasonJson {
    NoData,
    NoTimeToFirstToken,
    IncompleteInputs,
    NoDecodeTime,
    Implausible,
    TooFewSamples,
    StreamingShift,
    NoBaseline,
    NotSeen,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Finding")]
struct FindingJson {
    #[serde(with = "SubjectJson")]
    subject: Subject,
    #[serde(with = "CheckJson")]
    check: Check,
    #[serde(with = "some_figure")]
    usual: Option<f64>,
    #[serde(with = "some_figure")]
    now: Option<f64>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Check", rename_all = "snake_case")]
enum CheckJson {
    RuledOut,
    Moved,
    NotChecked,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Subject", rename_all = "snake_case")]
enum SubjectJson {
    PromptLength,
    ResponseLength,
    StreamingShare,
    CacheReads,
    Throttles,
    ServerErrors,
    QuotaUsage,
    ServiceTier,
    ReservedTier,
    FlexTier,
}

/// A list of something that has a mirror.
macro_rules! list {
    ($name:ident, $of:ty, $mirror:literal) => {
        mod $name {
            use serde::{Deserialize, Deserializer, Serialize, Serializer};

            #[derive(Serialize, Deserialize)]
            #[serde(transparent)]
            struct One(#[serde(with = $mirror)] $of);

            pub(super) fn serialize<S: Serializer>(all: &[$of], to: S) -> Result<S::Ok, S::Error> {
                to.collect_seq(all.iter().copied().map(One))
            }

            pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<$of>, D::Error> {
                Ok(Vec::<One>::deserialize(from)?.into_iter().map(|one| one.0).collect())
            }
        }
    };
}

list!(slots, domain::Slot, "super::SlotJson");
list!(findings, domain::Finding, "super::FindingJson");

/// OTPS, where there is one.
mod some_otps {
    use domain::Otps;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    #[serde(transparent)]
    struct One(#[serde(with = "super::OtpsJson")] Otps);

    pub(super) fn serialize<S: Serializer>(otps: &Option<Otps>, to: S) -> Result<S::Ok, S::Error> {
        otps.map(One).serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Otps>, D::Error> {
        Ok(Option::<One>::deserialize(from)?.map(|one| one.0))
    }
}

/// Shares of tiers, where there are any.
mod some_tiers {
    use domain::TierShares;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    #[serde(transparent)]
    struct One(#[serde(with = "super::TierSharesJson")] TierShares);

    pub(super) fn serialize<S: Serializer>(tiers: &Option<TierShares>, to: S) -> Result<S::Ok, S::Error> {
        tiers.map(One).serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<TierShares>, D::Error> {
        Ok(Option::<One>::deserialize(from)?.map(|one| one.0))
    }
}

/// A period, by its number.
mod number {
    use domain::Period;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(period: &Period, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_i64(period.index())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Period, D::Error> {
        i64::deserialize(from).map(Period::from_index)
    }
}

/// A figure. JSON has no word for what is no number or without bound, so that these are texts.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(untagged)]
enum Figure {
    Finite(f64),
    Other(Other),
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
enum Other {
    #[serde(rename = "NaN")]
    Nan,
    #[serde(rename = "inf")]
    Infinite,
    #[serde(rename = "-inf")]
    NegativeInfinite,
}

impl From<f64> for Figure {
    fn from(figure: f64) -> Self {
        if figure.is_finite() {
            Self::Finite(figure)
        } else if figure.is_nan() {
            Self::Other(Other::Nan)
        } else if figure > 0.0 {
            Self::Other(Other::Infinite)
        } else {
            Self::Other(Other::NegativeInfinite)
        }
    }
}

impl From<Figure> for f64 {
    fn from(figure: Figure) -> Self {
        match figure {
            Figure::Finite(figure) => figure,
            Figure::Other(Other::Nan) => Self::NAN,
            Figure::Other(Other::Infinite) => Self::INFINITY,
            Figure::Other(Other::NegativeInfinite) => Self::NEG_INFINITY,
        }
    }
}

mod figure {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::Figure;

    pub(super) fn serialize<S: Serializer>(figure: &f64, to: S) -> Result<S::Ok, S::Error> {
        Figure::from(*figure).serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
        Figure::deserialize(from).map(f64::from)
    }
}

/// A figure, where there is one.
mod some_figure {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::Figure;

    pub(super) fn serialize<S: Serializer>(figure: &Option<f64>, to: S) -> Result<S::Ok, S::Error> {
        figure.map(Figure::from).serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<f64>, D::Error> {
        Ok(Option::<Figure>::deserialize(from)?.map(f64::from))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rusqlite::Connection;

    use super::*;
    use crate::contract::random;

    fn there_and_back(text: impl ToSql) -> Option<Evidence> {
        let connection = Connection::open_in_memory().unwrap();
        connection.query_one("SELECT ?1", [text], |row| row.get::<_, Read>(0)).unwrap().0
    }

    proptest! {
        #[test]
        fn evidence_comes_back_to_the_last_bit(evidence in random::evidence()) {
            // By text, since what is no number equals nothing.
            prop_assert_eq!(format!("{:?}", there_and_back(Written(&evidence))), format!("{:?}", Some(evidence)));
        }
    }

    #[test]
    fn evidence_reads_as_what_it_is() {
        let slot = Slot {
            period: Period::from_index(5_973_627),
            verdict: Verdict::Missing(MissingReason::TooFewSamples),
            estimator: Estimator::TokenWeighted,
            otps: Some(Otps { p50: None, token_weighted: Some(66.7) }),
            baseline: Some(f64::NAN),
            noise: None,
            samples: f64::INFINITY,
            window: 5,
        };
        let finding =
            Finding { subject: Subject::CacheReads, check: Check::RuledOut, usual: Some(0.2), now: None };
        let breaching = Slot { verdict: Verdict::Breaching, otps: None, ..slot };
        let evidence = Evidence {
            now: Terms { latency_ms: -2.5, ..Terms::default() },
            usual: Terms::default(),
            slots: vec![slot, breaching],
            line: Some(0.8),
            m_of_n: (3, 5),
            findings: vec![finding],
            learned_from: None,
        };
        let json = serde_json::to_value(Borrowed { evidence: &evidence }).unwrap();
        insta::assert_snapshot!(json["slots"][0], @r#"{"baseline":"NaN","estimator":"token_weighted","noise":null,"otps":{"p50":null,"token_weighted":66.7},"period":5973627,"samples":"inf","verdict":{"missing":"too_few_samples"},"window":5}"#);
        assert_eq!(json["slots"][1]["verdict"], "breaching");
        insta::assert_snapshot!(json["findings"], @r#"[{"check":"ruled_out","now":null,"subject":"cache_reads","usual":0.2}]"#);
        assert_eq!(json["now"]["latency_ms"], -2.5);
        assert_eq!(json["m_of_n"], serde_json::json!([3, 5]));
    }

    #[test]
    fn what_another_version_wrote_is_unknown_and_no_error() {
        let mut json = serde_json::to_value(Borrowed {
            evidence: &Evidence {
                now: Terms::default(),
                usual: Terms::default(),
                slots: Vec::new(),
                line: None,
                m_of_n: (3, 5),
                findings: vec![Finding {
                    subject: Subject::Throttles,
                    check: Check::Moved,
                    usual: None,
                    now: None,
                }],
                learned_from: None,
            },
        })
        .unwrap();
        assert!(there_and_back(json.to_string()).is_some());
        // What came later is not known of it.
        for terms in ["now", "usual"] {
            for later in ["quota_tokens", "tiers"] {
                assert!(json[terms].as_object_mut().unwrap().remove(later).is_some());
            }
        }
        let older = there_and_back(json.to_string()).unwrap();
        assert_eq!((older.now.quota_tokens, older.now.tiers), (None, None));
        // A field more is none of our business; a word that is not known here is.
        json["weather"] = "fair".into();
        assert!(there_and_back(json.to_string()).is_some());
        json["findings"][0]["subject"] = "phase_of_the_moon".into();
        assert_eq!(there_and_back(json.to_string()), None);
        for other in ["", "{}", "null", "[[[", "{\"now\": 3}"] {
            assert_eq!(there_and_back(other), None, "{other}");
        }
        assert_eq!(there_and_back(7), None);
    }
}
