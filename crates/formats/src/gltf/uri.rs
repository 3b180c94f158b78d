//! URIs of buffers and images: data in the URI itself, or a file below the folder of the document.

use super::error::GltfError;
use super::path::JsonPath;
use base64::Engine as _;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use percent_encoding::percent_decode_str;

/// Resolved URI.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Resolved {
    /// Bytes embedded in the URI.
    Data(Vec<u8>),
    /// A path below the folder of the document, with `/` between its parts.
    File(String),
}

/// Base64 with or without padding, as written by exporters.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Decodes a URI.
///
/// # Errors
/// [`GltfError::Value`] for data that is not Base64, a scheme such as `http:`, an absolute path,
/// and a path that leaves the folder of the document.
pub(super) fn resolve(uri: &str, at: &JsonPath) -> Result<Resolved, GltfError> {
    if let Some(rest) = strip_prefix_ignoring_case(uri, "data:") {
        return data(rest, at).map(Resolved::Data);
    }
    let refused = |found: &str, expected: &str| {
        Err(GltfError::value(at, "the URI", format!("{found:?}"), expected))
    };
    const PATH: &str = "a relative path below the folder of the file, or a data URI";
    if let Some((scheme, _)) = uri.split_once(':')
        && !scheme.contains(['/', '\\'])
    {
        return refused(uri, PATH);
    }
    let Ok(path) = percent_decode_str(uri).decode_utf8() else {
        return refused(uri, "a path in UTF-8, with other bytes as %XX");
    };
    let path = path.replace('\\', "/");
    if path.starts_with('/') || path.contains(':') || path.chars().any(char::is_control) {
        return refused(uri, PATH);
    }
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.pop().is_none() => return refused(uri, PATH),
            ".." => {}
            part => parts.push(part),
        }
    }
    if parts.is_empty() {
        return refused(uri, PATH);
    }
    Ok(Resolved::File(parts.join("/")))
}

/// Resolves the URI of a picture to its bytes, or to the path to search for, which may leave the
/// folder.
///
/// # Errors
/// [`GltfError::Value`] for data that is not Base64, and a path that is not UTF-8.
pub(super) fn resolve_picture(uri: &str, at: &JsonPath) -> Result<Resolved, GltfError> {
    if strip_prefix_ignoring_case(uri, "data:").is_some() {
        return resolve(uri, at);
    }
    let path = percent_decode_str(uri).decode_utf8().map_err(|_| {
        let expected = "a path in UTF-8, with other bytes as %XX";
        GltfError::value(at, "the URI", format!("{uri:?}"), expected)
    })?;
    Ok(Resolved::File(path.into_owned()))
}

/// The bytes of a data URI after `data:`.
fn data(rest: &str, at: &JsonPath) -> Result<Vec<u8>, GltfError> {
    let Some((kind, payload)) = rest.split_once(',') else {
        let found = format!("{:?}", rest.chars().take(40).collect::<String>());
        return Err(GltfError::value(at, "the data URI", found, "a comma before the data"));
    };
    if !kind.rsplit(';').any(|word| word.trim().eq_ignore_ascii_case("base64")) {
        return Ok(percent_decode_str(payload).collect());
    }
    // Some exporters break lines, or escape the last characters.
    let plain: Vec<u8>;
    let signs = if payload.bytes().any(|sign| sign == b'%' || sign.is_ascii_whitespace()) {
        plain = percent_decode_str(payload).filter(|sign| !sign.is_ascii_whitespace()).collect();
        &plain[..]
    } else {
        payload.as_bytes()
    };
    BASE64.decode(signs).map_err(|error| GltfError::value(at, "the data URI", error, "Base64 data"))
}

fn strip_prefix_ignoring_case<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    let (head, rest) = text.split_at_checked(prefix.len())?;
    head.eq_ignore_ascii_case(prefix).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolved(uri: &str) -> Result<Resolved, String> {
        resolve(uri, &JsonPath::root("uri")).map_err(|error| error.to_string())
    }

    #[test]
    fn uris_of_files_are_unescaped_and_stay_below_the_folder() {
        for (uri, path) in [
            ("a.bin", "a.bin"),
            ("textures/my%20skin.png", "textures/my skin.png"),
            ("./a//b/../c.png", "a/c.png"),
            ("tex\\skin.png", "tex/skin.png"),
            ("%C3%A4.bin", "ä.bin"),
        ] {
            assert_eq!(resolved(uri), Ok(Resolved::File(path.into())), "{uri}");
        }
        for uri in [
            "/etc/passwd",
            "../a.bin",
            "a/../../b",
            "%2e%2e/a",
            "http://a.b/c",
            "file:///a",
            "C:\\a.bin",
            "%FF.bin",
            "",
            ".",
            "a%00b",
            "\\\\host\\a",
        ] {
            assert!(resolved(uri).unwrap_err().starts_with("uri: the URI: found "), "{uri}");
        }
    }

    #[test]
    fn uris_of_pictures_are_searched_for_by_their_path() {
        let found = resolve_picture("../art/my%20skin.png", &JsonPath::root("uri")).unwrap();
        assert_eq!(found, Resolved::File("../art/my skin.png".into()));
    }

    #[test]
    fn uris_of_data_hold_bytes() {
        for (uri, bytes) in [
            ("data:application/octet-stream;base64,AQID", &[1, 2, 3][..]),
            ("data:;base64,AQI=", &[1, 2]),
            ("data:;base64,AQI", &[1, 2]),
            ("DATA:;charset=x;Base64,AQ%3D%3D", &[1]),
            ("data:text/plain,a%20b", b"a b"),
        ] {
            assert_eq!(resolved(uri), Ok(Resolved::Data(bytes.to_vec())), "{uri}");
        }
        assert!(
            resolved("data:;base64,A*B=")
                .unwrap_err()
                .contains("the data URI: found Invalid symbol")
        );
        assert!(resolved("data:nothing").unwrap_err().contains("expected a comma before the data"));
    }
}
