//! The report for machines: JSON against its schema, JUnit read back, annotations as GitHub reads
//! them.

use super::sample;
use crate::json_schema::{errors, with_python};
use crate::support::trial;
use libtest_mimic::Failed;
use roxmltree::{Document, Node};
use serde_json::Value;
use std::path::PathBuf;
use tempfile::TempDir;
use tintype_golden::report::{
    Entry, Report, SceneReport, Status, annotation, encode_annotations, encode_json, encode_junit,
    json, picture_names,
};

type Outcome = Result<(), Failed>;

fn report() -> Report {
    sample::every_status(TempDir::new().unwrap().path())
}

fn all_entries(report: &Report) -> Vec<&Entry> {
    report.scenes.iter().flat_map(|scene| &scene.frames).collect()
}

#[trial(with_python)]
fn json_is_as_its_schema_says(python: &PathBuf) -> Outcome {
    let report = report();
    let seen: Vec<Status> = all_entries(&report).iter().map(|entry| entry.status).collect();
    assert!(Status::ALL.iter().all(|status| seen.contains(status)), "every status is tried");
    let empty = Report { scenes: Vec::new(), folder: None, ..report.clone() };
    let mut texts = vec![encode_json(&report), encode_json(&empty)];
    // The schema can reject.
    for (found, wanted) in [
        ("\"status\": \"missing\"", "\"status\": \"lost\""),
        ("\"version\": 1", "\"version\": 2"),
        ("\"kind\": \"size\"", "\"kind\": \"shape\""),
        ("\"rule\"", "\"rules\""),
    ] {
        let text = encode_json(&report).replacen(found, wanted, 1);
        assert_ne!(text, encode_json(&report), "{found} is there");
        texts.push(text);
    }
    let errors = errors(python, json::SCHEMA, &texts)?;
    assert_eq!(errors[..2].concat(), "");
    assert!(errors[2..].iter().all(|said| !said.is_empty()), "all are refused: {errors:?}");
    Ok(())
}

#[trial]
fn json_holds_what_the_report_holds() -> Outcome {
    let report = report();
    let value: Value = serde_json::from_str(&encode_json(&report))?;
    assert_eq!(value["totals"]["goldens"], 22);
    assert_eq!(value["totals"]["passed"], 11);
    assert_eq!(value["totals"]["failed"], 10);
    assert_eq!(value["totals"]["skipped"], 1);
    assert_eq!(value["totals"]["by_status"]["different"], 4);
    assert_eq!(value["scenes"][0]["frames"][3]["cause"]["stage"], "pose");
    assert_eq!(value["scenes"][1]["frames"][0]["message"], sample::HOSTILE);
    assert_eq!(value["scenes"][1]["frames"][5]["metrics"][1]["value"], Value::Null);
    assert!(value["scenes"][0].get("seconds").is_none(), "the same text for the same pictures");
    Ok(())
}

/// Attributes and children of each element, as the schema of Jenkins's xunit plugin (junit-10)
/// allows them.
const JUNIT: &[(&str, &[&str], &[&str])] = &[
    ("testsuites", &["name", "time", "tests", "failures", "errors"], &["testsuite"]),
    (
        "testsuite",
        &["name", "tests", "failures", "errors", "skipped", "time", "id", "file"],
        &["properties", "testcase"],
    ),
    ("properties", &[], &["property"]),
    ("property", &["name", "value"], &[]),
    ("testcase", &["name", "classname"], &["skipped", "error", "failure", "system-out"]),
    ("skipped", &["type", "message"], &[]),
    ("error", &["type", "message"], &[]),
    ("failure", &["type", "message"], &[]),
    ("system-out", &[], &[]),
];

fn check_element(node: Node) -> Outcome {
    let name = node.tag_name().name();
    let Some((_, attributes, children)) = JUNIT.iter().find(|(own, ..)| *own == name) else {
        return Err(format!("<{name}> is no element of JUnit").into());
    };
    for attribute in node.attributes() {
        if !attributes.contains(&attribute.name()) {
            return Err(format!("<{name} {}>", attribute.name()).into());
        }
    }
    for child in node.children().filter(Node::is_element) {
        if !children.contains(&child.tag_name().name()) {
            return Err(format!("<{}> in <{name}>", child.tag_name().name()).into());
        }
        check_element(child)?;
    }
    Ok(())
}

fn elements<'a>(node: Node<'a, 'a>, name: &'a str) -> impl Iterator<Item = Node<'a, 'a>> {
    node.children().filter(move |child| child.has_tag_name(name))
}

/// Text as reports show it.
fn sound(text: &str) -> String {
    tintype_base::printable::printable(text).into_owned()
}

#[trial]
fn junit_is_read_back() -> Outcome {
    let report = report();
    let text = encode_junit(&report);
    let document = Document::parse(&text)?;
    let root = document.root_element();
    check_element(root)?;
    let count =
        |node: Node, name: &str| node.attribute(name).and_then(|text| text.parse::<usize>().ok());
    assert_eq!(count(root, "tests"), Some(22));
    assert_eq!(count(root, "failures"), Some(8));
    assert_eq!(count(root, "errors"), Some(2));
    let suites: Vec<Node> = elements(root, "testsuite").collect();
    assert_eq!(suites.len(), report.scenes.len());
    for (suite, scene) in suites.iter().zip(&report.scenes) {
        assert_eq!(suite.attribute("name"), Some(sound(&scene.name).as_str()));
        assert_eq!(suite.attribute("file"), scene.path.as_deref().map(sound).as_deref());
        let first = suite.first_element_child().map(|child| child.tag_name().name());
        assert_eq!(first, Some("properties"), "properties come first");
        let cases: Vec<Node> = elements(*suite, "testcase").collect();
        assert_eq!(cases.len(), scene.frames.len());
        let mut found = [0; 3];
        for (case, entry) in cases.iter().zip(&scene.frames) {
            assert_eq!(case.attribute("name"), Some(sound(&entry.name()).as_str()));
            let results = ["failure", "error", "skipped"]
                .map(|kind| elements(*case, kind).collect::<Vec<_>>());
            let one: Vec<&Node> = results.iter().flatten().collect();
            assert_eq!(one.len(), usize::from(!entry.status.passes()), "{:?}", entry.status);
            for (count, kind) in found.iter_mut().zip(&results) {
                *count += kind.len();
            }
            if let [result] = one[..] {
                assert_eq!(result.attribute("message"), Some(sound(entry.headline()).as_str()));
                assert_eq!(result.attribute("type"), Some(entry.status.word()));
                assert!(result.text().unwrap_or("").contains(&sound(&entry.message)));
                let output =
                    elements(*case, "system-out").next().and_then(|node| node.text()).unwrap_or("");
                for picture in [&entry.pictures.new, &entry.pictures.diff].into_iter().flatten() {
                    let wanted = format!("[[ATTACHMENT|out/report/{picture}]]");
                    assert!(output.contains(&wanted), "{wanted} in {output}");
                }
            }
        }
        let written =
            ["failures", "errors", "skipped"].map(|name| count(*suite, name).unwrap_or(99));
        assert_eq!(written, found, "{}", scene.name);
        assert_eq!(count(*suite, "tests"), Some(cases.len()));
    }
    Ok(())
}

/// Parses a line as the runner of GitHub Actions does: properties and message.
fn read_annotation(line: &str) -> Option<(Vec<(String, String)>, String)> {
    let (properties, message) = line.strip_prefix("::error ")?.split_once("::")?;
    let data = |text: &str| text.replace("%0D", "\r").replace("%0A", "\n").replace("%25", "%");
    let property = |text: &str| data(&text.replace("%3A", ":").replace("%2C", ","));
    let pairs = properties.split(',').map(|pair| pair.split_once('=').unwrap());
    Some((pairs.map(|(name, value)| (name.to_owned(), property(value))).collect(), data(message)))
}

#[trial]
fn annotations_are_read_back() -> Outcome {
    let report = report();
    let text = encode_annotations(&report);
    let read: Vec<_> =
        text.lines().map(|line| read_annotation(line).ok_or(line)).collect::<Result<_, _>>()?;
    assert_eq!(read.len(), 4, "a line for each scene with failures");
    let (properties, message) = &read[0];
    let wanted =
        [("file", "scenes/walk.toml"), ("line", "7"), ("title", "walk: 2 of 12 goldens failed")];
    assert_eq!(*properties, wanted.map(|(name, value)| (name.to_owned(), value.to_owned())));
    assert!(message.starts_with("frame 3: pose: joint lowerarm.L turned 3.1°"), "{message}");
    assert!(message.ends_with("to accept: tintype bless scenes/walk.toml"), "{message}");
    assert_eq!(read[1].0[0].1, "scenes/odd/a b#c?d%25.toml");
    assert!(read[1].1.contains(&sound(sample::HOSTILE)), "{}", read[1].1);
    assert_eq!(read[3].0[0].0, "title", "goldens of no scene point at no file");
    Ok(())
}

#[trial]
fn annotations_stay_below_the_limit_of_github() -> Outcome {
    let scene = |number: usize| SceneReport {
        name: format!("s{number}"),
        frames: (0..30).map(|frame| Entry::new(Some(frame), Status::Missing, "missing")).collect(),
        ..report().scenes[0].clone()
    };
    let many = Report { scenes: (0..14).map(scene).collect(), ..report() };
    let text = encode_annotations(&many);
    assert_eq!(text.lines().count(), annotation::MOST);
    let last = text.lines().last().unwrap_or("");
    assert!(last.contains("title=5 more scenes have failures::s9%0As10"), "{last}");
    assert!(text.lines().next().unwrap_or("").contains("and 10 more"));
    Ok(())
}

#[trial]
fn picture_names_stay_below_the_folder() -> Outcome {
    let of = |scene: &str| picture_names(scene, 12).new.unwrap_or_default();
    assert_eq!(of("walk"), "pictures/walk/0012.new.png");
    assert_eq!(of("raster/edge"), "pictures/raster/edge/0012.new.png");
    assert_eq!(of("../../etc"), "pictures/_./_./etc/0012.new.png");
    assert_eq!(of("/a\\b//c:*"), "pictures/a/b/c__/0012.new.png");
    assert_eq!(picture_names("a", -3).diff.unwrap_or_default(), "pictures/a/-003.diff.png");
    Ok(())
}
