//! Differences of the scene: its values, and the position of the camera.

use super::subjects::subject as subject_of;
use crate::record::frame_record::FrameRecord;
use crate::record::rigid::DEGREES;
use crate::record::stages::{CROWD, Subject};
use crate::record::values::quoted;
use tintype_compare::finding::{self, CAST_SHADOW, Element, Finding, Kind, Stage, Unit, Value};
use tintype_compare::surface;
use tintype_model::math::{Vec3, func};
use tintype_model::{Camera, FovAxis};

/// Differences of the selected subjects.
pub(super) fn values(
    old: &FrameRecord,
    new: &FrameRecord,
    is_wanted: impl Fn(&Subject) -> bool,
) -> Vec<Finding> {
    let mut found = Vec::new();
    for subject in new.scene.iter().filter(|subject| is_wanted(subject)) {
        match old.scene.iter().find(|known| known.name == subject.name) {
            None if is_merged(subject, &old.scene) => {}
            None => found.push(say(Kind::Added, subject).from_to(None, values_of(subject))),
            Some(known) => found.extend(of_subject(&in_place(known, old, subject, new), subject)),
        }
    }
    let is_there = |name: &str| new.scene.iter().any(|subject| subject.name == name);
    let gone = old.scene.iter().filter(|subject| !is_there(&subject.name));
    found.extend(
        gone.filter(|subject| is_wanted(subject) && !is_merged(subject, &new.scene))
            .map(|subject| say(Kind::Removed, subject).from_to(values_of(subject), None)),
    );
    found
}

/// A subject of the older record with the current values where these name files of the same content
/// by other paths.
fn in_place(known: &Subject, old: &FrameRecord, subject: &Subject, new: &FrameRecord) -> Subject {
    let by_content = |value: &str, record: &FrameRecord| {
        let files = record.assets.iter();
        files.fold(value.to_owned(), |text, file| text.replace(&quoted(&file.name), &file.digest))
    };
    let mut known = known.clone();
    if known.values == subject.values {
        return known;
    }
    for (key, value) in &mut known.values {
        let now = subject.values.iter().find(|(own, _)| own == key).map(|(_, now)| now);
        if let Some(now) = now.filter(|now| by_content(value, old) == by_content(now, new)) {
            value.clone_from(now);
        }
    }
    known
}

fn say(kind: Kind, of: &Subject) -> Finding {
    Finding::new(Stage::Scene, kind, subject_of(of))
}

/// The values of an added or removed subject: two new lights may be two changes.
fn values_of(subject: &Subject) -> Option<Value> {
    let value = |(key, value): &(String, String)| format!("{key} {value}");
    let is_told = subject.surface().is_none() && !subject.values.is_empty();
    is_told.then(|| Value::List(subject.values.iter().map(value).collect()))
}

/// True if a surface has the values of one in another list, as after merging equal ones.
fn is_merged(subject: &Subject, others: &[Subject]) -> bool {
    let is_like = |other: &Subject| {
        other.surface().is_some() && surface::is_alike(&other.values, &subject.values)
    };
    subject.surface().is_some() && others.iter().any(is_like)
}

pub(super) fn moved_geometry(old: &FrameRecord, new: &FrameRecord) -> bool {
    let pairs = old.instances.iter().zip(&new.instances);
    old.instances.len() != new.instances.len()
        || pairs.into_iter().any(|(old, new)| old.pose != new.pose || old.skin != new.skin)
}

/// The movement of a fitted camera that was caused by an edit.
pub(super) fn fitted_camera(old: &FrameRecord, new: &FrameRecord) -> Option<Finding> {
    let is_same = subject(old, "camera") == subject(new, "camera");
    movement(old, new).filter(|_| is_same && is_fitted(new))
}

/// The camera of the golden, if the current one is fitted and was moved by the models; its planes
/// are the current ones.
#[must_use]
pub fn golden_camera(old: &FrameRecord, new: &FrameRecord, today: &Camera) -> Option<Camera> {
    let is_same = subject(old, "camera") == subject(new, "camera");
    if old.camera == new.camera || !is_same || !is_fitted(new) {
        return None;
    }
    let [x, y, z, i, j, k, fov_rad] = old.camera;
    let eye = Vec3::new(x, y, z);
    let fov = match today.fov {
        FovAxis::Parallel(_) => FovAxis::Parallel(2.0 * func::tan(fov_rad * 0.5)),
        _ => FovAxis::Vertical(fov_rad),
    };
    let (up, target) = (today.world_from_view.y_axis, eye + Vec3::new(i, j, k));
    Some(Camera::looking_at(eye, target, up, fov, today.near, today.far))
}

fn subject<'a>(record: &'a FrameRecord, name: &str) -> Option<&'a Subject> {
    record.scene.iter().find(|subject| subject.name == name)
}

/// True if the scene leaves the position of the camera to the program.
fn is_fitted(record: &FrameRecord) -> bool {
    let fits = |(key, value): &(String, String)| key == "target" && value.starts_with("fit");
    subject(record, "camera").is_some_and(|camera| camera.values.iter().any(fits))
}

/// Fraction of the camera's distance, and angle in degrees, below which its movement affects few
/// pixels at most.
const LITTLE: (f32, f64) = (1e-4, 6e-3);

/// True if the camera moved too little to cause a visible difference.
pub(super) fn moved_little(old: &FrameRecord, new: &FrameRecord) -> bool {
    let [from, to] = [old, new].map(|record| {
        let [x, y, z, i, j, k, fov_rad] = record.camera;
        (Vec3::new(x, y, z), Vec3::new(i, j, k), fov_rad)
    });
    (to.0 - from.0).length() <= LITTLE.0 * from.0.length()
        && angle_deg(from.1, to.1) <= LITTLE.1
        && (to.2 - from.2).abs() <= LITTLE.0 * from.2
}

/// The movement of a camera whose settings in the scene are unchanged.
pub(super) fn camera(old: &FrameRecord, new: &FrameRecord) -> Option<Finding> {
    let why = if is_fitted(new) { "fitted" } else { "same scene" };
    Some(movement(old, new)?.property(why))
}

/// Distance and angle by which the camera moved. None if it did not.
fn movement(old: &FrameRecord, new: &FrameRecord) -> Option<Finding> {
    if old.camera == new.camera {
        return None;
    }
    let parts = |camera: [f32; 7]| {
        let [x, y, z, i, j, k, fov_rad] = camera;
        (Vec3::new(x, y, z), Vec3::new(i, j, k), fov_rad)
    };
    let ((eye, forward, fov_rad), (to, toward, to_fov_rad)) =
        (parts(old.camera), parts(new.camera));
    let camera = finding::Subject::all(Element::Camera);
    let moved = Finding::new(Stage::Scene, Kind::Moved, camera)
        .by((to - eye).length(), Unit::Distance)
        .by(angle_deg(forward, toward), Unit::Degrees)
        .measured();
    let fov = |fov: f32| Value::amount(f64::from(fov) * DEGREES, Unit::Degrees);
    let sees = fov_rad != to_fov_rad;
    Some(if sees { moved.from_to(fov(fov_rad), fov(to_fov_rad)) } else { moved })
}

/// The angle between two directions in degrees.
fn angle_deg(a: Vec3, b: Vec3) -> f64 {
    let [a, b] = [a, b].map(|vector| vector.to_array().map(f64::from));
    let cross = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
    let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    libm::atan2(dot(cross, cross).sqrt(), dot(a, b)) * DEGREES
}

/// Words omitted in a scene, by subject and key.
const LEFT_OUT: [(&str, &str, &str); 1] = [("output", "tone", "none")];

/// The default word for a key of a subject, which is left out.
fn left_out(subject: &Subject, key: &str) -> Option<&'static str> {
    let own = LEFT_OUT.iter().find(|(name, known, _)| subject.name == *name && key == *known);
    own.map(|(_, _, word)| *word)
}

/// Differences of one subject.
fn of_subject(old: &Subject, new: &Subject) -> Vec<Finding> {
    if new.name == CROWD {
        return of_crowd(old, new);
    }
    if new.surface().is_some() {
        let changes = surface::changes(&subject_of(new), &old.values, &new.values, false);
        let in_scene = |one| Finding { stage: Stage::Scene, ..one };
        return changes.into_iter().map(in_scene).collect();
    }
    let value = |of: &Subject, key: &str| {
        let own = of.values.iter().find(|(known, _)| known == key).map(|(_, value)| value.clone());
        own.or_else(|| left_out(of, key).map(str::to_owned))
    };
    let mut found = Vec::new();
    let is_gone = |key: &str| new.values.iter().all(|(known, _)| known != key);
    let gone = old.values.iter().filter(|(key, _)| is_gone(key));
    for (key, _) in new.values.iter().chain(gone) {
        let (was, is) = (value(old, key), value(new, key));
        if was != is {
            found.push(change(new, key, was, is));
        }
    }
    found
}

/// True if a key is the shadow of a light.
fn casts(subject: &Subject, key: &str) -> bool {
    key == "shadow" && subject.is_light()
}

/// The instances with digests only, which distinguish one change from another.
fn of_crowd(old: &Subject, new: &Subject) -> Vec<Finding> {
    let instance = |number: &str| finding::Subject::named(Element::Instance, number);
    let digest = |of: &Subject, number: &str| {
        let own = of.values.iter().find(|(known, _)| known == number);
        own.map(|(_, digest)| Value::from(digest.as_str()))
    };
    let changed = new.values.iter().filter(|value| !old.values.contains(value));
    let changed = changed.map(|(number, _)| {
        Finding::new(Stage::Scene, Kind::ValueChanged, instance(number))
            .property("model, clip, time or place")
            .from_to(digest(old, number), digest(new, number))
    });
    let gone = old.values.iter().filter(|(number, _)| digest(new, number).is_none());
    let gone = gone.map(|(number, _)| Finding::new(Stage::Scene, Kind::Removed, instance(number)));
    changed.chain(gone).collect()
}

/// One changed value: directions turn, positions move, numbers go from one to the other.
fn change(of: &Subject, key: &str, was: Option<String>, is: Option<String>) -> Finding {
    let vector = |text: &str| -> Option<Vec3> {
        let values: Vec<f32> = text.split(' ').map(str::parse).collect::<Result<_, _>>().ok()?;
        <[f32; 3]>::try_from(values).ok().map(Vec3::from_array)
    };
    let [before, now] = [&was, &is].map(|text| text.as_deref().and_then(vector));
    let is_shadow = casts(of, key) && (was.is_none() || is.is_none());
    let property = if is_shadow { CAST_SHADOW } else { key };
    let changed = say(Kind::ValueChanged, of).property(property);
    let changed = changed.from_to(was.map(Value::from), is.map(Value::from));
    match (key, before.zip(now)) {
        ("direction", Some((from, to))) => changed.by(angle_deg(from, to), Unit::Degrees),
        ("position" | "eye" | "target", Some((from, to))) => {
            changed.by((to - from).length(), Unit::Distance)
        }
        (_, Some((from, to))) if LIGHTS.contains(&key) => match brightness(from, to) {
            Some(percent) => changed.by(percent, Unit::Percent),
            None => changed,
        },
        _ => changed,
    }
}

/// Keys of linear colours.
const LIGHTS: [&str; 4] = ["color", "sky", "ground", "ambient"];

/// The growth of a colour in percent, if all of its channels grew by the same factor.
fn brightness(before: Vec3, now: Vec3) -> Option<f64> {
    let ([r, g, b], now) = (before.to_array().map(f64::from), now.to_array().map(f64::from));
    let factor = (now[0] + now[1] + now[2]) / (r + g + b);
    let is_even = |(before, now): (f64, f64)| (now - before * factor).abs() <= 1e-5 * now.abs();
    let is_even = factor > 0.0 && [r, g, b].into_iter().zip(now).all(is_even);
    is_even.then_some((factor - 1.0) * 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_told_with_the_digits_that_count() {
        for (key, before, now, words) in [
            (
                "sky",
                "0.24598823 0.31924894 0.4528857",
                "0.26979354 0.35014403 0.4967133",
                "sky 9.68 % brighter (0.246 0.3192 0.4529 -> 0.2698 0.3501 0.4967)",
            ),
            ("color", "1.0 0.5 0.25", "1.0 0.5 0.125", "color 1.0 0.5 0.25 -> 1.0 0.5 0.125"),
            ("color", "0.0 0.0 0.0", "1.0 1.0 1.0", "color 0.0 0.0 0.0 -> 1.0 1.0 1.0"),
            ("fov_deg", "35.000001", "35.000002", "fov_deg 35.000001 -> 35.000002"),
            ("fov_deg", "1234.5678", "0.000123456", "fov_deg 1235 -> 0.0001235"),
            ("tone", "none", "neutral", "tone none -> neutral"),
        ] {
            let subject = Subject { name: "it".to_owned(), values: Vec::new() };
            let found = change(&subject, key, Some(before.to_owned()), Some(now.to_owned()));
            assert_eq!(found.sentence(), format!("it {words}"));
        }
    }
}
