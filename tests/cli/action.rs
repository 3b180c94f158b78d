//! The action for pull requests, as the runner starts it: which actions are used, and what a pull
//! request can bring along.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use crate::support::command::{BOX, command, wanted};
use crate::support::markdown::root;
use crate::support::{files, link, needs_programs, trial};
use libtest_mimic::Failed;
use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

type Outcome = Result<(), Failed>;

/// The action that a workflow line uses without pinning it by digest with a release comment.
/// Actions of the same checkout need no pin, and this project's release commits are known only to
/// the reader.
fn unpinned(line: &str) -> Option<&str> {
    let own = line.trim_start().trim_start_matches("- ").strip_prefix("uses:")?.trim();
    let (action, release) = own.split_once(" # v").unwrap_or((own, ""));
    let (_, digest) = action.split_once('@').unwrap_or((action, ""));
    let is_digest = digest.len() == 40 && digest.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_own = action.starts_with("./") || action.ends_with("actions/tintype@COMMIT");
    (!is_own && !is_digest || !action.starts_with("./") && release.is_empty()).then_some(own)
}

#[trial]
fn actions_are_pinned_by_digest() -> Outcome {
    for (line, is_bad) in [
        ("      - uses: actions/checkout@v4", true),
        ("  uses: actions/checkout@11d5960a326750d5838078e36cf38b85af677262", true),
        ("- uses: a/b@11d5960a326750d5838078e36cf38b85af677262 # v4.4.0", false),
        ("- uses: ./.github/actions/tintype", false),
        ("pub uses: Vec<u8>", false),
    ] {
        assert_eq!(unpinned(line).is_some(), is_bad, "{line}");
    }
    let own = TempDir::new()?;
    fs::write(own.path().join("box.md5mesh"), BOX)?;
    // No golden is drawn on a build server.
    let output = command(own.path(), &["init", ".", "--ci", "github"]).env("CI", "1").output()?;
    wanted(&output, 0, "wrote .github/workflows/tintype.yml")?;
    let mut texts = vec![own.path().join(".github/workflows/tintype.yml")];
    for folder in [".github", "docs", "bindings"] {
        texts.extend(files(&root().join(folder), &["yml", "yaml", "md"])?);
    }
    texts.push(root().join("README.md"));
    let mut found = 0;
    for path in texts.iter().filter(|path| !path.to_string_lossy().contains("node_modules")) {
        let text = fs::read_to_string(path)?;
        found += text.matches("uses: actions/").count();
        if let Some(action) = text.lines().find_map(unpinned) {
            return Err(format!("{}: {action}", path.display()).into());
        }
    }
    assert!(found > 30, "{found} actions");
    Ok(())
}

fn git(folder: &Path, words: &[&str]) {
    let author = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"];
    let done = Command::new("git").args(author).args(words).current_dir(folder).output().unwrap();
    assert!(done.status.success(), "{words:?}: {}", String::from_utf8_lossy(&done.stderr));
}

/// A repository with a commit of these files, and the folder around it.
fn repository(files: &[&[u8]]) -> Result<(TempDir, PathBuf), Failed> {
    let own = TempDir::new()?;
    let repository = own.path().join("repository");
    fs::create_dir_all(repository.join("models"))?;
    git(&repository, &["init", "-q"]);
    for name in files {
        fs::write(repository.join("models").join(OsStr::from_bytes(name)), BOX)?;
    }
    commit(&repository);
    Ok((own, repository))
}

fn commit(repository: &Path) {
    git(repository, &["add", "-A", "-f"]);
    git(repository, &["commit", "-q", "-m", "state", "--allow-empty"]);
}

/// Runs the action on the last commit; its report is below the folder `temp` beside the repository.
fn act(repository: &Path, variables: &[(&str, &str)]) -> Output {
    let temp = repository.with_file_name("temp");
    fs::create_dir_all(&temp).unwrap();
    let program = command(repository, &[]);
    Command::new("python3")
        .arg(root().join(".github/actions/tintype/run.py"))
        .current_dir(repository)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("TINTYPE_PROGRAM", program.get_program())
        .env("TINTYPE_CHANGED", "models")
        .env("TINTYPE_BASE", "HEAD~1")
        .env("RUNNER_TEMP", &temp)
        .env("GITHUB_ACTIONS", "true")
        .env_remove("GITHUB_STEP_SUMMARY")
        .env_remove("GITHUB_OUTPUT")
        .env_remove("GITHUB_EVENT_NAME")
        .envs(variables.iter().copied())
        .output()
        .unwrap()
}

/// Checks for the exit code of the action and a word in its output.
fn said(output: &Output, code: i32, word: &str) -> Outcome {
    let text = String::from_utf8_lossy(&output.stdout);
    if output.status.code() == Some(code) && text.contains(word) {
        return Ok(());
    }
    let errors = String::from_utf8_lossy(&output.stderr);
    Err(format!("{:?}, not {code}; or not said: {word:?}\n{text}{errors}", output.status).into())
}

#[trial(needs_programs(&["python3"]))]
fn action_follows_no_link_of_a_pull_request() -> Outcome {
    let (own, repository) = repository(&[b"a.md5mesh"])?;
    let secret = own.path().join("secret");
    fs::create_dir(&secret)?;
    for name in ["summary.md", "a.png", "m.md5mesh"] {
        fs::write(secret.join(name), "of the runner")?;
    }
    let report = repository.join("tintype-report");
    fs::create_dir(&report)?;
    link(secret.join("summary.md"), report.join("summary.md"))?;
    link(&secret, report.join("changed"))?;
    commit(&repository);
    let is_whole = || {
        let texts = ["summary.md", "a.png", "m.md5mesh"].map(|name| fs::read(secret.join(name)));
        texts.into_iter().all(|text| text.is_ok_and(|text| text == b"of the runner"))
    };

    // Links that lead out are refused wherever they are.
    said(&act(&repository, &[]), 2, "a link that leads out of the repository")?;
    git(&repository, &["rm", "-q", "-r", "--cached", "tintype-report"]);
    git(&repository, &["commit", "-q", "-m", "state"]);
    // The report has a separate folder, and one with links is refused.
    said(&act(&repository, &[]), 0, "report: ")?;
    let reports = files(&repository.with_file_name("temp"), &["md"])?;
    assert!(matches!(reports.as_slice(), [summary] if summary.ends_with("summary.md")));
    for named in ["tintype-report", "tintype-report/new"] {
        if named.ends_with("new") {
            fs::rename(&report, repository.join("real"))?;
            link("real", &report)?;
        }
        said(&act(&repository, &[("TINTYPE_REPORT", named)]), 2, "is a link")?;
    }
    said(&act(&repository, &[("TINTYPE_REPORT", "fresh")]), 0, "report: fresh")?;
    assert!(is_whole() && repository.join("fresh/summary.md").is_file());
    Ok(())
}

#[trial(needs_programs(&["python3"]))]
fn action_shows_names_as_code() -> Outcome {
    let names: [&[u8]; 3] = [
        b"@team #12 o#12 `x` <b>|\n::stop-commands::x\n\n## a ##[error]b.md5mesh",
        b"caf\xe9 @octocat.md5mesh",
        b"right.md5mesh",
    ];
    let (_own, repository) = repository(&names)?;
    for name in names {
        let text = if name == b"right.md5mesh" {
            BOX.replace("64", "65")
        } else {
            "MD5Version 9\n".to_owned()
        };
        fs::write(repository.join("models").join(OsStr::from_bytes(name)), text + "\n")?;
    }
    commit(&repository);
    let output = act(&repository, &[("GITHUB_EVENT_NAME", "pull_request_target")]);
    said(&output, 1, "::warning::pull_request_target gives this job the secrets")?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let commands: Vec<&str> =
        text.lines().filter(|line| line.trim_start().starts_with("::")).collect();
    assert_eq!(commands.len(), 3, "{text}");
    for line in &commands[1..] {
        assert!(line.starts_with("::error file=models/"), "{line}");
    }
    assert!(!text.contains("##[") && text.contains("caf\\xe9"), "{text}");
    let summary = files(&repository.with_file_name("temp"), &["md"])?.remove(0);
    let mut outside = fs::read_to_string(summary)?;
    assert!(outside.contains("caf\\xe9") && !outside.contains("\n\n## a"), "{outside}");
    while let Some(at) = outside.find("<code>") {
        let end = at + outside[at..].find("</code>").unwrap();
        outside.replace_range(at..end, "");
    }
    assert!(!outside.contains(['@', '`']) && !outside.contains("#1"), "{outside}");
    Ok(())
}

/// Prints the comments that the action makes from a summary on standard input, truncated after each
/// of these numbers of letters.
const COMMENTS: &str = "
import comment, json, sys
summary, texts = sys.stdin.read(), []
for comment.MOST_LETTERS in range(*map(int, sys.argv[1:])):
    texts.append(comment.text(summary, '<!-- m -->', 'https://example.org/report'))
print(json.dumps(texts))
";

#[trial(needs_programs(&["python3"]))]
fn comment_closes_what_it_cuts() -> Outcome {
    let fence = "\n```sh\ntintype bless --cause 1\n```\n";
    let long_fence = "\n````text\na\n```\n<details>\n````\n";
    let table = "\n<table>\n<tr><td>a</td></tr>\n<tr><td>b</td></tr>\n</table>\n";
    let details = "\n<details><summary>a</summary>\n\n```text\nb\n```\n\n</details>\n";
    let summary = [fence, long_fence, table, details].concat().repeat(3);
    let mut python = Command::new("python3");
    python.args(["-B", "-c", COMMENTS, "20", &summary.len().to_string(), "7"]);
    python.current_dir(root().join(".github/actions/tintype"));
    let mut child = python.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    child.stdin.take().unwrap().write_all(summary.as_bytes())?;
    let texts: Vec<String> = serde_json::from_slice(&child.wait_with_output()?.stdout)?;
    let cuts: Vec<usize> = (20..summary.len()).step_by(7).collect();
    assert_eq!(texts.len(), cuts.len());
    for (most, text) in cuts.into_iter().zip(texts) {
        let (mut fence, mut open) = (None::<&str>, 0_i32);
        for line in text.lines() {
            let ticks = &line[..line.len() - line.trim_start_matches('`').len()];
            match fence {
                Some(own) if line == ticks && ticks.len() >= own.len() => fence = None,
                Some(_) => assert!(!line.starts_with("[The whole report]"), "{most}: {text}"),
                None if ticks.len() > 2 => fence = Some(ticks),
                None => {
                    let count = |tag: &str| i32::try_from(line.matches(tag).count()).unwrap();
                    open += count("<details") + count("<table");
                    open -= count("</details") + count("</table");
                }
            }
        }
        assert!(fence.is_none() && open == 0, "{most}: {text}");
        assert!(text.contains("[The whole report](https://example.org/report)"), "{text}");
    }
    Ok(())
}

#[trial(needs_programs(&["python3"]))]
fn changed_models_are_those_since_the_merge_base() -> Outcome {
    let (_own, repository) = repository(&[b"mine.md5mesh", b"theirs.md5mesh"])?;
    let edit = |name: &str| {
        fs::write(repository.join("models").join(name), BOX.to_owned() + "\n").unwrap();
        commit(&repository);
    };
    git(&repository, &["branch", "other"]);
    edit("mine.md5mesh");
    git(&repository, &["checkout", "-q", "other"]);
    edit("theirs.md5mesh");
    git(&repository, &["checkout", "-q", "-"]);
    said(&act(&repository, &[("TINTYPE_BASE", "other")]), 0, "summary.md")?;
    let summary = files(&repository.with_file_name("temp"), &["md"])?.remove(0);
    let text = fs::read_to_string(summary)?;
    assert!(text.contains("models/mine.md5mesh") && !text.contains("theirs"), "{text}");
    Ok(())
}
