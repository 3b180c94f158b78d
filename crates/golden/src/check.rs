//! The goldens of one scene against the frames of today.

use super::error::GoldenError;
use super::known::{KnownChange, KnownReason};
use super::newer::{UPDATE, is_newer, newer_record, newer_revision};
use super::paths::{alternatives, record_of, rename};
use super::read_record::{RecordError, RecordReader};
use super::renamed::with_renamed;
use super::scene::GoldenScene;
use crate::record::{
    AssetRecord, Cause, Evidence, Extents, FrameRecord, SceneRecord, Subject, TextError,
    asset_records, changed, find_cause, find_hidden, golden_camera, is_rounding_alone,
    scene_values, unseen_edits,
};
use crate::report::CauseId;
use blake3::{Hash, Hasher, hash};
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use tintype_base::deadline::Deadline;
use tintype_base::diagnostic::{Diagnostic, Kind, Place};
use tintype_base::disk::{if_there, read_regular};
use tintype_base::path::ShowPath;
use tintype_base::printable::one_line;
use tintype_compare::Mask;
use tintype_compare::{Difference, compare};
use tintype_compare::{Judgement, judge};
use tintype_model::Rule;
use tintype_model::frame::{Frame, PIXEL_REVISION};
use tintype_model::math::larger;
use tintype_output::{PngError, Provenance, decode_any_png};
use tintype_raster::RasterOptions;
use tintype_render::aov::{Shown, Viewer};
use tintype_render::asset::Assets;
use tintype_render::{Drawn, RenderError, Renderer, Staged, why_nothing_is_seen};
use tintype_scene::{Fit, FrameNumber};

/// Result of comparing one golden with the newly drawn frame.
#[derive(Debug)]
pub enum Verdict {
    /// Equal, to the byte.
    Same,
    /// Different, and within the bound that the scene allows.
    Within(Judgement),
    /// Different, and all of it is known.
    Known(KnownChange),
    /// There is no golden.
    Missing,
    /// The golden is there and the system does not let it be read.
    Unread(std::io::Error),
    /// The file is no whole frame.
    Unreadable(PngError),
    /// The record of its stages is there and is none.
    BadRecord(TextError),
    /// The pixels differ, and the golden was made by code that draws other pixels.
    OtherRevision {
        /// Its revision; none if neither it nor its record says.
        found: Option<u32>,
        /// The difference of the pixels.
        difference: Difference,
    },
    /// The pixels differ.
    Different(Difference),
    /// The pixels differ by more than the bound that the scene allows.
    Beyond(Judgement),
    /// Nothing is seen in the new picture: a golden of it could not fail.
    Empty(String),
    /// The pixels are right, and joints or vertices behind them changed where the scene asks for those too.
    Hidden,
    /// Joints or vertices are not those of the record, in a scene that keeps no pictures.
    Moved,
    /// The pixels are right, and there is no record of the joints and vertices where the scene asks for those too.
    NoRecord,
    /// The golden is missing, and is among those that the scene had under another name.
    Elsewhere {
        /// The file.
        path: PathBuf,
        /// Whether its pixels are those of today.
        is_equal: bool,
    },
    /// A golden that no scene asks for.
    Dangling,
    /// A model or a clip of a library without goldens, in words.
    New(String),
    /// A model or a clip of a library that is gone, in words.
    Gone(String),
    /// The moments of a clip of a library are right, and its record shows another time base or other poses between them.
    Clip,
    /// A model of a library has more than its settings allow.
    AboveLimit,
    /// The fit that goldens of a scene keep is not that of today: the share of the picture by which it moved.
    FitMoved(f64),
}

impl Verdict {
    /// Whether this is no failure.
    #[must_use]
    pub fn passes(&self) -> bool {
        matches!(self, Self::Same | Self::Within(_) | Self::Known(_))
    }

    /// Whether the golden could not be compared, as the file is no good.
    #[must_use]
    pub fn is_bad_input(&self) -> bool {
        matches!(self, Self::Unread(_) | Self::Unreadable(_) | Self::BadRecord(_))
    }

    /// The difference of the pixels, if the pictures were compared.
    #[must_use]
    pub fn difference(&self) -> Option<&Difference> {
        match self {
            Self::Different(difference) | Self::OtherRevision { difference, .. } => {
                Some(difference)
            }
            Self::Within(judgement) | Self::Beyond(judgement) => judgement.difference.as_ref(),
            _ => None,
        }
    }

    /// Whether the fit of today is not that which goldens keep, which accuses none of them.
    #[must_use]
    pub fn is_of_fit(&self) -> bool {
        matches!(self, Self::FitMoved(_))
    }

    /// Whether the pixels are right, and only their record is not.
    pub(super) fn is_of_record(&self) -> bool {
        matches!(self, Self::BadRecord(_) | Self::Hidden | Self::Moved | Self::NoRecord)
    }

    /// The id of a failure of which no cause is known: its kind, and what it names but for amounts.
    pub(super) fn id(&self) -> CauseId {
        match self {
            Self::Same | Self::Within(_) | Self::Known(_) => CauseId::of(&"same"),
            Self::Missing => CauseId::of(&"missing"),
            Self::Unread(error) => CauseId::of(&("unread", error.to_string())),
            Self::Unreadable(error) => CauseId::of(&("unreadable", error.to_string())),
            Self::BadRecord(error) => CauseId::of(&("bad record", error.to_string())),
            Self::OtherRevision { found, .. } => CauseId::of(&("other revision", found)),
            Self::Different(Difference::Size { .. }) => CauseId::of(&"size"),
            Self::Different(_) => CauseId::of(&"different"),
            Self::Beyond(judgement) => CauseId::of(&("beyond", judgement.rule.to_string())),
            Self::Empty(why) => CauseId::of(&("empty", why)),
            Self::Hidden => CauseId::of(&"hidden"),
            Self::Moved => CauseId::of(&"moved"),
            Self::NoRecord => CauseId::of(&"no record"),
            Self::Elsewhere { .. } => CauseId::of(&"elsewhere"),
            Self::Dangling => CauseId::of(&"dangling"),
            Self::New(what) => CauseId::of(&("new", what)),
            Self::Gone(what) => CauseId::of(&("gone", what)),
            Self::Clip => CauseId::of(&"clip"),
            Self::AboveLimit => CauseId::of(&"above limit"),
            Self::FitMoved(share) => CauseId::of(&("fit moved", percent_text(*share))),
        }
    }

    /// Distance from passing, by which the nearest of several alternatives is chosen.
    fn distance(&self) -> usize {
        match (self, self.difference()) {
            (Self::Same | Self::Within(_), _) => 0,
            (_, Some(Difference::Pixels(pixels))) => pixels.count,
            _ => usize::MAX,
        }
    }
}

/// One line, whatever names it holds.
impl core::fmt::Display for Verdict {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(&one_line(&core::fmt::from_fn(|f| self.write(f)).to_string()))
    }
}

impl Verdict {
    fn write(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Same => f.write_str("same"),
            Self::Known(KnownChange { reasons, pixels }) => {
                let what = match pixels {
                    0 => "joints or vertices changed".to_owned(),
                    count => tintype_base::amount::counted(*count, "pixel") + " changed",
                };
                let reasons: Vec<String> = reasons.iter().map(ToString::to_string).collect();
                write!(f, "{what}, which is known: {}", reasons.join("; "))
            }
            Self::Missing => f.write_str("the golden is missing"),
            Self::Unread(error) => write!(f, "the golden cannot be read: {error}"),
            Self::Unreadable(error) => write!(f, "the golden is unreadable: {error}"),
            Self::BadRecord(error) if is_newer(error) => {
                write!(f, "the record beside the golden is of a newer program: {error}; {UPDATE}")
            }
            Self::BadRecord(error) => {
                write!(
                    f,
                    "the record beside the golden is unreadable: {error}; bless writes a new one"
                )
            }
            Self::OtherRevision { found: Some(found), difference } if *found > PIXEL_REVISION => {
                write!(
                    f,
                    "a newer program made the golden, with pixel revision {found}, and this program has {PIXEL_REVISION}; {UPDATE}: {difference}"
                )
            }
            Self::OtherRevision { found, difference } => {
                match found {
                    Some(found) => write!(f, "the golden has pixel revision {found}")?,
                    None => f.write_str("neither the golden nor its record has a pixel revision")?,
                }
                write!(f, ", this program has {PIXEL_REVISION}: {difference}")
            }
            Self::Different(difference) => write!(f, "{difference}"),
            Self::Within(judgement) | Self::Beyond(judgement) => write!(f, "{judgement}"),
            Self::Empty(why) => write_empty(why, f),
            Self::Moved => f.write_str("joints or vertices are not those of the golden"),
            Self::Hidden => f.write_str(
                "no pixel shows it, but [golden] pose asks for the joints and vertices of the record",
            ),
            Self::NoRecord => f.write_str(
                "[golden] pose needs a record of the stages beside the golden, and there is none; bless writes it",
            ),
            Self::Elsewhere { path, is_equal } => {
                let is = if *is_equal { "is equal" } else { "differs" };
                let path = path.shown();
                write!(f, "its scene moved, and {path} {is}; bless --move takes it along")
            }
            Self::Dangling => f.write_str("no scene asks for this golden"),
            Self::New(what) => write!(f, "{what}; bless accepts it"),
            Self::Gone(what) => write!(f, "{what}; bless --prune deletes its goldens"),
            Self::AboveLimit => f.write_str("[limits] of library.toml allows less; the model has to change, or its limit"),
            Self::Clip => f.write_str("no golden moment shows it, but the record of the clip has it"),
            Self::FitMoved(share) => write!(
                f,
                "the fit of the camera moved by {} of the picture: goldens keep the fit that was accepted, and render has that of today; bless --refit takes it",
                percent_text(*share)
            ),
        }
    }
}

/// Share of the picture above which a fit that moved fails.
const MAX_MOVED: f64 = 0.01;

fn percent_text(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

/// Writes the message for a picture in which nothing is seen.
pub(super) fn write_empty(why: &str, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
    write!(
        f,
        "nothing is seen in the picture: {why}; take the frame out of [golden], or mend the scene"
    )
}

/// The goldens of a scene with their verdicts.
#[derive(Debug)]
pub struct CheckedScene {
    /// The goldens, by frame.
    pub goldens: Vec<Checked>,
    /// Warnings about the files and clips of the scene.
    pub warnings: Vec<Diagnostic>,
}

/// One golden with its verdict.
#[derive(Debug)]
pub struct Checked {
    /// The golden's file; of several accepted pictures the one that is most like the frame of today.
    pub path: PathBuf,
    /// The frame of its scene; none for a dangling one.
    pub frame: Option<i64>,
    /// The comparison.
    pub verdict: Verdict,
    /// Cause of the difference, if the record beside the golden shows it.
    pub cause: Option<Cause>,
    /// Notes, also about equal pictures.
    pub notes: Vec<String>,
    /// The golden's picture, where it could be decoded and is not the same.
    pub golden: Option<Frame>,
    /// The picture of today, where it was drawn and the golden is not the same.
    pub live: Option<Frame>,
    /// The frame of today through the camera of the golden, where a camera that is fitted to the models moved.
    pub through_golden_camera: Option<Frame>,
    /// The fit by which it was drawn, where one is kept that is not that of today.
    pub own_fit: Option<Fit>,
    /// Digests of all that was compared; none of what is not drawn.
    pub basis: Option<Basis>,
    /// The revision of the golden, in words, if a newer program than this one made it.
    pub newer: Option<String>,
}

/// Digests of all that was compared: equal ones give one picture and one golden.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Basis {
    /// The scene and its files.
    pub inputs: Hash,
    /// The files of the golden that an acceptance writes over.
    pub golden: Hash,
}

/// The files of a golden as they are: their digest, and the revision in the record if a newer program wrote it.
fn standing(golden: &Path) -> (Hash, Option<String>) {
    let record = read_regular(&record_of(golden));
    let mut hasher = Hasher::new();
    for file in [read_regular(golden).as_ref(), record.as_ref()] {
        match file {
            Ok(bytes) => hasher.update(hash(bytes).as_bytes()),
            Err(error) => hasher.update(error.kind().to_string().as_bytes()),
        };
    }
    let text = record.as_deref().map(String::from_utf8_lossy).unwrap_or_default();
    (hasher.finalize(), newer_record(&text))
}

impl Checked {
    /// Names the golden by the second of two folders, where it lies in the first.
    pub(super) fn rename(&mut self, folders: &[PathBuf; 2]) {
        rename(&mut self.path, folders);
        if let Verdict::Elsewhere { path, .. } = &mut self.verdict {
            rename(path, folders);
        }
    }

    pub(super) fn dangling(path: PathBuf) -> Self {
        Self {
            path,
            frame: None,
            verdict: Verdict::Dangling,
            cause: None,
            notes: Vec::new(),
            golden: None,
            live: None,
            through_golden_camera: None,
            own_fit: None,
            basis: None,
            newer: None,
        }
    }
}

/// Scene, assets and options from which frames are drawn.
pub(super) struct GoldenRenderer<'a> {
    pub renderer: Renderer,
    /// The files behind it.
    pub records: Vec<AssetRecord>,
    /// Draws the view, if it is not the picture that is compared.
    viewer: Viewer<'a>,
    /// Parts of the records of its frames, made when the first of them is needed.
    shared: OnceLock<SceneRecord>,
    /// Reads the records beside its goldens.
    pub reader: RecordReader,
    /// Digest of the scene and its files.
    inputs: Hash,
    /// Parameters of the scene, without textures.
    values: OnceLock<Vec<Subject>>,
    /// The extents that goldens of the scene keep; once they are needed for one without a record.
    kept: OnceLock<Extents>,
    /// Whether goldens are drawn by the extents of today in place of those that they keep.
    pub refits: bool,
}

/// The record beside a golden, read before its frame is drawn.
pub(super) struct Kept {
    record: Result<FrameRecord, RecordError>,
    /// The extents that the frame is drawn by; those of today where there are none.
    pub extents: Extents,
}

/// The frame of today.
pub(super) struct RenderedFrame {
    pub staged: Staged,
    /// The picture, or the view of it.
    pub frame: Frame,
    /// Legend of a view.
    pub legend: Option<String>,
    /// The reason why nothing is seen in the picture; none if something is.
    pub nothing_seen: Option<String>,
    /// The scale of a view of depth.
    pub depth: Option<[f64; 2]>,
}

impl<'a> GoldenRenderer<'a> {
    pub(super) fn new(golden: &'a GoldenScene, assets: Arc<Assets>) -> Result<Self, GoldenError> {
        let records = asset_records(&golden.scene, &assets);
        let renderer = Renderer::new(golden.scene.clone(), assets, &Deadline::NEVER)?;
        let viewer = Viewer::new(&renderer, golden.view.as_slice())?;
        let mut hasher = Hasher::new();
        hasher.update(renderer.digest().as_bytes());
        records.iter().for_each(|one| {
            hasher.update(one.name.as_bytes()).update(one.digest.as_bytes());
        });
        let inputs = hasher.finalize();
        Ok(Self {
            inputs,
            renderer,
            records,
            viewer,
            shared: OnceLock::new(),
            reader: RecordReader::default(),
            values: OnceLock::new(),
            kept: OnceLock::new(),
            refits: false,
        })
    }

    fn values(&self) -> &[Subject] {
        self.values.get_or_init(|| scene_values(&self.renderer))
    }

    /// Poses and skins a frame, by a fit that is kept or by that of today.
    pub(super) fn stage(
        &self,
        frame: FrameNumber,
        fit: Option<Fit>,
    ) -> Result<Staged, RenderError> {
        let staged = self.renderer.stage(frame)?;
        fit.into_iter().try_fold(staged, |staged, fit| self.renderer.refit(staged, fit))
    }

    /// The share of the picture by which the fit of today is away from one that is kept.
    fn moved(&self, frame: FrameNumber, kept: &Kept) -> Result<f64, RenderError> {
        kept.extents.fit.map_or(Ok(0.0), |fit| self.renderer.moved_from(frame, fit))
    }

    /// The parts of a record that all frames of the scene share.
    pub(super) fn shared(&self) -> &SceneRecord {
        self.shared.get_or_init(|| SceneRecord::new(&self.renderer))
    }

    /// Draws a frame of the scene, by extents that are kept or by those of today.
    pub(super) fn draw(
        &self,
        frame: FrameNumber,
        Extents { fit, depth }: Extents,
    ) -> Result<RenderedFrame, GoldenError> {
        let staged = self.stage(frame, fit)?;
        let viewer = depth.map(|depth| self.viewer.with_depth_range(depth));
        let viewer = viewer.as_ref().unwrap_or(&self.viewer);
        let depth = viewer.depth_range();
        let Drawn { frame, counts, .. } =
            self.renderer.draw_staged(&staged, RasterOptions::default())?;
        let uncovered = why_nothing_is_seen(&staged, &counts);
        let views = viewer.draw(&self.renderer, &staged, &frame, RasterOptions::default())?;
        Ok(match views.into_iter().next() {
            Some(Shown { frame, legend, .. }) => RenderedFrame {
                staged,
                frame,
                legend: Some(legend),
                nothing_seen: uncovered,
                depth,
            },
            None => {
                // A model may cover pixels and change none: clear, or of the colour of the background.
                let nothing_seen = match uncovered {
                    None if frame == self.renderer.draw_without_models(&staged)? => {
                        Some("it is the background alone, with or without the models".to_owned())
                    }
                    known => known,
                };
                RenderedFrame { staged, frame, legend: None, nothing_seen, depth }
            }
        })
    }

    /// The frame of today through the camera of the golden, where a fitted camera moved; none of a view.
    fn through_golden_camera(
        &self,
        old: &FrameRecord,
        new: &FrameRecord,
        live: &RenderedFrame,
    ) -> Result<Option<Frame>, RenderError> {
        let camera = golden_camera(old, new, &live.staged.camera);
        let Some(camera) = camera.filter(|_| live.legend.is_none()) else { return Ok(None) };
        let staged = Staged { camera, ..live.staged.clone() };
        Ok(Some(self.renderer.draw_staged(&staged, RasterOptions::default())?.frame))
    }

    /// Warnings about the files and clips of the scene.
    pub(super) fn warnings(&self) -> Vec<Diagnostic> {
        self.renderer.assets().warnings.iter().chain(self.renderer.warnings()).cloned().collect()
    }
}

impl GoldenScene {
    /// Compares every golden with the frame of today; a golden that is right is one of the accepted pictures of its frame.
    ///
    /// Frames are drawn side by side, as they are small; `wanted` picks by number and stops nothing that runs. Where a picture
    /// differs, the record beside it is compared with the stages of today.
    ///
    /// # Errors
    /// [`GoldenError`] if a file of the scene is missing or broken, a clip does not fit, or a folder cannot be read.
    pub fn check(
        &self,
        wanted: impl Fn(FrameNumber) -> bool + Sync,
    ) -> Result<CheckedScene, GoldenError> {
        let assets = self.load().map_err(|error| with_renamed(self, error))?;
        let drawing = GoldenRenderer::new(self, assets)?;
        let frames = self.frames();
        let check = |&frame: &FrameNumber| {
            wanted(frame).then(|| {
                let kept = self.kept(&drawing, frame);
                let moved = drawing.moved(frame, &kept)?;
                let checked = if self.has_pictures() {
                    let live = drawing.draw(frame, kept.extents)?;
                    self.check_frame(&drawing, frame, kept, live)?
                } else {
                    self.check_record(&drawing, frame, kept)?
                };
                Ok((checked, moved))
            })
        };
        let checked =
            frames.par_iter().filter_map(check).collect::<Result<Vec<_>, GoldenError>>()?;
        let (mut goldens, moved): (Vec<Checked>, Vec<f64>) = checked.into_iter().unzip();
        let mut warnings = drawing.warnings();
        warnings.extend(self.of_known(&goldens, frames.len()));
        let moved = moved.into_iter().fold(0.0, larger);
        // No frame is accused, and no view besides its scene.
        if moved > MAX_MOVED && self.has_pictures() && self.view.is_none() {
            let path = if self.name.is_some() { &self.folder } else { &self.path };
            let verdict = Verdict::FitMoved(moved);
            goldens.push(Checked { verdict, ..Checked::dangling(path.clone()) });
        }
        Ok(CheckedScene { goldens, warnings })
    }

    /// The record beside the golden of a frame, and the extents that it keeps; one without a record has those of others of the scene.
    pub(super) fn kept(&self, drawing: &GoldenRenderer, frame: FrameNumber) -> Kept {
        let read = |file: &Path| drawing.reader.read(file);
        let record = read(&self.file(frame));
        let has_extents =
            drawing.renderer.fit().is_some() || drawing.viewer.depth_range().is_some();
        if drawing.refits || !has_extents {
            return Kept { record, extents: Extents::default() };
        }
        let of = |record: &FrameRecord| record.kept_extents(drawing.values());
        let of_others = || {
            let files =
                self.frames().into_iter().flat_map(|own| [self.file(own), self.picture(own)]);
            let own = files.filter_map(|file| read(&file).ok()).find_map(|record| of(&record));
            let has_same_files =
                |left: &&FrameRecord| digests_of(&left.assets) == digests_of(&drawing.records);
            let left = || self.left_records.iter().filter(has_same_files).find_map(of);
            own.or_else(left).unwrap_or_default()
        };
        let extents = match &record {
            Ok(record) => of(record).unwrap_or_default(),
            Err(_) => *drawing.kept.get_or_init(of_others),
        };
        Kept { record, extents }
    }

    /// Whether the fit of today is so far from one that a golden keeps that a test fails.
    pub(super) fn has_moved_fit(&self, drawing: &GoldenRenderer) -> Result<bool, RenderError> {
        let moved = |frame| drawing.moved(frame, &self.kept(drawing, frame));
        let moved = self.frames().into_iter().map(moved).collect::<Result<Vec<f64>, _>>()?;
        Ok(moved.into_iter().any(|share| share > MAX_MOVED))
    }

    /// Warnings about known changes: those that ended, and those that nothing needs, if all frames were compared.
    fn of_known(&self, goldens: &[Checked], frames: usize) -> Vec<Diagnostic> {
        let warning = |text: String| Diagnostic::warning(Kind::Value, Place::None, text);
        let all = self.scene.golden.iter().flat_map(|golden| &golden.known);
        let mut found = Vec::new();
        for known in all {
            let reason = KnownReason::Stated(known.clone());
            let is_needed = |one: &Checked| matches!(&one.verdict, Verdict::Known(change) if change.reasons.contains(&reason));
            match (known.until, self.today) {
                (Some(until), Some(today)) if until < today => found.push(warning(format!(
                    "the known change {:?} ended on {until} and is not applied any more: mend it, bless the goldens, or give it another day",
                    known.reason
                ))),
                (_, Some(_)) if goldens.len() == frames && goldens.iter().all(|one| one.verdict.passes()) && !goldens.iter().any(is_needed) => {
                    found.push(warning(format!(
                        "no golden needs the known change {reason}: take it out of [golden]"
                    )));
                }
                _ => {}
            }
        }
        found
    }

    /// The record of the frame as drawn now.
    pub(super) fn frame_record(
        &self,
        drawing: &GoldenRenderer,
        live: &RenderedFrame,
    ) -> Result<FrameRecord, RenderError> {
        let RenderedFrame { staged, frame, .. } = live;
        let mut record = FrameRecord::new(drawing.shared(), &drawing.renderer, staged, frame)?;
        record.extents.depth = live.depth;
        if self.name.is_some() {
            leave_out_clips(&mut record, drawing);
        }
        Ok(record)
    }

    /// Compares the joints and vertices of one frame with those of its record, where the scene keeps no pictures.
    pub(super) fn check_record(
        &self,
        drawing: &GoldenRenderer,
        number: FrameNumber,
        kept: Kept,
    ) -> Result<Checked, GoldenError> {
        let path = self.file(number);
        let (golden, newer) = standing(&path);
        let basis = Some(Basis { inputs: drawing.inputs, golden });
        let staged = drawing.stage(number, kept.extents.fit)?;
        let new = FrameRecord::without_picture(drawing.shared(), &drawing.renderer, &staged);
        let (mut cause, mut notes) = (None, Vec::new());
        let verdict = match kept.record {
            Ok(old) => {
                cause = find_hidden(&old, &new, self.pose_rule().unwrap_or_default());
                if cause.is_none() {
                    notes.extend(unseen_edits(&old, &new).iter().map(ToString::to_string));
                }
                if cause.is_some() { Verdict::Moved } else { Verdict::Same }
            }
            Err(RecordError::Missing) => Verdict::Missing,
            Err(RecordError::Unread(error)) => Verdict::Unread(error),
            Err(RecordError::Text(error)) => Verdict::BadRecord(error),
        };
        let frame = Some(number.0);
        Ok(Checked { frame, verdict, cause, notes, basis, newer, ..Checked::dangling(path) })
    }

    /// Compares the accepted pictures of one frame with that of today.
    pub(super) fn check_frame(
        &self,
        drawing: &GoldenRenderer,
        number: FrameNumber,
        kept: Kept,
        live: RenderedFrame,
    ) -> Result<Checked, GoldenError> {
        let own = self.file(number);
        // Before it is compared: what changes from here on is another golden.
        let (standing, newer_record) = standing(&own);
        let against = GoldenComparison { rule: self.rule(), drawing, live: &live };
        let (mut verdict, mut golden, newer_picture) = verdict(&own, &against)?;
        let newer = newer_record.or(newer_picture);
        let mut path = own.clone();
        if !verdict.passes() {
            for other in alternatives(&own)? {
                let (second, picture, _) = self::verdict(&other, &against)?;
                if second.distance() < verdict.distance() || matches!(verdict, Verdict::Missing) {
                    (verdict, golden, path) = (second, picture, other);
                }
            }
        }
        // Of an alternative that is right the record is written.
        let (basis, newer) = if path == own {
            (standing, newer)
        } else {
            let (of_other, newer_other) = self::standing(&path);
            let both = [standing, of_other].map(|one| *one.as_bytes()).concat();
            (hash(&both), newer.or(newer_other))
        };
        let basis = Some(Basis { inputs: drawing.inputs, golden: basis });
        let (mut cause, mut notes, mut through_golden_camera) = (None, Vec::new(), None);
        let allowed = self.allowed(&drawing.renderer, &live.staged, number)?;
        if let (Verdict::Different(_), Some(golden)) = (&verdict, &golden)
            && let Some(change) = allowed.explains(golden, &live.frame)
        {
            verdict = Verdict::Known(change);
        }
        let has_cause = matches!(
            verdict,
            Verdict::Same
                | Verdict::Different(_)
                | Verdict::Beyond(_)
                | Verdict::OtherRevision { .. }
        );
        let mut rounded = None;
        let record = if path == own { kept.record } else { drawing.reader.read(&path) };
        let (old, unread) = match record {
            Ok(old) => (Some(old), None),
            Err(error) => (None, Some(error)),
        };
        if let (true, Some(old)) = (has_cause, &old) {
            match verdict.difference() {
                Some(difference) => {
                    let new = self.frame_record(drawing, &live)?;
                    let [width, height] = [live.frame.width, live.frame.height];
                    let pixels = width as usize * height as usize;
                    rounded = of_rounding(difference, pixels).filter(|_| {
                        matches!(verdict, Verdict::Different(_)) && is_rounding_alone(old, &new)
                    });
                    let mut found = find_cause(old, &new, difference);
                    through_golden_camera = drawing.through_golden_camera(old, &new, &live)?;
                    if let (Some(frame), Some(golden)) = (&through_golden_camera, &golden) {
                        found.evidence.push(Evidence::ThroughCamera(compare(golden, frame)));
                    }
                    cause = Some(found);
                }
                // The files of a library are those of all clips of a model.
                None if self.name.is_some() => {}
                None => {
                    let files = changed_files(old, &drawing.records);
                    if files.is_some() || has_other_values(old, drawing) {
                        let new = self.frame_record(drawing, &live)?;
                        notes.extend(unseen_edits(old, &new).iter().map(ToString::to_string));
                    }
                    notes.extend(files);
                }
            }
        }
        match unread.filter(|_| has_cause) {
            None => {}
            // A golden that comes from elsewhere has none.
            Some(RecordError::Missing) if self.rule() != Rule::Exact => {}
            Some(RecordError::Missing) => {
                notes.push("there is no record of its stages: bless writes one".to_owned());
            }
            Some(RecordError::Text(error)) if is_newer(&error) => {
                notes.push(format!("the record beside it is of a newer program: {error}"));
            }
            Some(RecordError::Text(error @ TextError::Version { .. })) => {
                notes.push(format!("{error}: bless writes a new record"));
            }
            // Not to be passed over where nothing else fails.
            Some(RecordError::Unread(error)) if verdict.passes() => {
                verdict = Verdict::Unread(error);
            }
            Some(RecordError::Text(error)) if verdict.passes() => {
                verdict = Verdict::BadRecord(error);
            }
            Some(RecordError::Unread(error)) => {
                notes.push(format!("the record beside it cannot be read: {error}"));
            }
            Some(RecordError::Text(error)) => {
                notes.push(format!("the record beside it is unreadable: {error}"));
            }
        }
        if let Some(change) = rounded {
            (verdict, cause, through_golden_camera) = (Verdict::Known(change), None, None);
        }
        if let Some(rule) = self.pose_rule()
            && verdict.passes()
        {
            match old {
                Some(mut old) => {
                    let new = self.frame_record(drawing, &live)?;
                    let known = allowed.lay_over(&mut old, &new);
                    if let Some(found) = find_hidden(&old, &new, rule) {
                        notes.clear();
                        (verdict, cause) = (Verdict::Hidden, Some(found));
                    } else if !known.reasons.is_empty() && matches!(verdict, Verdict::Same) {
                        verdict = Verdict::Known(known);
                    }
                }
                None => verdict = Verdict::NoRecord,
            }
        }
        match &live.nothing_seen {
            Some(why)
                if verdict.passes() || matches!(verdict, Verdict::Missing | Verdict::Hidden) =>
            {
                verdict = Verdict::Empty(why.clone());
            }
            Some(why) => notes.push(format!("nothing is seen in the new picture: {why}")),
            None => {}
        }
        let is_kept = !matches!(verdict, Verdict::Same);
        Ok(Checked {
            path,
            frame: Some(number.0),
            verdict,
            cause,
            notes,
            golden: golden.filter(|_| is_kept),
            live: is_kept.then_some(live.frame),
            through_golden_camera,
            own_fit: live.staged.fit.filter(|_| live.staged.fit != drawing.renderer.fit()),
            basis,
            newer,
        })
    }
}

/// The known change of pixels that the rounding of last digits makes; none if the difference is larger. An edge has to lie within a
/// millionth of the model beside a point of a pixel, so that in a picture of so many pixels a few differ.
fn of_rounding(difference: &Difference, pixels: usize) -> Option<KnownChange> {
    /// Most codes of a channel: of an edge that crosses one of the points of a pixel.
    const MOST: u8 = 48;
    /// Most codes in the mean over the picture.
    const MAX_MEAN: f64 = 0.01;
    /// Most pixels that differ by more than a code, in any picture, and one more of so many.
    const FEW: usize = 12;
    const MORE_IN: usize = 4000;
    match difference {
        Difference::Pixels(own)
            if own.largest <= MOST
                && own.mean <= MAX_MEAN
                && (own.largest == 1 || own.count <= FEW + pixels / MORE_IN) =>
        {
            Some(KnownChange { reasons: vec![KnownReason::Rounding], pixels: own.count })
        }
        _ => None,
    }
}

/// Leaves the list of clips out of the record of one clip of a library, so that another clip more or less is no change of it, and the
/// frame rate, which is that of the clip.
fn leave_out_clips(record: &mut FrameRecord, drawing: &GoldenRenderer) {
    record.scene.retain(|subject| !subject.is_clip_of_model());
    for subject in record.scene.iter_mut().filter(|subject| subject.name == "output") {
        subject.values.retain(|(key, _)| key != "fps");
    }
    let instances = record.scene.iter_mut().filter(|own| own.numbered("instance").is_some());
    for subject in instances {
        subject.values.retain(|(key, _)| key != "clip");
    }
    let clips: Vec<&str> = drawing
        .renderer
        .assets()
        .models
        .iter()
        .flat_map(|model| &model.clips)
        .map(|clip| clip.file.as_str())
        .collect();
    let models: Vec<&str> =
        drawing.renderer.scene().models.iter().map(|model| model.file.as_str()).collect();
    record.assets.retain(|asset| {
        models.contains(&asset.name.as_str()) || !clips.contains(&asset.name.as_str())
    });
}

fn digests_of(files: &[AssetRecord]) -> BTreeSet<&str> {
    files.iter().map(|file| file.digest.as_str()).collect()
}

/// The sentence that files changed without any pixel.
fn changed_files(old: &FrameRecord, now: &[AssetRecord]) -> Option<String> {
    let names: Vec<&str> =
        changed(&old.assets, now).into_iter().map(|asset| asset.name.as_str()).collect();
    (!names.is_empty()).then(|| {
        format!("{} changed and the picture did not; bless refreshes the record", names.join(", "))
    })
}

/// Whether the scene says something else than when the golden was accepted.
fn has_other_values(old: &FrameRecord, drawing: &GoldenRenderer) -> bool {
    let sorted = |subjects: &[Subject]| {
        let mut subjects = subjects.to_vec();
        // Textures are files, whose digests are compared.
        subjects.iter_mut().for_each(|one| one.values.retain(|(key, _)| !key.contains("texture")));
        subjects.iter_mut().for_each(|subject| subject.values.sort_unstable());
        subjects.sort_unstable_by(|a, b| a.name.cmp(&b.name));
        subjects
    };
    sorted(&old.scene) != sorted(drawing.values())
}

/// The new picture and the rule that goldens are compared by.
struct GoldenComparison<'a> {
    rule: Rule,
    drawing: &'a GoldenRenderer<'a>,
    live: &'a RenderedFrame,
}

impl GoldenComparison<'_> {
    /// Pixels that a model covers, in the new picture or in the golden.
    fn mask(&self, golden: &Frame) -> Result<Option<Mask>, RenderError> {
        let RenderedFrame { staged, frame, .. } = self.live;
        let renderer = &self.drawing.renderer;
        let size = [frame.width, frame.height];
        let seen = renderer.visible_fragments(staged, RasterOptions::default())?;
        let covered = Mask::of_pixels(size, seen.iter().map(|point| point.pixel));
        let of_golden = Mask::of_picture(golden, Some(&renderer.draw_background(staged)?));
        let is_same_size = size == [golden.width, golden.height];
        Ok(of_golden.filter(|_| is_same_size).map(|of_golden| covered.joined(&of_golden)))
    }
}

/// Verdict of one golden picture, its pixels, and its revision in words if it says a newer one than that of this program.
fn verdict(
    golden: &Path,
    against: &GoldenComparison,
) -> Result<(Verdict, Option<Frame>, Option<String>), RenderError> {
    let bytes = match if_there(read_regular(golden)) {
        Ok(Some(bytes)) => bytes,
        Ok(None) => return Ok((Verdict::Missing, None, None)),
        Err(error) => return Ok((Verdict::Unread(error), None, None)),
    };
    let (expected, text) = match decode_any_png(&bytes) {
        Ok(decoded) => decoded,
        Err(error) => return Ok((Verdict::Unreadable(error), None, None)),
    };
    let own = Provenance::from_text(&text).ok().map(|provenance| provenance.pixel_revision);
    let newer = own.and_then(newer_revision);
    let live = &against.live.frame;
    let difference = compare(&expected, live);
    // A golden from elsewhere has no pixel revision, and its rule is perceptual.
    if against.rule != Rule::Exact {
        let verdict = match difference {
            None => Verdict::Same,
            Some(_) => {
                let mask = against.mask(&expected)?;
                let judgement = judge(against.rule, &expected, live, mask.as_ref());
                if judgement.passes {
                    Verdict::Within(judgement)
                } else {
                    Verdict::Beyond(judgement)
                }
            }
        };
        return Ok((verdict, Some(expected), newer));
    }
    // Programs that make a file smaller drop its text; its record, which is refreshed beside a picture that stays, says it too.
    let revision = || {
        let record = against.drawing.reader.read(golden).ok().map(|record| record.pixel_revision);
        own.max(record)
    };
    let verdict = match difference {
        None => Verdict::Same,
        Some(difference) => match revision() {
            Some(PIXEL_REVISION) => Verdict::Different(difference),
            found => Verdict::OtherRevision { found, difference },
        },
    };
    Ok((verdict, Some(expected), newer))
}
