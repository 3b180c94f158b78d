//! Inspection: models and clips -> facts and faults, with counts and bounds, and a lint of rigs.
//!
//! [`summary`] counts and measures; [`lint`] finds problems that a rigger would fix; [`parts`]
//! proposes parts of clips that contain several actions; `record` holds all facts about a file for
//! JSON, and `text` prints them as a page. Nothing here draws or changes a model.

mod contents;
mod layout;
pub mod lint;
pub mod parts;
pub mod record;
pub mod summary;
mod text;

pub use text::print_page;
