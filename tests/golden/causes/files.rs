//! The files of a scene in memory, random numbers, and the form of an edit.

use crate::random::Random;
use std::collections::BTreeMap;
use tintype_golden::record::Stage;

/// Files by name.
pub(super) type Files = BTreeMap<String, Vec<u8>>;

/// Text of a file.
pub(super) fn text(files: &Files, name: &str) -> Option<String> {
    String::from_utf8(files.get(name)?.clone()).ok()
}

/// Required outcome of an edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    /// A golden fails.
    Failure,
    /// A golden fails, or a note reports it: names and order, which move nothing.
    Word,
    /// Nothing fails: only the spelling changed.
    Pass,
}

/// An edit, described from a user's point of view.
#[derive(Clone, Debug)]
pub(super) struct Edit {
    /// Group of the table.
    pub kind: &'static str,
    /// For people.
    pub what: String,
    pub wanted: Wanted,
    /// The stages, one of which must be named; any if empty.
    pub stages: Vec<Stage>,
    /// Words of the sentence; of each list one must be in it.
    pub words: Vec<Vec<String>>,
    /// Amounts, one of which must be in the sentence, within 5 %; none if empty.
    pub amounts: Vec<f64>,
    /// True if it is not visible in the scene, so that only a comparison of the two files reveals
    /// it.
    pub is_of_file: bool,
}

impl Edit {
    pub(super) fn new(kind: &'static str, what: impl Into<String>, stages: &[Stage]) -> Self {
        Self {
            kind,
            what: what.into(),
            wanted: Wanted::Failure,
            stages: stages.to_vec(),
            words: Vec::new(),
            amounts: Vec::new(),
            is_of_file: false,
        }
    }

    pub(super) fn word(mut self, word: impl Into<String>) -> Self {
        self.words.push(vec![word.into()]);
        self
    }

    pub(super) fn any(mut self, words: &[&str]) -> Self {
        self.words.push(words.iter().map(|&word| word.to_owned()).collect());
        self
    }

    pub(super) fn amount(mut self, amount: f64) -> Self {
        self.amounts.push(amount);
        self
    }

    pub(super) fn wanted(mut self, wanted: Wanted) -> Self {
        self.wanted = wanted;
        self
    }

    pub(super) fn of_file(mut self) -> Self {
        self.is_of_file = true;
        self
    }

    /// A file that is saved again by another program, with the same content.
    pub(super) fn export(what: impl Into<String>) -> Self {
        Self::new("re-export", what, &[]).wanted(Wanted::Pass)
    }

    pub(super) fn spelling(what: impl Into<String>) -> Self {
        Self::new("spelling", what, &[]).wanted(Wanted::Pass)
    }
}

/// A change of files. None if the files have no such element.
pub(super) type Change = fn(&mut Files, &mut Random) -> Option<Edit>;

/// Product of two quaternions (x, y, z, w).
pub(super) fn product([x, y, z, w]: [f64; 4], [i, j, k, v]: [f64; 4]) -> [f64; 4] {
    [
        w * i + x * v + y * k - z * j,
        w * j - x * k + y * v + z * i,
        w * k + x * j - y * i + z * v,
        w * v - x * i - y * j - z * k,
    ]
}

/// A rotation about a unit axis.
pub(super) fn turn([x, y, z]: [f64; 3], angle_deg: f64) -> [f64; 4] {
    let (sin, cos) = (angle_deg.to_radians() * 0.5).sin_cos();
    [x * sin, y * sin, z * sin, cos]
}
