//! Texts that git writes instead of a file's content: merge conflicts, and pointers to files that
//! were not downloaded.

/// The position of the first conflict marker that git left in a text where it could not merge two
/// changes. None in other texts.
#[must_use]
pub fn merge_conflict(text: &str) -> Option<core::ops::Range<usize>> {
    let is_marker = |line: &str, mark: &str| {
        line.strip_prefix(mark).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    };
    let mut start = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let own = line.trim_end();
        if start.is_none() && is_marker(own, "<<<<<<<") {
            start = Some(at..at + own.len());
        }
        // Without its end it may be anything.
        if start.is_some() && is_marker(own, ">>>>>>>") {
            return start;
        }
        at += line.len();
    }
    None
}

/// The line of [`merge_conflict`], from 1.
#[must_use]
pub fn merge_conflict_line(text: &str) -> Option<usize> {
    let start = merge_conflict(text)?.start;
    Some(1 + text.get(..start)?.matches('\n').count())
}

/// Message for a merge conflict in a text, with its solution.
pub const MERGE_CONFLICT: &str = "unresolved git merge conflict: keep one side, and delete the lines <<<<<<<, ======= and >>>>>>>";

/// The message for a Git LFS pointer in place of the file itself.
pub const LFS_POINTER: &str = "a Git LFS pointer, not the file itself: run `git lfs pull`";

/// True if bytes are a Git LFS pointer, which replaces a file that was not downloaded.
///
/// # Source
/// The specification of Git LFS, `docs/spec.md`: the first line is `version` and the address of the
/// specification, and a pointer is shorter than 1024 bytes.
#[must_use]
pub fn is_lfs_pointer(bytes: &[u8]) -> bool {
    const STARTS: [&[u8]; 2] =
        [b"version https://git-lfs.github.com/spec/", b"version https://hawser.github.com/spec/"];
    bytes.len() < 1024 && STARTS.iter().any(|start| bytes.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conflicts_are_told_from_other_texts() {
        let conflict = "a = 1\r\n<<<<<<< HEAD\r\nb = 1\r\n=======\nb = 2\n>>>>>>> side\n";
        assert_eq!(merge_conflict(conflict), Some(7..19));
        assert_eq!(merge_conflict_line(conflict), Some(2));
        let of_three = "<<<<<<<\n||||||| base\n=======\n>>>>>>>";
        assert_eq!(merge_conflict_line(of_three), Some(1));
        for text in [
            "",
            "<<<<<<< a\n",
            ">>>>>>> a\n<<<<<<< b\n",
            "<<<<<<<<\n>>>>>>> a",
            "x <<<<<<< a\n>>>>>>> b",
        ] {
            assert_eq!(merge_conflict(text), None, "{text}");
        }
    }

    #[test]
    fn lfs_pointer_is_known_by_its_first_line() {
        let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n";
        assert!(is_lfs_pointer(pointer.as_bytes()));
        assert!(!is_lfs_pointer(b"MD5Version 10"));
        let long = format!("{pointer}{}", " ".repeat(2000));
        assert!(!is_lfs_pointer(long.as_bytes()));
    }
}
