//! A report as Markdown, for the summary of a job: groups of failures with a few pictures, and the
//! command for each.
//!
//! The text is kept below `MAX_BYTES`, the limit of the services that show it.

use super::data::{Entry, Group, Report, SceneReport, entries, totals};
use std::fmt::Write;
use tintype_base::amount::{thousands, thousands_as};
use tintype_base::path::byte_of;
use tintype_base::printable::one_line;

/// Maximum length of the text; GitHub refuses a summary above 1 MiB.
const MAX_BYTES: usize = 900 << 10;
/// Maximum number of groups.
const MAX_GROUPS: usize = 50;
/// Maximum number of failures of a group that are shown.
const MAX_SHOWN: usize = 3;

/// The report as Markdown. `pictures` is the URL of the report's folder as seen by the reader;
/// without it the text has no pictures.
#[must_use]
pub fn encode_summary(report: &Report, pictures: Option<&str>) -> String {
    let all = entries(report).count();
    let failed = entries(report).filter(|(_, entry)| entry.status.fails()).count();
    let passed = entries(report).filter(|(_, entry)| entry.status.passes()).count();
    let mut text = match failed {
        0 => format!("## tintype: {} of {} goldens passed\n", thousands(passed), thousands(all)),
        _ => format!("## tintype: {} of {} goldens failed\n", thousands(failed), thousands(all)),
    };
    text += "\n| result | goldens |\n|---|---:|\n";
    for (status, count) in totals(report) {
        let _ = writeln!(text, "| {} | {} |", status.word(), thousands(count));
    }
    for (number, group) in report.groups.iter().enumerate() {
        let part = of_group(report, group, pictures);
        if number == MAX_GROUPS || text.len() + part.len() > MAX_BYTES {
            let left = report.groups.len() - number;
            let _ = writeln!(text, "\nand {} more causes", thousands(left));
            break;
        }
        text += &part;
    }
    text
}

fn of_group(report: &Report, group: &Group, pictures: Option<&str>) -> String {
    let mut text = format!(
        "\n### {}\n\n{} in {}\n",
        code(group.text.lines().next().unwrap_or_default()),
        thousands_as(group.count, "golden", "goldens"),
        thousands_as(group.scenes, "scene", "scenes")
    );
    let shown: Vec<(&SceneReport, &Entry)> = group
        .entries
        .iter()
        .take(MAX_SHOWN)
        .filter_map(|&[s, e]| {
            let scene = report.scenes.get(s)?;
            Some((scene, scene.frames.get(e)?))
        })
        .collect();
    text += "\n| golden | cause |";
    let with_pictures =
        pictures.filter(|_| shown.iter().any(|(_, one)| one.pictures.new.is_some()));
    text += if with_pictures.is_some() {
        " was | is | difference |\n|---|---|---|---|---|\n"
    } else {
        "\n|---|---|\n"
    };
    for (scene, entry) in shown {
        let name = format!("{}, {}", scene.name, entry.name());
        let [name, cause] = [&*name, &entry.title().replace('\n', " ")].map(|own| cell(&code(own)));
        let _ = write!(text, "| {name} | {cause} |");
        if let Some(base) = with_pictures {
            let kinds = [&entry.pictures.golden, &entry.pictures.new, &entry.pictures.diff];
            for (file, kind) in kinds.into_iter().zip(["was", "is", "difference"]) {
                match file {
                    Some(file) => {
                        let _ = write!(text, " ![{kind}]({}) |", address(base, file));
                    }
                    None => text += " |",
                }
            }
        }
        text.push('\n');
    }
    if let Some(accept) = &group.accept {
        let fence = fence(accept);
        let _ = write!(text, "\n{fence}sh\n{accept}\n{fence}\n");
    }
    text
}

/// A code fence that a text cannot close: longer than any run of backticks in it. The text itself
/// stays unchanged, because it is quoted for a shell.
fn fence(text: &str) -> String {
    let longest = text.split(|letter| letter != '`').map(str::len).max().unwrap_or(0);
    "`".repeat((longest + 1).max(3))
}

/// Text with file names as a code span: elsewhere GitHub turns `@name`, `#12`, `owner/name#12`,
/// addresses and commit digests into links, whatever precedes them.
///
/// # Source
/// CommonMark 0.31.2, 6.1: a span is closed by as many backticks as open it, and one blank at both
/// ends is dropped.
fn code(text: &str) -> String {
    let shown = one_line(text);
    if shown.trim().is_empty() {
        return shown;
    }
    let runs: Vec<usize> = shown.split(|letter| letter != '`').map(str::len).collect();
    let ticks = (1..).find(|count| !runs.contains(count)).unwrap_or(1);
    let ticks = "`".repeat(ticks);
    format!("{ticks} {shown} {ticks}")
}

/// Markdown of one line as a table cell, which ends at a bar even in code.
fn cell(markdown: &str) -> String {
    markdown.replace('|', "\\|")
}

/// The address of a file below a folder or an address, with special characters percent-encoded.
fn address(base: &str, file: &str) -> String {
    let mut found = String::new();
    for letter in base.trim_end_matches('/').chars() {
        let is_plain = letter.is_ascii_alphanumeric() || "-._~:/?#@!$&'*+,;=%".contains(letter);
        match (is_plain, byte_of(letter)) {
            (true, _) => found.push(letter),
            (false, Some(byte)) => found.push_str(&format!("%{byte:02X}")),
            (false, None) => letter
                .encode_utf8(&mut [0; 4])
                .bytes()
                .for_each(|byte| found.push_str(&format!("%{byte:02X}"))),
        }
    }
    found.push('/');
    for byte in file.bytes() {
        match byte {
            b'/' | b'.' | b'-' | b'_' | b'~' => found.push(char::from(byte)),
            byte if byte.is_ascii_alphanumeric() => found.push(char::from(byte)),
            byte => {
                let _ = write!(found, "%{byte:02X}");
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{CauseId, Pictures, Status, group_failures, picture_names};

    fn report(count: i64) -> Report {
        let entry = |frame| Entry {
            pictures: picture_names("a b", frame),
            accept: Some("y".to_owned()),
            cause_id: CauseId::of(&"light 1"),
            ..Entry::new(Some(frame), Status::Different, format!("light 1 <b> turned {frame}°"))
        };
        let mut scenes = vec![SceneReport::of("a b", (0..count).map(entry).collect())];
        scenes[0].path = Some("scenes/a b.toml".to_owned());
        scenes[0].frames.push(Entry {
            pictures: Pictures::default(),
            ..Entry::new(Some(count), Status::Same, "same")
        });
        let groups =
            group_failures(&scenes, |_, _| Some("tintype bless --cause 0123456789".to_owned()));
        Report { program_version: "0".to_owned(), pixel_revision: 1, folder: None, scenes, groups }
    }

    #[test]
    fn summary_keeps_the_quotes_of_a_command() {
        let mut report = report(1);
        for name in ["a`;touch PWNED;`b", "a'b", "$(touch PWNED)", "```\nrm", "a\u{202e}b"] {
            let command = format!("tintype bless --cause {}", tintype_base::shell::quoted(name));
            report.groups[0].accept = Some(command.clone());
            let text = encode_summary(&report, None);
            let (head, rest) = text.split_once("sh\n").unwrap();
            let fence = head.rsplit('\n').next().unwrap();
            let (shown, _) = rest.split_once(&format!("\n{fence}\n")).unwrap();
            assert_eq!(shown, command);
            assert!(fence.len() > 2 && !command.contains(fence), "{text}");
        }
    }

    #[test]
    fn summary_shows_each_cause_once_with_pictures() {
        let text = encode_summary(&report(1000), Some("https://x/y"));
        assert!(text.starts_with("## tintype: 1,000 of 1,001 goldens failed\n"), "{text}");
        assert_eq!(text.matches("### ` light 1 <b> turned").count(), 1);
        assert!(text.contains("1,000 goldens in 1 scene\n"));
        assert_eq!(text.matches("![is](https://x/y/pictures/a%20b/").count(), MAX_SHOWN);
        assert!(text.contains("```sh\ntintype bless --cause 0123456789\n```"), "{text}");
        assert!(!encode_summary(&report(2), None).contains("!["));
        assert_eq!(fence("a`b ```` c"), "`````");
        assert_eq!(code("@a #1"), "` @a #1 `");
        assert_eq!(cell(&code("`a` | ``b\n")), "``` `a` \\| ``b\\n ```");
        assert!(encode_summary(&report(0), None).contains("1 of 1 goldens passed"));
    }
}
