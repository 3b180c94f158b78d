//! Plain-language messages for TOML and JSON errors; the readers' messages name types of this
//! program.

/// The message about a value or a key in plain words; a message about the syntax stays unchanged.
#[must_use]
pub fn plain_message(message: &str) -> String {
    // The JSON reader puts the position at the end.
    let (message, place) = match message.rsplit_once(" at line ") {
        Some((message, place)) => (message, place.split(' ').next()),
        None => (message, None),
    };
    let plain = in_plain_words(message.trim()).unwrap_or_else(|| message.trim().to_owned());
    place.map_or(plain.clone(), |line| format!("line {line}: {plain}"))
}

fn in_plain_words(message: &str) -> Option<String> {
    if let Some(rest) = message.strip_prefix("invalid length ") {
        let (found, expected) = rest.split_once(", expected ")?;
        return Some(format!("found {found} values; expected {}", expected_words(expected)));
    }
    let (kind, rest) = message.split_once(['`', ':'])?;
    let (name, after) = rest.split_once('`').unwrap_or((rest, ""));
    // ``, expected one of `a`, `b` ``
    let known = after.strip_prefix(", expected ").map_or_else(String::new, |known| {
        let known = known.trim_start_matches("one of ").replace('`', "").replace(" or ", ", ");
        format!("; expected one of {known}")
    });
    Some(match kind {
        "missing field " => format!("the key {name} is missing"),
        "duplicate field " => format!("the key {name} appears twice"),
        "unknown field " => format!("unknown key {name}{known}"),
        "unknown variant " => format!("unknown word {name}{known}"),
        "invalid type" | "invalid value" => {
            let (found, expected) = rest.split_once(", expected ")?;
            format!("found {}; expected {}", found_words(found.trim()), expected_words(expected))
        }
        _ => return None,
    })
}

fn found_words(found: &str) -> String {
    let (kind, value) = found.split_once(' ').unwrap_or((found, ""));
    match kind {
        "map" => "a table".to_owned(),
        "sequence" => "a list".to_owned(),
        "null" | "unit" => "nothing".to_owned(),
        "string" => value.to_string(),
        "integer" | "boolean" => value.trim_matches('`').to_owned(),
        "floating" => value.trim_start_matches("point ").trim_matches('`').to_owned(),
        _ => found.to_owned(),
    }
}

fn expected_words(expected: &str) -> &str {
    match expected.split(' ').next().unwrap_or_default() {
        "struct" | "map" => "a table",
        "string" => "a string",
        "sequence" => "a list",
        "boolean" => "true or false",
        "tuple" | "array" => "a list of another length",
        "u8" | "u16" | "u32" | "u64" | "usize" => "a whole number from 0",
        "i8" | "i16" | "i32" | "i64" | "isize" => "a whole number",
        "f32" | "f64" => "a number",
        "a" | "an" => match expected {
            "a string" => "a string",
            "a boolean" => "true or false",
            "a map" => "a table",
            "a sequence" => "a list",
            text if text.starts_with("a tuple") || text.starts_with("an array") => {
                "a list of another length"
            }
            text => text,
        },
        _ => expected,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_readers_are_in_plain_words() {
        for (message, plain) in [
            ("missing field `moments`", "the key moments is missing"),
            ("duplicate field `size`", "the key size appears twice"),
            (
                "unknown field `jonts`, expected one of `triangles`, `joints`",
                "unknown key jonts; expected one of triangles, joints",
            ),
            ("unknown field `a`, expected `b` or `c`", "unknown key a; expected one of b, c"),
            ("unknown field `a`, there are no fields", "unknown key a"),
            ("invalid type: map, expected u32", "found a table; expected a whole number from 0"),
            (
                "invalid type: string \"many\", expected u32",
                "found \"many\"; expected a whole number from 0",
            ),
            (
                "invalid value: integer `-1`, expected u32",
                "found -1; expected a whole number from 0",
            ),
            (
                "invalid type: integer `3`, expected struct LibraryLimits",
                "found 3; expected a table",
            ),
            (
                "invalid length 1, expected an array of length 2",
                "found 1 values; expected a list of another length",
            ),
            (
                "invalid type: sequence, expected a string at line 3 column 5",
                "line 3: found a list; expected a string",
            ),
            ("missing field `version` at line 1 column 2", "line 1: the key version is missing"),
            ("invalid string, expected `\"`", "invalid string, expected `\"`"),
        ] {
            assert_eq!(plain_message(message), plain, "{message}");
        }
    }
}
