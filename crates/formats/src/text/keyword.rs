//! Keywords in messages: lists of them, and suggestions.

/// Joins keywords for a message: `a, b or c`.
pub(crate) fn listed(keywords: &[&str]) -> String {
    match keywords {
        [] => "nothing".into(),
        [only] => (*only).into(),
        [head @ .., last] => format!("{} or {last}", head.join(", ")),
    }
}

/// The keyword most similar to `word`, if they differ in a few letters.
pub(crate) fn nearest(word: &[u8], keywords: &[&'static str]) -> Option<&'static str> {
    const LONGEST: usize = 40;
    let word = core::str::from_utf8(word).ok().filter(|word| word.len() <= LONGEST)?;
    let word = word.to_ascii_lowercase();
    keywords
        .iter()
        .map(|keyword| {
            (strsim::damerau_levenshtein(&word, &keyword.to_ascii_lowercase()), *keyword)
        })
        .filter(|(distance, keyword)| *distance <= (keyword.len() / 3).clamp(1, 3))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, keyword)| keyword)
}
