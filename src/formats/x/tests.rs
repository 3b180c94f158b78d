//! The object tree of small files.

use super::*;

fn read(text: &str) -> Document {
    read_document(text.as_bytes(), &Limits::default()).unwrap()
}

#[test]
fn document_reads_a_small_text() {
    let text = "xof 0303txt 0032\nFrame Root { FrameTransformMatrix { 1.0,0;2;;, } { Other } }";
    let document = read(text);
    assert_eq!(document.objects.len(), 2);
    let root = document.object(document.roots[0]);
    assert_eq!((root.template.as_str(), root.name.as_str()), ("Frame", "Root"));
    assert_eq!(document.objects[1].values, [Value::Real(1.0), Value::Whole(0), Value::Whole(2)]);
    assert_eq!(document.objects[1].place_of(2).to_string(), "line 2, column 43");
    assert_eq!(document.warnings, []);
}
