//! Declarations of a `.mtr` file: its materials, whose surfaces are built once the tables of all
//! files are known, and its tables.

use super::body::Body;
use super::convert;
use super::error::MtrError;
use super::material::{FindTable, MtrLook};
use crate::text::SourcePosition;
use std::collections::BTreeMap;
use std::sync::Arc;
use tintype_model::Table;

/// The materials and tables of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MtrFile {
    /// The materials in the order of the file; a name may occur several times.
    pub materials: Vec<MtrMaterial>,
    /// The tables by their lower-case names; the first counts for each name.
    pub tables: BTreeMap<String, Arc<Table>>,
}

impl MtrFile {
    /// A table by its name, in any case of letters.
    #[must_use]
    pub fn table(&self, name: &str) -> Option<Arc<Table>> {
        self.tables.get(&name.to_ascii_lowercase()).cloned()
    }

    /// Surface of a material of the file, with the tables of the file.
    ///
    /// # Errors
    /// The error of its block.
    pub fn look(&self, material: &MtrMaterial) -> Result<MtrLook, MtrError> {
        material.look(&mut |name| self.table(name))
    }
}

/// One material of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct MtrMaterial {
    /// Its name as written.
    pub name: String,
    /// Position of its name.
    pub position: SourcePosition,
    /// Its block, or its error; the other materials of the file are still read.
    pub(super) body: Result<Body, MtrError>,
}

impl MtrMaterial {
    /// Its surface, with tables by their names.
    ///
    /// # Errors
    /// The error of its block.
    pub fn look(&self, find: &mut FindTable<'_>) -> Result<MtrLook, MtrError> {
        let mut body = self.body.clone()?;
        body.bind(find);
        Ok(convert::build_look(body))
    }
}
