//! Names that are unique in their list, because clips, materials and causes are found by name.

use std::collections::BTreeSet;

/// The names that are taken.
#[derive(Default)]
pub(crate) struct Names {
    taken: BTreeSet<String>,
}

impl Names {
    /// A name as written if it is unused; with a number appended if it is taken; made of its list
    /// and index if there is none.
    pub(crate) fn unique(&mut self, name: Option<&str>, list: &str, index: usize) -> String {
        let base = match name.map(str::trim) {
            Some(name) if !name.is_empty() => name.to_owned(),
            _ => format!("{list}_{index}"),
        };
        let mut candidate = base.clone();
        let mut number = 2_usize;
        while !self.taken.insert(candidate.clone()) {
            candidate = format!("{base}.{number}");
            // After many equal names the index is used as a number, which is immediately free.
            number = if number < 64 { number + 1 } else { number.max(index) + 1 };
        }
        candidate
    }
}

/// True if a height map is a normal map by its name: exporters store them where their formats have
/// height maps.
pub(crate) fn is_normal_map(name: &str) -> bool {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name).to_ascii_lowercase();
    let stem = file.rsplit_once('.').map_or(file.as_str(), |(stem, _)| stem);
    let is_word =
        |word: &str| matches!(word, "n" | "nor" | "nrm" | "nm" | "norm" | "ddn" | "local");
    stem.contains("normal") || stem.split(|part: char| !part.is_alphabetic()).any(is_word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_made_unique_in_order() {
        let mut names = Names::default();
        let wanted = [Some("Bone"), Some("Bone"), None, Some(" "), Some("Bone.2"), Some("node_2")];
        let found: Vec<String> = wanted
            .iter()
            .enumerate()
            .map(|(index, name)| names.unique(*name, "node", index))
            .collect();
        assert_eq!(found, ["Bone", "Bone.2", "node_2", "node_3", "Bone.2.2", "node_2.2"]);
    }
}
