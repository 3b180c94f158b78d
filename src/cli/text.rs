//! Words of messages.

/// A count with its noun: `1 frame`, `2 frames`.
pub(super) fn counted(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}
