//! Values of environment variables.

use super::failure::Failure;
use std::ffi::OsStr;

/// True if a variable is a switch that is on: it is set, and not to a word for no.
///
/// CI services set `CI` to `true` or `1`; people who run their scripts set it to `false`.
pub(super) fn is_on(value: Option<impl AsRef<OsStr>>) -> bool {
    const OFF: [&str; 5] = ["", "0", "false", "no", "off"];
    value.is_some_and(|value| {
        let word = value.as_ref().to_string_lossy().trim().to_lowercase();
        !OFF.contains(&word.as_str())
    })
}

/// Only people accept goldens: returns an error on a CI server, naming the option that requests it.
pub(super) fn refuse_on_build_servers(option: &str) -> Result<(), Failure> {
    if is_on(std::env::var_os("CI")) {
        return Err(Failure::bad_input(format!("{option}CI is set: only people accept goldens")));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_for_no_are_off() {
        for word in ["true", "1", "yes", "woodpecker"] {
            assert!(is_on(Some(word)), "{word}");
        }
        for word in ["", " ", "0", "false", "False", "FALSE", "no", "off"] {
            assert!(!is_on(Some(word)), "{word}");
        }
        assert!(!is_on(None::<&str>));
    }
}
