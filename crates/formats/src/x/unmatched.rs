//! Warnings that require the whole file. None of them refuses a file.

use super::shape::endless;
use super::standard;
use super::token::Warnings;
use super::tree::{Child, Document};
use crate::text::nearest;
use crate::text::quoted;
use std::collections::BTreeSet;
use tintype_base::deadline::TimedOut;
use tintype_model::FileRepair;

/// Reports problems visible only in the whole file: misspelt template names, templates that contain
/// themselves, and dangling names and GUIDs.
pub(super) fn tell_unmatched(document: &Document, warnings: &mut Warnings) -> Result<(), TimedOut> {
    let mut watch = document.deadline.watch("looking for what names mean", STEPS);
    for template in endless(&document.templates) {
        warnings.add(FileRepair::Malformed, template.position, || {
            format!("the template {} contains itself; ignored", quoted(template.name.as_bytes()))
        });
    }
    let standard: Vec<&'static str> = standard::TEMPLATES.iter().map(|(name, _)| *name).collect();
    let mut seen: BTreeSet<String> =
        standard.iter().map(|name| name.to_ascii_lowercase()).collect();
    seen.extend(document.templates.iter().map(|template| template.name.to_ascii_lowercase()));
    let mut unknown = 0;
    for object in &document.objects {
        watch.step()?;
        if unknown < MAX_UNKNOWN && seen.insert(object.template.to_ascii_lowercase()) {
            unknown += 1;
            if let Some(meant) = nearest(object.template.as_bytes(), &standard) {
                let template = quoted(object.template.as_bytes());
                warnings.add(FileRepair::UnknownPart, object.position, || {
                    format!("unknown object type {template}; did you mean \"{meant}\"?")
                });
            }
        }
        for child in &object.children {
            watch.step()?;
            let Child::Reference(reference) = child else { continue };
            // Animations may animate frames of other files, and a list of materials is reported
            // separately.
            let is_free = object.is("Animation") || object.is("MeshMaterialList");
            if reference.guid.is_none() && !is_free && document.resolve(reference).is_none() {
                warnings.add(FileRepair::BadReference, reference.position, || {
                    let name = quoted(reference.name.as_bytes());
                    format!("the reference to {name} has no target in this file")
                });
            }
            let Some(guid) = reference.guid.filter(|guid| document.with_guid(*guid).is_none())
            else {
                continue;
            };
            warnings.add(FileRepair::BadReference, reference.position, || {
                let name = quoted(reference.name.as_bytes());
                if document.resolve(reference).is_some() {
                    format!("no object has the GUID {guid}; the object named {name} is used")
                } else {
                    format!("no object has the GUID {guid} of the reference to {name}")
                }
            });
        }
    }
    Ok(())
}

/// Objects and references between two checks of the deadline.
const STEPS: u32 = 1 << 11;
/// Maximum number of unknown templates that are compared with the known ones.
const MAX_UNKNOWN: usize = 100;
