//! Suggestions for messages that say "did you mean".

use crate::printable::one_line;

/// Most characters of a name that are compared.
const MAX_COMPARED: usize = 60;

/// Finds the word most similar to `found`, ignoring case. None if all are too different.
#[must_use]
pub fn nearest_word<'w>(found: &str, words: impl IntoIterator<Item = &'w str>) -> Option<String> {
    /// Words at or below this similarity, 0 to 1, are not suggested.
    const TOO_FAR: f64 = 0.8;
    let start = |text: &str| text.chars().take(MAX_COMPARED).collect::<String>().to_lowercase();
    let found = start(found);
    let mut best: Option<(f64, &str)> = None;
    for word in words {
        let likeness = strsim::jaro_winkler(&found, &start(word));
        if likeness > best.map_or(TOO_FAR, |(likeness, _)| likeness) {
            best = Some((likeness, word));
        }
    }
    best.map(|(_, word)| word.to_owned())
}

/// The end of a message with a suggestion: `; did you mean "walk"?`; empty without one.
#[must_use]
pub fn hint(nearest: Option<impl AsRef<str>>) -> String {
    nearest.map_or_else(String::new, |word| format!("; did you mean {:?}?", word.as_ref()))
}

/// As [`nearest_word`], for file names. The part before the extension must be similar too, because
/// a common extension would make short names similar.
#[must_use]
pub fn nearest_file_name<'w>(
    found: &str,
    names: impl IntoIterator<Item = &'w str>,
) -> Option<String> {
    /// Minimum similarity of the parts before the extensions, 0 to 1.
    const FAR_STEM: f64 = 0.6;
    let stem = |name: &'w str| name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let own = found.rsplit_once('.').map_or(found, |(stem, _)| stem);
    let is_alike = |name: &&'w str| {
        strsim::jaro_winkler(&own.to_lowercase(), &stem(name).to_lowercase()) > FAR_STEM
    };
    nearest_word(found, names.into_iter().filter(is_alike))
}

/// Suggestions for an unknown word: all known words in order if they are few, otherwise the most
/// similar ones first.
#[must_use]
pub fn nearest_words<'w>(found: &str, words: &[&'w str]) -> Vec<&'w str> {
    /// Most words that are named.
    const NAMED: usize = 5;
    let mut nearest: Vec<&str> = words.to_vec();
    if words.len() > NAMED {
        let start = |text: &str| text.chars().take(MAX_COMPARED).collect::<String>().to_lowercase();
        let found = start(found);
        let mut rated: Vec<(f64, &str)> =
            words.iter().map(|word| (strsim::jaro_winkler(&found, &start(word)), *word)).collect();
        // Stable: of equal ones the first.
        rated.sort_by(|a, b| b.0.total_cmp(&a.0));
        nearest = rated.into_iter().take(NAMED).map(|(_, word)| word).collect();
    }
    nearest
}

/// [`nearest_words`] after `available: ` or `closest of 34: `.
#[must_use]
pub fn nearest_words_text(found: &str, words: &[&str]) -> String {
    let nearest = nearest_words(found, words);
    let start = if words.len() == nearest.len() {
        "available: ".to_owned()
    } else {
        format!("closest of {}: ", words.len())
    };
    start + &one_line(&nearest.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_spelt_alike_are_near() {
        let words = ["walk", "idle", "wave"];
        assert_eq!(nearest_word("WLAK", words).as_deref(), Some("walk"));
        assert_eq!(nearest_word("jump", words), None);
        assert_eq!(hint(nearest_word("WLAK", words)), "; did you mean \"walk\"?");
        assert_eq!(hint(None::<&str>), "");
        // A common extension does not make names similar.
        assert_eq!(nearest_file_name("b.md5mesh", ["imp.md5mesh"]), None);
        assert_eq!(nearest_words_text("wlk", &words), "available: walk, idle, wave");
        let many = ["walk", "idle", "wave", "jump", "run", "sit"];
        assert!(nearest_words_text("wlk", &many).starts_with("closest of 6: walk, "));
    }
}
