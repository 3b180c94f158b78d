//! Content of all models of a scene, shared by the records of its frames.

use super::model_content::ModelContent;
use super::text::write_contents;
use crate::record::digest::short_digest;
use core::ops::Deref;
use std::sync::OnceLock;

/// Content of the models of a scene; empty in a record of an older program, and where another record has it.
#[derive(Debug, Default)]
pub struct Contents {
    models: Vec<ModelContent>,
    digest: OnceLock<String>,
}

impl Contents {
    /// The content of those models.
    pub(in crate::record) fn new(models: Vec<ModelContent>) -> Self {
        Self { models, digest: OnceLock::new() }
    }

    /// Digest of the content, made when it is asked for first.
    pub fn digest(&self) -> &str {
        self.digest.get_or_init(|| {
            let mut text = String::new();
            // Writing to a string cannot fail.
            let _ = write_contents(&self.models, &mut text);
            short_digest(text.as_bytes())
        })
    }
}

impl Deref for Contents {
    type Target = [ModelContent];

    fn deref(&self) -> &Self::Target {
        &self.models
    }
}

impl PartialEq for Contents {
    fn eq(&self, other: &Self) -> bool {
        self.models == other.models
    }
}
