//! STL (`.stl`): plain triangles, as text and as binary.
//!
//! `text` and `binary` mirror a file as solids of facets; this file converts each solid to a
//! flat-shaded mesh.
//!
//! # Conventions
//! - **Axes**: right-handed, +Z up, as in 3D printing software: `(x, y, z)` becomes `(x, z, -y)`,
//!   applied by the single joint. The front is -Y.
//! - **Winding**: front faces are counter-clockwise. Normals are computed from the winding; those
//!   of the file are ignored.
//! - **Colour**: the bits of VisCAM and SolidView, or of Magics if the header contains `COLOR=`;
//!   sRGB.
//!
//! # Source
//! 3D Systems, "Stereolithography Interface Specification", 1989; Materialise, "Magics", for its
//! colours.

mod binary;
mod facet;
mod text;

#[cfg(test)]
mod tests;

use crate::corner_mesh::{
    Corner, CornerMesh, PLAIN, check_corners, check_meshes, plain_material, still_model,
};
use crate::iqm::joint::ours_from_file;
use crate::names::Names;
use crate::recognize::describe_foreign;
use crate::told::Told;
use crate::{FilePlace, LoadOptions, Loaded, ModelFormatError};
use facet::{FACET, Facet, HEAD, STEPS, Solid};
use tintype_base::amount::counted_as;
use tintype_base::precedence::Guesses;
use tintype_model::math::{Affine3, Vec3, unit_or};
use tintype_model::{AxisRule, FileRepair, JointIndex, Model, Warning};

/// Reads a file into its model.
///
/// # Errors
/// [`ModelFormatError`] for files of another format or without facets, and for exceeded limits;
/// other faults cost only their part, with a warning.
pub fn parse_model(bytes: &[u8], options: &LoadOptions) -> Result<Loaded<Model>, ModelFormatError> {
    let mut told = Told::default();
    let solids = if is_binary(bytes) {
        vec![binary::read(bytes, &mut told, options)?]
    } else if is_text(bytes) {
        text::read(bytes, &mut told, options)?
    } else {
        let other = || format!("{} of another kind", counted_as(bytes.len(), "byte", "bytes"));
        let found = describe_foreign(bytes, "solid").unwrap_or_else(other);
        return Err(ModelFormatError::value(FilePlace::Byte(0), "the file", found, "an STL file"));
    };
    let mut warnings = Vec::new();
    told.finish(&mut warnings);
    let facets: usize = solids.iter().map(|solid| solid.facets.len()).sum();
    if facets == 0 {
        let why = warnings.first().map(|warning| format!(": {}", warning.message));
        let found = format!("none{}", why.unwrap_or_default());
        let at = FilePlace::Byte(0);
        return Err(ModelFormatError::value(at, "the facets", found, "at least one"));
    }
    check_corners(3 * facets, FilePlace::Byte(0), options)?;
    check_meshes(solids.len(), FilePlace::Byte(0), options)?;
    tell_inward(&solids, &mut warnings);
    let model = build(&solids, options, &mut warnings)?;
    Ok(Loaded { value: model, warnings })
}

/// True if a file is an STL file by its content: a binary one has the size stated by its count.
#[must_use]
pub fn looks_like_stl(bytes: &[u8]) -> bool {
    let is_whole = binary::count(bytes).checked_mul(FACET).and_then(|size| size.checked_add(HEAD));
    is_whole == Some(bytes.len()) && bytes.len() > HEAD || !is_binary(bytes) && is_text(bytes)
}

/// True if a file begins like the text form, ignoring comments.
fn is_text(bytes: &[u8]) -> bool {
    const SEEN: usize = 1 << 12;
    let head = crate::text::as_utf8(bytes.get(..SEEN).unwrap_or(bytes));
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&head).to_ascii_lowercase();
    let mut lines = head.split(|byte| matches!(byte, b'\n' | b'\r')).map(<[u8]>::trim_ascii);
    let first = lines.find(|line| !line.is_empty() && !line.starts_with(b"#"));
    first.is_some_and(|line| line.starts_with(b"solid") || line.starts_with(b"facet"))
}

/// True if a file is binary; many headers begin with `solid`.
fn is_binary(bytes: &[u8]) -> bool {
    /// Number of first bytes that contain a zero in every binary file, and in no text.
    const SEEN: usize = 512;
    let head = bytes.get(..SEEN).unwrap_or(bytes);
    let is_wide = bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff");
    bytes.len() >= HEAD && !is_wide && head.contains(&0) && !bytes.starts_with(b"version https://")
}

/// Reports facets whose normals contradict the winding of their corners.
fn tell_inward(solids: &[Solid], warnings: &mut Vec<Warning>) {
    /// They are reported if they exceed one in this many.
    const MANY: usize = 10;
    let facets = || solids.iter().flat_map(|solid| &solid.facets);
    let inward = facets().filter(|facet| area(facet).dot(facet.normal) < 0.0).count();
    let all = facets().count();
    if inward > all / MANY {
        let of = counted_as(inward, "facet points", "facets point");
        let message = format!(
            "the normals of {of} of {all} contradict the corner order; normals from the corners are used"
        );
        warnings.push(FileRepair::InwardNormals.told(message));
    }
}

/// Twice the area of a facet along its normal.
fn area(facet: &Facet) -> Vec3 {
    let [a, b, c] = facet.corners;
    (b - a).cross(c - a)
}

/// A mesh of each solid.
fn build(
    solids: &[Solid],
    options: &LoadOptions,
    warnings: &mut Vec<Warning>,
) -> Result<Model, ModelFormatError> {
    let mut watch = options.deadline.watch("building meshes", STEPS);
    let (mut names, mut meshes, mut empty) = (Names::default(), Vec::new(), 0);
    for (index, solid) in solids.iter().enumerate() {
        if solid.facets.is_empty() {
            empty += 1;
            continue;
        }
        let name = names.unique(Some(&solid.name), "solid", index);
        let mut mesh = CornerMesh::new(&name, PLAIN, JointIndex(0), Affine3::IDENTITY);
        for (number, facet) in (0_u32..).zip(&solid.facets) {
            watch.step()?;
            let normal = unit_or(area(facet), Vec3::ZERO);
            let mut point = number.saturating_mul(3);
            mesh.triangle(
                number,
                facet.corners.map(|position| {
                    point = point.saturating_add(1);
                    Corner { point, position, normal, color: facet.color, ..Corner::default() }
                }),
            );
        }
        meshes.push(mesh);
    }
    if empty > 0 {
        let solids = counted_as(empty, "solid has", "solids have");
        warnings.push(FileRepair::Empty.told(format!("{solids} no facet; skipped")));
    }
    let has_colors = solids.iter().flat_map(|solid| &solid.facets).any(|own| own.color.is_some());
    let mut model =
        still_model(meshes, vec![plain_material(has_colors)], ours_from_file(), options)?;
    // Its facets have no joints to guess from, and printers set the axis.
    model.parts.up = AxisRule { is_stated: false, guesses: Guesses::Never };
    Ok(model)
}
