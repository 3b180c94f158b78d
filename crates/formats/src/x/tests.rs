//! The object tree of files made here; the files of the corpus are in `tests/corpus/x`.

use super::*;
use crate::{LimitExceeded, Limits};
use tintype_model::FileRepair;

const HEADER: &str = "xof 0303txt 0032\n";

fn read(text: &str) -> Document {
    read_document(format!("{HEADER}{text}").as_bytes(), &LoadOptions::default()).unwrap()
}

fn message(text: &str, limits: &Limits) -> String {
    read_document(format!("{HEADER}{text}").as_bytes(), &limits.clone().into())
        .unwrap_err()
        .to_string()
}

#[test]
fn document_reads_a_small_text() {
    let document = read("Frame Root { FrameTransformMatrix { 1.0,0;2;;, } { Other } }");
    assert_eq!(document.objects.len(), 2);
    let root = document.object(document.roots[0]);
    assert_eq!((root.template.as_str(), root.name.as_str()), ("Frame", "Root"));
    assert_eq!(document.objects[1].values, [Value::Real(1.0), Value::Whole(0), Value::Whole(2)]);
    assert_eq!(document.objects[1].position_of(2).to_string(), "line 2, column 43");
    assert_eq!(document.objects[1].parent, Some(document.roots[0]));
    assert_eq!(
        document.warnings,
        [FileRepair::BadReference.at(2, "the reference to \"Other\" has no target in this file")]
    );
}

#[test]
fn mark_is_found_at_the_start_and_behind_blanks() {
    assert!(looks_like_x(b"xof 0303txt 0032") && looks_like_x(b"\xef\xbb\xbfxof "));
    assert!(looks_like_x(b" \r\n xof "));
    assert!(!looks_like_x(b"a xof ") && !looks_like_x(b"xof") && !looks_like_x(b"MD5Version 10"));
}

#[test]
fn value_takes_sixteen_bytes() {
    assert_eq!(size_of::<Value>(), 16);
    assert!(size_of::<Object>() <= 200, "what `Limits::max_objects` says: {}", size_of::<Object>());
}

#[test]
fn places_are_exact_far_into_a_long_object() {
    let mut text = String::from("Numbers {\n");
    for line in 0..5000 {
        text.push_str(&format!(
            "{}{line};, {line}.5;{}",
            " ".repeat(line % 300),
            ["\n", "\r\n", " "][line % 3]
        ));
    }
    let document = read(&format!("{text}}}"));
    let file = format!("{HEADER}{text}");
    let object = &document.objects[0];
    assert_eq!(object.values.len(), 10_000);
    for index in [0, 1, 2, 5, 6, 777, 5003, 9999] {
        let position = object.position_of(index);
        let before = &file[..position.offset];
        assert_eq!(position.line as usize, before.matches('\n').count() + 1);
        assert_eq!(position.column as usize, position.offset - before.rfind('\n').unwrap());
        let found = file[position.offset..].split(';').next().unwrap().parse::<f64>().unwrap();
        assert_eq!(Some(found), object.values[index].number());
    }
}

#[test]
fn nesting_is_bounded_by_the_limit_and_not_by_the_stack() {
    let limits = Limits::default();
    let deep = |depth: usize| "F{".repeat(depth) + &"}".repeat(depth);
    let document = read(&deep(limits.max_depth));
    assert_eq!((document.objects.len(), document.roots.len()), (limits.max_depth, 1));
    drop(document.clone());
    let expected = "line 2, column 200001: nested objects: found 100001; the limit is 100000";
    assert_eq!(message(&deep(limits.max_depth + 1), &limits), expected);
    let raised = Limits { max_depth: 300_000, ..limits };
    let text = format!("{HEADER}{}", deep(300_000));
    assert_eq!(
        read_document(text.as_bytes(), &raised.clone().into()).unwrap().objects.len(),
        300_000
    );
}

#[test]
fn limits_hold_values_objects_and_bytes() {
    let limits = Limits { max_values: 3, max_objects: 3, ..Limits::default() };
    assert_eq!(
        message("A { 1; 2; } B { \"x\"; 4; }", &limits),
        "line 2, column 22: values of the file: found 4; the limit is 3"
    );
    let objects = "objects, references and members of templates: found 4; the limit is 3";
    for text in
        ["A { B { } } C { } D { }", "A { { a } { b } { c } }", "template A { DWORD a; B b[2]; }"]
    {
        assert!(message(text, &limits).ends_with(objects), "{text}");
    }
    let limits = Limits { max_bytes: 20, ..Limits::default() };
    assert_eq!(
        message("Frame a { }", &limits),
        "byte 0: bytes of the file: found 28; the limit is 20"
    );
}

#[test]
fn warnings_are_counted_beyond_a_hundred() {
    let document = read(&"word; ".repeat(1000));
    assert_eq!(document.warnings.len(), 101);
    assert_eq!(document.warnings[100].message, "and 900 more warnings");
}

#[test]
fn names_are_resolved_to_the_first_and_also_forward() {
    let document = read(
        "Animation { { b } { a } { missing } { a <00000000000000000000000000000003> } }
         Frame a { 1; } Frame b { Frame a { <00000000-0000-0000-0000-000000000003> } }",
    );
    let resolved: Vec<_> = document.objects[0]
        .children
        .iter()
        .map(|child| match child {
            Child::Reference(reference) => document.resolve(reference).map(ObjectIndex::index),
            Child::Object(_) => panic!("only references"),
        })
        .collect();
    assert_eq!(resolved, [Some(2), Some(1), None, Some(3)]);
    assert_eq!(document.named("a").map(ObjectIndex::index).collect::<Vec<_>>(), [1, 3]);
    assert_eq!(document.named("").count(), 0);
}

/// A compressed text whose one block is repeated.
fn packed(block: &[u8], times: usize, total: usize) -> Vec<u8> {
    let deflated = miniz_oxide::deflate::compress_to_vec(block, 9);
    let mut file = b"xof 0303tzip0032".to_vec();
    file.extend(u32::try_from(total).unwrap().to_le_bytes());
    for _ in 0..times {
        file.extend(u16::try_from(block.len()).unwrap().to_le_bytes());
        file.extend(u16::try_from(deflated.len() + 2).unwrap().to_le_bytes());
        file.extend(b"CK");
        file.extend(&deflated);
    }
    file
}

#[test]
fn inflating_stops_at_the_limits() {
    let block = [b' '; 65_535];
    let size = |times: usize| header::LENGTH + times * block.len();
    let limits = Limits { inflated_floor: 1 << 20, inflated_per_byte: 4, ..Limits::default() };
    let fits = packed(&block, 15, size(15));
    assert!(read_document(&fits, &limits.clone().into()).is_ok());
    let bomb = packed(&block, 200, size(200));
    let error = read_document(&bomb, &limits.clone().into()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "byte 16: bytes of the decompressed file, from the header: found 13107016; the limit is 1048576"
    );
    let raised = Limits { inflated_floor: 14 << 20, ..limits.clone() };
    assert!(read_document(&bomb, &raised.clone().into()).is_ok());
    let low = Limits { max_inflated_bytes: 13 << 10, ..raised };
    assert!(matches!(
        read_document(&bomb, &low.clone().into()),
        Err(XError::Limit(LimitExceeded { limit: 13_312, .. }))
    ));
    // The size in the header is a limit too.
    let border = read_document(&packed(&block, 200, size(10)), &limits.clone().into()).unwrap();
    assert!(border.warnings[0].message.contains("after the last block are ignored"));
    let liar = packed(&block, 200, size(10) + 1);
    let liar = read_document(&liar, &limits.clone().into()).unwrap();
    assert_eq!(liar.warnings[0].fault, FileRepair::Truncated);
}

#[test]
fn inflated_bytes_do_not_see_the_header() {
    // A fixed block that copies 3 bytes from 1 byte back, where there are none.
    let mut file = b"xof 0303tzip0032".to_vec();
    file.extend(19_u32.to_le_bytes());
    file.extend([3, 0, 6, 0, b'C', b'K', 0x03, 0x02, 0x00, 0x00]);
    assert!(matches!(read_document(&file, &LoadOptions::default()), Err(XError::Packed { .. })));
}

/// A fixed sequence of bits (xorshift64).
fn next_bits(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

/// Pieces of files in random order, which are read or refused, twice with the same result.
fn soup(header: &[u8], pieces: &[&[u8]]) {
    let mut state = 0x9e37_79b9_7f4a_7c15;
    let mut good = 0;
    for _ in 0..20_000 {
        let mut file = header.to_vec();
        for _ in 0..next_bits(&mut state) % 24 {
            file.extend(pieces[(next_bits(&mut state) >> 8) as usize % pieces.len()]);
        }
        let document = read_document(&file, &LoadOptions::default());
        if let Ok(document) = &document {
            good += 1;
            // Repaired values have positions of their neighbours.
            for object in document.objects.iter().filter(|object| !object.is_mended) {
                let mut last = object.position.offset;
                for value in 0..object.values.len() {
                    assert!(object.position_of(value).offset > last, "values stand in file order");
                    last = object.position_of(value).offset;
                }
            }
        }
        // Not compared with `==`: not a number is not itself.
        let again = read_document(&file, &LoadOptions::default());
        assert_eq!(format!("{document:?}"), format!("{again:?}"));
    }
    assert!(good > 2000, "only {good} were read");
}

#[test]
fn soup_of_text_tokens_is_read_or_refused() {
    let pieces: &[&[u8]] = &[
        b"{",
        b"}",
        b"}",
        b";",
        b",",
        b" ",
        b"\n",
        b"\r\n",
        b" Frame ",
        b" Mesh ",
        b" a ",
        b" 1",
        b" -2.5",
        b" \"text\"",
        b"//c\n",
        b"#c\n",
        b" <00112233-4455-6677-8899-aabbccddeeff>",
        b" <",
        b">",
        b" template ",
        b" T ",
        b" DWORD n;",
        b" array ",
        b"[",
        b"]",
        b"...",
        b" T t;",
        b" SkinWeights {",
        b" T {",
        b"{ a }",
        b" 1.#IND ",
    ];
    soup(HEADER.as_bytes(), pieces);
}

#[test]
fn soup_of_binary_tokens_is_read_or_refused() {
    let pieces: &[&[u8]] = &[
        &[10, 0],
        &[11, 0],
        &[11, 0],
        &[0x13, 0],
        &[0x14, 0],
        &[14, 0],
        &[15, 0],
        &[0x12, 0],
        &[0x1f, 0, 1, 0, 1, 0, 0, 0, b'T', 10, 0],
        &[0x29, 0, 1, 0, 1, 0, 0, 0, b'n', 0x14, 0],
        &[0x34, 0],
        &[1, 0, 1, 0, 0, 0, b'T'],
        &[1, 0, 5, 0, 0, 0, b'F', b'r', b'a', b'm', b'e', 10, 0],
        &[2, 0, 1, 0, 0, 0, b'x'],
        &[3, 0, 1, 0, 0, 0],
        &[5, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16],
        &[6, 0, 2, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0],
        &[6, 0, 0, 0, 0, 0],
        &[7, 0, 1, 0, 0, 0, 0, 0, 128, 63],
    ];
    soup(b"xof 0303bin 0032", pieces);
}

#[test]
fn stored_block_without_the_complement_of_its_length_is_read() {
    let text = b"Frame a {}";
    let mut file = b"xof 0303tzip0032".to_vec();
    file.extend(u32::try_from(header::LENGTH + text.len()).unwrap().to_le_bytes());
    let (plain, packed) =
        (u16::try_from(text.len()).unwrap(), u16::try_from(text.len() + 5).unwrap());
    file.extend(plain.to_le_bytes());
    file.extend(packed.to_le_bytes());
    // A last block, stored, and its length alone.
    file.extend(b"CK\x01");
    file.extend(plain.to_le_bytes());
    file.extend(text);
    let document = read_document(&file, &LoadOptions::default()).unwrap();
    assert_eq!((document.warnings[0].fault, document.roots.len()), (FileRepair::DamagedBlock, 1));
}
