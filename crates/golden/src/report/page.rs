//! A report as one static page: `index.html` with its style and scripts inside, and pictures as
//! files beside it.
//!
//! The page loads only the files below its folder, works when it is opened as a file, and has a
//! policy that forbids every connection. Its contents are embedded as data and set as text, never
//! as markup. Scripts beside it ([`encode_pixels`]) contain the pixels of failed frames, because a
//! page that is opened as a file may run a script, but not read the pixels of a picture.
//!
//! The template, style and scripts are in the folder `page`, one file for each part of the page.

use super::data::{Report, entries};
use super::json::{encode_for_script, escape_for_script};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use tintype_base::printable::escape_html;

/// Mark in the head of every page of this program; a file without it is not overwritten.
pub const MARK: &str = "<meta name=\"generator\" content=\"tintype ";

const TEMPLATE: &str = include_str!("page/index.html");
const STYLE: &str = include_str!("page/style.css");
/// Script that fetches the JavaScript package and files from scripts beside a page.
pub(super) const ENGINE_SCRIPT: &str = include_str!("page/engine.js");
const SCRIPTS: [&str; 8] = [
    include_str!("page/data.js"),
    include_str!("page/picture.js"),
    include_str!("page/stage.js"),
    include_str!("page/sequence.js"),
    ENGINE_SCRIPT,
    include_str!("page/turn.js"),
    include_str!("page/list.js"),
    include_str!("page/main.js"),
];

/// Allowed sources of scripts on pages with rotating models: files of the package and of models
/// beside the page, and a worker and its module from memory.
pub(super) const OF_TURNING: [&str; 2] = [" blob: 'wasm-unsafe-eval'", "; worker-src blob:"];

/// Number of failures shown by a browser without scripts.
const LISTED: usize = 200;

/// The page.
#[must_use]
pub fn encode_page(report: &Report) -> String {
    let failed = entries(report).filter(|(_, entry)| entry.status.fails()).count();
    let all = entries(report).count();
    let title = if failed == 0 {
        format!("tintype: {all} goldens, none failed")
    } else {
        format!("tintype: {failed} of {all} goldens failed")
    };
    let scripts: String =
        SCRIPTS.iter().map(|script| format!("<script>\n{script}</script>\n")).collect();
    let turns = entries(report).any(|(_, entry)| entry.turn.is_some());
    let [scripts_from, workers_from] = if turns { OF_TURNING } else { ["", ""] };
    fill(
        TEMPLATE,
        &[
            ("scripts-from", scripts_from),
            ("workers-from", workers_from),
            ("title", &escape_html(&title)),
            ("version", &escape_html(&report.program_version)),
            ("style", STYLE),
            ("list", &plain_list(report)),
            ("report", &encode_for_script(report)),
            ("scripts", &scripts),
        ],
    )
}

/// A page as served by a server that accepts goldens: its buttons request the address `accept`
/// beside it, and it may connect to that server.
#[must_use]
pub fn served(page: &str) -> String {
    let accepts = "<meta name=\"tintype-accept\" content=\"accept\">\n";
    page.replacen("; base-uri 'none'", "; connect-src 'self'; base-uri 'none'", 1).replacen(
        MARK,
        &format!("{accepts}{MARK}"),
        1,
    )
}

/// A text as an expression of a script.
pub(crate) fn script_text(text: &str) -> String {
    escape_for_script(&serde_json::Value::from(text).to_string())
}

/// The script that passes the PNG files of one frame to the page under the name `key`, the file
/// name of the script.
#[must_use]
pub fn encode_pixels(key: &str, golden: Option<&[u8]>, new: Option<&[u8]>) -> String {
    let quoted = |bytes: Option<&[u8]>| {
        bytes.map_or_else(
            || "null".to_owned(),
            |bytes| format!("\"{}\"", BASE64_STANDARD.encode(bytes)),
        )
    };
    let key = script_text(key);
    format!("takePixels({key}, {}, {});\n", quoted(golden), quoted(new))
}

/// The failures as a plain list, for browsers and servers that disallow scripts.
fn plain_list(report: &Report) -> String {
    let failed: Vec<_> = entries(report).filter(|(_, entry)| entry.status.fails()).collect();
    let mut list: String = failed
        .iter()
        .take(LISTED)
        .map(|(scene, entry)| {
            let [scene, name, why] = [&scene.name, &entry.name(), entry.title()].map(escape_html);
            format!("<li>{scene}, {name}: {why}</li>\n")
        })
        .collect();
    if failed.len() > LISTED {
        list += &format!("<li>and {} more</li>\n", failed.len() - LISTED);
    }
    list
}

/// Replaces names such as `{{name}}` by their values; names inside values are not replaced.
///
/// # Panics
/// If the template has a name that no value has.
pub(super) fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut page = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        let (name, after) = after.split_once("}}").expect("the template closes its names");
        let (_, value) = values.iter().find(|(own, _)| *own == name).expect("a known name");
        page.push_str(before);
        page.push_str(value);
        rest = after;
    }
    page + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn template_values_are_not_looked_through() {
        assert_eq!(fill("a{{x}}b{{y}}", &[("x", "{{y}}"), ("y", "2")]), "a{{y}}b2");
    }

    #[test]
    fn pixels_of_an_odd_name_stay_text() {
        let script = encode_pixels("a\"</script>\u{2028}", Some(b"foo"), None);
        assert_eq!(script, "takePixels(\"a\\\"\\u003c/script\\u003e\\u2028\", \"Zm9v\", null);\n");
    }
}
