//! Contents of a file: its model, its clips and its tick rate; calls the builders of frames, meshes
//! and clips in turn.

use super::part::part;
use super::ticks::TickRate;
use super::{animation, frame, material, mesh};
use crate::x::error::XError;
use crate::x::tree::Document;
use crate::{LoadOptions, Loaded};
use tintype_base::amount::counted_as;
use tintype_model::math::Vec3;
use tintype_model::surface::mark_outline_hulls;
use tintype_model::{FileParts, FileRepair, Model, NamedClip, Skeleton, Warning};

/// Contents of a `.x` file.
#[derive(Clone, Debug)]
pub struct XModel {
    /// One joint per frame, in file order, and the meshes; a file of clips has no mesh.
    pub model: Model,
    /// One clip per animation set, in file order. They move joints by the names of frames, so they
    /// fit other models too.
    pub clips: Vec<NamedClip>,
    /// Ticks per second.
    pub ticks: TickRate,
}

/// Converts a document to a model; `ticks_per_second` replaces the tick rate of the file.
pub(in crate::x) fn build(
    mut document: Document,
    ticks_per_second: Option<f64>,
    options: &LoadOptions,
) -> Result<Loaded<XModel>, XError> {
    let mut warnings: Vec<Warning> = std::mem::take(&mut document.warnings);
    let frames = frame::build_frames(&document, options, &mut warnings)?;
    let mut materials = material::Materials::default();
    // In parallel: neither depends on the other. Errors of meshes are reported first.
    let mut of_clips = Vec::new();
    let (meshes, clips) = rayon::join(
        || mesh::build_meshes(&document, &frames, &mut materials, options, &mut warnings),
        || animation::build_clips(&document, &frames, ticks_per_second, options, &mut of_clips),
    );
    let (mut meshes, (clips, ticks)) = (meshes?, clips?);
    mark_outline_hulls(&mut meshes, &frames.skeleton, &options.deadline)?;
    warnings.append(&mut of_clips);
    tell_left_out(&document, &mut warnings);
    warnings.sort_by_key(|warning| warning.line);
    let holds_skinned = |mesh| part(&document, mesh, "SkinWeights").is_some();
    let holders = frames.meshes.iter().filter(|(mesh, _)| holds_skinned(*mesh));
    let holders = holders.map(|(_, joint)| *joint).collect();
    let model = Model {
        front: if has_swapped_root(&frames.skeleton) { Vec3::NEG_Z } else { Vec3::Z },
        skeleton: frames.skeleton,
        meshes,
        materials: materials.list,
        pictures: Vec::new(),
        parts: FileParts { holders, ..FileParts::default() },
    };
    Ok(Loaded { value: XModel { model, clips, ticks }, warnings })
}

/// True if the first frame is `Root` and swaps y and z, as in files of a Blender exporter, so that
/// characters face +z of the file.
fn has_swapped_root(skeleton: &Skeleton) -> bool {
    skeleton.joints().first().is_some_and(|root| {
        let matrix = root.model_from_joint.matrix3;
        let scale = matrix.x_axis.x;
        // In our axes, where z is mirrored.
        let wanted = [Vec3::X, Vec3::NEG_Z, Vec3::NEG_Y];
        let columns = [matrix.x_axis, matrix.y_axis, matrix.z_axis];
        let is_near =
            |(column, wanted): (Vec3, Vec3)| (column - wanted * scale).length() <= 1e-4 * scale;
        root.name.eq_ignore_ascii_case("root")
            && scale > 0.0
            && columns.into_iter().zip(wanted).all(is_near)
    })
}

/// Warns of visible objects of kinds that are not supported.
fn tell_left_out(document: &Document, warnings: &mut Vec<Warning>) {
    const LEFT_OUT: [(&str, &str); 4] = [
        (
            "CompressedAnimationSet",
            "the layout of its key buffer is not published, so its clip shows the model at rest; export it without compression",
        ),
        ("PMInfo", "its levels of detail are ignored, and the full mesh is drawn"),
        ("ProgressiveMesh", "it is not drawn; export it as a plain mesh"),
        ("ExternalVisual", "external references are not drawn"),
    ];
    for (template, message) in LEFT_OUT {
        let mut found = document.objects.iter().filter(|object| object.is(template));
        if let Some(first) = found.next() {
            let count = counted_as(found.count() + 1, "object", "objects");
            let message = format!("{count} of kind {template} not supported: {message}");
            warnings.push(first.position.fault(FileRepair::NotDrawn, &message));
        }
    }
}
