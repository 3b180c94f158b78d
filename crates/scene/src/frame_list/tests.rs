use super::*;
use proptest::prelude::*;

fn list(text: &str) -> FrameList {
    FrameList::parse(text).unwrap()
}

fn frames(text: &str) -> Vec<i64> {
    list(text).iter().map(i64::from).collect()
}

#[test]
fn frame_list_reads_every_form() {
    assert_eq!(frames("0-3"), [0, 1, 2, 3]);
    assert_eq!(frames("1-20x5"), [1, 6, 11, 16]);
    assert_eq!(frames("1-20:5"), [1, 6, 11, 16]);
    assert_eq!(frames(" 7 , 0,20-22 "), [0, 7, 20, 21, 22]);
    assert_eq!(frames("-3-0"), [-3, -2, -1, 0]);
    assert_eq!(frames("-3--1"), [-3, -2, -1]);
    assert_eq!(frames("5-5"), [5]);
    assert_eq!(frames("1-3x9"), [1]);
    assert_eq!(frames("1-9x4,2-10x4"), [1, 2, 5, 6, 9, 10]);
}

#[test]
fn frame_list_is_the_same_however_it_is_written() {
    assert_eq!(list("0,1,2,3"), list("0-3"));
    assert_eq!(list("0-1,2-3"), list("0-3"));
    assert_eq!(list("0-8x2,1-7x2"), list("0-8"));
    assert_eq!(list("1,3,5,7"), list("1-7x2"));
    assert_eq!(list("1-5x2"), list("1,3,5"));
    assert_ne!(list("0-3"), list("0-4"));
    assert_eq!(FrameList::from_rising([0, 1, 2]), Some(list("0-2")));
    assert_eq!(FrameList::first(3), Some(list("0-2")));
    assert_eq!(FrameList::single(FrameNumber(4)), list("4"));
    assert_eq!(FrameList::from_rising([0, 0]), None);
    assert_eq!(FrameList::from_rising([0_i64; 0]), None);
    assert_eq!(FrameList::first(0), None);
}

#[test]
fn frame_list_prints_the_shortest_form() {
    for (text, short) in [
        ("0-47", "0-47"),
        ("0,1,2,4,5", "0-2,4,5"),
        ("1,3,5,6,7,8,9", "1,3,5-9"),
        ("1-100x5", "1-96x5"),
        ("-3-0", "-3-0"),
        ("-3,-1", "-3,-1"),
        ("10,20,30,40,41,42", "10-40x10,41,42"),
    ] {
        assert_eq!(list(text).to_string(), short);
    }
}

#[test]
fn frame_list_does_not_write_out_a_large_range() {
    let large = list("0-9999999");
    assert_eq!((large.len(), large.runs.len()), (10_000_000, 1));
    assert_eq!(large.nth(9_999_999), Some(FrameNumber(9_999_999)));
    assert_eq!(large.nth(10_000_000), None);
    assert_eq!(large.position(1_234_567), Some(1_234_567));
    assert_eq!(list("0-3999999999x1000").len(), 4_000_000);
}

#[test]
fn frame_list_refusals_say_what_to_write() {
    let message = |text: &str| FrameList::parse(text).unwrap_err().to_string();
    assert_eq!(message("  "), "the list of frames is empty; write a frame or a range such as 0-47");
    assert_eq!(message("5-3"), r#""5-3" runs backwards; did you mean "3-5"?"#);
    assert_eq!(message("0,9-1x2"), r#""9-1x2" runs backwards; did you mean "1-9x2"?"#);
    assert_eq!(message("0-4,7,2"), r#"frame 2 is listed twice, by "0-4" and by "2""#);
    assert_eq!(message("0-8x4,4"), r#"frame 4 is listed twice, by "0-8x4" and by "4""#);
    assert_eq!(
        message("0-4000000000"),
        r#""0-4000000000" brings the list to 4000000001 frames; the limit is 10000000"#
    );
    assert_eq!(
        message("0-5000000,6000000-12000000"),
        r#""6000000-12000000" brings the list to 11000002 frames; the limit is 10000000"#
    );
    assert_eq!(
        message("99999999999999999999"),
        "frame 99999999999999999999 is out of range; expected -999999999999 to 999999999999"
    );
    for text in ["1-10x", "1-10x0", "1-10x-2", "1-10x+2", "1-10:x", "1-10x9999999999999999999"] {
        assert!(message(text).contains("has an invalid step"), "{text}");
    }
    for text in ["a", "1,,2", "1,", "-", "1-", "1..5", "0x10", "1-5y2", "+3", "1.5", "--3", "٣"] {
        assert!(message(text).contains("is neither a frame nor a range"), "{text}");
    }
}

proptest! {
    #[test]
    fn frame_list_holds_exactly_its_frames(
        set in prop::collection::btree_set(prop_oneof![-20_i64..20, -1000_i64..1000], 1..60)
    ) {
        let frames: Vec<i64> = set.iter().copied().collect();
        let packed = FrameList::from_rising(frames.iter().copied()).unwrap();
        prop_assert_eq!(packed.iter().map(i64::from).collect::<Vec<_>>(), frames.clone());
        prop_assert_eq!(packed.len(), frames.len());
        for (k, &frame) in frames.iter().enumerate() {
            prop_assert_eq!(packed.nth(k), Some(FrameNumber(frame)));
            prop_assert_eq!(packed.position(frame), Some(k));
        }
        for frame in -1001..1001 {
            prop_assert_eq!(packed.contains(frame), set.contains(&frame));
        }
        // Written and read back, also one by one and in reverse order.
        prop_assert_eq!(&FrameList::parse(&packed.to_string()).unwrap(), &packed);
        let singly: Vec<String> = frames.iter().rev().map(ToString::to_string).collect();
        prop_assert_eq!(&FrameList::parse(&singly.join(",")).unwrap(), &packed);
    }

    #[test]
    fn frame_list_survives_any_text(text in "[-0-9x:, ]{0,12}") {
        if let Ok(list) = FrameList::parse(&text) {
            prop_assert!(list.len() > 0);
        }
    }
}
