//! The files of a scene in memory, random numbers, and the form of an edit.

use std::collections::BTreeMap;
use tintype::record::Stage;

/// Files by name.
pub(super) type Files = BTreeMap<String, Vec<u8>>;

/// Text of a file.
pub(super) fn text(files: &Files, name: &str) -> Option<String> {
    String::from_utf8(files.get(name)?.clone()).ok()
}

/// Numbers that look random and are the same on every run (SplitMix64).
pub(super) struct Random(pub u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A whole number below `count`, which is above 0.
    pub(super) fn below(&mut self, count: usize) -> usize {
        (self.bits() % count as u64) as usize
    }

    /// One of a list; none of an empty one.
    pub(super) fn pick<'a, T>(&mut self, list: &'a [T]) -> Option<&'a T> {
        if list.is_empty() { None } else { list.get(self.below(list.len())) }
    }

    /// A number between two.
    pub(super) fn between(&mut self, from: f64, to: f64) -> f64 {
        from + (to - from) * (self.below(10_000) as f64 / 10_000.0)
    }

    /// A unit vector.
    pub(super) fn axis(&mut self) -> [f64; 3] {
        loop {
            let v = [0; 3].map(|_| self.between(-1.0, 1.0));
            let length = v.iter().map(|x| x * x).sum::<f64>().sqrt();
            if length > 0.1 {
                return v.map(|x| x / length);
            }
        }
    }
}

/// Required outcome of an edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    /// A golden fails.
    Failure,
    /// A golden fails, or a note tells it: names and orders, which move nothing.
    Word,
    /// Nothing fails: only the spelling changed.
    Pass,
}

/// An edit as a person would tell it.
#[derive(Clone, Debug)]
pub(super) struct Edit {
    /// Group of the table.
    pub kind: &'static str,
    /// For people.
    pub what: String,
    pub wanted: Wanted,
    /// The stages of which one must be named; any if empty.
    pub stages: Vec<Stage>,
    /// Words of the sentence; of each list one must be in it.
    pub words: Vec<Vec<String>>,
    /// Amounts of which one must be in the sentence, to 5 %; none if empty.
    pub amounts: Vec<f64>,
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

    pub(super) fn spelling(what: impl Into<String>) -> Self {
        Self::new("spelling", what, &[]).wanted(Wanted::Pass)
    }
}

/// A change of files; none where the files have no such thing.
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
