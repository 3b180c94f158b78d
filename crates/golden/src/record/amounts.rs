//! Angles, distances and lists, as a cause writes them.

/// Degrees in a radian.
pub(super) const DEGREES: f64 = 180.0 / core::f64::consts::PI;

/// A distance with three digits that count.
pub(super) fn distance(value: f64) -> String {
    match value {
        0.0 => "0".to_owned(),
        value if value.abs() < 1e-3 => format!("{value:.1e}"),
        value if value.abs() < 1.0 => format!("{value:.4}").trim_end_matches('0').to_owned(),
        value => format!("{value:.2}"),
    }
}

/// An angle in degrees.
pub(super) fn degrees(value: f64) -> String {
    match value {
        value if value < 0.01 => format!("{value:.1e}°"),
        value if value < 1.0 => format!("{value:.2}°"),
        value => format!("{value:.1}°"),
    }
}

/// The first names or numbers of a list, and how many more there are.
pub(super) fn listed<T: ToString>(all: &[T]) -> String {
    const MOST: usize = 8;
    let words: Vec<String> = all.iter().take(MOST).map(T::to_string).collect();
    match (words.split_last(), all.len()) {
        (None, _) => String::new(),
        (Some((last, [])), 1) => last.clone(),
        (Some((last, first)), count) if count <= MOST => format!("{} and {last}", first.join(", ")),
        (Some(_), count) => format!("{} and {} more", words.join(", "), count - MOST),
    }
}
