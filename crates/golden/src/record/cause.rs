//! Cause of a difference: two records and two pictures -> the first stage whose output differs, and
//! by how much.
//!
//! The stages are in the order of the pipeline: scene, pose, skin, visibility, shading. The output
//! of one is the input of the next, so all stages after the first that differs usually differ too;
//! they are reported as evidence.

mod edits;
mod evidence;
mod morph;
mod pose;
mod scene;
mod skin;
mod subjects;

use super::align::aligned;
use super::asset_record::{AssetRecord, changed};
use super::frame_record::FrameRecord;
use crate::report::CauseId;
pub(in crate::record) use edits::{Edits, unexplained};
pub use evidence::Evidence;
pub use scene::golden_camera;
use subjects::{files, mesh_of};
use tintype_compare::Difference;
use tintype_compare::finding::{Element, Finding, Kind, Stage, Subject, Unit, Value};

/// Cause of a difference between two pictures.
#[derive(Clone, Debug, PartialEq)]
pub struct Cause {
    /// The first stage that differs.
    pub stage: Stage,
    /// The changes, the earliest first: all edits, or the differences of one frame if no edit is
    /// known.
    pub findings: Vec<Finding>,
    /// Number of findings written out in the first line, and of further ones that it counts.
    told: [usize; 2],
    /// The differing pixels, if in the first line.
    pixels: Option<Finding>,
    /// Further evidence.
    pub evidence: Vec<Evidence>,
    /// Identity of the cause: all edits with their values, without anything measured in a single
    /// frame.
    pub id: CauseId,
}

impl Cause {
    /// A cause; its first line writes out the first `told` findings.
    fn new(findings: Vec<Finding>, told: usize, evidence: Vec<Evidence>) -> Self {
        let stage = findings.first().map_or(Stage::Shading, |first| first.stage);
        let id = CauseId::of_findings(&findings);
        Self { stage, findings, told: [told, 0], pixels: None, evidence, id }
    }

    /// A cause whose first line writes out all findings.
    pub(crate) fn whole_of(findings: Vec<Finding>) -> Self {
        let told = findings.len();
        Self::new(findings, told, Vec::new())
    }

    /// The cause from the edits of a comparison. None if there are no edits.
    pub(in crate::record) fn of_edits(edits: &Edits) -> Option<Self> {
        let (findings, told) = edits.sorted()?;
        Some(Self { told, ..Self::new(findings, told[0], Vec::new()) })
    }

    /// The sentence of the first line, without its stage.
    #[must_use]
    pub fn what(&self) -> String {
        let [told, counted] = self.told;
        let mut words: Vec<String> =
            self.findings.iter().take(told).chain(&self.pixels).map(Finding::sentence).collect();
        if counted > 0 {
            words.insert(told, format!("and {counted} more changes"));
        }
        words.join("; ")
    }

    /// The first line including everything that it leaves out.
    #[must_use]
    pub fn whole(&self) -> String {
        let is_own = |finding: &&Finding| finding.stage == self.stage;
        let shown = || self.findings.iter().take(MAX_WHOLE);
        let own: Vec<String> = shown().filter(is_own).map(Finding::sentence).collect();
        let mut all = vec![behind(self.stage, &own.join("; "))];
        all.extend(shown().filter(|one| !is_own(one)).map(|one| format!("also {one}")));
        let more = self.findings.len().saturating_sub(MAX_WHOLE);
        all.extend((more > 0).then(|| format!("and {more} more changes")));
        all.join("; ")
    }

    /// True if the first line writes out all findings.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.told[0] >= self.findings.len()
    }

    /// Further evidence, a line each.
    #[must_use]
    pub fn evidence(&self) -> Vec<String> {
        self.evidence.iter().map(ToString::to_string).collect()
    }

    /// True if the cause or its evidence includes a finding.
    pub(crate) fn names(&self, finding: &Finding) -> bool {
        self.findings.contains(finding)
            || self.evidence.iter().any(|one| one.findings().contains(finding))
    }
}

/// Maximum number of edits in the text of a whole cause.
const MAX_WHOLE: usize = 24;

impl core::fmt::Display for Cause {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self.findings.first().or(self.pixels.as_ref()) {
            // The sentence names the stage.
            Some(first) if self.stage == Stage::Shading && first.kind == Kind::PixelsChanged => {
                f.write_str(&self.what())
            }
            _ => f.write_str(&behind(self.stage, &self.what())),
        }
    }
}

/// A sentence after its stage; a sentence itself names scenes and drawing code.
fn behind(stage: Stage, what: &str) -> String {
    match stage {
        Stage::Scene | Stage::Drawing => what.to_owned(),
        stage => format!("{stage}: {what}"),
    }
}

/// The cause of `difference` between the pictures of two records.
///
/// If code of another [pixel revision](tintype_model::frame::PIXEL_REVISION) made the older one, a
/// change of content is still named: a value of the scene, joints or vertices if their files
/// changed, a texture. Any other difference is one of drawing.
#[must_use]
pub fn find_cause(old: &FrameRecord, new: &FrameRecord, difference: &Difference) -> Cause {
    if old.pixel_revision == new.pixel_revision {
        within_a_revision(old, new, difference)
    } else {
        across_revisions(old, new, difference)
    }
}

fn across_revisions(old: &FrameRecord, new: &FrameRecord, difference: &Difference) -> Cause {
    let assets = changed(&old.assets, &new.assets);
    let aligned = aligned(old, new);
    let mut edits = Edits::new(old, &aligned, new);
    // Materials described only by files are read by code.
    edits.real.retain(|finding| finding.of.element != Element::Surface);
    let before = &aligned.record;
    let [from, to] = [old.pixel_revision, new.pixel_revision];
    let has_other_models = assets.iter().any(|asset| !asset.is_texture);
    let textures: Vec<String> = assets
        .iter()
        .filter(|asset| asset.is_texture)
        .map(|asset| asset.shown())
        .filter(|name| !edits.spelled.contains(name))
        .collect();
    let keeps_content = !old.contents.is_empty() && !new.contents.is_empty();
    let of_models = || {
        let is_unkept = has_other_models && !keeps_content;
        is_unkept.then(|| unexplained(before, new, edits.is_harmless)).flatten()
    };
    let mut evidence = changed_files(&assets);
    evidence.extend(edits.rest());
    let content =
        Cause::of_edits(&edits).or_else(|| of_models().map(Cause::whole_of)).or_else(|| {
            (!textures.is_empty()).then(|| Cause::whole_of(vec![files(Stage::Texture, &textures)]))
        });
    if let Some(content) = content {
        evidence.insert(0, Evidence::Redrawn([from, to]));
        return Cause { evidence, ..content };
    }
    let equal = if scene::moved_geometry(before, new) {
        [Element::Setting, Element::File]
    } else {
        [Element::Joint, Element::Mesh]
    };
    evidence.extend(scene::camera(before, new).map(Evidence::Note));
    let [was, is] = [from, to].map(|revision| Value::from(revision.to_string()));
    let redrawn = Finding::new(Stage::Drawing, Kind::Redrawn, Subject::all(Element::Pixel))
        .from_to(was, is)
        .elements(equal.map(Subject::all))
        .measured();
    let pixels = Some(pixels(Stage::Drawing, difference));
    Cause { pixels, ..Cause::new(vec![redrawn], 1, evidence) }
}

fn changed_files(assets: &[&AssetRecord]) -> Vec<Evidence> {
    let names: Vec<String> = assets.iter().map(|asset| asset.shown()).collect();
    let is_any = !names.is_empty();
    is_any.then(|| Evidence::Note(files(Stage::Scene, &names))).into_iter().collect()
}

/// Findings that are reported together.
type Group = Vec<Finding>;

/// Movements in the frame, followed by those below anything visible.
fn moved_in_frame(before: &FrameRecord, new: &FrameRecord, edits: &Edits) -> [Vec<Group>; 2] {
    let (mut moved, mut little) = (Vec::new(), Vec::new());
    if edits.real.is_empty()
        && !scene::moved_geometry(before, new)
        && let Some(camera) = scene::camera(before, new)
    {
        let list = if scene::moved_little(before, new) { &mut little } else { &mut moved };
        list.push(vec![camera]);
    }
    if let Some((pose, is_little)) = pose::differences(before, new, edits.is_harmless) {
        let list = if is_little { &mut little } else { &mut moved };
        list.push(pose);
    }
    moved.extend(skin::differences(before, new, edits.is_harmless));
    [moved, little]
}

fn within_a_revision(old: &FrameRecord, new: &FrameRecord, difference: &Difference) -> Cause {
    let aligned = aligned(old, new);
    let edits = Edits::new(old, &aligned, new);
    let before = &aligned.record;
    let assets = changed(&old.assets, &new.assets);
    let textures = only_textures(&assets);
    let is_edit = !edits.real.is_empty();
    let [mut found, little] = moved_in_frame(before, new, &edits);
    // A camera that moved carries the view along.
    let is_last = |group: &Group| group.iter().any(|one| one.stage > Stage::Scene);
    let mut own = found.iter().position(is_last).map_or(found.len(), |last| last + 1);
    // Another order of lights, instances, meshes or vertices, and last digits, may round
    // differently.
    if !is_edit {
        let words = edits.words.iter().chain(&edits.rounding);
        found.extend(words.map(|finding| vec![finding.clone()]));
    }
    own = if own == 0 { found.len() } else { own };
    let is_seen_alike = before.visibility.digest == new.visibility.digest;
    if !is_seen_alike {
        found.push(match &textures {
            // Holes in a texture determine visibility.
            Some(textures) if !is_edit && found.is_empty() => vec![texture(textures)],
            _ => visibility(before, new),
        });
    }
    if !is_edit && found.is_empty() {
        found.push(vec![match &textures {
            Some(textures) => texture(textures),
            None => pixels(Stage::Shading, difference),
        }]);
    }
    let mut cause = Cause::of_edits(&edits).unwrap_or_else(|| {
        let findings = found.iter().take(own.max(1)).flatten().cloned().collect();
        let told = found.remove(0).len();
        Cause::new(findings, told, Vec::new())
    });
    if cause.stage == Stage::Texture {
        if cause.findings.iter().all(|one| one.stage == Stage::Texture) {
            cause.findings.iter_mut().for_each(|one| one.property = Some(GEOMETRY.to_owned()));
        }
        let is_told = is_edit || is_seen_alike;
        cause.pixels = is_told.then(|| pixels(Stage::Texture, difference));
    }
    let mut evidence = changed_files(&assets);
    let is_first = |one: &Evidence| one.findings().first() == cause.findings.first();
    evidence.extend(edits.rest().into_iter().filter(|one| is_edit || !is_first(one)));
    if is_edit {
        let camera = scene::fitted_camera(before, new);
        evidence.extend(camera.map(|camera| Evidence::Fitted(camera, cause.what())));
    }
    let groups = found.into_iter().chain(little);
    let groups = groups.map(|group| if is_edit { beside_edits(group, new) } else { group });
    evidence.extend(groups.filter(|group| !group.is_empty()).map(|group| {
        let is_own = |first: &Finding| is_edit && first.stage <= cause.stage;
        let is_in_frame = group.first().is_some_and(is_own);
        if is_in_frame { Evidence::InFrame(group) } else { Evidence::After(group) }
    }));
    Cause { evidence, ..cause }
}

/// Movements in a frame beside the edits of the files, which supply names, numbers and reasons.
fn beside_edits(mut group: Group, new: &FrameRecord) -> Group {
    if new.contents.is_empty() {
        return group;
    }
    let has_polygons =
        new.contents.iter().flat_map(|model| &model.meshes).any(|mesh| mesh.has_polygons);
    group.retain(|finding| match (finding.kind, finding.of.element) {
        (Kind::Removed | Kind::Added | Kind::Renamed | Kind::Reparented, Element::Joint) => false,
        // Vertices of polygons are made by the reader.
        (Kind::CountChanged, Element::Vertex) => !has_polygons,
        _ => true,
    });
    for moved in group.iter_mut().filter(|finding| finding.kind == Kind::Deformed) {
        moved.property = None;
        if has_polygons {
            moved.elements.clear();
            moved.count = None;
        }
    }
    group
}

/// The property of textures that changed while all earlier stages are equal.
const GEOMETRY: &str = "geometry identical";

/// Textures that changed while all earlier stages are equal.
fn texture(names: &[String]) -> Finding {
    files(Stage::Texture, names).property(GEOMETRY)
}

/// True if files changed only in their last digits or their order, so that a difference of a few
/// codes comes from rounding.
#[must_use]
pub fn is_rounding_alone(old: &FrameRecord, new: &FrameRecord) -> bool {
    let aligned = aligned(old, new);
    let edits = Edits::new(old, &aligned, new);
    let before = &aligned.record;
    old.pixel_revision == new.pixel_revision
        && edits.is_harmless
        && edits.real.is_empty()
        && scene::moved_little(before, new)
        && edits::unexplained(before, new, true).is_none()
}

/// Real edits, and changed names and orders; the former are invisible in equal pixels.
#[must_use]
pub fn unseen_edits(old: &FrameRecord, new: &FrameRecord) -> Vec<Evidence> {
    let edits = Edits::new(old, &aligned(old, new), new);
    let is_seen = old.image != new.image;
    let real = edits
        .real
        .into_iter()
        .map(|finding| if is_seen { Evidence::Told(finding) } else { Evidence::Unseen(finding) });
    real.chain(edits.words.into_iter().map(Evidence::Note)).collect()
}

/// The names of the changed files, if all of them are textures.
fn only_textures(assets: &[&AssetRecord]) -> Option<Vec<String>> {
    let is_only = !assets.is_empty() && assets.iter().all(|asset| asset.is_texture);
    is_only.then(|| assets.iter().map(|asset| asset.shown()).collect())
}

/// The pixels that differ.
fn pixels(stage: Stage, difference: &Difference) -> Finding {
    let of = Subject::all(Element::Pixel);
    match difference {
        Difference::Pixels(pixels) => {
            #[expect(clippy::cast_precision_loss, reason = "a number of pixels")]
            let count = pixels.count as f64;
            let found = Finding::new(stage, Kind::PixelsChanged, of).by(count, Unit::Count);
            found.by(pixels.largest, Unit::Codes).measured()
        }
        Difference::Size { expected, found } => {
            let [was, is] =
                [expected, found].map(|[width, height]| Value::from(format!("{width}x{height}")));
            Finding::new(stage, Kind::Resized, of).from_to(was, is)
        }
    }
}

/// The mesh with the largest change in number of pixels, and the total.
fn visibility(old: &FrameRecord, new: &FrameRecord) -> Vec<Finding> {
    let mut worst: Option<(u64, Finding)> = None;
    let count = |count: u64| Value::count(usize::try_from(count).unwrap_or(usize::MAX));
    let covers = |finding: Finding, was: u64, is: u64| {
        Finding { kind: Kind::Covers, stage: Stage::Visibility, ..finding }
            .from_to(count(was), count(is))
            .measured()
    };
    let pairs = old.visibility.pixels.iter().zip(&new.visibility.pixels).enumerate();
    for (n, (before, now)) in pairs {
        for (m, (&before, &now)) in before.iter().zip(now).enumerate() {
            let change = before.abs_diff(now);
            if change > worst.as_ref().map_or(0, |(most, _)| *most) {
                worst = Some((change, covers(mesh_of(new, n, m), before, now)));
            }
        }
    }
    let all = Finding::new(Stage::Visibility, Kind::Covers, Subject::all(Element::Pixel));
    let all = covers(all, old.visibility.covered, new.visibility.covered);
    let otherwise = || Finding { kind: Kind::SeenOtherwise, ..all.clone() }.from_to(None, None);
    vec![worst.map_or_else(otherwise, |(_, worst)| worst), all.clone()]
}
