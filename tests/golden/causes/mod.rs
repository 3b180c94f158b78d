//! Single edits of every kind, and compounds of 2 to 4, on MD5, `.x` and glTF content: each is detected, and its cause is named.
//!
//! Edits are written from the formats: they change the text of a file, and know what a person who made them would call them.
//! Goldens ask for poses too (`[golden] pose = true`), so that what no pixel shows is detected as well. A change of spelling
//! alone (white space, number format, order, encoding of a texture) must pass.
//!
//! A slice with fixed seeds runs always. `TINTYPE_EDITS=1500` runs so many single edits and a quarter as many compounds, with the
//! models of `TINTYPE_MODELS` where that is set, and prints a table and all answers that are wrong; `TINTYPE_EDITS_SEED` sets
//! another seed.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]
#![allow(clippy::print_stdout, reason = "the table is what a longer run is for")]
#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "tests make numbers of known size"
)]

mod files;
mod gltf_document;
mod gltf_edits;
mod gltf_exports;
mod gltf_motion_edits;
mod gltf_props;
mod gltf_surface_edits;
mod ground;
mod judge;
mod md5_edits;
mod run;
mod scene_edits;
mod x_edits;
mod x_tree;

use libtest_mimic::{Failed, Trial};
use run::{Campaign, Score};
use std::sync::LazyLock;

/// Edits of the slice that always runs.
const SLICE: usize = 140;
const SEED: u64 = 20_261_122;

static CAMPAIGN: LazyLock<Campaign> = LazyLock::new(|| {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let singles = number("TINTYPE_EDITS").map_or(SLICE, |count: u64| count as usize);
    let campaign =
        Campaign::run(singles, singles / 4, number("TINTYPE_EDITS_SEED").unwrap_or(SEED));
    println!("{}", campaign.table());
    if std::env::var_os("TINTYPE_EDITS").is_some() {
        println!("{}", campaign.wrong());
    }
    campaign
});

/// Fails unless so many of 100 are right.
fn at_least(percent: usize, Score { right, of }: Score, what: &str) -> Result<(), Failed> {
    if of > 0 && right * 100 >= of * percent {
        return Ok(());
    }
    Err(format!("{what}: {right} of {of}\n{}", CAMPAIGN.wrong()).into())
}

fn every_edit_is_detected() -> Result<(), Failed> {
    at_least(100, CAMPAIGN.detected(), "detected")
}

fn spelling_fails_nothing() -> Result<(), Failed> {
    at_least(100, CAMPAIGN.spelled(), "spelling that passes")
}

fn first_line_names_stage_thing_and_amount() -> Result<(), Failed> {
    at_least(97, CAMPAIGN.named(), "first line right")?;
    // Of a kind that is drawn a few times one wrong answer says nothing.
    for (kind, score) in CAMPAIGN.named_by_kind().into_iter().filter(|(_, score)| score.of >= 10) {
        at_least(90, score, kind)?;
    }
    Ok(())
}

fn re_exports_are_told_as_what_they_are() -> Result<(), Failed> {
    at_least(90, CAMPAIGN.exports(), "re-exports that pass or are told as such")
}

fn compounds_name_their_edits() -> Result<(), Failed> {
    at_least(90, CAMPAIGN.compounds(), "edits of compounds named")
}

pub(crate) fn trials() -> Vec<Trial> {
    vec![
        Trial::test("every_edit_is_detected", every_edit_is_detected),
        Trial::test("spelling_fails_nothing", spelling_fails_nothing),
        Trial::test(
            "first_line_names_stage_thing_and_amount",
            first_line_names_stage_thing_and_amount,
        ),
        Trial::test("re_exports_are_told_as_what_they_are", re_exports_are_told_as_what_they_are),
        Trial::test("compounds_name_their_edits", compounds_name_their_edits),
    ]
}
