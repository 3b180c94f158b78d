//! Single edits of every kind, and compounds of 2 to 4, on MD5, `.x` and glTF content: each must be
//! detected, and its cause named.
//!
//! Edits are derived from the formats: they change the text of a file, and know the name that its
//! author would give them. Goldens compare poses too (`[golden] pose = true`), so that changes
//! invisible in pixels are detected as well. A change of spelling alone (white space, number
//! format, order, encoding of a texture) must pass.
//!
//! A subset with fixed seeds always runs, and one of shared models where `TINTYPE_MODELS` is set.
//! `TINTYPE_EDITS=1500` runs that many single edits of each and a quarter as many compounds, and
//! prints tables and all wrong answers; `TINTYPE_EDITS_SEED` sets another seed.
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

use crate::support::{models_dir, trial, with_models};
use ground::{Ground, shared_grounds, shipped_grounds};
use libtest_mimic::{Failed, Trial};
use run::{Campaign, Score};
use std::sync::LazyLock;

/// Edits of the slices that always run: of shipped content, and of shared models.
const SLICES: [usize; 2] = [140, 70];
const SEED: u64 = 20_261_122;

// Edits of shipped content do not depend on the presence of other models.
static SHIPPED: LazyLock<Campaign> = LazyLock::new(|| campaign(shipped_grounds(), SLICES[0]));
static SHARED: LazyLock<Campaign> = LazyLock::new(|| {
    let grounds = models_dir().map(|folder| shared_grounds(&folder));
    campaign(grounds.unwrap_or_default(), SLICES[1])
});

fn campaign(grounds: Vec<Ground>, slice: usize) -> Campaign {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let singles = number("TINTYPE_EDITS").map_or(slice, |count: u64| count as usize);
    let seed = number("TINTYPE_EDITS_SEED").unwrap_or(SEED);
    let campaign = Campaign::run(&grounds, singles, singles / 4, seed);
    println!("{}", campaign.table());
    if std::env::var_os("TINTYPE_EDITS").is_some() {
        println!("{}", campaign.wrong());
    }
    campaign
}

impl Campaign {
    /// Fails unless this percentage is right.
    fn at_least(&self, percent: usize, score: Score, what: &str) -> Result<(), Failed> {
        let Score { right, of } = score;
        if of > 0 && right * 100 >= of * percent {
            return Ok(());
        }
        Err(format!("{what}: {right} of {of}\n{}", self.wrong()).into())
    }
}

#[trial(of_shipped_content)]
#[trial(of_shared_models)]
fn every_edit_is_detected(campaign: &Campaign) -> Result<(), Failed> {
    campaign.at_least(100, campaign.detected(), "detected")
}

#[trial(of_shipped_content)]
#[trial(of_shared_models)]
fn spelling_fails_nothing(campaign: &Campaign) -> Result<(), Failed> {
    campaign.at_least(100, campaign.spelled(), "spelling that passes")
}

#[trial(of_shipped_content)]
#[trial(of_shared_models)]
fn first_line_names_stage_thing_and_amount(campaign: &Campaign) -> Result<(), Failed> {
    campaign.at_least(97, campaign.named(), "first line right")?;
    // For a kind that is drawn only a few times, one wrong answer means nothing.
    let kinds = campaign.named_by_kind();
    for (kind, score) in kinds.into_iter().filter(|(_, score)| score.of >= 10) {
        campaign.at_least(90, score, kind)?;
    }
    Ok(())
}

#[trial(of_shipped_content)]
#[trial(of_shared_models)]
fn re_exports_are_told_as_what_they_are(campaign: &Campaign) -> Result<(), Failed> {
    campaign.at_least(90, campaign.exports(), "re-exports that pass or are told as such")
}

#[trial(of_shipped_content)]
#[trial(of_shared_models)]
fn compounds_name_their_edits(campaign: &Campaign) -> Result<(), Failed> {
    campaign.at_least(90, campaign.compounds(), "edits of compounds named")
}

/// A test of edits of shipped content.
fn of_shipped_content(name: &str, check: Check) -> Trial {
    Trial::test(name, move || check(&SHIPPED))
}

/// The same of shared models.
fn of_shared_models(name: &str, check: Check) -> Trial {
    with_models(format!("{name}_in_shared_models"), move |_| check(&SHARED))
}

type Check = fn(&Campaign) -> Result<(), Failed>;
