use super::{Element, Finding, Kind, Stage, Subject, Unit, Value, told};

fn pose(kind: Kind, of: Subject) -> Finding {
    Finding::new(Stage::Pose, kind, of)
}

fn arm() -> Subject {
    Subject::joint("arm")
}

#[test]
fn data_come_back_from_json() {
    #[derive(serde::Serialize)]
    struct Document {
        #[serde(serialize_with = "told")]
        findings: Vec<Finding>,
    }
    let clip = Subject::named(Element::Clip, "walk");
    let told = pose(Kind::Turned, arm())
        .within(Subject::numbered(Element::Key, 3))
        .within(clip)
        .by(3.1, Unit::Degrees)
        .more(9);
    let text = serde_json::to_string(&Document { findings: vec![told.clone()] }).unwrap();
    assert_eq!(
        text,
        r#"{"findings":[{"stage":"pose","kind":"turned","of":{"element":"joint","name":"arm"},"within":[{"element":"key","index":3},{"element":"clip","name":"walk"}],"more":9,"by":[{"value":3.1,"unit":"degrees"}],"text":"joint arm turned 3.1° in key 3 of clip walk (9 joints below it follow)"}]}"#
    );
    let all: serde_json::Value = serde_json::from_str(&text).unwrap();
    let back: Finding = serde_json::from_value(all["findings"][0].clone()).unwrap();
    assert_eq!(back, told);
}

#[test]
fn a_key_has_no_amount_that_is_of_one_frame() {
    let turned = |angle: f64| pose(Kind::Turned, arm()).by(angle, Unit::Degrees);
    let moved = pose(Kind::Moved, arm()).by(0.5, Unit::Distance).more(2).measured();
    assert_eq!(turned(3.0).measured().key(), turned(9.0).measured().key());
    assert_eq!(turned(3.0).measured().key(), moved.key());
    assert_ne!(moved.key(), pose(Kind::Moved, Subject::joint("hand")).measured().key());
    // An edit is another one with another value.
    assert_ne!(turned(3.0).key(), turned(9.0).key());
}

#[test]
fn names_stay_within_a_line_and_numbers_keep_the_digits_that_count() {
    let renamed = pose(Kind::Renamed, Subject::joint("a\nb")).from_to(None, Value::from("was 7"));
    assert_eq!(renamed.sentence(), "joint a\\nb is renamed to was 7");
    let value = |was: &str, is: &str| {
        let sky = Subject::named(Element::Setting, "light 2");
        let told = Finding::new(Stage::Scene, Kind::ValueChanged, sky).property("range");
        told.from_to(Value::from(was), Value::from(is)).to_string()
    };
    assert_eq!(value("1234.5678", "0.000123456"), "light 2 range 1235 -> 0.0001235");
    assert_eq!(value("35.000001", "35.000002"), "light 2 range 35.000001 -> 35.000002");
    let moved = |by: f64| pose(Kind::Moved, arm()).by(by, Unit::Distance).sentence();
    assert_eq!([moved(0.25), moved(0.999_99)], ["joint arm moved 0.25", "joint arm moved 1.00"]);
    let rate = |was: f64, is: f64| {
        let [was, is] = [was, is].map(|rate| Value::amount(rate, Unit::KeysASecond));
        let clip = Subject::all(Element::Clip);
        Finding::new(Stage::Time, Kind::RateChanged, clip).from_to(was, is).to_string()
    };
    assert_eq!(rate(24.0, 12.0), "time: the clip runs at 12 keys per second, was 24");
    assert_eq!(rate(24.0, 24.000_01), "time: the clip runs at 24.00001 keys per second, was 24");
}
