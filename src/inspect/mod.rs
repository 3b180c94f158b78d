//! Models and clips -> facts and faults: counts and bounds for people, and a lint of rigs.
//!
//! [`summary`] counts and measures; [`lint`] finds what a rigger would mend. Neither draws, and neither changes a model.

pub mod lint;
pub mod summary;
