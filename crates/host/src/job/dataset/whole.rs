//! The files of a whole set: COCO annotations, nerfstudio cameras and an index.

use super::error::DatasetError;
use super::sample::Sample;
use crate::{OutputError, write_atomic};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;

/// Names of the files that exist only while the set is complete.
pub(super) const WHOLE: [&str; 3] = ["annotations.json", "transforms.json", "index.jsonl"];

/// Samples as they are gathered.
#[derive(Default)]
pub(super) struct Gathered {
    images: Vec<Value>,
    annotations: Vec<Value>,
    categories: BTreeMap<u32, Value>,
    views: Vec<Value>,
    index: String,
    /// Digests of the input files of a model, with their first sample.
    inputs: BTreeMap<[String; 2], (String, u32)>,
}

impl Gathered {
    /// Adds a sample.
    ///
    /// # Errors
    /// [`DatasetError::Mixed`] if it was drawn from other file contents than an earlier sample.
    pub(super) fn add(&mut self, sample: Sample) -> Result<(), DatasetError> {
        let Sample { facts, camera, category, annotation } = sample;
        for (file, digest) in &facts.inputs {
            let own = (digest.clone(), facts.number);
            let (known, first) =
                self.inputs.entry([facts.model.clone(), file.clone()]).or_insert(own);
            if known != digest {
                let [first, second] = [*first, facts.number];
                return Err(DatasetError::Mixed { file: file.clone(), first, second });
            }
        }
        self.index += &format!("{}\n", json!(facts));
        self.images.push(json!({
            "id": facts.number, "file_name": camera.file_path,
            "width": camera.w, "height": camera.h,
        }));
        self.annotations.push(json!(annotation));
        self.categories.entry(category.id).or_insert_with(|| json!(category));
        self.views.push(json!(camera));
        Ok(())
    }

    /// Writes the files.
    pub(super) fn write(self, folder: &Path) -> Result<(), OutputError> {
        let categories: Vec<Value> = self.categories.into_values().collect();
        let coco = json!({
            "info": { "description": "drawn by tintype", "version": env!("CARGO_PKG_VERSION") },
            "licenses": [],
            "images": self.images,
            "categories": categories,
            "annotations": self.annotations,
        });
        let cameras = json!({ "camera_model": "PINHOLE", "frames": self.views });
        for (name, text) in
            WHOLE.into_iter().zip([coco.to_string(), cameras.to_string(), self.index])
        {
            write_atomic(&folder.join(name), text.as_bytes())?;
        }
        Ok(())
    }
}
