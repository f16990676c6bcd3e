//! Bodies that clients of AWS compress: `PutMetricData` over 10 KiB comes with `Content-Encoding: gzip`.

use std::io::Read;

use axum::body::Bytes;
use axum::http::HeaderMap;
use axum::http::header::CONTENT_ENCODING;
use flate2::read::GzDecoder;

/// The body as it was before it was compressed; `None` if it is longer than `max`. What cannot be unpacked stays as it
/// is, and cannot be read then.
pub(crate) fn inflated(headers: &HeaderMap, body: Bytes, max: usize) -> Option<Bytes> {
    if headers.get(CONTENT_ENCODING).is_none_or(|encoding| encoding != "gzip") {
        return Some(body);
    }
    let mut inflated = Vec::new();
    // One byte more than is allowed tells a long body from one that just fits.
    match GzDecoder::new(body.as_ref()).take(max as u64 + 1).read_to_end(&mut inflated) {
        Ok(length) if length > max => None,
        Ok(_) => Some(inflated.into()),
        Err(_) => Some(body),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    fn gzip(length: usize) -> Bytes {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(&vec![b'x'; length]).unwrap();
        encoder.finish().unwrap().into()
    }

    #[test]
    fn only_what_says_so_is_unpacked_and_not_without_end() {
        let plain = HeaderMap::new();
        let packed = HeaderMap::from_iter([(CONTENT_ENCODING, "gzip".parse().unwrap())]);
        assert_eq!(inflated(&plain, gzip(3), 10), Some(gzip(3)));
        assert_eq!(inflated(&packed, gzip(10), 10).unwrap(), "xxxxxxxxxx");
        assert_eq!(inflated(&packed, gzip(11), 10), None);
        let broken = Bytes::from_static(b"no gzip");
        assert_eq!(inflated(&packed, broken.clone(), 10), Some(broken));
    }
}
