//! Inspection: models and clips -> facts and faults, with counts and bounds, and a lint of rigs.
//!
//! [`summary`] counts and measures; [`lint`] finds problems that a rigger would fix; [`parts`]
//! proposes parts of clips that contain several actions; [`record`] holds all facts about a file for
//! JSON, and `text` prints them as a page. Nothing here draws or changes a model.
//!
//! An internal crate of `tintype`. Its interface may change in any version; depend on `tintype`,
//! which re-exports the stable parts.

#![cfg_attr(
    test,
    allow(
        clippy::cast_possible_truncation,
        clippy::cast_possible_wrap,
        clippy::cast_precision_loss,
        clippy::cast_sign_loss,
        reason = "tests make numbers of known size"
    )
)]

mod contents;
mod layout;
pub mod lint;
pub mod parts;
pub mod record;
pub mod summary;
mod text;

pub use text::print_page;
