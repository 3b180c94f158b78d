//! Differences of two files, folders or sequences on disk.

use super::kind::DiffKind;
use super::picture::PictureDiff;
use super::summary::{DiffSummary, DiffVerdict};
use super::{Cause, CauseStage, DiffOptions, Finding, ModelDiff};
use crate::{Error, ErrorKind};
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use tintype_base::path::ShowPath;
use tintype_compare::Heat;
use tintype_compare::character::ModelPair;
use tintype_golden::exports::{self, ExportDiff, ExportReport, compare_exports};
use tintype_golden::picture_diff::{
    Compared, ComparedFile, Pairs, PictureDiffError, PictureLimits, Results, Sides, compare_files,
    encode_json,
};
use tintype_golden::record_differences;
use tintype_golden::report::encode_junit;
use tintype_golden::test_report::refuse_foreign_page;
use tintype_host::job::memory::available_memory;
use tintype_model::math;

pub use tintype_golden::picture_diff::FileState;

/// Difference of two files that are neither pictures nor models.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FileDiff {
    /// Path relative to both folders, or the name of the second file.
    pub name: String,
    /// The result.
    pub state: FileState,
    /// True if the content is the same.
    pub is_same: bool,
    /// Differences of models and clips, each with its clip.
    pub findings: Vec<(Option<String>, Finding)>,
    /// The findings as sentences, and the reason if the files cannot be compared.
    pub sentences: Vec<String>,
    /// The reason for the difference, if there is one.
    pub cause: Option<Cause>,
}

/// Differences of two files or folders.
///
/// ```
/// use std::path::Path;
/// use tintype::{DiffOptions, DiffVerdict, diff_paths};
///
/// let [a, b] = ["scenes/assets/ranger.x", "scenes/assets/ranger_bin.x"].map(Path::new);
/// let found = diff_paths(a, b, DiffOptions { report: true, ..Default::default() }, &mut |_| true)?;
/// assert_eq!(found.verdict(), DiffVerdict::Same);
/// assert!(found.summaries()[0].text.starts_with("the same at "));
/// found.write_report("out/diff")?;
/// # Ok::<(), tintype::Error>(())
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct Diff {
    /// Content of the two sides.
    pub kind: DiffKind,
    /// Models of either side.
    pub models: Vec<ModelDiff>,
    /// Pictures of either side.
    pub pictures: Vec<PictureDiff>,
    /// Other files of two folders, or two records.
    pub files: Vec<FileDiff>,
    /// The written pictures of the differences. None unless [`DiffOptions::output`] is set.
    pub written: Option<DifferencePictures>,
    sides: [PathBuf; 2],
    options: DiffOptions,
    exports: ExportDiff,
    pairs: Pairs,
    compared: Vec<Compared>,
    others: Vec<ComparedFile>,
    heat: Option<Heat>,
}

/// Written pictures of differences.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DifferencePictures {
    /// Their number.
    pub count: usize,
    /// Their common scale in words.
    pub scale: String,
}

/// Compares two pictures, two models, two records of golden pictures, two sequences such as
/// `a/####.png`, or two folders of any of these. Pictures are compared on all cores, as many at a
/// time as the memory holds. `go_on` gets each of them once it is compared; false stops the
/// comparison.
///
/// # Errors
/// As [`Diff::of_paths`], and [`ErrorKind::File`] if a file that was named cannot be read.
pub fn diff_paths(
    a: &Path,
    b: &Path,
    options: DiffOptions,
    go_on: &mut dyn FnMut(&PictureDiff) -> bool,
) -> Result<Diff, Error> {
    Diff::of_paths(a, b, options, go_on).and_then(Diff::readable).map_err(|error| {
        // A missing side is reported as the reason.
        let refused = |path: &Path| path.metadata().err().map(|error| error.kind());
        error.answered(refused(a).or_else(|| refused(b)))
    })
}

fn of_pictures(error: &PictureDiffError) -> Error {
    Error::of(ErrorKind::File, error).temporary(error.is_temporary())
}

impl Diff {
    /// As [`diff_paths`]; a file that cannot be read is part of the result, also if it was named.
    ///
    /// # Errors
    /// [`ErrorKind::File`] if the sides do not fit together, contain nothing that is compared, or a
    /// folder cannot be read; [`ErrorKind::Write`] if a picture of a difference cannot be written;
    /// [`ErrorKind::Stopped`] if `go_on` returns false.
    pub fn of_paths(
        a: &Path,
        b: &Path,
        options: DiffOptions,
        go_on: &mut dyn FnMut(&PictureDiff) -> bool,
    ) -> Result<Self, Error> {
        let mut own = Self {
            kind: DiffKind::of(a, b)?,
            models: Vec::new(),
            pictures: Vec::new(),
            files: Vec::new(),
            written: None,
            sides: [a.to_owned(), b.to_owned()],
            options,
            exports: ExportDiff::default(),
            pairs: Pairs::default(),
            compared: Vec::new(),
            others: Vec::new(),
            heat: None,
        };
        match own.kind {
            DiffKind::Records => own.compare_records()?,
            DiffKind::Models | DiffKind::OneModel => own.compare_models()?,
            DiffKind::Folders => {
                own.pairs = Pairs::find(a, b).map_err(|error| of_pictures(&error))?;
                own.compare_models()?;
                own.compare_files()?;
                own.compare_pictures(go_on)?;
            }
            DiffKind::Sequences | DiffKind::Pictures => {
                own.pairs = Pairs::find(a, b).map_err(|error| of_pictures(&error))?;
                own.compare_pictures(go_on)?;
            }
        }
        Ok(own)
    }

    /// The result, unless a file that was named cannot be read.
    fn readable(self) -> Result<Self, Error> {
        let is_of_files = !matches!(self.kind, DiffKind::Folders | DiffKind::Sequences);
        let bad = self.summaries().into_iter().find(|one| one.verdict >= DiffVerdict::Unreadable);
        match bad.filter(|_| is_of_files && self.models.len() < 2) {
            Some(DiffSummary { verdict, text, .. }) => {
                Err(Error::new(ErrorKind::File, text).temporary(verdict == DiffVerdict::Temporary))
            }
            None => Ok(self),
        }
    }

    fn compare_records(&mut self) -> Result<(), Error> {
        let [a, b] = &self.sides;
        let lines = record_differences(a, b).map_err(|message| {
            Error::of(ErrorKind::File, &*Box::<dyn std::error::Error>::from(message))
        })?;
        let is_same = lines.is_empty();
        let one = ComparedFile {
            name: b.shown(),
            state: if is_same { FileState::Same } else { FileState::Different },
            findings: Vec::new(),
            why: (!is_same).then(|| lines.join("; ")),
        };
        self.files.push(file_diff(&one, lines));
        self.others.push(one);
        Ok(())
    }

    fn compare_models(&mut self) -> Result<(), Error> {
        let [a, b] = &self.sides;
        let options = self.options.of_exports(self.options.load.clone());
        self.exports = compare_exports(a, b, &options)
            .map_err(|error| Error::of(ErrorKind::File, &error).temporary(error.is_temporary()))?;
        let sides = [a, b].map(|side| side.shown());
        let told = |pair: &ModelPair| {
            let old = pair.renamed_from.as_ref().unwrap_or(&pair.name);
            let sides = match self.kind {
                DiffKind::Folders => [old, &pair.name],
                _ => [&sides[0], &sides[1]],
            };
            ModelDiff::seen(pair, sides.map(String::as_str), self.options.pictures)
        };
        self.models = self.exports.models.iter().map(told).collect();
        Ok(())
    }

    fn compare_files(&mut self) -> Result<(), Error> {
        let [a, b] = &self.sides;
        let is_other = |path: &Path| !self.exports.has_file(path);
        let others = compare_files(a, b, &is_other, &self.options.load);
        self.others = others.map_err(|error| of_pictures(&error))?;
        self.files = self.others.iter().map(|one| file_diff(one, one.sentences())).collect();
        let is_compared = |one: &ComparedFile| one.state != FileState::NotCompared;
        if self.pairs.list.is_empty()
            && self.models.is_empty()
            && !self.others.iter().any(is_compared)
        {
            let [a, b] = [a, b].map(|side| side.shown());
            let message = format!("neither {a} nor {b} contains a picture, model, clip or scene");
            return Err(Error::new(ErrorKind::File, message));
        }
        Ok(())
    }

    fn compare_pictures(
        &mut self,
        go_on: &mut dyn FnMut(&PictureDiff) -> bool,
    ) -> Result<(), Error> {
        let targets = self.options.output.as_ref().map(|output| self.pairs.targets(output));
        let targets = targets.transpose().map_err(|error| of_pictures(&error))?;
        let (pairs, rule) = (&self.pairs.list, self.options.rule);
        // As many pictures in memory as there are threads, however long the sequence is; fewer if
        // memory is scarce.
        let limits = PictureLimits {
            bytes: u64::try_from(self.options.load.limits.max_bytes).unwrap_or(u64::MAX),
            memory: available_memory(),
        };
        let at_once = limits.at_once(pairs, rayon::current_num_threads());
        for some in pairs.chunks(at_once) {
            let compared: Vec<Compared> =
                some.par_iter().map(|pair| Compared::new(pair, rule, &limits)).collect();
            for (pair, compared) in some.iter().zip(compared) {
                let picture = PictureDiff::of_pair(pair, &compared);
                if !go_on(&picture) {
                    return Err(Error::new(ErrorKind::Stopped, "the comparison was stopped"));
                }
                self.pictures.push(picture);
                self.compared.push(compared);
            }
        }
        let Some(targets) = targets else { return Ok(()) };
        let largest = self.compared.iter().map(|one| one.largest_flip).fold(0.0, math::max);
        self.heat = (!self.options.x16).then(|| Heat::that_holds(largest));
        let works = self.compared.chunks_mut(at_once).zip(pairs.chunks(at_once));
        for ((some, pairs), targets) in works.zip(targets.chunks(at_once)) {
            let works = some.par_iter_mut().zip(pairs).zip(targets);
            let written: Result<(), _> = works.try_for_each(|((one, pair), target)| {
                one.write_picture(pair, self.heat, target, &limits)
            });
            written.map_err(|error| of_pictures(&error))?;
        }
        let scale = self.heat.map(|heat| heat.to_string());
        self.written = Some(DifferencePictures {
            count: self.compared.iter().filter(|one| one.picture.is_some()).count(),
            scale: scale.unwrap_or_else(|| "each channel's difference times 16".to_owned()),
        });
        Ok(())
    }

    /// The worst verdict of anything compared.
    #[must_use]
    pub fn verdict(&self) -> DiffVerdict {
        let verdicts = self.summaries().into_iter().map(|one| one.verdict);
        verdicts.max().unwrap_or(DiffVerdict::Same)
    }

    /// True if nothing differs beyond the tolerance or the bound.
    #[must_use]
    pub fn is_same(&self) -> bool {
        self.verdict().passes()
    }

    /// The results of pictures, of models and of other files, where there are any; then files of
    /// unsupported types.
    #[must_use]
    pub fn summaries(&self) -> Vec<DiffSummary> {
        let (pictures, models, files) = (&self.compared, &self.exports.models, &self.others);
        let mut all = Vec::new();
        if !pictures.is_empty() {
            all.push(DiffSummary::of_pictures(pictures, self.options.rule, self.kind));
        }
        if !models.is_empty() {
            all.push(DiffSummary::of_models(models, self.options.tolerance, self.kind));
        }
        let noun = if all.is_empty() { "file" } else { "other file" };
        all.extend(DiffSummary::of_unknown(files));
        if files.iter().any(|one| one.state != FileState::NotCompared) {
            let mut own = DiffSummary::of_files(files, noun);
            if self.kind == DiffKind::Records {
                own.text = own.counts.iter().map(|(_, words)| *words).collect();
            }
            all.push(own);
        }
        all
    }

    /// All differences of models, then pictures, then files, each ordered by stage. Records of
    /// golden pictures are read.
    #[must_use]
    pub fn causes(&self) -> Vec<Cause> {
        let of_models = self.models.iter().flat_map(ModelDiff::causes);
        let of_pictures = self.pictures.iter().filter_map(PictureDiff::cause);
        let of_files = self.files.iter().filter_map(|one| one.cause.clone());
        of_models.chain(of_pictures).chain(of_files).collect()
    }

    /// All results as JSON, as written by `tintype diff --json`.
    #[must_use]
    pub fn to_json(&self) -> String {
        let [expected, found] = &self.sides;
        let (sides, models) = (Sides { expected, found }, &self.exports.models);
        if let DiffKind::Models | DiffKind::OneModel = self.kind {
            let first = models.first().and_then(|model| model.parts.first()?.diff.as_ref());
            let (is_same, tolerance) = (self.is_same(), self.options.tolerance);
            return exports::encode_json(sides, is_same, tolerance, first, Some(models));
        }
        let results = Results {
            pairs: &self.pairs,
            pictures: &self.compared,
            files: &self.others,
            models,
            models_pass: self.exports.passes(),
        };
        encode_json(sides, self.options.rule, self.heat, &results)
    }

    /// All results as JUnit XML, as written by `tintype diff --junit`. `report` is the folder of the
    /// page whose pictures are named, if there is one.
    #[must_use]
    pub fn to_junit(&self, report: Option<&Path>) -> String {
        encode_junit(&self.page(report).report)
    }

    /// Writes the page that shows all results, `index.html`, into a folder, with the pictures of
    /// models that [`DiffOptions::report`] draws.
    ///
    /// # Errors
    /// [`ErrorKind::Write`] if a file cannot be written, or a page of another program exists.
    pub fn write_report(&self, folder: impl AsRef<Path>) -> Result<(), Error> {
        let folder = folder.as_ref();
        let written = refuse_foreign_page(folder);
        let written = written.and_then(|()| self.page(Some(folder)).write(folder));
        written.map_err(|error| Error::of(ErrorKind::Write, &error).temporary(error.is_temporary()))
    }

    fn page(&self, folder: Option<&Path>) -> ExportReport<'_> {
        ExportReport::new(&self.exports, &self.compared, &self.others, folder)
    }
}

fn file_diff(file: &ComparedFile, sentences: Vec<String>) -> FileDiff {
    let is_same = file.passes();
    let (stage, text) = match file.state {
        FileState::OnlyA => (CauseStage::Missing, "the file is missing".to_owned()),
        FileState::OnlyB => (CauseStage::Missing, "the file is new".to_owned()),
        FileState::Unreadable => (CauseStage::Unreadable, sentences.join("; ")),
        _ => (CauseStage::Content, sentences.first().cloned().unwrap_or_default()),
    };
    let ComparedFile { name, state, findings, .. } = file.clone();
    let cause = (!is_same).then(|| Cause {
        subject: name.clone(),
        clip: None,
        stage,
        finding: findings.first().map(|(_, finding)| finding.clone()),
        text,
        evidence: sentences.iter().skip(1).cloned().collect(),
    });
    FileDiff { name, state, is_same, findings, sentences, cause }
}

#[cfg(test)]
mod tests {
    use super::super::picture::PictureState;
    use super::*;
    use crate::{Frame, LimitName};
    use std::fs;

    fn compare(sides: [&Path; 2], options: DiffOptions) -> Result<Diff, Error> {
        Diff::of_paths(sides[0], sides[1], options, &mut |_| true)
    }

    fn texts(found: &Diff) -> Vec<String> {
        found.summaries().into_iter().map(|one| one.text).collect()
    }

    #[test]
    fn sequences_are_told_picture_by_picture_and_drawn_on_one_scale() {
        let folder = tempfile::tempdir().unwrap();
        for (side, greys) in [("a", [1, 2, 3]), ("b", [1, 12, 203])] {
            for (frame, grey) in (0..).zip(greys) {
                let picture = Frame::from_pixels(2, 1, vec![[grey, grey, grey, 255]; 2]).unwrap();
                picture.save(folder.path().join(format!("{side}/w.{frame:04}.png"))).unwrap();
            }
        }
        let [a, b] = ["a/w.####.png", "b/w.%04d.png"].map(|name| folder.path().join(name));
        let output = folder.path().join("drawn");
        let mut told = Vec::new();
        let options = DiffOptions { output: Some(output.clone()), ..DiffOptions::default() };
        let found = diff_paths(&a, &b, options.clone(), &mut |one| {
            told.push((one.name.clone(), one.state));
            true
        });
        let found = found.unwrap();
        let states = [PictureState::Same, PictureState::Different, PictureState::Different];
        assert_eq!(told.iter().map(|(_, state)| *state).collect::<Vec<_>>(), states);
        assert_eq!((found.kind, found.verdict()), (DiffKind::Sequences, DiffVerdict::Different));
        assert_eq!(found.summaries()[0].counts, [(1, "the same"), (2, "different")]);
        let written = found.written.as_ref().unwrap();
        assert!(written.count == 2 && written.scale.starts_with("FLIP 0"), "{written:?}");
        assert!(output.join("w.0001.png").is_file() && !output.join("w.0000.png").exists());
        assert!(found.pictures[0].heat().is_none() && found.pictures[2].heat().is_some());
        assert!(found.to_json().contains("\"kind\": \"pictures\""));
        let x16 = DiffOptions { x16: true, ..options };
        let stopped = diff_paths(&a, &b, x16, &mut |_| false).unwrap_err();
        assert_eq!(stopped.kind(), ErrorKind::Stopped);
    }

    #[test]
    fn file_that_cannot_be_read_is_a_result_and_for_a_named_pair_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let golden = Path::new("golden/walk/0000.png");
        let torn = folder.path().join("torn.png");
        fs::write(&torn, "no picture").unwrap();
        let found = compare([golden, &torn], DiffOptions::default()).unwrap();
        assert_eq!((found.verdict(), found.is_same()), (DiffVerdict::Unreadable, false));
        let error = diff_paths(golden, &torn, DiffOptions::default(), &mut |_| true).unwrap_err();
        assert_eq!(texts(&found), [error.to_string()]);
        let mut short = DiffOptions::default();
        short.load.limits.max_bytes = 9;
        let found = compare([golden, golden], short).unwrap();
        assert!(texts(&found)[0].contains(&LimitName::Bytes.to_string()), "{:?}", texts(&found));
        let empty = tempfile::tempdir().unwrap();
        let nothing = compare([empty.path(), empty.path()], DiffOptions::default()).unwrap_err();
        assert!(nothing.to_string().contains("contains a picture, model"), "{nothing}");
        for alone in ["scenes/walk.toml", "golden/walk/0000.toml"] {
            let error = DiffKind::of(golden, Path::new(alone)).unwrap_err();
            assert!(error.to_string().starts_with(&format!("{alone}: this is a ")), "{error}");
        }
    }

    #[test]
    fn folders_and_records_have_a_report_and_a_last_line_for_each_kind() {
        let folder = tempfile::tempdir().unwrap();
        let [a, b] = ["a", "b"].map(|name| folder.path().join(name));
        for side in [&a, &b] {
            fs::create_dir(side).unwrap();
            fs::copy("scenes/assets/scarab.md5mesh", side.join("scarab.md5mesh")).unwrap();
            fs::write(side.join("notes.txt"), side.shown()).unwrap();
            fs::write(side.join("a.mtr"), side.shown()).unwrap();
        }
        let found = compare([&a, &b], DiffOptions { report: true, ..Default::default() }).unwrap();
        let expected = [
            "1 model with 0 clips: 1 the same",
            "1 file of unsupported types not compared: notes.txt",
            "1 other file: 1 different",
        ];
        assert_eq!(
            (texts(&found), found.verdict()),
            (expected.map(String::from).into(), DiffVerdict::Different)
        );
        let page = folder.path().join("page");
        found.write_report(&page).unwrap();
        assert!(page.join("index.html").is_file());
        assert!(found.to_junit(None).contains("name=\"a.mtr\""), "{}", found.to_junit(None));

        let [a, b] = ["0000", "0009"].map(|name| format!("golden/walk/{name}.toml"));
        let found = compare([Path::new(&a), Path::new(&b)], DiffOptions::default()).unwrap();
        assert_eq!((found.kind, texts(&found)), (DiffKind::Records, vec!["different".to_owned()]));
        assert!(found.files[0].sentences.len() > 1, "{:?}", found.files);
        let same = compare([Path::new(&a), Path::new(&a)], DiffOptions::default()).unwrap();
        assert_eq!(texts(&same), ["the same"]);
    }
}
