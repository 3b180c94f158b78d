//! Counts, bytes, times and rates in words.

/// A count with its noun: `1 frame`, `2 frames`.
#[must_use]
pub fn counted(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

/// Formats a count with a noun whose plural is irregular: `1 vertex`, `2 vertices`.
#[must_use]
pub fn counted_as(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// Rounds a rate to six digits for people, so that one computed from times in single precision is
/// 24 and not 23.999999284744284.
#[must_use]
pub fn format_rate(per_second: f64) -> f64 {
    format!("{per_second:.5e}").parse().unwrap_or(per_second)
}

/// A count with commas between the thousands: `1,976`.
#[must_use]
pub fn thousands(count: impl std::fmt::Display) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// As [`counted_as`], with commas as thousands separators: `1,976 vertices`.
#[must_use]
pub fn thousands_as(count: usize, one: &str, many: &str) -> String {
    format!("{} {}", thousands(count), if count == 1 { one } else { many })
}

/// Formats a number of bytes for people.
#[must_use]
pub fn bytes_text(count: impl TryInto<u64>) -> String {
    let count = count.try_into().unwrap_or(u64::MAX);
    #[expect(clippy::cast_precision_loss, reason = "a rounded number for people")]
    let rounded = |unit: u64| format!("{:.1}", count as f64 / unit as f64);
    match count {
        0..1024 => format!("{count} bytes"),
        1024..1_048_576 => format!("{} KiB", rounded(1 << 10)),
        1_048_576..1_073_741_824 => format!("{} MiB", rounded(1 << 20)),
        _ => format!("{} GiB", rounded(1 << 30)),
    }
}

/// `42 s`, `3 min 20 s`, `2 h 5 min`.
#[must_use]
pub fn duration_text(seconds: f64) -> String {
    #[expect(clippy::cast_possible_truncation, reason = "an estimate; else it saturates")]
    #[expect(clippy::cast_sign_loss, reason = "never below 0")]
    let whole = seconds.ceil() as u64;
    match (whole / 3600, whole / 60 % 60, whole % 60) {
        (0, 0, seconds) => format!("{seconds} s"),
        (0, minutes, seconds) => format!("{minutes} min {seconds} s"),
        (hours, minutes, _) => format!("{hours} h {minutes} min"),
    }
}

/// `48 frames in 1.2 s (40.0/s)`.
#[must_use]
pub fn rate_text(count: usize, noun: &str, seconds: f64) -> String {
    let rate = rate_per_s(count, seconds);
    format!("{} in {seconds:.1} s ({rate:.1}/s)", counted(count, noun))
}

/// `40.0/s, 3 min 20 s left`.
#[must_use]
pub fn rest_text(rate_per_s: f64, left_s: f64) -> String {
    format!("{rate_per_s:.1}/s, {} left", duration_text(left_s))
}

/// Rate in units a second, for a text.
#[expect(clippy::cast_precision_loss, reason = "a rate for people")]
#[must_use]
pub fn rate_per_s(count: usize, seconds: f64) -> f64 {
    count as f64 / if seconds > 1e-9 { seconds } else { 1e-9 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_grouped() {
        assert_eq!([0, 999, 1000, 1_234_567].map(thousands), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!(thousands_as(1976, "vertex", "vertices"), "1,976 vertices");
    }

    #[test]
    fn bytes_are_said_in_units() {
        let said = [10_u64, 1536, 3 << 20, 5 << 29].map(bytes_text);
        assert_eq!(said, ["10 bytes", "1.5 KiB", "3.0 MiB", "2.5 GiB"]);
    }

    #[test]
    fn times_are_said_in_words() {
        for (seconds, words) in
            [(0.2, "1 s"), (59.0, "59 s"), (61.5, "1 min 2 s"), (7509.0, "2 h 5 min")]
        {
            assert_eq!(duration_text(seconds), words);
        }
    }
}
