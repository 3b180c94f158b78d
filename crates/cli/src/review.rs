//! `tintype review`: the failures of a test one by one in the terminal, each accepted, rejected or
//! left for later.

use super::args::{Review, Test};
use super::console::Console;
use super::environment::refuse_on_build_servers;
use super::failure::Failure;
use super::git::scratch;
use super::goldens::{failure, message};
use super::{exit, pin, test};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use std::io::{BufRead, IsTerminal, Write};
use std::path::Path;
use tintype_base::amount::counted;
use tintype_base::diagnostic::chain;
use tintype_base::path::ShowPath;
use tintype_compare::difference_picture;
use tintype_golden::run::{Acceptance, Failure as Failed};
use tintype_golden::{Checked, TestRun};
use tintype_host::temp_files::ScratchFolder;
use tintype_host::write_atomic;
use tintype_model::frame::Frame;
use tintype_output::{PngEffort, encode_png};

/// Pixels between two pictures.
const GAP: u32 = 4;
/// Letters in a part of a picture, as limited by the protocol of kitty.
const PART: usize = 4096;

/// Runs a test, and steps through its failures.
pub(super) fn run(options: &Review, console: &mut Console) -> Result<(), Failure> {
    refuse_on_build_servers("")?;
    let Review { paths, golden, filter, other_program } = options.clone();
    other_program.map_or(Ok(()), |what| Err(pin::refused(&what)))?;
    let own = Test { paths, golden, filter, ..Test::default() };
    let run = test::tested(&own, console)?;
    through(&run, console)
}

/// Answer about a failure.
enum Decision {
    Accepted(Acceptance),
    Rejected,
    Skipped,
}

/// Prints what a review cannot settle; returns the exit code that it means.
fn say_errors(run: &TestRun, console: &Console) -> u8 {
    let mut code = exit::DONE;
    for (path, error) in run.errors() {
        let failure = failure(error);
        console.error(&format!("{}: {}", path.shown(), failure.message));
        code = code.max(failure.code);
    }
    if !run.stray.is_empty() {
        let count = counted(run.stray.len(), "golden");
        console.info(&format!("{count} without a scene; delete with `tintype bless --prune`"));
        code = code.max(exit::DIFFERENT);
    }
    code
}

/// Steps through the failures of a run.
fn through(run: &TestRun, console: &Console) -> Result<(), Failure> {
    let code = say_errors(run, console);
    let all: Vec<Failed> = run.failures().filter(|one| one.frame().is_some()).collect();
    let pictures = Pictures::of_terminal();
    let mut decided: Vec<Decision> = Vec::new();
    let mut lines = std::io::stdin().lock().lines();
    let mut is_shown = false;
    while let Some(one) = all.get(decided.len()) {
        if !is_shown {
            console.info(&format!("{} of {}", decided.len() + 1, all.len()));
            console.error(&message(one.golden));
            pictures.show(one.golden, decided.len(), console);
        }
        console.info(
            "(a)ccept, (r)eject, (s)kip, (u)ndo, (q)uit; (c) accept all with this cause; (A)ccept, (R)eject or (S)kip all that remain:",
        );
        let Some(Ok(line)) = lines.next() else { break };
        is_shown = false;
        match line.trim() {
            "a" | "accept" => decided.push(accept(one, console)),
            "c" | "cause" => {
                while let Some(next) = all.get(decided.len()).filter(|next| next.is_like(one)) {
                    decided.push(accept(next, console));
                }
            }
            "A" | "accept all" => {
                decided.extend(all[decided.len()..].iter().map(|next| accept(next, console)));
            }
            "r" | "reject" => decided.push(Decision::Rejected),
            "R" | "reject all" => decided.resize_with(all.len(), || Decision::Rejected),
            "s" | "skip" => decided.push(Decision::Skipped),
            "S" | "skip all" => decided.resize_with(all.len(), || Decision::Skipped),
            "u" | "undo" => match decided.pop() {
                Some(Decision::Accepted(before)) => match before.undo() {
                    Ok(()) => console.info("the golden is unchanged"),
                    Err(why) => return Err(Failure::bad_input(why)),
                },
                Some(_) => {}
                None => {
                    console.info("this is the first one");
                    is_shown = true;
                }
            },
            "q" | "quit" => break,
            other => {
                console.info(&format!("{other:?}: expected a, r, s, u, q, c, A, R or S"));
                is_shown = true;
            }
        }
    }
    conclude(&all, &decided, code, console)
}

/// Accepts one golden; if that is refused, it is left unchanged and the reason is printed.
fn accept(one: &Failed, console: &Console) -> Decision {
    match one.accept() {
        Ok(before) => {
            console.info(&format!("accepted {}", one.file().shown()));
            Decision::Accepted(before)
        }
        Err(why) => {
            console.error(&format!("{}: not accepted: {why}", one.file().shown()));
            Decision::Skipped
        }
    }
}

fn conclude(
    all: &[Failed],
    decided: &[Decision],
    code: u8,
    console: &Console,
) -> Result<(), Failure> {
    let count = |is: fn(&Decision) -> bool| decided.iter().filter(|one| is(one)).count();
    let accepted = count(|one| matches!(one, Decision::Accepted(_)));
    let rejected = count(|one| matches!(one, Decision::Rejected));
    for (one, decision) in all.iter().zip(decided) {
        if matches!(decision, Decision::Rejected) {
            console.info(&format!("rejected: {}", one.file().shown()));
        }
    }
    let left = all.len() - accepted - rejected;
    let told = format!("{accepted} accepted, {rejected} rejected, {left} skipped");
    if accepted == all.len() && code == exit::DONE {
        console.info(if all.is_empty() { "no goldens fail" } else { &told });
        Ok(())
    } else {
        Err(Failure::new(code.max(exit::DIFFERENT), told))
    }
}

/// Methods of showing pictures.
enum Pictures {
    /// The graphics protocol of the terminal kitty, also supported by others.
    Kitty,
    /// Inline images, as of iTerm2.
    Inline,
    /// Files in a folder that is removed after the review, or the reason why there is no such
    /// folder.
    Files(std::io::Result<ScratchFolder>),
}

impl Pictures {
    /// The method indicated by the environment, if messages go to a terminal.
    fn of_terminal() -> Self {
        let of = |name: &str| std::env::var(name).unwrap_or_default();
        let known = of_environment(&of).filter(|_| std::io::stderr().is_terminal());
        known.unwrap_or_else(|| Self::Files(scratch()))
    }

    /// Shows golden, new picture and difference side by side.
    fn show(&self, golden: &Checked, number: usize, console: &Console) {
        let Some(picture) = beside(golden) else { return };
        let png = encode_png(&picture, true, PngEffort::Fast, &[]);
        let bytes = match self {
            Self::Kitty => kitty(&png),
            Self::Inline => inline(&png),
            Self::Files(folder) => {
                let written = folder.as_ref().map_err(ToString::to_string).and_then(|folder| {
                    let path = folder.path().join(format!("{}.png", number + 1));
                    write_atomic(&path, &png).map_err(|error| chain(&error))?;
                    Ok(path)
                });
                match written {
                    Ok(path) => say_file(&path, console),
                    Err(why) => console.info(&format!("  cannot show the picture: {why}")),
                }
                return;
            }
        };
        // A closed terminal shows nothing.
        let _ = std::io::stderr().lock().write_all(bytes.as_bytes());
    }
}

fn say_file(path: &Path, console: &Console) {
    console.info(&format!("  golden, new and difference: {}", path.shown()));
}

/// Finds the method of showing pictures from environment variables; no method is known within tmux
/// and screen.
fn of_environment(of: &dyn Fn(&str) -> String) -> Option<Pictures> {
    let (term, program) = (of("TERM"), of("TERM_PROGRAM"));
    let is_within =
        !of("TMUX").is_empty() || term.starts_with("screen") || term.starts_with("tmux");
    let is_kitty =
        !of("KITTY_WINDOW_ID").is_empty() || term.contains("kitty") || program == "ghostty";
    let is_inline =
        ["iTerm.app", "WezTerm"].contains(&program.as_str()) || of("LC_TERMINAL") == "iTerm2";
    match (is_within, is_kitty, is_inline) {
        (false, true, _) => Some(Pictures::Kitty),
        (false, _, true) => Some(Pictures::Inline),
        _ => None,
    }
}

/// Golden, new picture and difference in one picture; missing ones are left out.
fn beside(golden: &Checked) -> Option<Frame> {
    let (old, new) = (golden.golden.as_ref(), golden.live.as_ref()?);
    let is_alike = |old: &&Frame| [old.width, old.height] == [new.width, new.height];
    let difference = old.filter(is_alike).map(|old| difference_picture(old, new));
    let parts: Vec<&Frame> = old.into_iter().chain([new]).chain(&difference).collect();
    let width = parts.iter().map(|part| part.width + GAP).sum::<u32>() - GAP;
    let height = parts.iter().map(|part| part.height).max()?;
    let mut rgba = vec![[0; 4]; width as usize * height as usize];
    let mut left = 0;
    for part in parts {
        let rows = part.rgba.chunks_exact(part.width as usize);
        for (row, target) in rows.zip(rgba.chunks_exact_mut(width as usize)) {
            target[left..left + row.len()].copy_from_slice(row);
        }
        left += (part.width + GAP) as usize;
    }
    Some(Frame { width, height, rgba })
}

/// A PNG in the kitty graphics protocol: chunks, each marked with whether more follow.
fn kitty(png: &[u8]) -> String {
    let text = BASE64_STANDARD.encode(png);
    let mut bytes = String::new();
    let mut rest = text.as_str();
    let mut control = "a=T,f=100,";
    loop {
        let (part, after) = rest.split_at(rest.len().min(PART));
        let more = u8::from(!after.is_empty());
        bytes += &format!("\x1b_G{control}m={more};{part}\x1b\\");
        (rest, control) = (after, "");
        if rest.is_empty() {
            return bytes + "\n";
        }
    }
}

/// A PNG as an inline image of iTerm2.
fn inline(png: &[u8]) -> String {
    format!("\x1b]1337;File=inline=1;size={}:{}\x07\n", png.len(), BASE64_STANDARD.encode(png))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminals_are_known_by_their_variables() {
        let way = |pairs: &[(&str, &str)]| {
            let of = |name: &str| {
                let own = pairs.iter().find(|(own, _)| *own == name);
                own.map_or(String::new(), |(_, value)| (*value).to_owned())
            };
            match of_environment(&of) {
                Some(Pictures::Kitty) => "kitty",
                Some(Pictures::Inline) => "inline",
                _ => "files",
            }
        };
        assert_eq!(way(&[("TERM", "xterm-kitty")]), "kitty");
        assert_eq!(way(&[("KITTY_WINDOW_ID", "1"), ("TMUX", "/tmp/a")]), "files");
        assert_eq!(way(&[("TERM_PROGRAM", "iTerm.app")]), "inline");
        assert_eq!(way(&[("TERM", "xterm-256color")]), "files");
    }

    #[test]
    fn pictures_are_sent_in_parts() {
        let sent = kitty(&[7; 2 * PART]);
        let parts: Vec<&str> = sent.split("\x1b\\").collect();
        assert!(parts[0].starts_with("\x1b_Ga=T,f=100,m=1;") && parts[1].starts_with("\x1b_Gm=1;"));
        assert_eq!(parts[2].split(';').next(), Some("\x1b_Gm=0"));
        let text: String = parts[..3].iter().filter_map(|part| part.split(';').nth(1)).collect();
        assert_eq!(BASE64_STANDARD.decode(text).unwrap(), [7; 2 * PART]);
        assert_eq!(inline(b"foo"), "\x1b]1337;File=inline=1;size=3:Zm9v\x07\n");
    }
}
