//! Addresses: sockets to listen on, and URLs of services.

use std::net::SocketAddr;

use url::Url;

use crate::quote::quoted;
use crate::secret;
use crate::table::Fault;

/// The port of the reference, for hints.
const PORT: u16 = 9464;

/// An IP address and a port.
pub(crate) fn socket(text: &str) -> Result<SocketAddr, Fault> {
    text.parse().map_err(|_| {
        let fault = Fault::new(format!("must be an IP address and a port, not {}", quoted(text)));
        let (host, port) = match text.rsplit_once(':') {
            Some((host, port)) if !host.contains(':') => (host, port.parse().ok()),
            _ => (text, text.parse().ok()),
        };
        let host = if matches!(host, "" | "localhost") || host == text && port.is_some() {
            "127.0.0.1"
        } else {
            host
        };
        let likely = format!("{host}:{}", port.unwrap_or(PORT));
        match likely.parse::<SocketAddr>() {
            Ok(_) => fault.hint(format!("did you mean \"{likely}\"?")),
            Err(_) => fault.hint(format!("such as \"127.0.0.1:{PORT}\", or \"[::1]:{PORT}\"")),
        }
    })
}

/// The URL of a service, `http` or `https`. It is quoted in no message when it may carry credentials.
pub(crate) fn web(text: &str) -> Result<String, Fault> {
    let url = parsed(text)?;
    if url.query().is_some() || url.fragment().is_some() {
        return Err(Fault::new("must end before any `?` or `#`"));
    }
    Ok(text.to_owned())
}

/// The URL of something to read, `http` or `https`; it may have a query and a fragment.
pub(crate) fn page(text: &str) -> Result<String, Fault> {
    parsed(text).map(|_| text.to_owned())
}

/// Whether a text is one, whatever it carries.
pub(crate) fn is_web(text: &str) -> bool {
    Url::parse(text).is_ok_and(|url| matches!(url.scheme(), "http" | "https"))
}

/// A URL with `http` or `https` and without credentials.
pub(crate) fn parsed(text: &str) -> Result<Url, Fault> {
    let form = || Fault::new("must be a URL with http:// or https://");
    if !text.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(form().hint("a URL has no spaces, and nothing but ASCII"));
    }
    let url = match Url::parse(text) {
        Ok(url) if matches!(url.scheme(), "http" | "https") => url,
        Err(error) if text.contains("://") => return Err(Fault::new(format!("is not a URL: {error}"))),
        _ => {
            let is_local =
                text.starts_with("127.") || text.starts_with("localhost") || text.starts_with("[::1]");
            let likely = format!("{}://{text}", if is_local { "http" } else { "https" });
            let is_likely =
                Url::parse(&likely).is_ok() && !text.contains("//") && !secret::looks_like_one(&likely);
            return Err(if is_likely { form().hint(format!("did you mean \"{likely}\"?")) } else { form() });
        }
    };
    if !url.username().is_empty() || url.password().is_some() {
        return Err(Fault::new("must not hold a user or a password").hint("a configuration holds no secrets"));
    }
    Ok(url)
}

/// The URL that links start with, without a slash at the end.
pub(crate) fn base(text: &str) -> Result<String, Fault> {
    Ok(web(text)?.trim_end_matches('/').to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sockets() {
        assert_eq!(socket("127.0.0.1:9464").unwrap().port(), 9464);
        assert!(socket("[::1]:9464").unwrap().ip().is_loopback());
        for (text, hint) in [
            ("localhost:9464", "did you mean \"127.0.0.1:9464\"?"),
            ("127.0.0.1", "did you mean \"127.0.0.1:9464\"?"),
            (":8080", "did you mean \"127.0.0.1:8080\"?"),
            ("8080", "did you mean \"127.0.0.1:8080\"?"),
            ("0.0.0.0", "did you mean \"0.0.0.0:9464\"?"),
            ("127.0.0.1:99999", "did you mean \"127.0.0.1:9464\"?"),
            ("ops.example.com:9464", "such as \"127.0.0.1:9464\", or \"[::1]:9464\""),
            ("::1", "such as \"127.0.0.1:9464\", or \"[::1]:9464\""),
        ] {
            assert_eq!(socket(text).unwrap_err().hint.as_deref(), Some(hint), "{text}");
        }
    }

    #[test]
    fn urls() {
        assert_eq!(base("https://ops.example.com/otpsd/").as_deref(), Ok("https://ops.example.com/otpsd"));
        assert_eq!(web("http://127.0.0.1:4566").as_deref(), Ok("http://127.0.0.1:4566"));
        assert_eq!(web("http://[::1]:4566/").as_deref(), Ok("http://[::1]:4566/"));
        for (text, predicate) in [
            ("ops.example.com", "must be a URL with http:// or https://"),
            ("ops.example.com:443", "must be a URL with http:// or https://"),
            ("ftp://example.com", "must be a URL with http:// or https://"),
            ("", "must be a URL with http:// or https://"),
            ("https://", "is not a URL: empty host"),
            ("https://example.com:port", "is not a URL: invalid port number"),
            ("https://me:hunter2@example.com", "must not hold a user or a password"),
            ("https://hunter2@example.com", "must not hold a user or a password"),
            ("https://example.com/?token=hunter2", "must end before any `?` or `#`"),
            ("https://example.com/#top", "must end before any `?` or `#`"),
        ] {
            let fault = web(text).unwrap_err();
            assert_eq!(fault.predicate, predicate, "{text}");
            assert!(!format!("{fault:?}").contains("hunter2"), "{fault:?}");
        }
        for (text, hint) in [
            ("ops.example.com/otpsd", Some("did you mean \"https://ops.example.com/otpsd\"?")),
            ("127.0.0.1:4566", Some("did you mean \"http://127.0.0.1:4566\"?")),
            ("localhost:4566", Some("did you mean \"http://localhost:4566\"?")),
            ("ftp://example.com", None),
            ("me:hunter2@example.com", None),
            ("https://example.com/a b", Some("a URL has no spaces, and nothing but ASCII")),
            ("\thttps://example.com", Some("a URL has no spaces, and nothing but ASCII")),
            ("", None),
        ] {
            assert_eq!(web(text).unwrap_err().hint.as_deref(), hint, "{text}");
        }
    }
}
