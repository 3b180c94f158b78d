//! Models and clips -> facts and faults: counts and bounds for people, and a lint of rigs.
//!
//! [`summary`] counts and measures; [`lint`] finds what a rigger would mend; [`parts`] proposes parts of
//! clips that hold several actions; `record` holds all facts of a file, as JSON has them, and
//! `text` prints them as a page. None draws, and none changes a model.

#[cfg(feature = "cli")]
mod layout;
pub mod lint;
pub mod parts;
#[cfg(feature = "cli")]
pub(crate) mod record;
pub mod summary;
#[cfg(feature = "cli")]
mod text;

#[cfg(feature = "cli")]
pub(crate) use text::print_page;
